/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Questions without an answer, and why. look() asks about a cause if this processor has a register or file that shows
 * the cause. The question stays open if registers may not be read (UNCOREMSR_THROTTLE_KERNEL_ONLY), if a driver or a
 * permission is missing, or if the read fails. An open question prevents the verdict "ok". A cause that nothing here
 * can show is listed as a question, too, but does not prevent "ok".
 */
#include <errno.h>
#include <string.h>

#include "common/text.h"
#include "throttle/throttle.h"

#define BIT(n) (1u << (n))

static const enum uncoremsr_cause_kind question_order[] = {
	UNCOREMSR_CAUSE_CORE_THERMAL, UNCOREMSR_CAUSE_PACKAGE_THERMAL, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL,
	UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, UNCOREMSR_CAUSE_POWER_LIMIT, UNCOREMSR_CAUSE_VR_THERMAL,
	UNCOREMSR_CAUSE_CURRENT_LIMIT, UNCOREMSR_CAUSE_CROSS_DOMAIN, UNCOREMSR_CAUSE_CLOCK_MODULATION,
	UNCOREMSR_CAUSE_FIRMWARE, UNCOREMSR_CAUSE_DIMM_THERMAL, UNCOREMSR_CAUSE_SMI,
};

static bool reads_zero(const struct um_gauge *r)
{
	return r->row && r->err == -ENODATA && !r->value;
}

/* Does a register that is never 0 on hardware read as 0? Then a hidden hypervisor emulates it: do not trust 0. */
static bool is_faked(const struct um_subject *s)
{
	if (!s->sources[UM_ROLE_PACKAGE_STATUS].row && s->num)
		s++; /* the first core of the package */
	return reads_zero(&s->sources[UM_ROLE_PACKAGE_STATUS]) || reads_zero(&s->sources[UM_ROLE_CORE_STATUS]) ||
	       reads_zero(&s->sources[UM_ROLE_PSTATE_LIMIT]);
}

/* Is there a valid value? A counter needs an earlier value, too, except at the subject's first look(). */
static bool tells(const struct um_subject *s, int source)
{
	const struct um_gauge *r = &s->sources[source];

	return r->known && (r->had || s->fresh || !um_sources[source].grows) && (r->value || !r->row || !is_faked(s));
}

static enum uncoremsr_reason why_unread(const struct uncoremsr_throttle *t,
					const struct um_subject *s, const struct um_gauge *r)
{
	if (r->known && !r->value && is_faked(s))
		return UNCOREMSR_REASON_ALL_ZEROS;
	if (r->known)
		return t->suspended ? UNCOREMSR_REASON_SUSPENDED : UNCOREMSR_REASON_NOT_READ_BEFORE;
	if (!r->err)
		return UNCOREMSR_REASON_CPU_OFFLINE;
	if (r->err != -ENODATA)
		return UNCOREMSR_REASON_READ_FAILED;
	return r->value ? UNCOREMSR_REASON_ALL_ONES : UNCOREMSR_REASON_ALL_ZEROS;
}

static struct uncoremsr_question *ask_gauge(struct um_subject *s, enum uncoremsr_cause_kind cause,
					    const struct um_gauge *r, enum uncoremsr_reason reason)
{
	struct uncoremsr_question *q = um_add_question(s, cause, reason);

	q->name = um_gauge_name(r);
	q->msr = um_gauge_msr(r);
	return q;
}

/* Add a question: register or file @source of @of exists but could not be read. @of is @s, or its package or die. */
static void not_read(const struct uncoremsr_throttle *t, struct um_subject *s,
		     enum uncoremsr_cause_kind cause, const struct um_subject *of, int source)
{
	const struct um_gauge *r = &of->sources[source];
	struct uncoremsr_question *q = ask_gauge(s, cause, r, UNCOREMSR_REASON_KERNEL_ONLY);

