/*
 * Any bytes as a name: the cleaned text is valid, printable and within the given width, and
 * cleaning it again changes nothing.
 * promises: B15
 */
#include "core/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_bytes(const struct nsc_buf *buf, bool ascii)
{
    for (size_t i = 0; i < buf->n; i++) {
        unsigned char c = (unsigned char)buf->bytes[i];

        if (c < 0x20 || c == 0x7f || (ascii && c > 0x7e))
            abort();
        if (c == 0xc2 && i + 1 < buf->n && (unsigned char)buf->bytes[i + 1] < 0xa0)
            abort(); /* C1 */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nsc_text text = {(const char *)data, (uint32_t)size};

    for (int ascii = 0; ascii < 2; ascii++) {
        struct nsc_buf once = NSC_BUF_INIT(16u << 20);
        struct nsc_buf twice = NSC_BUF_INIT(16u << 20);
        struct nsc_buf cut = NSC_BUF_INIT(4096);
        struct nsc_text clean;

        nsc_text_clean(&once, text, ascii);
        clean.bytes = once.n ? once.bytes : "";
        clean.n = (uint32_t)once.n;
        nsc_text_clean(&twice, clean, ascii);
        check_bytes(&once, ascii);
        if (once.n != twice.n || (once.n && memcmp(once.bytes, twice.bytes, once.n) != 0))
            abort();
        for (size_t width = 0; width < 20; width += 3) {
            nsc_buf_clear(&cut);
            if (nsc_text_clip(&cut, text, width, ascii) > width)
                abort();
            check_bytes(&cut, ascii);
        }
        nsc_buf_fini(&once);
        nsc_buf_fini(&twice);
        nsc_buf_fini(&cut);
    }
    return 0;
}
