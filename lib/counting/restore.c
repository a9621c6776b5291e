/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Putting back all registers of a unit when its session ends: counters first, then filters, and gates last. */
#include "counting/claim.h"
#include "counting/gate.h"

static bool is_programmed(const struct um_unit *u)
{
	for (unsigned c = 0; c < um_num_counters(u); c++)
		if (um_change_is_recorded(&u->counters[c]))
			return true;
	return false;
}

int um_unit_restore(struct um_msr *s, struct um_unit *u)
{
	struct um_first first = { .err = 0 };
	struct um_error before = u->error;

	s->restoring = true;
	um_first_note(&first, u, um_changes_undo(s, u, u->counters, um_num_counters(u)));
	while (u->num_filters) {
		struct um_change *filter = &u->filters[--u->num_filters];

		um_first_note(&first, u, um_changes_undo(s, u, filter, 1));
		um_changes_end(s, filter, 1);
	}
	um_first_note(&first, u, um_gates_restore(s, u, is_programmed));
	/* Last: a session that takes a counter now would find its gate half closed. */
	um_changes_end(s, u->counters, um_num_counters(u));
	if (first.err)
		um_fail_as(&u->error, &first.why);
	if (u->err)
		um_fail_as(&u->error, &before);
	s->restoring = false;
	return first.err;
}
