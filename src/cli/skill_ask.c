/* Asks skills about a loaded export. */
#include "cli/field_reader.h"
#include "cli/skill_list.h"

enum nsc_status nsc_skills_ask(struct nsc_sheets *out, struct nsc_loaded_scope *loaded,
                               const struct nsc_skill *const skills[],
                               const struct nsc_question questions[], unsigned n,
                               struct nsc_error *error)
{
    struct nsc_field_reader fields;
    struct nsc_error own = {0};
    enum nsc_status status;

    nsc_field_reader_init(&fields, loaded->capture, loaded->trace);
    nsc_loaded_scope_steady(loaded);
    for (unsigned i = 0; i < n; i++) {
        struct nsc_question question = questions[i];

        question.scope = &loaded->scope;
        question.fields = &fields.sets;
        question.capture = loaded->capture;
        question.error = &own;
        question.indent = nsc_output_is_for_people(loaded->options);
        nsc_skill_run(out, skills[i], &question);
    }
    status = nsc_field_reader_check(&fields, loaded, error);
    nsc_field_reader_fini(&fields);
    if (status == NSC_OK && own.status != NSC_OK)
        status = nsc_fail(error, own.status, "%s", own.text);
    return status;
}
