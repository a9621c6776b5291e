/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events of our tables for the kernel, under our names. */
#ifndef UM_PERF_FROM_TABLES_H
#define UM_PERF_FROM_TABLES_H

#include "events/event.h"
#include "perf/event.h"

struct um_event;
struct um_json_lists;
/*
 * Is the group of PMUs of our tables? Then @list has its words, with what the tables add by themselves.
 * @lists: where names may be that the tables lack; NULL: nowhere. @core: the core PMU counts as well.
 */
bool um_perf_of_tables(struct um_encodings *list, const struct um_event_pmus *pmus,
		       const struct um_json_lists *lists, const struct um_event *group, size_t num,
		       bool core);
/* Does Linux's driver count it as it is, without leaving out or adding a bit? */
bool um_perf_keeps(const struct um_encoding *ev);
/* Does the kernel have a PMU for each of them? 0, or -ENOENT with a sentence in @e. Reads no format. */
int um_perf_has_pmus(const struct um_perf_scope *scope, const struct um_encodings *list,
		     struct um_error *e) UM_MUST_CHECK;
/*
 * Append them, as one group. 0; -ENOENT the kernel has no such PMU; -ENOTSUP its formats cannot
 * express one of them; -ENOMEM. On failure nothing is appended.
 */
int um_perf_add_encodings(struct um_perf_events *to, const struct um_perf_scope *scope,
			  const struct um_encodings *list, struct um_error *e) UM_MUST_CHECK;
/*
 * Append the events of @text as the route takes them: in the words of our tables (@pmus; NULL: none)
 * where those know them and the kernel has the PMU, else in the kernel's own. On failure (-EINVAL,
 * -ENOENT, -ENOTSUP, -ENOMEM, sentence in @e) the list is as before. Returns how many were added.
 */
int um_perf_parse(struct um_perf_events *to, const struct um_perf_scope *scope,
		  const struct um_event_pmus *pmus, const char *text,
		  struct um_error *e) UM_MUST_CHECK;

#endif
