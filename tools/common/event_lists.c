/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/event_lists.h"
#include "common/output.h"
#include "uncoremsr/names.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int event_lists_take(struct event_lists *l, const char *path)
{
	if (!*path)
		return tool_usage("--event-list: '': a file or directory is required");
	if (l->num == EVENT_LISTS_MAX)
		return tool_usage("--event-list: can be given %d times at most; name a directory instead",
				  EVENT_LISTS_MAX);
	l->paths[l->num++] = path;
	return 0;
}

const char *event_lists_place(void)
{
	const char *place = secure_getenv("UNCOREMSR_EVENTS");

	return place && *place ? place : UNCOREMSR_EVENT_LISTS;
}

/* It is no error if the processor is not known, or if the copy has no list for it: then nothing is loaded. */
static void load_copy(struct uncoremsr *um, bool verbose)
{
	const struct uncoremsr_event_list *list;
	const char *place = event_lists_place();
	int num;

	if (access(place, F_OK))
		return;
	num = uncoremsr_event_list_add(um, place);
	if (num < 0 && (verbose || (num != -ENOENT && num != -ENODATA)))
		tool_fail(um);
	for (size_t i = 0; verbose && (list = uncoremsr_event_list(um, i)); i++)
		tool_say(0, "event list %s", OUT_QUOTED(list->file));
}

void event_lists_refused(struct uncoremsr *um, bool all)
{
	const struct uncoremsr_event_list *list;
	size_t num = 0;

	for (size_t i = 0; (list = uncoremsr_event_list(um, i)); i++)
		for (const char *const *why = list->refused; *why; why++, num++)
			if (all || !num)
				tool_say(0, "%s", *why);
	if (num)
		tool_say(0, "%zu entr%s of the event lists %s left out%s", num, num == 1 ? "y" : "ies",
			 num == 1 ? "is" : "are",
			 all || num == 1 ? "" : "; --verbose names them all");
}

int event_lists_load(const struct event_lists *l, struct uncoremsr *um, bool verbose)
{
	if (l->cpu && uncoremsr_event_list_set_cpu(um, l->cpu) < 0)
		return tool_fail(um);
	for (size_t i = 0; i < l->num; i++)
		if (uncoremsr_event_list_add(um, l->paths[i]) < 0)
			return tool_fail(um);
	if (!l->num)
		load_copy(um, verbose);
	if (verbose)
		event_lists_refused(um, true);
	return 0;
}

int event_lists_add_named(struct uncoremsr *um, struct uncoremsr_session *s,
			  int (*add)(struct uncoremsr_session *s, const char *text), const char *text)
{
	const char *place = event_lists_place();
	int num = add(s, text), lists;

	/* Reading the lists takes longer than most runs, so read them only for an unknown name. */
	if (num != -ENOENT || uncoremsr_event_list(um, 0) || access(place, R_OK))
		return num;
	lists = uncoremsr_event_list_add(um, place);
	/* If the copy has no list for this processor, add the name again to restore the error message about it. */
	return lists >= 0 || lists == -ENOENT || lists == -ENODATA ? add(s, text) : num;
}
