/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor: commands that answer users' questions here. Sessions are not started, except in try_way(). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/nest_memory.h"
#include "common/properties.h"
#include "doctor/doctor.h"
#include "uncoremsr/throttle.h"

struct way {
	const char *question;
	enum doctor_whom whom;
	/* At most one of these is set; if all are NULL, the default events of uncore-read are used. */
	const char *metric, *events, *pmu; /* @pmu: prefix of an in-memory PMU, whose first event is used */
	const char *remark; /* what the counts mean, if the names of the events do not say it; may be NULL */
};

/* For each question, the best way comes first. */
static const struct way ways[] = {
	{ "bandwidth", DOCTOR_WHOLE_CPUS, .metric = "memory-bandwidth" },
	{ "bandwidth", DOCTOR_WHOLE_CPUS, .remark = "the memory traffic of the nest" },
	{ "bandwidth", DOCTOR_WHOLE_CPUS, .pmu = "nest_", .remark = "traffic of a link, not of memory" },
	{ "cache", DOCTOR_WHOLE_CPUS, .metric = "llc-miss-ratio" },
	{ "cache", DOCTOR_WHOLE_CPUS, .events = "cache-misses,cache-references" },
	{ "command", DOCTOR_OWN_PROCESS, .events = "instructions,cycles" },
	{ "command", DOCTOR_OWN_USER_MODE, .events = "instructions:u,cycles:u", .remark = "in user mode only" },
	{ "command", DOCTOR_OWN_PROCESS, .pmu = "thread_imc" },
	{ "command", DOCTOR_WHOLE_CPUS, .metric = "memory-bandwidth",
	  .remark = "all of the package while the command runs" },
	{ "command", DOCTOR_OWN_PROCESS, .events = "task-clock,context-switches,page-faults",
	  .remark = "software events" },
	{ "command", DOCTOR_OWN_USER_MODE, .events = "task-clock:u,page-faults:u",
	  .remark = "software events, in user mode only" },
};

struct answer {
	bool yes;
	char command[4500], reason[900];
};

/* End the tool if @err is -ENOMEM, because then no question can be answered. Returns @err. */
static int check_memory(int err)
{
	if (err == -ENOMEM)
		no_memory();
	return err;
}

static struct uncoremsr_session *session_for(struct doctor *d, enum doctor_whom whom)
{
	struct uncoremsr_session *s;

	if (check_memory(uncoremsr_session_new(d->um, &s)))
		return NULL;
	/* Target a command that is never started, so that no counter is used. */
	if (whom == DOCTOR_WHOLE_CPUS ||
	    !check_memory(uncoremsr_session_set_target(s, UNCOREMSR_TARGET_COMMAND, getpid())))
		return s;
	uncoremsr_session_free(s);
	return NULL;
}

/* Try a clock event, which needs no counter: the kernel checks the same permissions as for hardware events. */
bool doctor_may_count(struct doctor *d, enum doctor_whom whom)
{
	static const char *const clocks[] = {
		[DOCTOR_WHOLE_CPUS] = "cpu-clock", [DOCTOR_OWN_PROCESS] = "cpu-clock",
		[DOCTOR_OWN_USER_MODE] = "cpu-clock:u",
	};
	struct doctor_trial *t = &d->trials[whom];
	struct uncoremsr_session *s;

	if (t->done)
		return t->may;
	t->done = true;
	s = session_for(d, whom);
	t->may = s && !uncoremsr_session_set(s, UNCOREMSR_SESSION_ROUTE, UNCOREMSR_ROUTE_PERF) &&
		 check_memory(uncoremsr_session_add(s, clocks[whom])) > 0 &&
		 !check_memory(uncoremsr_session_start(s));
	if (!t->may && uncoremsr_error(d->um)->error_class == UNCOREMSR_ERROR_ACCESS)
		snprintf(t->why, sizeof(t->why), "not permitted to count a %s: kernel.perf_event_paranoid forbids it, "
			 "and CAP_PERFMON is missing", whom == DOCTOR_WHOLE_CPUS ? "whole CPU" : "process");
	else if (!t->may)
		snprintf(t->why, sizeof(t->why), "%s", uncoremsr_error(d->um)->message);
	uncoremsr_session_free(s);
	return t->may;
}

/* Why a session with these events cannot count; NULL: it can. Adds the session's routes to the bits in *by. */
static const char *obstacle(struct doctor *d, const struct uncoremsr_session *s, enum doctor_whom whom, unsigned *by)
{
	const struct uncoremsr_counted *ev;

	for (size_t i = 0; (ev = uncoremsr_session_event(s, i)); i++) {
		*by |= 1u << ev->route;
		if (ev->route == UNCOREMSR_ROUTE_MSR && d->blocked)
			return d->blocked;
		if (ev->route != UNCOREMSR_ROUTE_PERF)
			continue;
		if (!doctor_may_count(d, whom))
			return d->trials[whom].why;
		if (ev->pmu && strcmp(ev->pmu, "cpu") == 0 && !d->has_core_pmu)
			return "this machine has no core PMU (a virtual machine without one?)";
	}
	return NULL;
}

/* Write the first event of an in-memory PMU whose name begins with @pmu: "PMU/NAME/". */
static bool find_event(struct doctor *d, const char *pmu, char *buf, size_t size)
{
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(d->um, NULL, i)); i++) {
		nest_path(ev, buf, size);
		if (strncmp(buf, pmu, strlen(pmu)) == 0)
			return true;
	}
	return false;
}

