/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel's files say (Linux drivers/thermal/intel/therm_throt.c, drivers/cpufreq). */
#include "throttle/throttle.h"

/* It is set back when its CPU was offline: a smaller number is not a difference. */
static uint64_t grown(const struct um_number_file *f)
{
	return f->known && f->had && f->value > f->before ? f->value - f->before : 0;
}

/* Since we cleared the logs; a count that is smaller than it was then has started again. */
static uint64_t since_clear(const struct um_number_file *f)
{
	return f->based && f->value >= f->base ? f->value - f->base : f->value;
}

/*
 * Interrupts of the own sensor, which the kernel counts because it clears the log bit before we
 * see it. PROCHOT driven from outside raises none of them.
 */
static void judge_count(struct uncoremsr_throttle *t, struct uncoremsr_subject *s,
			enum um_file_role count, enum um_file_role time, enum um_cause cause)
{
	const struct um_number_file *f = &s->files[count];
	uint64_t delta = grown(f), ms = grown(&s->files[time]), since = since_clear(f);
	struct uncoremsr_cause *c;

	if (!f->known)
		return;
	s->could_tell = true;
	s->could_show |= 1u << cause;
	if (!f->value)
		return;
	/* One episode may go on for long: it is counted at its beginning, its time grows. */
	if (!since && !ms) {
		s->remembered = f->value;
		return;
	}
	c = um_blame(s, cause);
	c->logged = c->decides = true;
	c->log_bit |= f->based;
	c->happened |= delta || ms;
	c->count = since;
	c->total = f->value;
	if (ms && t->interval_ns) {
		double share = (double)ms * 1e6 / (double)t->interval_ns;

		c->share = share < 1 ? share : 1;
	}
	um_add_file(s, cause, count, UNCOREMSR_FINDING_TIMES,
		    f->had && t->interval_ns ? delta : UM_ABSENT, UM_ABSENT);
	if (s->files[time].known)
		um_add_file(s, cause, time, UNCOREMSR_FINDING_MILLISECONDS, UM_ABSENT, UM_ABSENT);
}

/*
 * Limits in kHz (Documentation/admin-guide/pm/cpufreq.rst). That ACPI sets none does not say that the
 * firmware does not hold the clock down.
 */
static void judge_ceiling(struct uncoremsr_subject *s, enum um_file_role role,
			  enum um_cause cause, bool decides)
{
	const struct um_number_file *f = &s->files[role], *highest = &s->files[UM_FILE_HIGHEST];
	struct uncoremsr_cause *c;

	if (!f->known || !highest->known)
		return;
	s->could_show |= cause == UM_CAUSE_OTHER ? 1u << cause : 0;
	if (!f->value || f->value >= highest->value)
		return;
	c = um_blame(s, cause);
	c->holds = true;
	c->decides |= decides;
	um_add_file(s, cause, role, UNCOREMSR_FINDING_KHZ, UM_ABSENT, highest->value);
}

static void judge_flag(struct uncoremsr_subject *s, enum um_file_role role,
		       enum um_cause cause, bool now)
{
	const struct um_number_file *f = &s->files[role];
	struct uncoremsr_cause *c;

	/* That it never was critical says nothing about what comes before that, nor about now. */
	if (f->known && now) {
		s->could_tell = true;
		s->could_show |= 1u << cause;
	}
	if (!f->known || !f->value)
		return;
	c = um_blame(s, cause);
	c->holds |= now;
	c->logged |= !now;
	c->log_bit |= !now;
	c->decides = true;
	um_add_file(s, cause, role, UNCOREMSR_FINDING_FLAG, UM_ABSENT, UM_ABSENT);
}

void um_judge_files(struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	judge_count(t, s, UM_FILE_CORE_COUNT, UM_FILE_CORE_TIME, UM_CAUSE_CORE_THERMAL);
	judge_count(t, s, UM_FILE_PACKAGE_COUNT, UM_FILE_PACKAGE_TIME, UM_CAUSE_PACKAGE_THERMAL);
	judge_ceiling(s, UM_FILE_BIOS_LIMIT, UM_CAUSE_FIRMWARE, true);
	judge_ceiling(s, UM_FILE_CEILING, UM_CAUSE_OTHER, false);
	judge_flag(s, UM_FILE_HSMP_PROCHOT, UM_CAUSE_PROCHOT, true);
	judge_flag(s, UM_FILE_CRIT_ALARM, UM_CAUSE_CRITICAL, false);
	if (s->celsius < 0 && s->files[UM_FILE_TEMPERATURE].known)
		s->celsius = (int)(s->files[UM_FILE_TEMPERATURE].value / 1000);
}
