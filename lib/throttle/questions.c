/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was asked and cannot be answered, and why: the processor has no means, or the means could
 * not be used. A question that one source answers is answered.
 */
#include <errno.h>
#include <string.h>

#include "throttle/throttle.h"

enum { INTEL = 1, AMD = 2, CORE = 4, PACKAGE = 8 };
#define BIT(n) (1u << (n))

/*
 * The questions, what answers them, and the reason where this processor has nothing for it. What is
 * asked of a core may be answered by its package.
 */
static const struct question {
	enum um_cause cause;
	int of;
	enum uncoremsr_reason no_means;
	unsigned first, gates; /* the status register, as a bit, which has it where CPUID says so */
	unsigned others;       /* other registers */
	unsigned files;
} questions[] = {
	{ UM_CAUSE_CORE_THERMAL, INTEL | CORE, UNCOREMSR_REASON_NO_CORE_STATUS,
	  BIT(UM_ROLE_CORE_STATUS), 0, 0, BIT(UM_FILE_CORE_COUNT) },
	{ UM_CAUSE_PROCHOT, INTEL | CORE, UNCOREMSR_REASON_NO_FORCED_BITS,
	  BIT(UM_ROLE_CORE_STATUS), UM_GATE_FORCEPR, 0, 0 },
	{ UM_CAUSE_POWER, INTEL | CORE, UNCOREMSR_REASON_NO_POWER_BITS, BIT(UM_ROLE_CORE_STATUS),
	  UM_GATE_PLN, BIT(UM_ROLE_LIMITS) | BIT(UM_ROLE_PACKAGE_PERF), 0 },
	{ UM_CAUSE_CLOCK_MODULATION, INTEL | CORE, UNCOREMSR_REASON_NO_CLOCK_MODULATION,
	  BIT(UM_ROLE_CLOCK_MODULATION), 0, 0, 0 },
	{ UM_CAUSE_PACKAGE_THERMAL, INTEL | PACKAGE, UNCOREMSR_REASON_NO_PACKAGE_STATUS,
	  BIT(UM_ROLE_PACKAGE_STATUS), 0, BIT(UM_ROLE_LIMITS), BIT(UM_FILE_PACKAGE_COUNT) },
	{ UM_CAUSE_PROCHOT, INTEL | PACKAGE, UNCOREMSR_REASON_NO_PACKAGE_STATUS,
	  BIT(UM_ROLE_PACKAGE_STATUS), 0, BIT(UM_ROLE_LIMITS), BIT(UM_FILE_HSMP_PROCHOT) },
	{ UM_CAUSE_POWER, INTEL | PACKAGE, UNCOREMSR_REASON_NO_POWER_REGISTERS,
	  BIT(UM_ROLE_PACKAGE_STATUS), UM_GATE_PLN,
	  BIT(UM_ROLE_LIMITS) | BIT(UM_ROLE_PACKAGE_PERF), 0 },
	{ UM_CAUSE_CORE_THERMAL, AMD | CORE, UNCOREMSR_REASON_AMD_SMN_ONLY, 0, 0, 0,
	  BIT(UM_FILE_CORE_COUNT) },
	{ UM_CAUSE_PACKAGE_THERMAL, AMD | PACKAGE, UNCOREMSR_REASON_AMD_SMN_ONLY, 0, 0, 0,
	  BIT(UM_FILE_PACKAGE_COUNT) },
	{ UM_CAUSE_PROCHOT, AMD | CORE | PACKAGE, UNCOREMSR_REASON_AMD_HSMP_ONLY, 0, 0, 0,
	  BIT(UM_FILE_HSMP_PROCHOT) },
	{ UM_CAUSE_POWER, AMD | CORE | PACKAGE, UNCOREMSR_REASON_AMD_PSTATE_ONLY, 0, 0, 0, 0 },
};

/* Registers that are there for a question, as bits. */
static unsigned registers_for(const struct question *q, const struct uncoremsr_subject *s)
{
	return (q->gates & ~s->gates ? 0 : q->first) | q->others;
}

/*
 * Registers that grow for as long as something lasts, or whenever it happens, tell of an interval by
 * their difference. One look alone, which has no interval, is not held against them.
 */
static bool tells(const struct uncoremsr_throttle *t, const struct uncoremsr_subject *s, int role)
{
	static const unsigned grow = BIT(UM_ROLE_PACKAGE_PERF) | BIT(UM_ROLE_DRAM_PERF) | BIT(UM_ROLE_SMI);
	const struct um_reading *r = &s->regs[role];

	return r->known && (r->had || !t->interval_ns || !(grow >> role & 1));
}

static bool is_answered(const struct uncoremsr_throttle *t, const struct question *q,
			const struct uncoremsr_subject *s)
{
	unsigned registers = registers_for(q, s);

	for (int r = 0; r < UM_NUM_ROLES; r++)
		if ((registers >> r & 1) && (tells(t, s, r) || (s->of && tells(t, s->of, r))))
			return true;
	for (int f = 0; f < UM_NUM_FILES; f++)
		if ((q->files >> f & 1) && (s->files[f].known || (s->of && s->of->files[f].known)))
			return true;
	if (s->answered >> q->cause & 1)
		return true;
	for (size_t c = 0; c < s->num_causes; c++)
		if (s->causes[c].cause == q->cause)
			return true;
	return false;
}

