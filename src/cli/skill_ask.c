/*
 * Asks skills about a loaded export.
 */
#include "cli/skill_ask.h"

#include "cli/field_reader.h"

void nsc_skills_ask(struct nsc_sheets *out, struct nsc_asked *asked,
                    const struct nsc_skill *const skills[], const struct nsc_question questions[],
                    unsigned n)
{
    struct nsc_field_reader fields;

    nsc_field_reader_init(&fields, asked->capture, asked->trace);
    for (unsigned i = 0; i < n; i++) {
        struct nsc_question question = questions[i];

        question.scope = &asked->scope;
        question.fields = &fields.sets;
        question.indent = asked->format == NSC_SHEET_AS_TABLE || asked->format == NSC_SHEET_AS_MD;
        skills[i]->run(out, &question);
    }
    if (fields.error.status != NSC_OK)
        nsc_asked_note(asked, "Some columns could not be read: %s", fields.error.text);
    nsc_field_reader_fini(&fields);
}
