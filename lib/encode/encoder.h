/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the files of lib/encode. forms.c finds out which kind of event was written; named.c, entries.c and
 * unknown_name.c look up names; terms.c puts terms into words. The files perf_*.c encode for the kernel.
 */
#ifndef UM_ENCODER_H
#define UM_ENCODER_H

#include "encode/event.h"
#include "encode/perf_event.h"
#include "names/scanner.h"

/* An event under construction for the kernel. */
struct um_perf_draft {
	struct um_perf_event ev;
	const struct um_kernel_alias *alias; /* the last unit's ready-made event in sysfs; NULL: none */
	unsigned depth;               /* nesting depth while names are replaced by their terms */
	const struct um_encoding *of; /* words of our tables; NULL: the event is encoded from its text */
	/* What um_perf_add_units() gives to each unit: */
	const struct um_json_event *listed; /* the entry of a list; NULL: none */
	const char *terms;            /* the same for all PMUs; NULL: terms of @listed, which may depend on the PMU */
	int unit;                     /* only the unit of this number; -1: all */
	struct um_term_list more, modifiers; /* given by the user; a modifier may be a term or letters */
	bool denied;                  /* tracefs cannot be read, so the text may name a tracepoint */
};

struct um_encoder {
	const char *text;             /* the event being encoded, for messages */
	const char *instead;          /* an alternative that messages suggest */
	struct um_error *e;
	unsigned group;               /* group number for the events that are added */
	const struct um_event_pmus *pmus;
	const struct um_pmu *plain; /* um_event_plain_pmu() */
	const struct um_json_lists *lists; /* NULL: none */
	/* For registers: */
	struct um_encodings *list;
	uint8_t core_type;            /* core type of the event being encoded */
	/* For the kernel: */
	struct um_names *names;       /* where names are looked up */
	struct um_perf_events *perf;
	struct um_perf_draft draft;
};

/* Fail and name the event that is being encoded: a negative errno, then the message as printf() arguments. */
#define UM_REFUSE(s, err, ...) um_event_fail((s)->e, err, (s)->text, __VA_ARGS__)

/* ---- terms.c ---- */

/* Fail because of the @len bytes at @at; @what says what is wrong with them. */
int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len);
/* Read a whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value);

/* Convert the terms of one event into bits of its words, by the format of its PMU. */
struct um_filling {
	struct um_encoder *enc;
	const struct um_pmu *pmu;     /* from our tables or from the kernel */
	struct um_words *words;
	/*
	 * True: two values for a term are refused, and a term of several bits needs a value. False: as in perf, values
	 * are or-ed, and a term without a value is 1.
	 */
	bool once;
	/* Called for a term whose name the PMU's format does not have. */
	int (*other)(struct um_filling *f, const struct um_event_term *t);
	void *user;                   /* for @other */
};
int um_put_terms(struct um_filling *f, struct um_term_list l);
/* um_put_terms() for terms separated by commas, of a list or of the kernel's files. */
int um_put_text(struct um_filling *f, const char *text);

/* ---- for both routes ---- */

struct um_listed;
/* forms.c: begin to encode an event, and look it up in the event lists. @l becomes the result. */
void um_encode_begin(struct um_encoder *s, const struct um_event *ev, struct um_listed *l);
/*
 * entries.c: call @add with the entry for each core type of a hybrid processor (s->core_type: only for this type),
 * until @add returns an error. Returns the sum of what @add returned. The lists of two core types can have the same
 * name with different codes.
 */
typedef int um_kind_fn(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry,
		       uint8_t type);
int um_listed_kinds(struct um_encoder *s, const struct um_listed *l, um_kind_fn *add);

/* ---- modifiers.c ---- */

/* Add perf's letters, "uD", to @m. -EINVAL: unknown, or given twice in the text or in @m. */
int um_encode_letters(struct um_encoder *s, const char *text, size_t len, struct um_perf_mods *m);

/* For registers: */

/* Add the terms @l to what @spec already holds. */
int um_encode_terms(struct um_encoder *s, struct um_term_list l, struct um_event_spec *spec);
int um_encode_text(struct um_encoder *s, const char *text, struct um_event_spec *spec);
/* Add modifiers: "edge", "cmask=2", "u". */
int um_encode_modifiers(struct um_encoder *s, struct um_term_list l, struct um_event_spec *spec);
/* Set the whole selector word: later terms may add flags to it, but not change its other fields. */
void um_encode_word(uint64_t word, struct um_event_spec *spec);
/* Does the PMU have a modifier of this name? The values of most modifiers are not checked. */
bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t);

/* named.c: fixed counters */
/* The free-running counter that Linux knows by this unit mask. -1: none. */
int um_free_running(const struct um_pmu *pmu, uint64_t umask);
int um_encode_fixed(struct um_encoder *s, const struct um_event_spec *spec, int fixed, struct um_term_list terms,
		    struct um_term_list modifiers);
/* entries.c: encode an event that a list has. */
int um_encode_entry(struct um_encoder *s, const struct um_listed *l);

/* registers.c */
int um_encode_append(struct um_encoder *s, struct um_encoding *ev);
/* Check the specification against the tables of the PMU, complete it, and append the event. */
int um_encode_spec(struct um_encoder *s, const struct um_event_spec *wanted);
/* table_row.c: add a row to @spec, after its terms. -EINVAL: the row needs a port, or a term sets its fields. */
int um_encode_row(struct um_encoder *s, const struct um_event_row *row, struct um_event_spec *spec);

