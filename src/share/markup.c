/* Writes clean text, elements and the head of a page as HTML. */
#include "share/markup.h"

#include "core/text.h"

void nsc_markup_add(struct nsc_buf *out, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (bytes[i]) {
        case '&':
            nsc_buf_puts(out, "&amp;");
            break;
        case '<':
            nsc_buf_puts(out, "&lt;");
            break;
        case '>':
            nsc_buf_puts(out, "&gt;");
            break;
        case '"':
            nsc_buf_puts(out, "&quot;");
            break;
        case '\'':
            nsc_buf_puts(out, "&#39;");
            break;
        default:
            nsc_buf_putc(out, bytes[i]);
        }
    }
}

void nsc_markup_text(struct nsc_buf *out, struct nsc_text text)
{
    struct nsc_buf clean = NSC_BUF_INIT(SIZE_MAX);

    nsc_text_clean(&clean, text, false);
    nsc_markup_add(out, clean.bytes, clean.n);
    nsc_buf_fini(&clean);
}

void nsc_markup_element(struct nsc_buf *out, const char *open, struct nsc_text text,
                        const char *close)
{
    nsc_buf_puts(out, open);
    nsc_markup_text(out, text);
    nsc_buf_puts(out, close);
}

void nsc_markup_page(struct nsc_buf *out, const char *title, const char *style)
{
    nsc_buf_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n");
    nsc_markup_element(out, "<title>", nsc_text_from(title), "</title>\n<style>");
    nsc_buf_puts(out, style);
}
