/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the throttling events of Westmere's uncore in a normal session, which uses only free counters and restores all
 * registers. The fixed counter counts the uncore clock, to compute shares of time; if another program uses that
 * counter, the shares are unknown. If there are fewer free counters than events, only the most important events are
 * counted. They are not multiplexed, because then one look() would find a cause and the next would miss it.
 */
#include <errno.h>

#include "common/text.h"
#include "throttle/throttle.h"

#define CLOCK "UNC_CLK_UNHALTED"

/* Events exist for cores 0 to 3 only. PROCHOT affects all cores of a package, so two cores are enough for it. */
static const struct {
	const char *name;
	enum uncoremsr_cause_kind cause;
	bool is_count;       /* the event counts assertions; other events count cycles */
	const char *detail;
} events[] = {
	{ "UNC_DRAM_THERMAL_THROTTLED", UNCOREMSR_CAUSE_DIMM_THERMAL, false, NULL },
	{ "UNC_PROCHOT_ASSERTION", UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true, NULL },
	{ "UNC_THERMAL_THROTTLED_TEMP.CORE_0", UNCOREMSR_CAUSE_CORE_THERMAL, false, "core 0" },
	{ "UNC_THERMAL_THROTTLED_TEMP.CORE_1", UNCOREMSR_CAUSE_CORE_THERMAL, false, "core 1" },
	{ "UNC_THERMAL_THROTTLED_TEMP.CORE_2", UNCOREMSR_CAUSE_CORE_THERMAL, false, "core 2" },
	{ "UNC_THERMAL_THROTTLED_TEMP.CORE_3", UNCOREMSR_CAUSE_CORE_THERMAL, false, "core 3" },
	{ "UNC_THERMAL_THROTTLING_PROCHOT.CORE_0", UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, false, NULL },
	{ "UNC_THERMAL_THROTTLING_PROCHOT.CORE_1", UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, false, NULL },
};

void um_uncore_end(struct uncoremsr_throttle *t)
{
	struct um_uncore_events *e = &t->events;
	int err = e->session ? uncoremsr_session_stop(e->session) : 0;

	if (!t->not_put_back && err != -ECHILD) /* -ECHILD: in a child process the counters belong to the parent */
		t->not_put_back = err;
	uncoremsr_session_free(e->session);
	e->session = NULL;
}

static int try_events(struct uncoremsr_throttle *t, size_t num)
{
	struct um_uncore_events *e = &t->events;
	struct uncoremsr_session *s;
	int err = uncoremsr_session_new(t->um, &s);

	if (err)
		return err;
	e->session = s;
	e->num = num;
	uncoremsr_session_set(s, UNCOREMSR_SESSION_MULTIPLEX, 0);
	if (e->clock)
		err = uncoremsr_session_add(s, CLOCK);
	for (size_t i = 0; i < num && err >= 0; i++)
		err = uncoremsr_session_add(s, events[i].name);
	return err < 0 ? err : uncoremsr_session_start(s);
}

static bool every_package_counts(const struct uncoremsr_session *s)
{
	const struct uncoremsr_session_package *p;

	for (size_t i = 0; (p = uncoremsr_session_package(s, i)); i++)
		if (p->error)
			return false;
	return true;
}

/* Start as many events as fit on every package. A single event is kept even if it fits only on some of the packages. */
static int try_all(struct uncoremsr_throttle *t)
{
	size_t n = ARRAY_SIZE(events);
	int err;

	do {
		err = try_events(t, n);
		if (!err && (n == 1 || every_package_counts(t->events.session)))
			return 0;
		um_fail_as(&t->events.error, &t->um->error);
		um_uncore_end(t);
	} while ((!err || err == -EBUSY) && --n);
	return err;
}

bool um_uncore_has_events(const struct uncoremsr_throttle *t)
{
	return t->um->m.uarch == &um_uarch_westmere;
}

bool um_uncore_counts(const struct uncoremsr_throttle *t)
{
	return t->events.session;
}

int um_uncore_read(struct uncoremsr_throttle *t)
{
	int err;

	if (um_uncore_counts(t)) {
		/* Ignore errors here: a reading without a value has the reason. */
		uncoremsr_session_read(t->events.session);
		t->events.read = true;
		return 0;
	}
	if (!t->counting || t->kernel_only || (t->looked && !t->device_opened) || !um_uncore_has_events(t))
		return 0;
	t->events = (struct um_uncore_events){ .clock = 1 };
	err = try_all(t);
	if (err == -EBUSY) {
		t->events.clock = 0;
		err = try_all(t);
	}
	return err == -ENOMEM ? err : 0;
}