	if (source == UM_FILE_HSMP_PROCHOT) {
		q->reason = UNCOREMSR_REASON_NO_HSMP;
		q->access = 1;
	} else if (!r->row) {
		q->reason = UNCOREMSR_REASON_FILE_FAILED;
	}
	if (!r->row || t->kernel_only)
		return;
	q->reason = why_unread(t, of, r);
	if (of->access.class != UNCOREMSR_ERROR_NONE) {
		q->reason = UNCOREMSR_REASON_NO_ACCESS;
		q->err = -of->access.code;
		q->error = of->access.msg;
		q->hint = um_or_null(of->access.hint);
		q->access = 1;
	} else if (r->err && r->err != -ENODATA) {
		q->err = -r->err;
		q->access = um_lacks_permission(r->err);
	}
}

/* ---- causes that sources can show ---- */

/* The first of the preferred sources for a cause, or -1. For @shows see ask(). */
static int first_asked(const unsigned shows[UM_NUM_SOURCES], enum uncoremsr_cause_kind cause)
{
	int first = -1;

	for (int i = 0; i < UM_NUM_SOURCES; i++)
		if ((shows[i] >> cause & 1) && (first < 0 || um_sources[i].asked < um_sources[first].asked))
			first = i;
	return first;
}

/* Ask about a cause if a source can show it, but no preferred one has a valid value. @shows: causes by source. */
static void ask(const struct uncoremsr_throttle *t, struct um_subject *s, enum uncoremsr_cause_kind cause,
		const unsigned shows[UM_NUM_SOURCES])
{
	int first = first_asked(shows, cause);

	if (first < 0)
		return;
	s->means |= BIT(cause);
	for (int i = first; i < UM_NUM_SOURCES; i++)
		if ((shows[i] >> cause & 1) && um_sources[i].asked == um_sources[first].asked && tells(s, i))
			return;
	not_read(t, s, cause, s, first);
}

static void ask_sources(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	unsigned shows[UM_NUM_SOURCES] = { 0 };

	for (int i = 0; i < UM_NUM_SOURCES; i++)
		if (um_sources[i].asked && (s->sources[i].row || s->sources[i].path[0]))
			shows[i] = um_shows(s, i);
	for (size_t i = 0; i < ARRAY_SIZE(question_order); i++)
		ask(t, s, question_order[i], shows);
}

/* Alarm files are read if registers are not. The question stays open if the package of an alarm is unknown. */
static void ask_unplaced(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	if (!t->unplaced[0] || (!t->kernel_only && s->access.class == UNCOREMSR_ERROR_NONE))
		return;
	s->means |= BIT(UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE);
	um_add_question(s, UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE, UNCOREMSR_REASON_SENSOR_UNPLACED)->name = t->unplaced;
}

/* Add questions about causes that only TPMI's limit reasons can show, if these could not be read. */
static void ask_tpmi(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	unsigned means = um_tpmi_means(t, s) & ~s->means;

	s->means |= means;
	for (enum uncoremsr_cause_kind cause = 0; cause < UM_NUM_CAUSES; cause++)
		if ((means >> cause & 1) && !s->plr.known)
			um_add_question(s, cause, UNCOREMSR_REASON_FILE_FAILED)->name = t->dies[0];
}

/* ---- the clock ---- */

static bool stands_still(const struct um_gauge *r)
{
	return r->known && r->had && r->value == r->before;
}

/*
 * MPERF and APERF. If both are unchanged since the previous look(), there is no question: the core slept, or no time
 * has passed. Add a question if only one of them is unchanged, or if both are still 0 after an interval: every core has
 * run since its reset, so such values are faked (by a hypervisor).
 */
static void ask_effective_clock(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	const struct um_gauge *m = &s->sources[UM_ROLE_MPERF], *a = &s->sources[UM_ROLE_APERF];
	bool slept = stands_still(m) && stands_still(a) && (m->value || a->value || !t->state.interval);

	if (!slept && (stands_still(m) || stands_still(a)))
		ask_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, stands_still(m) ? m : a, UNCOREMSR_REASON_STANDS_STILL);
}

