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
 * The kernel's count of the sensor's thermal interrupts. It is needed because the kernel clears the log bit before
 * we see it. PROCHOT driven from outside raises no such interrupt.
 */
static void judge_count(struct uncoremsr_throttle *t, struct um_subject *s,
			enum um_file_role count, enum um_file_role time)
{
	const enum uncoremsr_cause_kind cause = um_file_rows[count].cause;
	const struct um_gauge *f = &s->files[count];
	uint64_t delta = um_grown(f), ms = um_grown(&s->files[time]), since = since_clear(f);
	struct uncoremsr_cause *c;

	if (!f->known || !f->value)
		return;
	/* A long episode is counted only once, when it begins; after that only its time grows. */
	if (!since && !ms) {
		s->remembered = f->value;
		return;
	}
	c = um_blame(s, cause, delta || ms ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED, true);
	c->logged = true;
	if (f->based)
		um_note_log_bit(c);
	c->count = since ? since : UM_ABSENT;
	c->total = f->value;
	if (ms && t->state.interval)
		um_raise_share(c, (double)ms * 1e6 / (double)t->state.interval);
	um_add_gauge(s, cause, f, UNCOREMSR_FINDING_TIMES,
		       f->had && t->state.interval ? delta : UM_ABSENT, UM_ABSENT);
	if (s->files[time].known)
		um_add_gauge(s, cause, &s->files[time], UNCOREMSR_FINDING_MILLISECONDS, UM_ABSENT, UM_ABSENT);
}

/*
 * bios_limit: the highest frequency in kHz that the firmware allows through ACPI (Linux
 * Documentation/admin-guide/pm/cpufreq.rst). Without that file the firmware may still limit the clock in another way.
 */
static void judge_bios_limit(struct um_subject *s)
{
	const struct um_gauge *f = &s->files[UM_FILE_BIOS_LIMIT];
	uint64_t highest = um_highest_khz(s);

	if (!f->known || !f->value || f->value >= highest || um_turbo_is_off(s))
		return;
	um_blame(s, UNCOREMSR_CAUSE_FIRMWARE, UNCOREMSR_PHASE_NOW, true);
	um_add_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, f, UNCOREMSR_FINDING_KHZ, UM_ABSENT, highest);
}

/*
 * POWER: how often the on-chip controller lowered the frequency of the chip, and so of each core. A count tells
 * that it happened, but not whether it has ended.
 */
static void judge_occ(struct um_subject *s, enum um_file_role role)
{
	const struct um_file_row *row = &um_file_rows[role];
	const struct um_gauge *f = &s->files[role];
	struct uncoremsr_cause *c;
	struct um_evidence *e;

	if (!f->known || !f->value)
		return;
	c = um_blame(s, row->cause, um_grown(f) ? UNCOREMSR_PHASE_BETWEEN : UNCOREMSR_PHASE_LOGGED, row->decides);
	c->logged = true;
	c->decides |= c->phase > UNCOREMSR_PHASE_LOGGED;
	c->count = c->total = f->value;
	e = um_add_gauge(s, row->cause, f, UNCOREMSR_FINDING_TIMES, f->had ? um_grown(f) : UM_ABSENT, UM_ABSENT);
	if (row->detail)
		um_list_add(e->detail, sizeof(e->detail), "%s", row->detail);
}

/*
 * @now: the flag is not sticky. An alarm that is off does not mean "not throttled": throttling begins below the
 * critical temperature.
 */
static void judge_flag(struct um_subject *s, enum um_file_role role,
		       enum uncoremsr_cause_kind cause, bool now)
{
	const struct um_gauge *f = &s->files[role];
	struct uncoremsr_cause *c;

	if (!f->known || !f->value)
		return;
	c = um_blame(s, cause, now ? UNCOREMSR_PHASE_NOW : UNCOREMSR_PHASE_LOGGED, true);
	if (!now)
		um_note_log_bit(c);
	um_add_gauge(s, cause, f, UNCOREMSR_FINDING_FLAG, UM_ABSENT, UM_ABSENT);
}

/* The temperature of the hottest die. */
static void judge_temperature(struct um_subject *s)
{
	bool read = !isnan(s->pub.temperature);

	for (int i = 0; i < UM_MAX_SENSORS && !read; i++) {
		const struct um_gauge *f = &s->files[UM_FILE_TEMPERATURE + i];

		if (f->known)
			um_raise(&s->pub.temperature, (int)((int64_t)f->value / 1000));
	}
}

void um_judge_files(struct uncoremsr_throttle *t, struct um_subject *s)
{
	judge_count(t, s, UM_FILE_CORE_COUNT, UM_FILE_CORE_TIME);
	judge_count(t, s, UM_FILE_PACKAGE_COUNT, UM_FILE_PACKAGE_TIME);
	judge_bios_limit(s);
	for (int role = 0; role < UM_NUM_FILES; role++)
		if (um_file_rows[role].of == UM_OF_CHIP)
			judge_occ(s, (enum um_file_role)role);
	judge_flag(s, UM_FILE_HSMP_PROCHOT, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, true);
	for (int i = 0; i < UM_MAX_SENSORS; i++)
		judge_flag(s, (enum um_file_role)(UM_FILE_CRIT_ALARM + i), UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, false);
	judge_temperature(s);
}
