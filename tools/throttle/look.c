/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run that shows the state once (without -i, -n, --dimm and COMMAND), and the message about a failed check. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "throttle/throttle.h"
#include "uncoremsr/machine.h"

/* Time between the two checks if the state is shown once: frequencies and shares of time need an interval. */
#define ONE_LOOK_NS (100 * NS_PER_MS)

const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core)
{
	const struct uncoremsr_subject *s;
	size_t i = 0;

	while ((s = uncoremsr_throttle_subject(t, i)) && (s->package != package || s->core != core))
		i++;
	return s;
}

unsigned throttle_causes_in(const struct uncoremsr_subject *package, enum uncoremsr_question_state state)
{
	const struct uncoremsr_question *q;
	unsigned causes = 0;

	for (size_t i = 0; package && (q = package->questions[i]); i++)
		causes |= q->state == state ? 1u << q->cause : 0;
	return causes;
}

int throttle_look_once(struct throttle_run *run)
{
	int err = uncoremsr_throttle_look(run->t);

	run->wall_ns = wait_wall_clock(&run->wait);
	return err;
}

int throttle_verdict_status(const struct throttle_run *run)
{
	if (run->throttled)
		return TOOL_PARTIAL;
	if (run->was_throttled && run->cfg->since_clear)
		return TOOL_PARTIAL;
	if (run->denied)
		return TOOL_NO_ACCESS;
	return run->known && !run->open ? TOOL_DONE : TOOL_UNSUPPORTED;
}

/*
 * Describe the last failure in one line. If nothing on this machine can show throttling, give the reason that is most
 * useful to the user.
 */
static void describe_failure(const struct throttle_run *run, struct out *why)
{
	const char *hint = uncoremsr_error(run->um)->hint;
	const struct uncoremsr_question *q;
	struct throttle_summary sum;

	throttle_summarize(run, &sum);
	q = sum.obstacle;
	if (q && uncoremsr_error(run->um)->error_class == UNCOREMSR_ERROR_UNSUPPORTED) {
		if (q->cause == UNCOREMSR_CAUSE_ANY) {
			throttle_say_reason(why, run, q);
		} else {
			out_str(why, "nothing on this machine shows whether it is slowed down: ");
			throttle_say_question(why, run, q);
		}
	} else {
		out_fmt(why, "%s%s%s", uncoremsr_error(run->um)->message, *hint ? "; " : "", hint);
	}
	out_char(why, '\0');
}

void throttle_put_series(struct throttle_run *run)
{
	const uint64_t interval = uncoremsr_throttle_state(run->t)->interval;

	run->series.wall_ns = run->wall_ns;
	throttle_series_say(&run->series_tracks, &run->series, uncoremsr_machine(run->um)->name, run->t);
	series_end(&run->series, &(struct series_interval){
		.ns = interval != UINT64_MAX ? interval : 0, .missed = run->missed,
	});
}

static void pause_between(struct throttle_run *run)
{
	struct timespec t = { .tv_nsec = (long)ONE_LOOK_NS };

	if (uncoremsr_advance(run->um, ONE_LOOK_NS))
		run->wait.skipped_ns += ONE_LOOK_NS;
	else
		while (nanosleep(&t, &t) < 0 && errno == EINTR)
			;
}

/* Show what the latest check found. @failed: the check failed; @why: the reason, which --summary shows. */
static void show(struct throttle_run *run, bool failed, const char *why)
{
	if (run->series.format) {
		throttle_put_series(run);
	} else if (run->cfg->summary) {
		throttle_show_summary(run, why);
	} else if (run->cfg->dimm) {
		throttle_dimm(run);
	} else if (!records_for_people(&run->records)) {
		throttle_show_records(run);
	} else if (!failed) {
		throttle_show_text(run);
	}
}

int throttle_show_failure(struct throttle_run *run)
{
	int status = (int)uncoremsr_error(run->um)->error_class;
	struct out why;

	status = status ? status : TOOL_UNSUPPORTED;
	out_init(&why, -1);
	describe_failure(run, &why);
	show(run, true, why.error ? NULL : why.buf);
	if (!run->cfg->summary)
		tool_say(status, "%s", why.error ? uncoremsr_error(run->um)->message : why.buf);
	out_free(&why);
	return status;
}

int throttle_one_look(struct throttle_run *run)
{
	run->start_ns = uncoremsr_now(run->um);
	for (; run->looks < 2; run->looks++) {
		if (run->looks)
			pause_between(run);
		if (throttle_look_once(run) < 0)
			return throttle_show_failure(run);
	}
	throttle_follow(run, false); /* the second check alone decides the status */
	show(run, false, NULL);
	return throttle_verdict_status(run);
}
