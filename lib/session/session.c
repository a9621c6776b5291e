/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Life of a session: what its two parts do, they do together. */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int um_front_no_memory(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

int um_front_runs(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -EBUSY, UNCOREMSR_ERROR_USAGE, "the session is running");
}

static int not_running(struct uncoremsr_session *s)
{
	return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "the session is not running");
}

int uncoremsr_session_new(struct uncoremsr *um, struct uncoremsr_session **out)
{
	struct uncoremsr_session *s = calloc(1, sizeof(*s));
	int err;

	*out = NULL;
	if (!s)
		return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	s->um = um;
	s->system.count.cgroup_fd = s->task.count.cgroup_fd = -1;
	err = um_msr_new(um, &s->msr);
	if (err) {
		free(s);
		return err;
	}
	*out = s;
	return 0;
}

void uncoremsr_session_free(struct uncoremsr_session *s)
{
	if (!s)
		return;
	uncoremsr_session_stop(s);
	um_msr_free(s->msr);
	um_perf_part_free(&s->system);
	um_perf_part_free(&s->task);
	um_core_groups_free(&s->groups);
	um_cpuset_free(&s->cpus);
	free(s->refs);
	free(s->sums);
	free(s);
}

/* ---- start ---- */

/* Who reads why registers cannot be had should know that the kernel was thought of. */
static void mention_kernel(const struct uncoremsr_session *s, struct um_error *e)
{
	char hint[sizeof(e->hint)];
	bool missing = false;

	for (size_t i = 0; i < s->num_refs; i++)
		missing |= s->refs[i].why && !strcmp(s->refs[i].why, UM_WHY_NO_KERNEL_PMU);
	if (!missing || e->class != UNCOREMSR_ERROR_ACCESS)
		return;
	memcpy(hint, e->hint, sizeof(hint));
	um_hint(e, "%.250s%sthe kernel has no PMU of its own for it here (module intel_uncore)",
		hint, *hint ? "; " : "");
}

static int start_msr(struct uncoremsr_session *s)
{
	int err = um_msr_start(s->msr);

	s->msr_runs = !err;
	if (!err)
		return 0;
	s->msr_error = s->um->error;
	mention_kernel(s, &s->msr_error);
	return err;
}

/* One that fails does not keep the others from counting. */
struct starting {
	int first, started;
	struct um_error error;
};

static void note(struct uncoremsr_session *s, struct starting *st, int err,
		 const struct um_error *e)
{
	st->started += !err;
	if (!err)
		return;
	if (st->first) /* the first one is told by the caller, or at the end */
		um_warn(&s->um->m, "not counted: %s", e->msg);
	else
		st->error = *e;
	st->first = st->first ? st->first : err;
}

/* The kernel's events begin last: what the registers cost to program is not counted by them. */
static int start_parts(struct uncoremsr_session *s)
{
	struct starting st = { .first = 0 };
	int err = 0;

	s->msr_runs = s->system.runs = s->task.runs = false;
	if (um_session_uses(s, UM_PART_MSR))
		err = start_msr(s);
	if (err && um_front_go_over(s, err))
		um_front_tell_routes(s, 0);
	else if (um_session_uses(s, UM_PART_MSR))
		note(s, &st, err, &s->msr_error);
	if (um_session_uses(s, UM_PART_SYSTEM))
		note(s, &st, um_perf_part_start(s, &s->system), &s->system.error);
	if (um_session_uses(s, UM_PART_TASK))
		note(s, &st, um_perf_part_start(s, &s->task), &s->task.error);
	if (!st.first)
		return 0;
	s->um->error = st.error;
	if (!st.started)
		return st.first;
	um_warn(&s->um->m, "not counted: %s", st.error.msg);
	return 0;
}

int uncoremsr_session_start(struct uncoremsr_session *s)
{
	int err;

	if (s->running)
		return um_front_runs(s);
	if (!s->num_refs && (s->um->m.uarch || s->um->m.have_core))
		return um_fail(&s->um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no events");
	if (!s->num_refs) /* tells why nothing can be counted here */
		return um_msr_start(s->msr);
	err = um_session_make_sums(s);
	if (!err)
		err = start_parts(s);
	s->running = !err;
	return err;
}

/* ---- while it runs ---- */

static int read_all(struct uncoremsr_session *s, bool close)
{
	struct um_error error;
	int first = 0, err;

	if (!s->running)
		return not_running(s);
	if (s->msr_runs) {
		first = close ? um_msr_read(s->msr) : um_msr_sample(s->msr);
		error = s->um->error;
	}
	for (enum um_part part = UM_PART_SYSTEM; part <= UM_PART_TASK; part++) {
		if (!um_perf_part_of(s, part)->runs)
			continue;
		err = um_perf_part_read(s, um_perf_part_of(s, part), close);
		if (err && !first) {
			first = err;
			error = s->um->error;
		}
	}
	if (first)
		s->um->error = error;
	return first;
}

int uncoremsr_session_read(struct uncoremsr_session *s)
{
	return read_all(s, true);
}

int uncoremsr_session_sample(struct uncoremsr_session *s)
{
	return read_all(s, false);
}

/* The kernel's events are the kernel's to keep: nobody can change them. */
int uncoremsr_session_verify(struct uncoremsr_session *s)
{
	if (!s->running)
		return not_running(s);
	return s->msr_runs ? um_msr_verify(s->msr) : 0;
}

/* The kernel rotates its own. */
int uncoremsr_session_rotate(struct uncoremsr_session *s)
{
	return s->running && s->msr_runs ? um_msr_rotate(s->msr) : 0;
}

int uncoremsr_session_pause(struct uncoremsr_session *s)
{
	int err;

	if (!s->running)
		return not_running(s);
	err = s->msr_runs ? um_msr_pause(s->msr) : 0;
	um_perf_part_stop(&s->system);
	um_perf_part_stop(&s->task);
	return err;
}

int uncoremsr_session_stop(struct uncoremsr_session *s)
{
	if (!s->running)
		return 0;
	s->running = false;
	um_perf_part_stop(&s->system);
	um_perf_part_stop(&s->task);
	return s->msr_runs ? um_msr_stop(s->msr) : 0;
}
