/* Says on the screen what answers say for the command line. */
#include "view/kit/advice.h"

/* The first that fits is taken. */
static const struct {
    const char *words, *here;
} places[] = {
    {"nsyscope skill run ", ":answer "},
    {"nsyscope ranks FILE... of all", ":answer ranks, with all"},
    {"nsyscope ranks", ":answer ranks"},
    {"nsyscope iters", ":answer iteration_timing"},
    {"nsyscope stats FILE -r ", "nsyscope stats, report "},
    {"nsyscope diff FILE FILE with --trim", ":statistics of a range"},
    {"nsyscope diff A B", ":diff"},
    {"nsyscope search FILE ", ":find "},
    {"nsyscope tree FILE --instances", ":tree"},
    {"nsyscope tree", ":tree"},
    {"nsyscope analyze", ":findings"},
    {"nsyscope info", ":info"},
    {"nsyscope schema", ":schema"},
    {"nsyscope help ", ":help "},
    {" --whole selects the whole recording, --trim another window.",
     " With a range, questions are of its time."},
    {" --whole", ""},
    {"with --trim", "in a range"},
    {"--iterations", ":iterations"},
    {"; --anyway compares them even so", ""},
    {" FILE...", ""},
    {" FILE", ""},
    {" -p ", " "},
};

void nsc_advice_add(struct nsc_buf *out, struct nsc_text text)
{
    while (text.n) {
        size_t k = 0;
        uint32_t taken = 1;

        while (k < sizeof places / sizeof *places && !nsc_text_begins(text, places[k].words))
            k++;
        if (k < sizeof places / sizeof *places) {
            nsc_buf_puts(out, places[k].here);
            taken = nsc_text_from(places[k].words).n;
        } else {
            nsc_buf_putc(out, text.bytes[0]);
        }
        text.bytes += taken;
        text.n -= taken;
    }
}

void nsc_advice_wrap(struct nsc_page *page, enum nsc_role role, const char *text, int indent)
{
    struct nsc_buf here = NSC_BUF_INIT(SIZE_MAX);

    nsc_advice_add(&here, nsc_text_from(text));
    nsc_page_wrap(page, role, here.n ? here.bytes : "", indent);
    nsc_buf_fini(&here);
}
