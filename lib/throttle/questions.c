/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was asked and cannot be answered, and why: the processor has no means, or the means could
 * not be used. A question that one source answers is answered.
 */
#include <errno.h>
#include <string.h>

#include "throttle/throttle.h"

static bool reads(const struct uncoremsr_throttle_subject *s, enum um_thermal_role role)
{
	return s->regs[role].known;
}

static bool has_file(const struct uncoremsr_throttle_subject *s, enum um_file_role role)
{
	return s->files[role].known;
}

static bool core_thermal(const struct uncoremsr_throttle_subject *s)
{
	return reads(s, UM_ROLE_CORE_STATUS) || has_file(s, UM_FILE_CORE_COUNT);
}

static bool core_prochot(const struct uncoremsr_throttle_subject *s)
{
	return reads(s, UM_ROLE_CORE_STATUS) && (s->gates & UM_GATE_FORCEPR);
}

static bool core_power(const struct uncoremsr_throttle_subject *s)
{
	return (reads(s, UM_ROLE_CORE_STATUS) && (s->gates & UM_GATE_PLN)) ||
	       reads(s->of, UM_ROLE_LIMITS) || reads(s->of, UM_ROLE_PACKAGE_PERF);
}

static bool core_modulation(const struct uncoremsr_throttle_subject *s)
{
	return reads(s, UM_ROLE_CLOCK_MODULATION);
}

static bool package_thermal(const struct uncoremsr_throttle_subject *s)
{
	return reads(s, UM_ROLE_PACKAGE_STATUS) || reads(s, UM_ROLE_LIMITS) ||
	       has_file(s, UM_FILE_PACKAGE_COUNT);
}

static bool package_prochot(const struct uncoremsr_throttle_subject *s)
{
	return reads(s, UM_ROLE_PACKAGE_STATUS) || reads(s, UM_ROLE_LIMITS) ||
	       has_file(s, UM_FILE_HSMP_PROCHOT);
}

static bool package_power(const struct uncoremsr_throttle_subject *s)
{
	return (reads(s, UM_ROLE_PACKAGE_STATUS) && (s->gates & UM_GATE_PLN)) ||
	       reads(s, UM_ROLE_LIMITS) || reads(s, UM_ROLE_PACKAGE_PERF);
}

enum { INTEL = 1, AMD = 2, CORE = 4, PACKAGE = 8 };

/* The questions, the register that answers, and the reason where this processor has none. */
static const struct {
	enum um_cause cause;
	int of;
	enum um_thermal_role role; /* UM_NUM_ROLES: no register is there for it */
	bool (*is_answered)(const struct uncoremsr_throttle_subject *s);
	enum uncoremsr_reason no_means;
} questions[] = {
	{ UM_CAUSE_CORE_THERMAL, INTEL | CORE, UM_ROLE_CORE_STATUS, core_thermal,
	  UNCOREMSR_REASON_NO_CORE_STATUS },
	{ UM_CAUSE_PROCHOT, INTEL | CORE, UM_ROLE_CORE_STATUS, core_prochot,
	  UNCOREMSR_REASON_NO_FORCED_BITS },
	{ UM_CAUSE_POWER, INTEL | CORE, UM_NUM_ROLES, core_power, UNCOREMSR_REASON_NO_POWER_BITS },
	{ UM_CAUSE_CLOCK_MODULATION, INTEL | CORE, UM_ROLE_CLOCK_MODULATION, core_modulation,
	  UNCOREMSR_REASON_NO_CLOCK_MODULATION },
	{ UM_CAUSE_PACKAGE_THERMAL, INTEL | PACKAGE, UM_ROLE_PACKAGE_STATUS, package_thermal,
	  UNCOREMSR_REASON_NO_PACKAGE_STATUS },
	{ UM_CAUSE_PROCHOT, INTEL | PACKAGE, UM_ROLE_PACKAGE_STATUS, package_prochot,
	  UNCOREMSR_REASON_NO_PACKAGE_STATUS },
	{ UM_CAUSE_POWER, INTEL | PACKAGE, UM_NUM_ROLES, package_power,
	  UNCOREMSR_REASON_NO_POWER_REGISTERS },
	{ UM_CAUSE_CORE_THERMAL, AMD | CORE, UM_NUM_ROLES, core_thermal,
	  UNCOREMSR_REASON_AMD_SMN_ONLY },
	{ UM_CAUSE_PROCHOT, AMD | PACKAGE, UM_NUM_ROLES, package_prochot,
	  UNCOREMSR_REASON_AMD_HSMP_ONLY },
	{ UM_CAUSE_POWER, AMD | PACKAGE, UM_NUM_ROLES, package_power,
	  UNCOREMSR_REASON_AMD_PSTATE_ONLY },
};

static void add(struct uncoremsr_throttle_subject *s, enum um_cause cause,
		enum uncoremsr_reason reason)
{
	um_add_question(s, (enum uncoremsr_cause)cause, reason);
}

static enum uncoremsr_reason why_unread(const struct um_reading *r)
{
	if (!r->err)
		return UNCOREMSR_REASON_CPU_OFFLINE;
	if (r->err != -ENODATA)
		return UNCOREMSR_REASON_READ_FAILED;
	return r->value ? UNCOREMSR_REASON_ALL_ONES : UNCOREMSR_REASON_ALL_ZEROS;
}

