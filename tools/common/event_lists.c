/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/event_lists.h"
#include "common/installed_lists.h"
#include "common/output.h"
#include "uncoremsr/names.h"

#include <errno.h>
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

/* It is no error if the processor is not known, or if the copy has no list for it: then nothing is loaded. */
static void load_copy(struct uncoremsr *um, bool verbose)
{
	const struct uncoremsr_event_list *list;
	const char *place = installed_lists_place();
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
