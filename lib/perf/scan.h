/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files that read perf's event language: parse.c (grammar), terms.c, symbol.c. */
#ifndef UM_PERF_SCAN_H
#define UM_PERF_SCAN_H

#include "perf/event.h"

struct um_perf_scan {
	const char *at;               /* what is left */
	const struct um_perf_scope *scope;
	struct um_perf_events *list;
	struct um_error *e;
	bool in_group;
	unsigned group;
	char text[160];               /* the event being read, for messages */
};

/* Letters behind an event, as bits, so that a group's can be merged into its members'. */
struct um_perf_mods {
	bool user, kernel, hv, host, guest, idle_out, highest, pinned, exclusive, sampled, weak;
	unsigned precise;
	bool any;                     /* one was given */
};

/* An event under construction. */
struct um_perf_draft {
	struct um_perf_event ev;
	const char *shown;            /* name=TEXT among the terms, or NULL */
	size_t shown_len;
};

int um_perf_bad(struct um_perf_scan *s, const char *what, const char *at, size_t len);

/*
 * terms.c: one more unit of @pmu with these terms ("" none). Scale, unit and so on go to the draft.
 */
int um_perf_add_unit(struct um_perf_scan *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		     const char *terms, size_t len);
/* A unit that is no sysfs PMU's. */
int um_perf_add_plain(struct um_perf_scan *s, struct um_perf_draft *d, uint32_t type,
		      uint64_t config);

/* symbol.c: a name without slashes. -ENOENT: not one of perf's, the lists' or the kernel's. */
int um_perf_symbol(struct um_perf_scan *s, struct um_perf_draft *d, const char *name, size_t len);
/* "r" and hexadecimal digits, which are @word. */
int um_perf_raw(struct um_perf_scan *s, struct um_perf_draft *d, uint64_t word);
/* An event of a list: the PMUs of its unit, and more terms of the user's ("" none). */
int um_perf_listed(struct um_perf_scan *s, struct um_perf_draft *d, const char *name, size_t len,
		   const char *more, size_t more_len);

#endif