/* Were all needed registers of a core and its package or die read? If not, ask about the first unread one. */
static bool have_all(const struct uncoremsr_throttle *t, struct um_subject *s, const int *needed, size_t num)
{
	for (size_t i = 0; i < num; i++) {
		const struct um_subject *of = needed[i] < UM_ROLE_PACKAGE_STATUS ? s : s->of;

		if (!of->sources[needed[i]].row || tells(of, needed[i]))
			continue;
		not_read(t, s, UNCOREMSR_CAUSE_FIRMWARE, of, needed[i]);
		return false;
	}
	return true;
}

/* Intel: ask if the requested or actual ratio or, with HWP, the guaranteed level could not be read. */
static void ask_ratio(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	static const int ratios[] = {
		UM_ROLE_PERF_STATUS, UM_ROLE_PERF_CTL, UM_ROLE_MPERF, UM_ROLE_APERF, UM_ROLE_PLATFORM_INFO,
	};
	static const int level[] = { UM_ROLE_HWP_CAPABILITIES };
	bool hwp = !um_judges_ratio(s);

	if (!hwp && (!s->sources[UM_ROLE_PERF_STATUS].row || !s->sources[UM_ROLE_MPERF].row))
		return;
	s->means |= BIT(UNCOREMSR_CAUSE_FIRMWARE);
	if (hwp)
		have_all(t, s, level, ARRAY_SIZE(level));
	else if (have_all(t, s, ratios, ARRAY_SIZE(ratios)))
		ask_effective_clock(t, s);
}

/* AMD: add a question if the base clock, the requested P-state or the effective clock is not known. */
static void ask_clock(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	static const int needed[] = {
		UM_ROLE_PSTATE_ASKED, UM_ROLE_MPERF, UM_ROLE_APERF,
	};
	const struct um_gauge *base = &s->sources[UM_ROLE_PSTATE_0], *cppc = &s->sources[UM_ROLE_CPPC];

	/* If the hardware chooses the clock (CPPC), a slow clock proves nothing. */
	if (cppc->known && (cppc->value & 1)) {
		s->means &= ~BIT(UNCOREMSR_CAUSE_FIRMWARE);
		s->pub.could_show &= ~BIT(UNCOREMSR_CAUSE_FIRMWARE);
		return;
	}
	if (base->row && !base->known && t->base_hz <= 0)
		not_read(t, s, UNCOREMSR_CAUSE_FIRMWARE, s, UM_ROLE_PSTATE_0);
	else if (base->known && um_thermal_base_hz(t->model, base->value) <= 0)
		ask_gauge(s, UNCOREMSR_CAUSE_FIRMWARE, base, UNCOREMSR_REASON_AMD_NO_BASE);
	else if (have_all(t, s, needed, ARRAY_SIZE(needed)))
		ask_effective_clock(t, s);
}

static bool is_open(const struct um_subject *s, enum uncoremsr_cause_kind cause)
{
	for (size_t i = 0; i < s->num_open; i++)
		if (s->questions[i].cause == (unsigned)cause)
			return true;
	return false;
}

static void ask_core_clock(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	if (!(t->model->has & UM_HAS_AMD))
		ask_ratio(t, s);
	/* There is no base frequency on processors whose P-state 0 may be boosted: the clock is not judged. */
	else if (um_thermal_base_hz(t->model, UINT64_MAX) > 0 && !is_open(s, UNCOREMSR_CAUSE_FIRMWARE))
		ask_clock(t, s);
}

