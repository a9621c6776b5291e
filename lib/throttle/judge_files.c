/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel's files say (Linux drivers/thermal/intel/therm_throt.c, drivers/cpufreq). */
#include <math.h>

#include "throttle/throttle.h"

/*
 * The kernel's count since we cleared the logs. If the count is smaller now than it was then, the kernel has reset it
 * since.
 */
static uint64_t since_clear(const struct um_gauge *f)
{
	return f->based && f->value >= f->base ? f->value - f->base : f->value;
}

/*
 * A count of the kernel tells that the cause has begun, but not whether it has ended. The count of the sensor's thermal
 * interrupts is needed because the kernel clears the log bit before we see it. PROCHOT driven from outside raises no
 * such interrupt.
 */
static void judge_count(struct uncoremsr_throttle *t, struct um_subject *s, int count)
{
	static const struct um_gauge no_time;
	const struct um_gauge *f = &s->sources[count];
	const struct um_gauge *time = um_sources[count + 1].is == UM_IS_TIME ? f + 1 : &no_time;
	const struct um_source *source = &um_sources[count];
	uint64_t delta = um_grown(f), ms = um_grown(time), since = since_clear(f);
	struct uncoremsr_cause *c;
	struct um_evidence *e;

	/* A long episode is counted only once, when it begins; after that only its time grows. */
	if (!since && !ms) {
		s->remembered = f->value;
		return;
	}
	c = um_blame(s, source->cause, delta || ms ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED,
		     delta || ms || source->decides);
	c->logged = true;
	if (f->based)
		um_note_log_bit(c);
	c->count = since ? since : UM_ABSENT;
	c->total = f->value;
	if (ms && t->state.interval)
		um_raise_share(c, (double)ms * 1e6 / (double)t->state.interval);
	e = um_add_gauge(s, source->cause, f, UNCOREMSR_FINDING_TIMES,
			 f->had && t->state.interval ? delta : UM_ABSENT, UM_ABSENT);
	if (source->detail)
		um_list_add(e->detail, sizeof(e->detail), "%s", source->detail);
	if (time->known)
		um_add_gauge(s, source->cause, time, UNCOREMSR_FINDING_MILLISECONDS, UM_ABSENT, UM_ABSENT);
}

/*
 * bios_limit: the highest frequency in kHz that the firmware allows through ACPI (Linux
 * Documentation/admin-guide/pm/cpufreq.rst). Without that file the firmware may still limit the clock in another way.
 */
static void judge_bios_limit(struct um_subject *s)
{
	const struct um_gauge *f = &s->sources[UM_FILE_BIOS_LIMIT];
	uint64_t highest = um_highest_khz(s);

	if (!f->known || !f->value || f->value >= highest || um_turbo_is_off(s))
		return;
	um_blame(s, UNCOREMSR_CAUSE_FIRMWARE, UNCOREMSR_PHASE_NOW, true);
	um_add_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, f, UNCOREMSR_FINDING_KHZ, UM_ABSENT, highest);
}

/* An alarm that is off does not mean "not throttled": throttling begins below the critical temperature. */
static void judge_flag(struct um_subject *s, int flag, bool now)
{
	const struct um_source *source = &um_sources[flag];
	struct uncoremsr_cause *c = um_blame(s, source->cause, now ? UNCOREMSR_PHASE_NOW : UNCOREMSR_PHASE_LOGGED,
					     source->decides);

	if (!now)
		um_note_log_bit(c);
	um_add_gauge(s, source->cause, &s->sources[flag], UNCOREMSR_FINDING_FLAG, UM_ABSENT, UM_ABSENT);
}

/* The temperature of the hottest die. */
static void judge_temperature(struct um_subject *s)
{
	bool read = !isnan(s->pub.temperature);

	for (int i = 0; i < UM_MAX_SENSORS && !read; i++) {
		const struct um_gauge *f = &s->sources[UM_FILE_TEMPERATURE + i];

		if (f->known)
			um_raise(&s->pub.temperature, (int)((int64_t)f->value / 1000));
	}
}

void um_judge_files(struct uncoremsr_throttle *t, struct um_subject *s)
{
	judge_bios_limit(s);
	for (int i = UM_NUM_ROLES; i < UM_NUM_SOURCES; i++) {
		if (!s->sources[i].known || !s->sources[i].value)
			continue;
		if (um_sources[i].is == UM_IS_COUNT)
			judge_count(t, s, i);
		else if (um_sources[i].is == UM_IS_FLAG || um_sources[i].is == UM_IS_LOG)
			judge_flag(s, i, um_sources[i].is == UM_IS_FLAG);
	}
	judge_temperature(s);
}
