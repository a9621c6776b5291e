/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of a session's events; errors for a session that runs or can count nothing. */
#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "session/session.h"

/* ---- refusals ---- */

int um_session_runs(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the session is running");
}

int um_session_check_idle(struct uncoremsr_session *s)
{
	if (!s)
		return -EINVAL;
	return um_check_process(&s->um->m, &s->um->error) ?: s->running ? um_session_runs(s) : 0;
}

int um_session_unsupported(struct uncoremsr_session *s)
{
	char why[UM_MESSAGE_SIZE] = "";

	um_machine_unsupported(&s->um->m, why, sizeof(why));
	um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s", why);
	um_hint(&s->um->error, "try a simulated machine: --machine=sim:westmere-2s");
	return -ENOTSUP;
}

/* ---- events ---- */

const struct uncoremsr_counted *uncoremsr_session_event(const struct uncoremsr_session *s, size_t event)
{
	struct uncoremsr_counted *shown;
	struct um_counted *c;

	if (!s || event >= s->num_events)
		return NULL;
	c = &s->events[event];
	shown = &c->shown;
	s->parts[c->part].route->facts(s->parts[c->part].state, c->index, shown);
	shown->size = sizeof(*shown);
	shown->route = (enum uncoremsr_route)s->parts[c->part].route->id;
	shown->measure = um_or_null(shown->measure);
	shown->kernel_scale = um_or_null(shown->kernel_scale);
	return shown;
}
