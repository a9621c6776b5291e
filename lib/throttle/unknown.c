/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was asked and cannot be answered, and why: the processor has no means, or the means could
 * not be used. A question that one source answers is answered.
 */
#include <errno.h>
#include <stdio.h>
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

/* The questions, and who answers them: the register, or nobody on this processor. */
static const struct {
	enum um_cause cause;
	int of;
	enum um_thermal_role role; /* UM_NUM_ROLES: no register is there for it */
	bool (*is_answered)(const struct uncoremsr_throttle_subject *s);
	const char *no_means;
} questions[] = {
	{ UM_CAUSE_CORE_THERMAL, INTEL | CORE, UM_ROLE_CORE_STATUS, core_thermal,
	  "this processor has no thermal status register (CPUID leaf 1 EDX bit 22)" },
	{ UM_CAUSE_PROCHOT, INTEL | CORE, UM_ROLE_CORE_STATUS, core_prochot,
	  "this processor has no bits for a signal from outside" },
	{ UM_CAUSE_POWER, INTEL | CORE, UM_NUM_ROLES, core_power,
	  "this processor has no power-limit bits (CPUID leaf 6 EAX bit 4)" },
	{ UM_CAUSE_CLOCK_MODULATION, INTEL | CORE, UM_ROLE_CLOCK_MODULATION, core_modulation,
	  "this processor has no clock modulation register" },
	{ UM_CAUSE_PACKAGE_THERMAL, INTEL | PACKAGE, UM_ROLE_PACKAGE_STATUS, package_thermal,
	  "this processor has no package status (CPUID leaf 6 EAX bit 6): only its cores tell" },
	{ UM_CAUSE_PROCHOT, INTEL | PACKAGE, UM_ROLE_PACKAGE_STATUS, package_prochot,
	  "this processor has no package status (CPUID leaf 6 EAX bit 6): only its cores tell" },
	{ UM_CAUSE_POWER, INTEL | PACKAGE, UM_NUM_ROLES, package_power,
	  "this processor has no power-limit bits (CPUID leaf 6 EAX bit 4) and no limit-reason or "
	  "power-time register" },
	{ UM_CAUSE_CORE_THERMAL, AMD | CORE, UM_NUM_ROLES, core_thermal,
	  "AMD has no register for it that can be read here (SMN 0x59804 has it)" },
	{ UM_CAUSE_PROCHOT, AMD | PACKAGE, UM_NUM_ROLES, package_prochot,
	  "AMD has no register for it: load the driver amd_hsmp or hsmp_acpi, on servers that have "
	  "this mailbox" },
	{ UM_CAUSE_POWER, AMD | PACKAGE, UM_NUM_ROLES, package_power,
	  "AMD has no register for it; a P-state limit may have this reason" },
};

static const char *why_unread(const struct um_reading *r)
{
	switch (r->err) {
	case -EIO:
		return "reading it faults here";
	case -EACCES:
	case -EPERM:
		return "access is denied";
	case -ENODATA:
		return r->value ? "all its bits read as 1, which is no answer" :
			"it reads as 0, which no sensor does: a hypervisor may be answering";
	case 0:
		return "its CPU went offline";
	default:
		return strerror(-r->err);
	}
}

/* The register was there to be asked, and did not answer. */
static void not_read(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s,
		     const char *question, enum um_thermal_role role)
{
	if (t->kernel_only)
		um_add_unknown(s, "%s: registers are not read, and the kernel's files do not tell "
			       "it", question);
	else if (s->access.class != UNCOREMSR_ERROR_NONE)
		um_add_unknown(s, "%s: %s", question, s->access.msg);
	else
		um_add_unknown(s, "%s: %s: %s", question, t->names[role],
			       why_unread(&s->regs[role]));
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
	const char *question = um_cause_name(questions[i].cause);

	if (questions[i].is_answered(s) || (s->answered >> questions[i].cause & 1))
		return;
	for (size_t c = 0; c < s->num_causes; c++)
		if (s->causes[c].cause == questions[i].cause)
			return;
	if (role < UM_NUM_ROLES && s->regs[role].row && !s->regs[role].known)
		not_read(t, s, question, role);
	else
		um_add_unknown(s, "%s: %s", question, questions[i].no_means);
}

static bool is_open(const struct uncoremsr_throttle_subject *s, const char *question)
{
	size_t len = strlen(question);

	for (size_t i = 0; i < s->num_unknown; i++)
		if (strncmp(s->unknown[i], question, len) == 0 && s->unknown[i][len] == ':')
			return true;
	return false;
}

/* Who tells about the memory differs most from processor to processor. */
static const char *no_means_for_memory(const struct uncoremsr_throttle *t)
{
	const char *uarch = t->um->m.model ? t->um->m.model->name : "";

	if (t->model->has & UM_HAS_AMD)
		return "AMD has no register for it";
	if (um_uncore_has_events(t))
		return t->counting ? "not counted yet"
				   : "only the uncore's events tell it, and one look counts "
				     "nothing: watch for a time, or around a command";
	if (strcmp(uarch, "nehalem") == 0)
		return "the event for it is not defined for this model (Westmere has it)";
	return "no register of this processor tells it; its memory controller's counters may";
}

static void ask_memory(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	bool has_register = s->regs[UM_ROLE_DRAM_PERF].row != NULL;
	const char *question = um_cause_name(UM_CAUSE_DIMM);

	if (s->core >= 0 || (s->answered >> UM_CAUSE_DIMM & 1) || s->regs[UM_ROLE_DRAM_PERF].known)
		return;
	if (is_open(s, question))
		return;
	if (has_register)
		not_read(t, s, question, UM_ROLE_DRAM_PERF);
	else
		um_add_unknown(s, "%s: %s", question, no_means_for_memory(t));
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
		const char *question = um_cause_name(others[i].cause);

		if (r->row && !r->known && !is_open(s, question))
			not_read(t, s, question, others[i].role);
	}
}

/* Firmware can make the processor deaf to the board: then nothing here would show it. */
static void ask_power_ctl(const struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	const struct um_reading *r = &s->regs[UM_ROLE_POWER_CTL];

	if (r->known && !(r->value & 1))
		um_add_unknown(s, "prochot-external: %s bit 0 is off: the processor has been told "
			       "to ignore PROCHOT# from outside, so whatever the board asks for "
			       "has no effect and cannot be seen here",
			       t->names[UM_ROLE_POWER_CTL]);
}

void um_judge_unknown(struct uncoremsr_throttle *t, struct uncoremsr_throttle_subject *s)
{
	int vendor = !t->model ? 0 : t->model->has & UM_HAS_AMD ? AMD : INTEL;
	int kind = s->core >= 0 ? CORE : PACKAGE;

	ask_power_ctl(t, s);
	if (!vendor)
		um_add_unknown(s, "registers: %s",
			       t->um->m.id.source ? "none are known of this processor" :
			       "the processor is unknown, as CPUID cannot be had");
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		if ((questions[i].of & vendor) && (questions[i].of & kind))
			ask(t, s, i);
	if (vendor) {
		ask_memory(t, s);
		ask_others(t, s);
	}
}