/* named.c */
/* The name of an event, and the PMU on which to look for it. */
struct um_named {
	const struct um_pmu *only;    /* NULL: any PMU that has the name */
	int unit;                     /* unit of @only; -1: every unit */
	const char *name;
	struct um_term_list parts;    /* the name's parts between colons; the last ones may be modifiers */
	struct um_term_list terms, modifiers; /* the user's; @modifiers follow @parts */
	/* Set during the search on one PMU: */
	struct um_encoder *enc;
	struct um_event_spec spec;
	size_t len;                   /* length of the name without modifiers */
	int fixed;                    /* -1: none */
	const struct um_event_row *row; /* row of exactly this name; NULL: none (modifiers may add masks) */
	size_t num_masks;             /* number of modifiers that are unit masks, as libpfm4 writes them */
	struct um_event_row masked;   /* if there are any: the codes with these masks, in place of @row */
};
/* Encode a name. The members for the search on one PMU need not be set. */
int um_encode_name(struct um_encoder *s, struct um_named n);

/*
 * unknown_name.c: say which other PMU or processor has the name, or suggest similar names. @only: the PMU that the user
 * named; @heads: the name may end after each of these, because it may contain colons.
 */
int um_unknown_name(struct um_encoder *s, const struct um_pmu *only, const char *text, struct um_term_list heads);

static inline struct um_event_spec um_spec_for(const struct um_encoder *s,
					       const struct um_pmu *pmu, int unit)
{
	return (struct um_event_spec){
		.pmu = pmu, .port = -1, .set = -1, .unit = unit, .plain = pmu == s->plain && unit < 0,
		.core_type = um_pmu_is_core(pmu) ? s->core_type : 0,
		.table = um_event_table_of(s->pmus->uarch, pmu),
	};
}

/* ---- for the kernel (only um_perf_add_group() sets a message for -ENOMEM) ---- */

/* perf_forms.c */
/* Encode event @index of the @events of um_perf_add_group(), up to um_perf_finish(). 0 or a negative errno. */
typedef int um_perf_encode_fn(struct um_encoder *s, const void *events, size_t index);
/* Encode struct um_event @index of @events by the kernel's names and formats. */
um_perf_encode_fn um_perf_encode_event;
/* Append @num events as one group, each encoded by @encode with a new draft. On failure nothing is appended. */
int um_perf_add_group(struct um_perf_events *list, struct um_names *names, um_perf_encode_fn *encode,
		      const void *events, size_t num, struct um_error *e);
/*
 * Apply the modifiers to all units, name the event and its PMU, and move the draft into the list. @group_mods:
 * modifiers after the closing brace, which add to those of the event itself: with {cycles:u,instructions}:k cycles are
 * counted in both modes. NULL: none.
 */
int um_perf_finish(struct um_encoder *s, const char *name, size_t name_len, const char *group_mods);

/* perf_terms.c */
/* Add similar names as advice to the failure. False: there are none. */
bool um_perf_offer(struct um_encoder *s, const char *text, size_t len);
/* Set a term of one bit in a unit that was added. */
int um_perf_add_flag(struct um_encoder *s, struct um_perf_unit *unit, const char *name);
/* Add the modifier letters of the draft to the modifiers of its event. */
int um_perf_take_letters(struct um_encoder *s);
/*
 * Add a unit of @pmu, with the terms of the kernel or a list (@text) followed by the user's. Scale, unit and so on go
 * to the draft.
 */
int um_perf_add_unit(struct um_encoder *s, struct um_kernel_pmu *pmu, const char *text);
/* Add a unit for each PMU that the name stands for. Returns the number of these PMUs, or a negative errno. */
int um_perf_add_units(struct um_encoder *s, const char *pmu, size_t len);
/* Add a unit whose words are known; @pmu NULL: it belongs to no PMU in sysfs. */
int um_perf_add_words(struct um_encoder *s, struct um_kernel_pmu *pmu, uint32_t type, uint64_t config);
/* The terms of a list's entry on the PMU. A Xeon E5's PCU has occupancy bits in place of the unit mask. */
const char *um_terms_on(const struct um_json_event *ev, const struct um_pmu *pmu);
/* Do two scales with their units mean the same? Units may be NULL. */
bool um_same_scale(double scale, const char *unit, double other_scale, const char *other_unit);
/* Set the name of the PMU that is shown for the event. 0 or -ENOMEM. */
int um_perf_set_pmu(struct um_encoder *s, const char *name);

/* perf_named.c */
/* Encode an event that names no PMU and is in no list: a name of perf, the kernel or a catalog, or codes. */
int um_perf_symbol(struct um_encoder *s, const struct um_event *ev);
/*
 * Encode an event of a list, on all PMUs of its unit, with the user's terms added: "UNC_M_CAS_COUNT.RD:edge=1", or as
 * libpfm4 and likwid write it ("skx_unc_imc0::UNC_M_CAS_COUNT:RD:WR:e=1"). -ENOENT without a message: no list
 * has the event.
 */
int um_perf_listed(struct um_encoder *s, const struct um_listed *l);

/* perf_imc.c */
struct um_imc_name;
/*
 * Encode an event of an IMC catalog whose PMU this kernel does not have. um_perf_catalog_pmu() takes PMU/EVENT/ or
 * PMU/event=OFFSET/ (-ENOENT: no catalog has the PMU); um_perf_absent_event() takes an event found in a catalog. Both
 * set @absent in the draft.
 */
int um_perf_catalog_pmu(struct um_encoder *s, const struct um_event *ev);
int um_perf_absent_event(struct um_encoder *s, const struct um_imc_name *n);
/*
 * Check that each unit's config is the offset of a counter. The kernel also accepts an offset at the very end of the
 * counters' memory, and would then read past that memory. 0; -EINVAL.
 */
int um_perf_check_imc(struct um_encoder *s);

#endif
