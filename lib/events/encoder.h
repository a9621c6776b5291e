/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between the files that make register words of an event: encode_event.c (which kind of event it is),
 * encode_terms.c (terms and modifiers), encode_name.c (names), unknown_name.c.
 */
#ifndef UM_ENCODER_H
#define UM_ENCODER_H

#include "events/event.h"
#include "events/scanner.h"

struct um_encoder {
	const struct um_event_pmus *pmus;
	const struct um_json_lists *lists; /* NULL: none */
	const struct uncoremsr_pmu *plain; /* um_event_plain_pmu() */
	struct um_encodings *list;
	struct um_error *e;
	unsigned group;               /* of the events that are added */
	uint8_t core_type;            /* of the one being encoded */
	const char *text;             /* the event being encoded, for messages */
};

/* encode_terms.c */
/* The event is wrong: @what is the matter with the @len bytes at @at. */
int um_encode_bad(struct um_encoder *s, const char *what, const char *at, size_t len);
/* A whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
int um_encode_number(struct um_encoder *s, const char *text, size_t len, uint64_t *value);
/* "r5301b1" */
bool um_is_core_word(const char *text, size_t len);
int um_encode_core_word(struct um_encoder *s, const char *text, size_t len, uint64_t *value);
/* One term whose value is known. */
int um_encode_value(struct um_encoder *s, const struct uncoremsr_pmu *pmu, const char *name,
		    uint64_t value, struct um_event_spec *spec);
/* With what is known of @spec already. */
int um_encode_terms(struct um_encoder *s, const struct uncoremsr_pmu *pmu, struct um_term_list l,
		    struct um_event_spec *spec);
/* "edge", "cmask=2", "u". */
int um_encode_modifiers(struct um_encoder *s, const struct uncoremsr_pmu *pmu,
			struct um_term_list l, struct um_event_spec *spec);
/* Would it be taken for one, though it has no value? */
bool um_is_modifier(const struct uncoremsr_pmu *pmu, const struct um_event_term *t);

/* encode_masks.c: unit masks behind the name of an event, one after the other, as libpfm4 has them. */
struct um_masks {
	unsigned select, umask;
	size_t num;                   /* how many of the modifiers they are; 0: none */
};
/*
 * What the first of the @modifiers say about the event called @name, @row (NULL: the name alone is
 * none) included. -EINVAL: a number is none, or the masks are of different events.
 */
int um_encode_masks(struct um_encoder *s, const struct uncoremsr_pmu *pmu, const char *name, size_t len,
		    const struct um_event_row *row, struct um_term_list modifiers, struct um_masks *m);

/* encode_name.c */
/* One more event. 0, or -EINVAL, -ENOMEM. */
int um_encode_add(struct um_encoder *s, struct um_encoding *ev);
struct um_named {
	const struct uncoremsr_pmu *pmu;
	int unit;
	const char *name;
	size_t len;
	struct um_term_list terms, modifiers;
};
/* A name on one PMU. */
int um_encode_name_on(struct um_encoder *s, const struct um_named *named);
/* NAME[:MODIFIER]... on whichever PMU has the name; @only: on that one, and on @unit of it. */
int um_encode_name(struct um_encoder *s, const struct um_event *ev, const struct uncoremsr_pmu *only,
		   int unit);

/* unknown_name.c: say who else has the name, or what may have been meant. @only: the PMU named. */
enum { UM_NAME_HEADS = 4 };
/* Where a name may end, the shortest first: a colon may be part of it. */
struct um_name_heads {
	const char *ends[UM_NAME_HEADS];
	size_t num;
};
int um_unknown_name(struct um_encoder *s, const struct uncoremsr_pmu *only, const char *text,
		    const struct um_name_heads *h);

static inline struct um_event_spec um_spec_for(const struct um_encoder *s,
					       const struct uncoremsr_pmu *pmu, int unit)
{
	return (struct um_event_spec){
		.port = -1, .set = -1, .unit = unit, .plain = pmu == s->plain && unit < 0,
		.core_type = um_pmu_is_core(pmu) ? s->core_type : 0,
		.arch_events = s->pmus->arch_events,
		.table = um_event_table_of(s->pmus->uarch, pmu),
	};
}

#endif
