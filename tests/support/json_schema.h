/*
 * Whether a JSON document has the shape that a schema of docs/json says.
 *
 * Of JSON Schema: type, const, enum, required, properties, additionalProperties, items, minItems.
 * Other words but title, description and $schema fail the test, so that none is ignored.
 */
#ifndef NSC_TESTS_JSON_SCHEMA_H
#define NSC_TESTS_JSON_SCHEMA_H

#include "nsyscope/types.h"

/* schema: a file of docs/json. Fails the test with the place in the document. */
void nsc_test_json_matches(const char *schema, struct nsc_text document);

#endif
