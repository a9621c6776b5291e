/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/installed_lists.h"

#include <errno.h>
#include <unistd.h>

#include "common/event_lists.h"
#include "uncoremsr/names.h"

/*
 * Load the installed lists. Call this only if a name is unknown, because reading them takes longer than most runs. If
 * it returns true, the caller must add the name again; even if the lists have nothing for this processor, because that
 * restores the error message about the name.
 */
static bool has_installed(struct uncoremsr *um, bool *tried)
{
	bool first = !*tried;
	int num;

	*tried = true;
	if (!first || access(event_lists_place(), R_OK))
		return false;
	num = uncoremsr_event_list_add(um, event_lists_place());
	return num >= 0 || num == -ENOENT || num == -ENODATA;
}

int installed_lists_add(struct uncoremsr *um, struct uncoremsr_session *s,
			int (*add)(struct uncoremsr_session *s, const char *text), const char *text, bool *tried)
{
	int num = add(s, text);

	return num == -ENOENT && has_installed(um, tried) ? add(s, text) : num;
}
