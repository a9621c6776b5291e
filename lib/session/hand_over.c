/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a part has, and cannot count after all, becomes the other routes' in the places where it was. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

/* What other routes add goes behind the last event, and from there into the places. */
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
