/*
 * Phases of NVTX ranges, by patterns of their names. A pattern that begins with "re:" is an
 * extended regular expression that respects case; any other matches anywhere in the name, in any
 * case. The first phase with a matching pattern wins.
 */
#ifndef NSC_ANALYSIS_PHASES_H
#define NSC_ANALYSIS_PHASES_H

#include "nsyscope/status.h"
#include "nsyscope/types.h"

#define NSC_PHASE_NONE UINT32_MAX

struct nsc_phase_map;

/*
 * Parses a JSON object {"phase": "pattern" | ["pattern", ...]}, in its order. NSC_EFORMAT: no JSON;
 * NSC_EINVAL: no object or none of its phases, a phase without a name, named twice or without a
 * pattern, an empty pattern, a value of another type, or an invalid expression; the text says which.
 */
NSC_NODISCARD enum nsc_status nsc_phase_map_parse(struct nsc_phase_map **out, struct nsc_text json,
                                                  struct nsc_error *error);
/* The built-in map: prefill, decode and sampling, by the words of serving programs. */
struct nsc_phase_map *nsc_phase_map_builtin(void);
void nsc_phase_map_free(struct nsc_phase_map *map); /* NULL is fine */

uint32_t nsc_phase_map_count(const struct nsc_phase_map *map);
/* Raw bytes, borrowed. */
struct nsc_text nsc_phase_map_name(const struct nsc_phase_map *map, uint32_t phase);
/* Whether names that differ only in digits may have different phases. */
bool nsc_phase_map_sees_digits(const struct nsc_phase_map *map);
/* The phase of a name, ignoring blanks around it; NSC_PHASE_NONE if no pattern matches. */
uint32_t nsc_phase_map_find(const struct nsc_phase_map *map, struct nsc_text name);

#endif
