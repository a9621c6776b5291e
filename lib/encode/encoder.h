/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the files of lib/encode. forms.c finds out how an event is written; named.c, entries.c and unknown_name.c
 * look up names; terms.c encodes terms. The files perf_*.c encode for the kernel.
 */
#ifndef UM_ENCODER_H
#define UM_ENCODER_H

#include "encode/event.h"
#include "encode/perf_event.h"
#include "names/scanner.h"

struct um_perf_draft {
	struct um_perf_event ev;
	const struct um_kernel_alias *alias; /* the last unit's predefined event in sysfs; NULL: none */
	unsigned depth;               /* nesting depth while names are replaced by their terms */
	const struct um_encoding *of; /* encoding by our tables; NULL: the event is encoded from its text */
	/* Arguments of um_perf_add_units(): */
	const struct um_json_event *listed; /* entry of an event list; NULL: none */
	const char *terms;            /* used on all PMUs; NULL: use the terms of @listed */
	bool filtered;                /* @terms contains a filter that the user wrote */
	int unit;                     /* add only the unit of this number; -1: all units */
	struct um_term_list more, modifiers; /* the user's terms and modifiers */
	bool denied;                  /* tracefs cannot be read, so a tracepoint would not be found */
};

struct um_encoder {
	const char *text;             /* text of the event being encoded, for messages */
	const char *instead;          /* another form of the event, for messages */
	struct um_error *e;
	unsigned group;
	const struct um_event_pmus *pmus;
	const struct um_pmu *plain; /* um_event_plain_pmu() */
	const struct um_json_lists *lists; /* NULL: none */
	/* For registers: */
	struct um_encodings *list;
	uint8_t core_type;
	/* For the kernel: */
	struct um_names *names;
	struct um_perf_events *perf;
	struct um_perf_draft draft;
};

#define UM_REFUSE(s, err, ...) um_event_fail((s)->e, err, (s)->text, __VA_ARGS__)

/*
 * An event under construction for registers: what was written, and the encoding that is made of it. For the words of
 * one unit for the kernel only @enc, ev.pmu, @words and @other are used.
 */
struct um_draft {
	struct um_encoder *enc;
	/*
	 * For the kernel: called for a term whose name the PMU's format does not have. As in perf, values are or-ed, and
	 * a term without a value is 1. NULL: a term must not have two values, and a term of several bits needs one.
	 */
	int (*other)(struct um_draft *d, const struct um_event_term *t);
	/*
	 * Has the not_written bits until its name is written. Its row is the one of the given name; NULL: it is found
	 * by the codes.
	 */
	struct um_encoding ev;
	struct um_words words;
	bool raw;                          /* the whole selector word was given */
	bool has_config1;                  /* all filters were given as one word, in the kernel's layout */
	uint64_t config1;
	uint64_t more;                     /* more selector bits, from the modifier "raw=" */
	bool user, kernel;                 /* modes that were asked for (:u, :k) */
	int port, set;                     /* for events that each port has; -1: not given */
	uint32_t counters;                 /* only these general counters; 0: any */
	bool on_fixed;
	int fixed;                         /* number of the fixed counter that was asked for; -1: the PMU's only one */
	const struct um_event_table *table; /* the table to look up a name for the codes; NULL: none */
	const struct um_event_row *codes;  /* codes of the given name, with its unit masks; NULL: no name was given */
	const struct um_json_event *entry; /* entry of an event list, whose terms are in @words; NULL: none */
	const char *listed;                /* the list's name, if the event is shown with it; else NULL */
	struct um_words named;             /* the words that the name @listed stands for */
};

/* ---- terms.c ---- */

int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len);
int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value);

int um_put_terms(struct um_draft *d, struct um_term_list l);
/* um_put_terms() for a text of terms separated by commas, as in event lists and the kernel's files. */
int um_put_text(struct um_draft *d, const char *text);
/* Add perf's modifier letters ("uD") to @m. -EINVAL: a letter is unknown, or given twice in the text or in @m. */
int um_encode_letters(struct um_encoder *s, const char *text, size_t len, struct um_perf_mods *m);

/* ---- for both routes ---- */

struct um_listed;
/* forms.c: begin to encode an event, and look it up in the event lists. Sets @l to what was found. */
void um_encode_begin(struct um_encoder *s, const struct um_event *ev, struct um_listed *l);
/*
 * entries.c: call @add with the list entry for each core type of a hybrid processor, or for s->core_type only: lists of
 * two core types can have different codes for a name. Returns the sum of its results, or a negative one.
 */
typedef int um_kind_fn(struct um_encoder *s, const struct um_listed *l, const struct um_json_event *entry,
		       uint8_t type);
int um_listed_kinds(struct um_encoder *s, const struct um_listed *l, um_kind_fn *add);

/* ---- for registers ---- */

