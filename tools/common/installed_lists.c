/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/installed_lists.h"

#include <errno.h>
#include <unistd.h>

#include "uncoremsr/names.h"

/*
 * Read the installed lists, once, and only when a name is unknown: that takes longer than most runs. True: the name is to
 * be looked up again, also when the lists are of no use, so that the sentence is about the name.
 */
static bool read_installed(struct uncoremsr *um, bool *tried)
{
	bool first = !*tried;

	*tried = true;
	if (!first || access(UNCOREMSR_EVENT_LISTS, R_OK))
		return false;
	uncoremsr_event_list_add(um, NULL);
	return true;
}

int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			bool *tried)
{
	int num = uncoremsr_session_add(s, text);

	return num == -ENOENT && read_installed(um, tried) ? uncoremsr_session_add(s, text) : num;
}

int installed_lists_add_metric(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			       bool *tried)
{
	int num = uncoremsr_session_add_metric(s, text);

	return num == -ENOENT && read_installed(um, tried) ? uncoremsr_session_add_metric(s, text) : num;
}