/* The register is there, and did not answer. */
static void not_read(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s,
		     enum um_cause cause, enum um_thermal_role role)
{
	const struct um_reading *r = &s->regs[role];
	struct um_question *q = um_add_question(s, (enum uncoremsr_cause)cause,
						UNCOREMSR_REASON_KERNEL_ONLY);

	q->name = r->row->reg.name;
	q->msr = r->row->reg.msr;
	if (t->kernel_only)
		return;
	if (s->access.class != UNCOREMSR_ERROR_NONE) {
		q->reason = UNCOREMSR_REASON_NO_ACCESS;
		q->err = -s->access_err;
		q->error = s->access.msg;
		return;
	}
	q->reason = why_unread(r);
	q->err = q->reason == UNCOREMSR_REASON_READ_FAILED ? -r->err : 0;
}

/* Several registers tell about power: the first that is there. */
static enum um_thermal_role power_role(const struct uncoremsr_throttle_subject *s)
{
	static const enum um_thermal_role roles[] = {
		UM_ROLE_CORE_STATUS, UM_ROLE_PACKAGE_STATUS, UM_ROLE_LIMITS, UM_ROLE_PACKAGE_PERF,
	};

	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (s->regs[roles[i]].row && (roles[i] == UM_ROLE_LIMITS ||
					      roles[i] == UM_ROLE_PACKAGE_PERF ||
					      (s->gates & UM_GATE_PLN)))
			return roles[i];
	return UM_NUM_ROLES;
}

static void ask(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s, size_t i)
{
	bool power = questions[i].cause == UM_CAUSE_POWER && (questions[i].of & INTEL);
	enum um_thermal_role role = power ? power_role(s) : questions[i].role;

	if (questions[i].is_answered(s) || (s->answered >> questions[i].cause & 1))
		return;
	for (size_t c = 0; c < s->num_causes; c++)
		if (s->causes[c].cause == questions[i].cause)
			return;
	if (role < UM_NUM_ROLES && s->regs[role].row && !s->regs[role].known)
		not_read(t, s, questions[i].cause, role);
	else
		add(s, questions[i].cause, questions[i].no_means);
}

static bool is_open(const struct uncoremsr_throttle_subject *s, enum um_cause cause)
{
	for (size_t i = 0; i < s->num_questions; i++)
		if ((enum um_cause)s->questions[i].cause == cause)
			return true;
	return false;
}

/* What tells about the memory differs most from processor to processor. */
static enum uncoremsr_reason no_means_for_memory(const struct uncoremsr_throttle *t)
{
	const char *uarch = t->um->m.model ? t->um->m.model->name : "";

	if (t->model->has & UM_HAS_AMD)
		return UNCOREMSR_REASON_AMD_NO_REGISTER;
	if (um_uncore_has_events(t))
		return t->counting ? UNCOREMSR_REASON_NOT_YET_COUNTED
				   : UNCOREMSR_REASON_NEEDS_COUNTING;
	return strcmp(uarch, "nehalem") == 0 ? UNCOREMSR_REASON_NO_EVENT
					     : UNCOREMSR_REASON_NO_REGISTER;
}

static void ask_memory(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	if (s->core >= 0 || (s->answered >> UM_CAUSE_DIMM & 1) ||
	    s->regs[UM_ROLE_DRAM_PERF].known || is_open(s, UM_CAUSE_DIMM))
		return;
	if (s->regs[UM_ROLE_DRAM_PERF].row)
		not_read(t, s, UM_CAUSE_DIMM, UM_ROLE_DRAM_PERF);
	else
		add(s, UM_CAUSE_DIMM, no_means_for_memory(t));
}

/* Registers beside those of the questions that are there and could not be read. */
static void ask_others(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	static const struct {
		enum um_thermal_role role;
		enum um_cause cause;
	} others[] = {
		{ UM_ROLE_LIMITS, UM_CAUSE_VR_THERMAL },
		{ UM_ROLE_PACKAGE_PERF, UM_CAUSE_POWER },
		{ UM_ROLE_SMI, UM_CAUSE_SMI },
		{ UM_ROLE_PSTATE_LIMIT, UM_CAUSE_FIRMWARE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct um_reading *r = &s->regs[others[i].role];

		if (r->row && !r->known && !is_open(s, others[i].cause))
			not_read(t, s, others[i].cause, others[i].role);
	}
}

/* Firmware can make the processor deaf to the board: then nothing here would show it. */
static void ask_power_ctl(struct uncoremsr_throttle_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_POWER_CTL];
	struct um_question *q;

	if (!r->known || (r->value & 1))
		return;
	q = um_add_question(s, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, UNCOREMSR_REASON_PROCHOT_IGNORED);
	q->name = r->row->reg.name;
	q->msr = r->row->reg.msr;
}

void um_judge_questions(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	int vendor = !t->model ? 0 : t->model->has & UM_HAS_AMD ? AMD : INTEL;
	int kind = s->core >= 0 ? CORE : PACKAGE;

	ask_power_ctl(s);
	if (!vendor)
		um_add_question(s, UNCOREMSR_CAUSE_REGISTERS, t->um->m.id.source
				? UNCOREMSR_REASON_NO_TABLE : UNCOREMSR_REASON_NO_CPUID);
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		if ((questions[i].of & vendor) && (questions[i].of & kind))
			ask(t, s, i);
	if (vendor) {
		ask_memory(t, s);
		ask_others(t, s);
	}
}