/* A draft for general counters; if ev.fixed is then set, for a fixed counter. */
static inline struct um_draft um_draft_for(struct um_encoder *s, const struct um_pmu *pmu, int unit)
{
	return (struct um_draft){
		.enc = s, .port = -1, .set = -1, .table = um_event_table_of(s->pmus->uarch, pmu),
		.ev = { .pmu = pmu, .unit = unit, .fixed = -1, .counter = -1,
			.core_type = um_pmu_is_core(pmu) ? s->core_type : 0 },
	};
}

/* registers.c: add terms and modifiers, check and complete the encoding by the tables, and append it to the list. */
int um_encode_draft(struct um_draft *d, struct um_term_list terms, struct um_term_list modifiers);

/* terms.c */
int um_encode_modifiers(struct um_draft *d, struct um_term_list l);
/* Set the whole selector word: later terms may add flags to it, but not change its other fields. */
void um_encode_word(struct um_draft *d, uint64_t word);
/* Does the PMU have a modifier of this name? The values of most modifiers are not checked. */
bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t);

/* spell.c: write the canonical name, or the list's name; "" if no terms can express what the user added. */
void um_event_spell_out(struct um_draft *d);

/* entries.c */
/* The free-running counter that has this unit mask in Linux. -1: none. */
int um_free_running(const struct um_pmu *pmu, uint64_t umask);
int um_encode_entry(struct um_encoder *s, const struct um_listed *l);

/*
 * named.c: encode a name. @only: the PMU that is to have it; NULL: any. @parts: the parts between colons; the last ones
 * may be modifiers, which precede @modifiers.
 */
int um_encode_name(struct um_encoder *s, const struct um_pmu *only, int unit, struct um_term_list parts,
		   struct um_term_list terms, struct um_term_list modifiers);

/*
 * unknown_name.c: fail with a message that says which other PMU or processor has the name, or similar names. @only: the
 * PMU that the user named, or NULL. @heads: the parts of the name, which may end after any of them.
 */
int um_unknown_name(struct um_encoder *s, const struct um_pmu *only, struct um_term_list heads);

/* ---- for the kernel; -ENOMEM has no message ---- */

/* perf_tables.c: convert the register words of an event into config words, in the draft. 0 or a negative errno. */
int um_perf_add_encoding(struct um_encoder *s, const struct um_encoding *ev);

/* perf_terms.c */
bool um_perf_suggest(struct um_encoder *s, const char *text, size_t len);
/* Set a one-bit term in a unit that was added before. */
int um_perf_add_flag(struct um_encoder *s, struct um_perf_unit *unit, const char *name);
int um_perf_take_letters(struct um_encoder *s);
/* Add a unit of @pmu with the terms in @text and then the user's. Sets scale and measure, too. */
int um_perf_add_unit(struct um_encoder *s, struct um_kernel_pmu *pmu, const char *text);
/* Add a unit for each PMU that the name stands for. Returns the number of these PMUs, or a negative errno. */
int um_perf_add_units(struct um_encoder *s, const char *pmu, size_t len);
/* Add a unit with known config words; @pmu NULL: of no PMU in sysfs. @shown: the PMU's name; NULL: set later. */
int um_perf_add_words(struct um_encoder *s, struct um_kernel_pmu *pmu, uint32_t type, uint64_t config,
		      const char *shown);
/* The terms of a list entry for this PMU. A Xeon E5's PCU has occupancy bits in place of the unit mask. */
const char *um_terms_on(const struct um_json_event *ev, const struct um_pmu *pmu);
bool um_same_scale(double scale, const char *unit, double other_scale, const char *other_unit);
int um_perf_set_pmu(struct um_encoder *s, const char *name);

/* perf_named.c */
/* Encode a name of perf, the kernel or a catalog, or codes. Returns a positive number or a negative errno. */
int um_perf_symbol(struct um_encoder *s, const struct um_event *ev);
/*
 * Encode an event of a list on all PMUs that have it: "UNC_M_CAS_COUNT.RD:edge=1", or a name of libpfm4 or likwid.
 * Returns a positive number; 0: no list has the event; or a negative errno.
 */
int um_perf_listed(struct um_encoder *s, const struct um_listed *l);

/* perf_imc.c */
struct um_imc_name;
/*
 * Encode an event whose PMU is in an IMC catalog, but not in this kernel: PMU/EVENT/ or PMU/event=OFFSET/, or an event
 * found in a catalog. Return a positive number; 0: no catalog has the PMU; or a negative errno.
 */
int um_perf_catalog_pmu(struct um_encoder *s, const struct um_event *ev);
int um_perf_absent_event(struct um_encoder *s, const struct um_imc_name *n);
/*
 * Check that each config is the offset of a counter: the kernel accepts an offset at the very end of the counters'
 * memory, and would read past that memory. 0; -EINVAL.
 */
int um_perf_check_imc(struct um_encoder *s);

#endif
