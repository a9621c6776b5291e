/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/installed_lists.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "uncoremsr/names.h"

const char *installed_lists_place(void)
{
	const char *place = secure_getenv("UNCOREMSR_EVENTS");

	return place && *place ? place : UNCOREMSR_EVENT_LISTS;
}

int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s,
			int (*add)(struct uncoremsr_session *s, const char *text), const char *text, bool *tried)
{
	const char *place = installed_lists_place();
	int num = add(s, text), lists;

	/* Reading the lists takes longer than most runs, so read them only for an unknown name. */
	if (num != -ENOENT || *tried || access(place, R_OK))
		return num;
	*tried = true;
	lists = uncoremsr_event_list_add(um, place);
	/* If the copy has no list for this processor, add the name again to restore the error message about it. */
	return lists >= 0 || lists == -ENOENT || lists == -ENODATA ? add(s, text) : num;
}