/* Ask if the uncore's events should be counted but have no answer. The first look() cannot have an answer. */
static void ask_events(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	if (!t->counting || !um_uncore_has_events(t) || s->die >= 0)
		return;
	s->means |= BIT(UNCOREMSR_CAUSE_DIMM_THERMAL);
	if (t->kernel_only)
		um_add_question(s, UNCOREMSR_CAUSE_DIMM_THERMAL, UNCOREMSR_REASON_KERNEL_ONLY);
	else if (!(s->answered >> UNCOREMSR_CAUSE_DIMM_THERMAL & 1) && !s->fresh &&
		 !is_open(s, UNCOREMSR_CAUSE_DIMM_THERMAL))
		um_add_question(s, UNCOREMSR_CAUSE_DIMM_THERMAL, UNCOREMSR_REASON_NOT_YET_COUNTED);
}

/* Has the firmware made the processor ignore PROCHOT driven by the board? */
static bool is_deaf(const struct um_subject *s)
{
	return tells(s, UM_ROLE_POWER_CTL) && !(s->sources[UM_ROLE_POWER_CTL].value & 1);
}

/* Remove questions about causes that hold or are excluded, and about a PROCHOT that the processor ignores. */
static void close_questions(const struct uncoremsr_throttle *t, struct um_subject *s)
{
	bool deaf = is_deaf(s) || (s->of && is_deaf(s->of));
	unsigned settled = um_holding(s) | t->without | (deaf ? BIT(UNCOREMSR_CAUSE_PROCHOT_EXTERNAL) : 0);
	size_t num = 0;

	for (size_t i = 0; i < s->num_open; i++)
		if (!(settled >> s->questions[i].cause & 1))
			s->questions[num++] = s->questions[i];
	s->num_questions = s->num_open = num;
	if (deaf)
		s->pub.could_show &= ~BIT(UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
}

/* Do we know what can show throttling here: a table of registers, or POWER's on-chip controller? */
static bool is_known(const struct uncoremsr_throttle *t, const struct um_subject *s)
{
	return t->model || um_has_occ(s);
}

void um_judge_questions(struct uncoremsr_throttle *t, struct um_subject *s)
{
	ask_sources(t, s);
	ask_unplaced(t, s);
	if (!is_known(t, s)) {
		um_add_question(s, UNCOREMSR_CAUSE_REGISTERS, t->um->m.id.source
				? UNCOREMSR_REASON_NO_TABLE : UNCOREMSR_REASON_NO_CPUID);
	} else if (t->model && s->core >= 0) {
		ask_core_clock(t, s);
		ask_tpmi(t, s);
	} else if (t->model) {
		ask_events(t, s);
	}
	close_questions(t, s);
}

/* ---- causes that nothing can show ---- */

/* The reason why no register or file shows the cause, on Intel and on AMD processors. */
static const struct {
	enum uncoremsr_reason intel, amd;
} no_means[UNCOREMSR_CAUSE_OTHER] = {
	[UNCOREMSR_CAUSE_CRITICAL_TEMPERATURE] = { UNCOREMSR_REASON_NO_CORE_STATUS, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_PROCHOT_EXTERNAL] = { UNCOREMSR_REASON_NO_FORCED_BITS, UNCOREMSR_REASON_AMD_SMN_ONLY },
	[UNCOREMSR_CAUSE_CORE_THERMAL] = { UNCOREMSR_REASON_NO_CORE_STATUS, UNCOREMSR_REASON_AMD_SMN_ONLY },
	[UNCOREMSR_CAUSE_PACKAGE_THERMAL] = { UNCOREMSR_REASON_NO_PACKAGE_STATUS, UNCOREMSR_REASON_AMD_SMN_ONLY },
	[UNCOREMSR_CAUSE_VR_THERMAL] = { UNCOREMSR_REASON_NO_REGISTER, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_DIMM_THERMAL] = { UNCOREMSR_REASON_NO_MEMORY_REGISTER, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_FIRMWARE] = { UNCOREMSR_REASON_NO_REGISTER, UNCOREMSR_REASON_AMD_CPPC },
	[UNCOREMSR_CAUSE_CLOCK_MODULATION] = { UNCOREMSR_REASON_NO_CLOCK_MODULATION, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_POWER_LIMIT] = { UNCOREMSR_REASON_NO_POWER_REGISTERS, UNCOREMSR_REASON_AMD_PSTATE_ONLY },
	[UNCOREMSR_CAUSE_CURRENT_LIMIT] = { UNCOREMSR_REASON_NO_REGISTER, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_CROSS_DOMAIN] = { UNCOREMSR_REASON_NO_REGISTER, UNCOREMSR_REASON_AMD_NO_REGISTER },
	[UNCOREMSR_CAUSE_SMI] = { UNCOREMSR_REASON_NO_REGISTER, UNCOREMSR_REASON_AMD_NO_REGISTER },
};

/* Intel: why nothing shows memory throttling. The reason depends on the processor model. */
static enum uncoremsr_reason no_means_for_memory(const struct uncoremsr_throttle *t)
{
	const char *uarch = t->um->m.model ? t->um->m.model->name : "";

	if (um_uncore_has_events(t))
		return UNCOREMSR_REASON_NEEDS_COUNTING;
	return strcmp(uarch, "nehalem") == 0 ? UNCOREMSR_REASON_NO_EVENT : no_means[UNCOREMSR_CAUSE_DIMM_THERMAL].intel;
}

static enum uncoremsr_reason no_means_for(const struct uncoremsr_throttle *t, enum uncoremsr_cause_kind cause)
{
	if (!t->model)
		return UNCOREMSR_REASON_NO_REGISTER;
	if (t->model->has & UM_HAS_AMD)
		return no_means[cause].amd;
	if (cause == UNCOREMSR_CAUSE_DIMM_THERMAL)
		return no_means_for_memory(t);
	if (cause == UNCOREMSR_CAUSE_VR_THERMAL && (t->model->has & UM_HAS_TPMI))
		return UNCOREMSR_REASON_TPMI_ONLY;
	return no_means[cause].intel;
}

static unsigned visible_on(const struct um_subject *p)
{
	unsigned causes = 0;

	for (const struct um_subject *s = p; s <= p + p->num; s++) {
		causes |= s->means | s->pub.could_show;
		for (size_t i = 0; i < s->num_causes; i++)
			causes |= BIT(s->causes[i].kind);
	}
	return causes;
}

void um_judge_visibility(const struct uncoremsr_throttle *t, struct um_subject *p)
{
	unsigned visible = visible_on(p);
	const struct um_gauge *deaf = NULL; /* register in which the firmware disabled external PROCHOT */

	close_questions(t, p); /* causes inherited from cores or dies may answer open questions */
	if (is_known(t, p) && !(visible & ~t->without))
		for (struct um_subject *s = p; s <= p + p->num; s++)
			um_add_question(s, UNCOREMSR_CAUSE_ANY, UNCOREMSR_REASON_NOTHING_VISIBLE);
	for (const struct um_subject *core = p + 1; core <= p + p->num && !deaf; core++)
		if (is_deaf(core->of))
			deaf = &core->of->sources[UM_ROLE_POWER_CTL];
	if (deaf) {
		if (!(t->without >> UNCOREMSR_CAUSE_PROCHOT_EXTERNAL & 1))
			ask_gauge(p, UNCOREMSR_CAUSE_PROCHOT_EXTERNAL, deaf, UNCOREMSR_REASON_PROCHOT_IGNORED);
		visible |= BIT(UNCOREMSR_CAUSE_PROCHOT_EXTERNAL);
	}
	visible |= BIT(UNCOREMSR_CAUSE_OTHER); /* add no question about OTHER: no processor could answer it */
	for (enum uncoremsr_cause_kind cause = 0; cause < UM_NUM_CAUSES; cause++)
		if (t->without >> cause & 1)
			um_add_question(p, cause, UNCOREMSR_REASON_LEFT_OUT);
		else if (is_known(t, p) && !(visible >> cause & 1))
			um_add_question(p, cause, no_means_for(t, cause));
}
