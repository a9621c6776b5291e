/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of a session's events; refusals of a session. */
#include <errno.h>
#include <string.h>

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
	char why[UM_SENTENCE] = "";

	um_machine_unsupported(&s->um->m, why, sizeof(why));
	um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s", why);
	um_hint(&s->um->error, "try a simulated machine: --machine=sim:westmere-2s");
	return -ENOTSUP;
}

/* ---- events ---- */

size_t uncoremsr_session_num_events(const struct uncoremsr_session *s)
{
	return s ? s->num_events : 0;
}

static bool facts_of(const struct uncoremsr_session *s, size_t event, struct um_event_facts *f)
{
	if (!s || event >= s->num_events)
		return false;
	um_session_facts(s, event, f);
	return true;
}

const char *uncoremsr_session_event_text(const struct uncoremsr_session *s, size_t event,
					 enum uncoremsr_counted_text what)
{
	struct um_event_facts f;

	if (!facts_of(s, event, &f))
		return NULL;
	switch (what) {
	case UNCOREMSR_COUNTED_NAME: return f.name;
	case UNCOREMSR_COUNTED_PMU: return f.pmu;
	case UNCOREMSR_COUNTED_KERNEL_SCALE:
		return f.kernel_scale && *f.kernel_scale ? f.kernel_scale : NULL;
	}
	return NULL;
}

int uncoremsr_session_event_number(const struct uncoremsr_session *s, size_t event,
				   enum uncoremsr_counted_number what, uint64_t *v)
{
	struct um_event_facts f;

	if (!v || !facts_of(s, event, &f))
		return -ENODATA;
	switch (what) {
	case UNCOREMSR_COUNTED_ENCODING:
		*v = f.encoding;
		return 0;
	case UNCOREMSR_COUNTED_ROUTE:
		*v = (uint64_t)s->parts[s->events[event].part].route->id;
		return 0;
	case UNCOREMSR_COUNTED_LEVEL:
		*v = f.level;
		return 0;
	case UNCOREMSR_COUNTED_TASK:
		*v = f.task;
		return 0;
	case UNCOREMSR_COUNTED_UNCORE:
		*v = f.uncore;
		return 0;
	case UNCOREMSR_COUNTED_CORES:
		*v = f.cores;
		return 0;
	}
	return -ENODATA;
}

const char *uncoremsr_session_event_measure(const struct uncoremsr_session *s, size_t event,
					    double *scale)
{
	struct um_event_facts f;

	if (!facts_of(s, event, &f))
		return NULL;
	*scale = f.scale;
	return f.measure && *f.measure ? f.measure : NULL;
}