static enum uncoremsr_reason why_unread(const struct uncoremsr_throttle *t, const struct um_reading *r)
{
	if (r->known)
		return t->suspended ? UNCOREMSR_REASON_SUSPENDED : UNCOREMSR_REASON_NOT_READ_BEFORE;
	if (!r->err)
		return UNCOREMSR_REASON_CPU_OFFLINE;
	if (r->err != -ENODATA)
		return UNCOREMSR_REASON_READ_FAILED;
	return r->value ? UNCOREMSR_REASON_ALL_ONES : UNCOREMSR_REASON_ALL_ZEROS;
}

/* The register is there, and did not answer. */
static void not_read(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s,
		     enum um_cause cause, enum um_thermal_role role)
{
	const struct um_reading *r = &s->regs[role];
	struct um_question *q = um_add_question(s, cause, UNCOREMSR_REASON_KERNEL_ONLY);

	q->name = r->row->reg.name;
	q->number[UNCOREMSR_QUESTION_MSR] = r->row->reg.msr;
	if (t->kernel_only)
		return;
	q->number[UNCOREMSR_QUESTION_REASON] = why_unread(t, r);
	if (s->access.class != UNCOREMSR_ERROR_NONE) {
		q->number[UNCOREMSR_QUESTION_REASON] = UNCOREMSR_REASON_NO_ACCESS;
		q->number[UNCOREMSR_QUESTION_ERRNO] = (uint64_t)-s->access_err;
		q->error = s->access.msg;
		q->hint = s->access.hint;
	} else if (r->err && r->err != -ENODATA) {
		q->number[UNCOREMSR_QUESTION_ERRNO] = (uint64_t)-r->err;
	}
}

/* Where several registers could answer, the first that exists is named. */
static void ask(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s,
		const struct question *q)
{
	unsigned registers = registers_for(q, s) | (q->gates == UM_GATE_PLN ? 0 : q->first);
	int r = 0;

	if (is_answered(t, q, s))
		return;
	while (r < UM_NUM_ROLES && (!(registers >> r & 1) || !s->regs[r].row))
		r++;
	if (r < UM_NUM_ROLES && !tells(t, s, r))
		not_read(t, s, q->cause, (enum um_thermal_role)r);
	else
		um_add_question(s, q->cause, q->no_means);
}

static bool is_open(const struct uncoremsr_subject *s, enum um_cause cause)
{
	for (size_t i = 0; i < s->num_questions; i++)
		if (s->questions[i].number[UNCOREMSR_QUESTION_CAUSE] == cause)
			return true;
	return false;
}

/* What shows memory throttling differs most from processor to processor. */
static enum uncoremsr_reason no_means_for_memory(const struct uncoremsr_throttle *t)
{
	const char *uarch = t->um->m.model ? t->um->m.model->name : "";

	if (t->model->has & UM_HAS_AMD)
		return UNCOREMSR_REASON_AMD_NO_REGISTER;
	if (um_uncore_has_events(t))
		return t->kernel_only ? UNCOREMSR_REASON_KERNEL_ONLY
		       : t->counting  ? UNCOREMSR_REASON_NOT_YET_COUNTED
				      : UNCOREMSR_REASON_NEEDS_COUNTING;
	return strcmp(uarch, "nehalem") == 0 ? UNCOREMSR_REASON_NO_EVENT
					     : UNCOREMSR_REASON_NO_REGISTER;
}

static void ask_memory(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	if (s->core >= 0 || (s->answered >> UM_CAUSE_DIMM & 1) ||
	    tells(t, s, UM_ROLE_DRAM_PERF) || is_open(s, UM_CAUSE_DIMM))
		return;
	if (s->regs[UM_ROLE_DRAM_PERF].row)
		not_read(t, s, UM_CAUSE_DIMM, UM_ROLE_DRAM_PERF);
	else
		um_add_question(s, UM_CAUSE_DIMM, no_means_for_memory(t));
}

/* Registers beside those of the questions that are there and did not tell. */
static void ask_others(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	static const struct {
		enum um_thermal_role role;
		enum um_cause cause;
	} others[] = {
		{ UM_ROLE_CORE_STATUS, UM_CAUSE_CRITICAL },
		{ UM_ROLE_PACKAGE_STATUS, UM_CAUSE_CRITICAL },
		{ UM_ROLE_LIMITS, UM_CAUSE_VR_THERMAL },
		{ UM_ROLE_LIMITS, UM_CAUSE_CURRENT },
		{ UM_ROLE_PACKAGE_PERF, UM_CAUSE_POWER },
		{ UM_ROLE_SMI, UM_CAUSE_SMI },
		{ UM_ROLE_PSTATE_LIMIT, UM_CAUSE_FIRMWARE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct um_reading *r = &s->regs[others[i].role];

		if (r->row && !tells(t, s, others[i].role) && !is_open(s, others[i].cause))
			not_read(t, s, others[i].cause, others[i].role);
	}
}

/* The register was read, and what it holds is the reason. */
static void ask_register(struct uncoremsr_subject *s, enum um_cause cause, enum um_thermal_role role,
			 enum uncoremsr_reason reason)
{
	struct um_question *q = um_add_question(s, cause, reason);

	q->name = s->regs[role].row->reg.name;
	q->number[UNCOREMSR_QUESTION_MSR] = s->regs[role].row->reg.msr;
}

/* Firmware can make the processor deaf to the board: then nothing here would show it. */
static void ask_power_ctl(struct uncoremsr_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_POWER_CTL];

	if (r->known && !(r->value & 1))
		ask_register(s, UM_CAUSE_PROCHOT, UM_ROLE_POWER_CTL, UNCOREMSR_REASON_PROCHOT_IGNORED);
}

