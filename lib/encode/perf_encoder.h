/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the files that encode an event into perf attrs: perf_forms.c (slashes, modifiers),
 * perf_named.c, perf_terms.c, perf_imc.c, perf_tables.c.
 */
#ifndef UM_PERF_ENCODER_H
#define UM_PERF_ENCODER_H

#include "events/scanner.h"
#include "encode/perf_event.h"

struct um_perf_encoder {
	const struct um_perf_scope *scope;
	struct um_perf_events *list;
	struct um_error *e;
	unsigned group;               /* group number for the events that are added */
	const char *text;             /* the event being encoded, for messages */
};

/* An event under construction. */
struct um_perf_draft {
	struct um_perf_event ev;
	char letters[32];             /* modifier letters */
	const struct um_kernel_alias *alias; /* files of the unit that was added last; NULL: none */
};

/* perf_forms.c */
/* Apply the letters to all units, name the event, and move the draft into the list. */
int um_perf_finish(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t name_len);
void um_perf_draft_free(struct um_perf_draft *d);

/* perf_terms.c */
/* Fail because the event is wrong: @what says what is wrong with the @len bytes at @at. */
int um_perf_bad(struct um_perf_encoder *s, const char *what, const char *at, size_t len);
/* Add similar names as advice to the failure. False: there are none. */
bool um_perf_offer(struct um_perf_encoder *s, const char *text, size_t len);
/*
 * Add a unit of @pmu, with the terms of the kernel or a list (@text) followed by the user's. Scale, unit and so on
 * go to the draft.
 */
int um_perf_add_unit(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		     const char *text, size_t len, struct um_term_list more);
/* Set a term of one bit in a unit that was added. */
int um_perf_add_flag(struct um_perf_encoder *s, struct um_perf_unit *unit, const char *name);
/* Append a modifier to the letters of the draft. */
int um_perf_add_letters(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event_term *t);
/* Split modifiers: terms are appended to @terms, which has room for all; letters go to the draft. */
int um_perf_split(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_term_list modifiers,
		  struct um_event_term *terms, size_t *num);
/* Add a unit whose words are known; @pmu NULL: it belongs to no PMU in sysfs. */
int um_perf_add_words(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		      uint32_t type, uint64_t config);
/* The terms of a list's entry on the PMU, which depend on whether it has unit masks. */
const char *um_perf_terms_on(const struct um_json_event *ev, const struct um_kernel_pmu *pmu);
/* Replace *to by a copy. 0 or -ENOMEM. */
int um_perf_set_text(char **to, const char *text);
/* Set the name of the event's PMU. */
int um_perf_name_pmu(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name);
/* Set it from the first unit: the name of the unit's PMU, or of the family if there are several. */
int um_perf_name_units(struct um_perf_encoder *s, struct um_perf_draft *d);

/* perf_named.c */
/* Encode a name without slashes that is in no list. -ENOENT: the name is not perf's and not the kernel's. */
int um_perf_symbol(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name,
		   size_t len);
/* Are tracepoints out of reach because tracefs, which the kernel supports, is not mounted? */
bool um_perf_lacks_tracefs(struct um_perf_encoder *s);
/* Encode the core event "rHEX", whose digits are @word. */
int um_perf_raw(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t word);
/* Encode TYPE:CONFIG, two numbers as in struct perf_event_attr. -ENOENT: no PMU has that type. */
int um_perf_typed(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t type, uint64_t config);

/*
 * Encode an event of a list, on all PMUs of its unit, with the user's terms added: "UNC_M_CAS_COUNT.RD:edge=1", or as
 * libpfm4 and likwid write it ("skx_unc_imc0::UNC_M_CAS_COUNT:RD:WR:e=1"). -ENOENT without a sentence: it is none.
 */
int um_perf_listed(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev);

/* perf_imc.c */
struct um_imc_name;
/*
 * Encode an event of an IMC catalog whose PMU this kernel does not have: the text between the slashes of the PMU (-ENOENT:
 * no catalog has the PMU), and one that was found. The draft says that the PMU is absent.
 */
int um_perf_catalog_pmu(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev);
int um_perf_absent_event(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_imc_name *n);
/*
 * Check that the units of an event address counters. The kernel takes any offset that is not past the end, and
 * would read beyond it. 0; -EINVAL.
 */
int um_perf_check_imc(struct um_perf_encoder *s, const struct um_perf_draft *d);

#endif
