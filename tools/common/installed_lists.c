/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/installed_lists.h"

#include <errno.h>
#include <unistd.h>

#include "uncoremsr/names.h"

/* Asked only when a name is unknown: reading the lists takes longer than most runs. */
static bool has_installed(struct uncoremsr *um, bool *tried)
{
	bool first = !*tried;

	*tried = true;
	return first && !access(UNCOREMSR_EVENT_LISTS, R_OK) &&
	       uncoremsr_event_list_add(um, NULL) > 0;
}

int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			bool *tried)
{
	int num = uncoremsr_session_add(s, text);

	/* Twice also when the lists are of no use, so that the sentence is about the event. */
	if (num == -ENOENT && has_installed(um, tried))
		num = uncoremsr_session_add(s, text);
	return num;
}

int installed_lists_add_metric(struct uncoremsr *um, struct uncoremsr_session *s, const char *text,
			       bool *tried)
{
	int num = uncoremsr_session_add_metric(s, text);

	if (num == -ENOENT && has_installed(um, tried))
		num = uncoremsr_session_add_metric(s, text);
	return num;
}
