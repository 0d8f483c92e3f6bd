/*
 * Checks that a JSON document matches a schema of docs/json.
 *
 * Supports these words of JSON Schema: type, const, enum, required, properties,
 * additionalProperties, items, minItems. Any other word except title, description and $schema fails
 * the test.
 */
#ifndef NSC_TESTS_JSON_SCHEMA_H
#define NSC_TESTS_JSON_SCHEMA_H

#include "nsyscope/types.h"

/* schema: a file of docs/json. A failure names the place in the document. */
void nsc_test_json_matches(const char *schema, struct nsc_text document);

#endif
