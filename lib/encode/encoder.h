/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the files that encode an event into register words: forms.c (finds the kind of event),
 * terms.c (terms and modifiers), named.c (names), unknown_name.c.
 */
#ifndef UM_ENCODER_H
#define UM_ENCODER_H

#include "encode/event.h"
#include "events/scanner.h"

struct um_encoder {
	const struct um_event_pmus *pmus;
	const struct um_json_lists *lists; /* NULL: none */
	const struct um_pmu *plain; /* um_event_plain_pmu() */
	struct um_encodings *list;
	struct um_error *e;
	unsigned group;               /* group number for the events that are added */
	uint8_t core_type;            /* core type of the event being encoded */
	const char *text;             /* the event being encoded, for messages */
};

/* terms.c */
/* Fail because the event is wrong: @what says what is wrong with the @len bytes at @at. */
int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len);
/* Read a whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value);
/* Is it a word of a core selector: "r5301b1"? */
bool um_is_core_word(const char *text, size_t len);
int um_encode_core_word(struct um_encoder *s, const char *text, size_t len, uint64_t *value);
/* Encode one term whose value is known. */
int um_encode_value(struct um_encoder *s, const struct um_pmu *pmu, const char *name,
		    uint64_t value, struct um_event_spec *spec);
/* Add the terms @l to what @spec already holds. */
int um_encode_terms(struct um_encoder *s, const struct um_pmu *pmu, struct um_term_list l,
		    struct um_event_spec *spec);
/* Add modifiers: "edge", "cmask=2", "u". */
int um_encode_modifiers(struct um_encoder *s, const struct um_pmu *pmu,
			struct um_term_list l, struct um_event_spec *spec);
/* Would the term be taken for a modifier if it has no value? */
bool um_is_modifier(const struct um_pmu *pmu, const struct um_event_term *t);

/* masks.c: several unit masks after the name of an event, as libpfm4 writes them. */
struct um_masks {
	unsigned select, umask;
	size_t num;                   /* how many of the modifiers are unit masks; 0: none */
};
/*
 * Combine the unit mask of @row with those at the beginning of @modifiers. @row NULL: the name @name alone means no
 * event. -EINVAL: a number cannot be parsed, or the masks belong to different events.
 */
int um_encode_masks(struct um_encoder *s, const struct um_pmu *pmu, const char *name, size_t len,
		    const struct um_event_row *row, struct um_term_list modifiers, struct um_masks *m);

/* named.c */
/* Append an event. 0, or -EINVAL, -ENOMEM. */
int um_encode_add(struct um_encoder *s, struct um_encoding *ev);
/* Encode what names and terms said, and append it. */
int um_encode_spec(struct um_encoder *s, const struct um_pmu *pmu, const struct um_event_spec *spec);
struct um_named {
	const struct um_pmu *pmu;
	int unit;
	const char *name;
	size_t len;
	struct um_term_list terms, modifiers;
};
/* Encode a name on one PMU. */
int um_encode_name_on(struct um_encoder *s, const struct um_named *named);
/* Encode NAME[:MODIFIER]... on whichever PMU has the name; @only: on this PMU, and on its unit @unit. */
int um_encode_name(struct um_encoder *s, const struct um_event *ev, const struct um_pmu *only,
		   int unit);

/* unknown_name.c: say who else has the name, or suggest similar names. @only: the PMU that the user named. */
enum { UM_NAME_HEADS = 4 };
/* The places where a name may end, shortest first; several, because a colon may be part of the name. */
struct um_name_heads {
	const char *ends[UM_NAME_HEADS];
	size_t num;
};
int um_unknown_name(struct um_encoder *s, const struct um_pmu *only, const char *text,
		    const struct um_name_heads *h);

static inline struct um_event_spec um_spec_for(const struct um_encoder *s,
					       const struct um_pmu *pmu, int unit)
{
	return (struct um_event_spec){
		.port = -1, .set = -1, .unit = unit, .plain = pmu == s->plain && unit < 0,
		.core_type = um_pmu_is_core(pmu) ? s->core_type : 0,
		.arch_events = s->pmus->arch_events,
		.table = um_event_table_of(s->pmus->uarch, pmu),
	};
}

#endif