static void say_yes(const struct doctor *d, const struct way *w, const char *events, unsigned by, struct answer *to)
{
	bool registers = by >> UNCOREMSR_ROUTE_MSR & 1, kernel = by >> UNCOREMSR_ROUTE_PERF & 1;
	bool command = strcmp(w->question, "command") == 0;

	to->yes = true;
	snprintf(to->command, sizeof(to->command), "uncore-read%s%s%s%s", d->machine,
		 !*events ? "" : w->metric ? " -M " : " -e ", events, command ? " -- sleep 1" : "");
	snprintf(to->reason, sizeof(to->reason), "by %s%s%s%s%s", registers ? "registers" : "",
		 registers && kernel ? " and " : "", kernel ? "the kernel" : "", w->remark ? ": " : "",
		 w->remark ? w->remark : "");
}

static void try_way(struct doctor *d, const struct way *w, struct answer *to)
{
	const char *events = w->metric ? w->metric : w->events, *why;
	struct uncoremsr_session *s;
	char found[200] = "";
	unsigned by = 0;
	int num;

	/* Only POWER has in-memory counters. */
	if (!events && (!machine_is_power(d->um) || (w->pmu && !find_event(d, w->pmu, found, sizeof(found)))))
		return;
	events = events ? events : found;
	s = session_for(d, w->whom);
	num = !s ? -EINVAL : !*events ? nest_memory_add(d->um, s)
	    : w->metric ? uncoremsr_session_add_metric(s, events) : uncoremsr_session_add(s, events);
	if (!num && !*events)
		return uncoremsr_session_free(s);
	check_memory(num);
	why = num <= 0 ? uncoremsr_error(d->um)->message : obstacle(d, s, w->whom, &by);
	/*
	 * Some in-memory PMUs need more rights than a clock event, so open an event of the PMU itself. As long as
	 * that event is open, Linux refuses events of the other in-memory PMUs of cores (imc_global_refc in
	 * arch/powerpc/perf/imc-pmu.c).
	 */
	if (!why && w->pmu && check_memory(uncoremsr_session_start(s)) < 0)
		why = uncoremsr_error(d->um)->message;
	/* Keep the first reason; but that of events of whole CPUs is more specific than that of a metric. */
	if (!why)
		say_yes(d, w, events, by, to);
	else if (!to->reason[0] || (!w->metric && w->whom == DOCTOR_WHOLE_CPUS))
		snprintf(to->reason, sizeof(to->reason), "%s", why);
	uncoremsr_session_free(s);
}

/* Write the first question about throttling that cannot be answered here, and why. */
static void say_open(const struct uncoremsr_throttle *t, struct answer *to)
{
	const struct uncoremsr_subject *s;

	snprintf(to->reason, sizeof(to->reason), "nothing on this machine shows whether it is slowed down");
	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++) {
		const struct uncoremsr_question *q = s->questions[0];

		if (!q)
			continue;
		snprintf(to->reason, sizeof(to->reason), "cannot tell %s: %s%s", uncoremsr_cause_word(q->cause),
			 q->error ? q->error : q->name ? q->name : "no answer",
			 q->error || !q->name ? ""
			 : q->reason == UNCOREMSR_REASON_NO_HSMP
			 ? " is not there: load its driver: modprobe amd_hsmp, or hsmp_acpi" : " cannot be read");
		return;
	}
}

/* Can uncore-throttle give a verdict? With open questions, it can report throttling but not rule it out. */
static void ask_throttling(struct doctor *d, struct answer *to)
{
	struct uncoremsr_throttle *t = NULL;
	const struct uncoremsr_throttle_state *state;
	int err = uncoremsr_throttle_new(d->um, &t);

	if (!err)
		err = uncoremsr_throttle_look(t);
	check_memory(err);
	state = uncoremsr_throttle_state(t);
	if (err) {
		snprintf(to->reason, sizeof(to->reason), "%s", uncoremsr_error(d->um)->message);
	} else if (state->lacks == UNCOREMSR_ERROR_NONE || state->verdict == UNCOREMSR_VERDICT_THROTTLED) {
		to->yes = true;
		snprintf(to->command, sizeof(to->command), "uncore-throttle%s", d->machine);
	} else {
		say_open(t, to);
	}
	uncoremsr_throttle_free(t);
}

static void show(struct doctor *d, const char *question, const struct answer *a)
{
	struct records *w = &d->records;
	const char *word = a->yes ? "yes" : "no";

	if (!records_for_people(w)) {
		record_open(w, NULL);
		record_str(w, "question", question);
		record_str(w, "answer", word);
		record_str(w, "command", a->yes ? a->command : NULL);
		record_str(w, "reason", a->reason[0] ? a->reason : NULL);
		record_close(w);
		return;
	}
	out_fmt(w->out, "%-11s %-7s ", question, word);
	out_text_str(w->out, a->yes ? a->command : a->reason);
	/* Write the remark as a shell comment, so that the line can be copied. */
	if (a->yes && a->reason[0])
		out_fmt(w->out, "  # %s", a->reason);
	out_char(w->out, '\n');
}

void doctor_show_questions(struct doctor *d)
{
	static const char *const questions[] = { "throttling", "bandwidth", "cache", "command" };
	struct records *w = &d->records;

	if (!records_for_people(w) && !w->format->nests)
		return; /* in a flat format all rows are findings */
	if (records_for_people(w)) {
		out_str(w->out, "\nquestion    answer  command, or why not\n");
	} else {
		record_begin(w);
		record_open_list(w, "questions");
	}
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		struct answer answer = { .yes = false };

		if (i == 0)
			ask_throttling(d, &answer);
		for (const struct way *way = ways; way < ways + ARRAY_SIZE(ways) && !answer.yes; way++)
			if (strcmp(way->question, questions[i]) == 0)
				try_way(d, way, &answer);
		show(d, questions[i], &answer);
	}
	if (!records_for_people(w)) {
		record_close(w);
		record_end(w);
	}
}
