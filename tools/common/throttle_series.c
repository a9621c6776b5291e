/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/throttle_series.h"

/* The reason why a cause is unknown, as a label. Several reasons have the same word. */
static const char *const reasons[] = {
	[UNCOREMSR_REASON_GUEST] = "guest",
	[UNCOREMSR_REASON_NO_TABLE] = "no-table",
	[UNCOREMSR_REASON_NO_CPUID] = "no-cpuid",
	[UNCOREMSR_REASON_NOTHING_VISIBLE] = "no-register",
	[UNCOREMSR_REASON_KERNEL_ONLY] = "kernel-only",
	[UNCOREMSR_REASON_NO_ACCESS] = "no-access",
	[UNCOREMSR_REASON_NO_HSMP] = "no-driver",
	[UNCOREMSR_REASON_FILE_FAILED] = "failed",
	[UNCOREMSR_REASON_READ_FAILED] = "failed",
	[UNCOREMSR_REASON_ALL_ONES] = "failed",
	[UNCOREMSR_REASON_ALL_ZEROS] = "failed",
	[UNCOREMSR_REASON_STANDS_STILL] = "failed",
	[UNCOREMSR_REASON_AMD_NO_BASE] = "failed",
	[UNCOREMSR_REASON_CPU_OFFLINE] = "offline",
	[UNCOREMSR_REASON_NOT_YET_COUNTED] = "not-yet-counted",
	[UNCOREMSR_REASON_NO_COUNTERS] = "not-counted",
	[UNCOREMSR_REASON_PACKAGE_NOT_COUNTED] = "not-counted",
	[UNCOREMSR_REASON_EVENT_NOT_COUNTED] = "not-counted",
	[UNCOREMSR_REASON_EVENT_DISTURBED] = "disturbed",
	[UNCOREMSR_REASON_SUSPENDED] = "suspended",
	[UNCOREMSR_REASON_NOT_READ_BEFORE] = "not-read-before",
	[UNCOREMSR_REASON_SENSOR_UNPLACED] = "unplaced",
};

/* ---- episodes ---- */

/* *share: the largest share of the time on any die; -1: unknown. *decides is set if the cause decides a verdict. */
static bool look_for(const struct uncoremsr_subject *s, int cause, double *share, bool *decides)
{
	const struct uncoremsr_cause *c;
	bool now = false;

	*share = -1;
	for (size_t i = 0; (c = s->causes[i]); i++) {
		if ((int)c->kind != cause)
			continue;
		*decides |= c->decides;
		now |= throttle_is_now(c);
		if (throttle_is_now(c) && c->share > *share) /* false if the share is unknown */
			*share = c->share;
	}
	return now;
}

/* Add the latest check to the episodes; @interval_ns 0: the check ended no interval. */
static void follow(struct throttle_series_track *t, const struct uncoremsr_subject *s, uint64_t interval_ns)
{
	for (int cause = 0; cause < THROTTLE_CAUSES; cause++) {
		struct throttle_episodes *e = &t->causes[cause];
		double share;
		bool now = look_for(s, cause, &share, &e->decided);

		e->num += now && !e->now;
		e->now = now;
		if (!now || !interval_ns)
			continue;
		e->looks++;
		if (share < 0)
			e->unmeasured = true;
		else
			e->ns += (uint64_t)(share * (double)interval_ns);
	}
}

/* ---- writing the series ---- */

static unsigned causes_now(const struct uncoremsr_subject *subject)
{
	const struct uncoremsr_cause *c;
	unsigned now = 0;

	for (size_t i = 0; (c = subject->causes[i]); i++)
		if (throttle_is_now(c) && c->decides)
			now |= 1u << c->kind;
	return now;
}

/* Causes in @now are known to be active and need no row. Returns a bit mask of the causes that have a row. */
static unsigned put_questions(struct series *out, const struct uncoremsr_subject *s, struct series_labels l, unsigned now)
{
	const struct uncoremsr_question *q;
	unsigned open = 0;

	for (size_t i = 0; (q = throttle_question(s, i)); i++) {
		if ((now | open) >> q->cause & 1)
			continue;
		open |= 1u << q->cause;
		l.cause = uncoremsr_cause_word(q->cause);
		series_put_unknown(out, &l, reasons[q->reason]);
	}
	return open;
}

static void put_cause(struct series *out, const struct throttle_episodes *e, const struct series_labels *l, bool now)
{
	struct series_row row = { .kind = SERIES_THROTTLED, .labels = *l, .throttling = { .now = now, .timed = true } };

	if (e->decided) {
		row.throttling.episodes = e->num;
		row.throttling.ns = e->ns;
		row.throttling.timed = !e->unmeasured && (e->looks || !e->num);
	}
	out->format->put(out, &row);
}

/* Write which causes began or ended on a package or its cores. @now: bit mask of the causes on the package itself. */
static void put_changes(struct series *out, const struct uncoremsr_throttle *t, size_t package,
			struct throttle_series_track *track, const struct series_labels *l, unsigned now)
{
	struct series_row row = { .kind = SERIES_CHANGED, .labels = *l, .change.wall_ns = out->wall_ns };
	const struct uncoremsr_subject *s;

	while ((s = uncoremsr_throttle_subject(t, ++package)) && s->core >= 0)
		now |= causes_now(s);
	for (unsigned cause = 0; cause < THROTTLE_CAUSES; cause++) {
		row.labels.cause = uncoremsr_cause_word((enum uncoremsr_cause_kind)cause);
		row.change.now = now >> cause & 1;
		if ((now ^ track->told) >> cause & 1)
			out->format->put(out, &row);
	}
	track->told = now;
}

static void put_subject(struct series *out, const struct uncoremsr_throttle *t, size_t subject,
			struct throttle_series_track *track, const char *machine)
{
	const struct uncoremsr_subject *s = uncoremsr_throttle_subject(t, subject);
	struct series_labels l = {
		.machine = machine, .package = s->package, .die = -1, .core = s->core, .cpu = -1, .unit = -1,
	};
	unsigned now = causes_now(s), known = now | (s->could_show & ~put_questions(out, s, l, now));

	for (unsigned cause = 0; cause < THROTTLE_CAUSES; cause++) {
		if (!(known >> cause & 1))
			continue;
		l.cause = uncoremsr_cause_word((enum uncoremsr_cause_kind)cause);
		put_cause(out, &track->causes[cause], &l, now >> cause & 1);
	}
	if (s->core < 0)
		put_changes(out, t, subject, track, &l, now);
}

void throttle_series_put(struct series *out, struct set *tracks, const char *machine,
			 const struct uncoremsr_throttle *t)
{
	/* The interval before the first check that is written has no place in a total. */
	const uint64_t interval_ns = tracks->num ? uncoremsr_throttle_state(t)->interval : 0;
	const struct uncoremsr_subject *s;

	for (size_t i = 0; (s = uncoremsr_throttle_subject(t, i)); i++) {
		const struct throttle_series_track like = { .package = s->package, .core = s->core };
		struct throttle_series_track *track =
			set_get(tracks, &like, sizeof(like), SET_KEY(struct throttle_series_track, core));

		if (!track) {
			out_lacks_memory();
			continue;
		}
		follow(track, s, interval_ns);
		put_subject(out, t, i, track, machine);
	}
}