/* From the second look on. */
static bool stands_still(const struct um_reading *r)
{
	return r->known && r->had && r->value == r->before;
}

/*
 * A core that slept between both looks has not moved either clock. That one alone moves cannot be,
 * nor that a core has never been awake.
 */
static void ask_effective_clock(struct uncoremsr_subject *s)
{
	const struct um_reading *m = &s->regs[UM_ROLE_MPERF], *a = &s->regs[UM_ROLE_APERF];
	bool slept = stands_still(m) && stands_still(a) && (m->value || a->value);

	if (!slept && stands_still(m))
		ask_register(s, UM_CAUSE_FIRMWARE, UM_ROLE_MPERF, UNCOREMSR_REASON_STANDS_STILL);
	else if (!slept && stands_still(a))
		ask_register(s, UM_CAUSE_FIRMWARE, UM_ROLE_APERF, UNCOREMSR_REASON_STANDS_STILL);
}

/*
 * Intel: what the clock is judged by is the guaranteed level, or where the operating system chooses the
 * clock what it asked for and what it got.
 */
static void ask_ratio(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	static const enum um_thermal_role needed[] = {
		UM_ROLE_HWP_CAPABILITIES, UM_ROLE_PERF_STATUS, UM_ROLE_PERF_CTL, UM_ROLE_MPERF, UM_ROLE_APERF,
	};

	if (!s->regs[UM_ROLE_HWP_CAPABILITIES].row && !s->regs[UM_ROLE_PERF_STATUS].row)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(needed) && !(s->could_show >> UM_CAUSE_FIRMWARE & 1); i++) {
		const struct um_reading *r = &s->regs[needed[i]];

		if (!r->row || r->known)
			continue;
		not_read(t, s, UM_CAUSE_FIRMWARE, needed[i]);
		return;
	}
}

/* AMD: can the clock be judged (judge_clock())? What must be read for that was, or is named. */
static void ask_clock(const struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	static const enum um_thermal_role needed[] = {
		UM_ROLE_PSTATE_0, UM_ROLE_PSTATE_ASKED, UM_ROLE_MPERF, UM_ROLE_APERF,
	};
	const struct um_reading *base = &s->regs[UM_ROLE_PSTATE_0], *cppc = &s->regs[UM_ROLE_CPPC];

	if (cppc->known && (cppc->value & 1)) {
		um_add_question(s, UM_CAUSE_FIRMWARE, UNCOREMSR_REASON_AMD_CPPC);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		const struct um_reading *r = &s->regs[needed[i]];

		if (!r->row || r->known || (r == base && t->base_hz > 0))
			continue;
		not_read(t, s, UM_CAUSE_FIRMWARE, needed[i]);
		return;
	}
	if (base->known && um_thermal_base_hz(t->model, base->value) <= 0)
		ask_register(s, UM_CAUSE_FIRMWARE, UM_ROLE_PSTATE_0, UNCOREMSR_REASON_AMD_NO_BASE);
	else
		ask_effective_clock(s);
}

/* Where any P-state 0 may be a boosted one, nothing is judged by it. */
static bool judges_clock(const struct uncoremsr_throttle *t)
{
	return (t->model->has & UM_HAS_AMD) && um_thermal_base_hz(t->model, UINT64_MAX) > 0;
}

void um_judge_questions(struct uncoremsr_throttle *t, struct uncoremsr_subject *s)
{
	int vendor = !t->model ? 0 : t->model->has & UM_HAS_AMD ? AMD : INTEL;
	int kind = s->core >= 0 ? CORE : PACKAGE;

	ask_power_ctl(s);
	if (!vendor && !um_has_occ(s))
		um_add_question(s, UNCOREMSR_CAUSE_REGISTERS, t->um->m.id.source
				? UNCOREMSR_REASON_NO_TABLE : UNCOREMSR_REASON_NO_CPUID);
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		if ((questions[i].of & vendor) && (questions[i].of & kind))
			ask(t, s, &questions[i]);
	if (vendor) {
		ask_memory(t, s);
		ask_others(t, s);
		if (judges_clock(t) && !is_open(s, UM_CAUSE_FIRMWARE))
			ask_clock(t, s);
		if (vendor == INTEL)
			ask_ratio(t, s);
	}
}
