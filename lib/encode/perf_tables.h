/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode events of our tables for the kernel; they keep our names. */
#ifndef UM_PERF_FROM_TABLES_H
#define UM_PERF_FROM_TABLES_H

#include "encode/event.h"
#include "encode/perf_event.h"

struct um_event;
struct um_json_lists;
/*
 * Do all events of the group belong to PMUs of our tables? Then @list becomes their encodings, with the defaults of
 * the tables. @lists: event lists for names that the tables lack; NULL: none. @core: accept events of the core PMU
 * too.
 */
bool um_perf_of_tables(struct um_encodings *list, const struct um_event_pmus *pmus,
		       const struct um_json_lists *lists, const struct um_event *group, size_t num,
		       bool core) UM_CROSSES;
/*
 * Encode a group. If our tables know its events, their encodings go to @tables, so that an event means the same here as
 * in registers; um_perf_add_encodings() makes their config words later. Otherwise the kernel's names and formats are
 * used, and the events are appended to @words. For core events the kernel's names come first. @asked: the user chose
 * this route; if one of these two ways fails, the other one may then be tried. On failure nothing is added:
 * -ENOENT, -EINVAL, -ENOTSUP, -EACCES, -ENOMEM, with a message in @e.
 */
int um_perf_claim(struct um_encodings *tables, struct um_perf_events *words, const struct um_perf_scope *scope,
		  const struct um_event_pmus *pmus, const struct um_event *group, size_t num, bool asked,
		  struct um_error *e) UM_MUST_CHECK;
/*
 * Append the encodings as one group. 0; -ENOENT the kernel has no such PMU; -ENOTSUP its formats cannot express one
 * of the events; -ENOMEM. On failure nothing is appended.
 */
int um_perf_add_encodings(struct um_perf_events *to, const struct um_perf_scope *scope,
			  const struct um_encodings *list, struct um_error *e) UM_MUST_CHECK;
/*
 * Append the events of @text as the perf route encodes them: by our tables (@pmus; NULL: none) if they know the
 * events and the kernel has the PMU, else in the kernel's own words. Returns how many were added. On failure the
 * list is unchanged: -EINVAL, -ENOENT, -ENOTSUP, -ENOMEM, with a message in @e.
 */
int um_perf_parse(struct um_perf_events *to, const struct um_perf_scope *scope,
		  const struct um_event_pmus *pmus, const char *text,
		  struct um_error *e) UM_MUST_CHECK UM_CROSSES;

#endif
