/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that read the event language: parse.c (its grammar) and resolve.c (names). */
#ifndef UM_EVENT_SCAN_H
#define UM_EVENT_SCAN_H

#include "events/event.h"

struct um_scan {
	const char *at;               /* what is left */
	const struct um_uarch *uarch;
	struct um_event_list *list;
	struct um_error *e;
	bool in_group;                /* between braces: all events get this group */
	unsigned group;
	char text[128];               /* the event being scanned, for messages */
};

/* parse.c */
int um_scan_bad(struct um_scan *s, const char *what, const char *at, size_t len);
/* ":edge:cmask=2", each with its colon. */
int um_scan_modifiers(struct um_scan *s, const char *text, const char *end,
		      struct um_event_spec *spec);
/* Append @ev, in its own group or in the one that is open. */
int um_scan_add(struct um_scan *s, struct um_event *ev);

/* resolve.c: NAME[:MODIFIER]..., and a name whose end is known, with modifiers at @rest. */
int um_scan_name(struct um_scan *s, const char *text, const char *end);
int um_scan_name_in(struct um_scan *s, const struct uncoremsr_pmu *pmu, const char *text,
		    const char *head_end, const char *rest, const char *end);

#endif
