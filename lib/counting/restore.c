/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Putting back all registers of a unit when its session ends: counters first, then filters, and gates last. */
#include "counting/claim.h"
#include "counting/gate.h"

int um_unit_restore(struct um_msr *s, struct um_unit *u)
{
	struct um_error before = u->error;

	s->restoring = true;
	s->left = 0;
	um_changes_undo(s, u, u->counters, um_num_counters(u));
	while (u->num_filters) {
		struct um_change *filter = &u->filters[--u->num_filters];

		um_changes_undo(s, u, filter, 1);
		um_changes_end(s, filter, 1);
	}
	um_gates_restore(s, u);
	/* Last: a session that takes a counter now would find its gate half closed. */
	um_changes_end(s, u->counters, um_num_counters(u));
	if (s->left)
		um_fail_as(&u->error, &s->left_error);
	if (u->err)
		um_fail_as(&u->error, &before);
	s->restoring = false;
	return s->left;
}
