/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* If a route turns out to be unable to count its events, move them to other routes. The events keep their indexes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

/* The other routes append the events to the session; then they are copied to their old indexes. */
bool um_session_hand_over(struct uncoremsr_session *s, size_t part)
{
	size_t before = s->num_events;
	struct um_counted *to = malloc((before + 1) * sizeof(*to));
	int err = -ENOMEM;

	s->env.moving = true;
	if (to) {
		memcpy(to, s->events, before * sizeof(*to));
		err = um_session_move_asked(s, part, to);
	}
	if (!err)
		err = um_session_move_metrics(s, part, to);
	s->env.moving = false;
	if (err)
		um_session_cut(s, before);
	else
		memcpy(s->events, to, before * sizeof(*to));
	free(to);
	if (err)
		return false;
	s->num_events = before;
	s->parts[part].route->cut(s->parts[part].state, 0);
	return true;
}
