/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between the files that read the event language: parse.c (its grammar), scan_terms.c (what stands
 * between slashes and behind colons) and resolve.c (names).
 */
#ifndef UM_EVENT_SCAN_H
#define UM_EVENT_SCAN_H

#include "events/event.h"

struct um_scan {
	const char *at;               /* what is left */
	const struct um_event_pmus *pmus;
	const struct uncoremsr_pmu *plain; /* um_event_plain_pmu() */
	struct um_encodings *list;
	struct um_error *e;
	bool in_group;                /* between braces: all events get this group */
	unsigned group;
	char text[128];               /* the event being scanned, for messages */
};

/* parse.c */
int um_scan_bad(struct um_scan *s, const char *what, const char *at, size_t len);
/* Append @ev, in its own group or in the one that is open. */
int um_scan_add(struct um_scan *s, struct um_encoding *ev);

/* scan_terms.c */
/* A whole number, decimal or 0x hexadecimal, that fills the text of length @len exactly. */
int um_scan_number(struct um_scan *s, const char *text, size_t len, uint64_t *value);
/* "r5301b1" */
bool um_scan_is_word(const char *text, size_t len);
int um_scan_word(struct um_scan *s, const char *text, size_t len, uint64_t *value);
/* "event=0x1,edge", with what is known of @spec already. */
int um_scan_terms(struct um_scan *s, const struct uncoremsr_pmu *pmu, const char *text, size_t len,
		  struct um_event_spec *spec);
/* ":edge:cmask=2", each with its colon; also perf's "u" and "k" at once behind a slash. */
int um_scan_modifiers(struct um_scan *s, const struct uncoremsr_pmu *pmu, const char *text,
		      const char *end, struct um_event_spec *spec);

/* resolve.c */
/* NAME[:MODIFIER]... on whichever PMU has the name. */
int um_scan_name(struct um_scan *s, const char *text, const char *end);
/* A name between slashes, the terms behind its comma at @terms, modifiers at @rest. */
struct um_scan_named {
	const struct uncoremsr_pmu *pmu;
	int unit;
	const char *name, *name_end, *terms, *terms_end, *rest, *end;
};
int um_scan_name_in(struct um_scan *s, const struct um_scan_named *named);

/* unknown.c */
enum { UM_SCAN_HEADS = 4 };
/* Where a name may end, the shortest first: a colon may be part of it. */
struct um_scan_heads {
	const char *ends[UM_SCAN_HEADS];
	size_t num;
};
/* Say who else has the name, or what may have been meant. @only: the PMU named, or NULL. */
int um_scan_unknown(struct um_scan *s, const struct uncoremsr_pmu *only, const char *text,
		    const struct um_scan_heads *h);

static inline struct um_event_spec um_scan_spec(const struct um_scan *s,
						const struct uncoremsr_pmu *pmu, int unit)
{
	return (struct um_event_spec){
		.port = -1, .set = -1, .unit = unit, .plain = pmu == s->plain && unit < 0,
		.table = um_event_table_of(s->pmus->uarch, pmu),
	};
}

#endif