/* ---- judging ---- */

static void judge_event(struct um_subject *p, size_t event, uint64_t value, uint64_t clocks)
{
	enum uncoremsr_cause_kind cause = events[event].cause;
	struct uncoremsr_cause *c = um_blame(p, cause, UNCOREMSR_PHASE_BETWEEN, true);
	bool is_count = events[event].is_count;
	struct um_evidence *e;

	e = um_add_evidence(p, cause, UNCOREMSR_EVIDENCE_EVENT, events[event].name, value,
			    is_count ? UNCOREMSR_FINDING_ASSERTIONS : UNCOREMSR_FINDING_CYCLES,
			    UM_ABSENT, is_count || !clocks ? UM_ABSENT : clocks);
	if (events[event].detail)
		um_list_add(e->detail, sizeof(e->detail), "%s", events[event].detail);
	if (!is_count && clocks)
		um_raise_share(c, (double)value / (double)clocks);
}

/* Did another program write the counter? An event that counts cycles cannot grow by more than a few per clock. */
static bool is_absurd(size_t event, uint64_t value, uint64_t clocks)
{
	return !events[event].is_count && clocks && value / 4 > clocks;
}

/* Add a question that the event named @event should have answered. @event may be NULL. */
static struct uncoremsr_question *not_counted(struct um_subject *p, enum uncoremsr_cause_kind cause,
					      enum uncoremsr_reason reason, const char *event, const char *why)
{
	struct uncoremsr_question *q = um_add_question(p, cause, reason);

	q->name = event;
	q->error = um_or_null(why);
	return q;
}

static void judge_package(struct uncoremsr_throttle *t, struct um_subject *p, size_t index)
{
	const struct uncoremsr_session *s = t->events.session;
	const struct uncoremsr_reading *r;
	uint64_t clocks = 0;

	if (t->events.clock) {
		r = uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, index, UNCOREMSR_INTERVAL);
		clocks = r->status == UNCOREMSR_OK || r->value != UINT64_MAX ? r->value : 0;
	}
	for (size_t i = 0; i < t->events.num; i++) {
		r = uncoremsr_session_reading(s, i + t->events.clock, UNCOREMSR_PLACE_PACKAGE, index,
					      UNCOREMSR_INTERVAL);
		if (r->status != UNCOREMSR_OK && r->value == UINT64_MAX) {
			not_counted(p, events[i].cause, r->status == UNCOREMSR_DISTURBED
				    ? UNCOREMSR_REASON_EVENT_DISTURBED : UNCOREMSR_REASON_EVENT_NOT_COUNTED,
				    events[i].name, r->detail);
			continue;
		}
		if (is_absurd(i, r->value, clocks)) {
			not_counted(p, events[i].cause, UNCOREMSR_REASON_EVENT_DISTURBED, events[i].name,
				    "its count exceeds the number of cycles: another program wrote a counter");
			continue;
		}
		p->answered |= 1u << events[i].cause;
		if (r->value)
			judge_event(p, i, r->value, clocks);
	}
}

void um_uncore_judge(struct uncoremsr_throttle *t, struct um_subject *p)
{
	const struct uncoremsr_session_package *counted;
	const struct um_error *e = &t->events.error;
	struct uncoremsr_question *q;
	size_t index = 0;

	if (p->of)
		return;
	if (!um_uncore_counts(t)) {
		if (e->class == UNCOREMSR_ERROR_NONE)
			return;
		q = not_counted(p, UNCOREMSR_CAUSE_DIMM_THERMAL, UNCOREMSR_REASON_NO_COUNTERS, NULL, e->msg);
		q->hint = um_or_null(e->hint);
		q->access = e->class == UNCOREMSR_ERROR_ACCESS;
		return;
	}
	while ((counted = uncoremsr_session_package(t->events.session, index)) && counted->package->id != p->package)
		index++;
	if (counted && counted->error)
		not_counted(p, UNCOREMSR_CAUSE_DIMM_THERMAL, UNCOREMSR_REASON_PACKAGE_NOT_COUNTED, NULL,
			    counted->error);
	else if (counted && t->events.read)
		judge_package(t, p, index);
	else
		/* The events have just been started, so the time without an answer begins only now. */
		for (size_t i = 0; counted && i < t->events.num; i++)
			p->told_ns[events[i].cause] = t->state.time;
}
