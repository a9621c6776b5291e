/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of an encoded event in perf, likwid and libpfm4. */
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "encode/event.h"
#include "names/names.h"

/* Does the event belong to the uncore of Nehalem and Westmere, for which likwid and libpfm4 have names? */
static bool is_uncore(const struct um_encoding *ev)
{
	return !strcmp(ev->pmu->name, "uncore");
}

/* ---- perf ---- */

static void spell_core(const struct um_encoding *ev, char text[UM_EVENT_TEXT])
{
	const char *rings = um_event_rings(ev), *name;
	char word[24];

	snprintf(word, sizeof(word), "r%llx", (unsigned long long)(ev->word & ~um_control_bits(ev->pmu)));
	name = ev->fixed >= 0 ? ev->pmu->fixed[ev->fixed].event : word;
	/* If no PMU is named, perf counts on every core type. */
	if (ev->core_type)
		snprintf(text, UM_EVENT_TEXT, "%s/%s/%s", um_core_type_pmu(ev->core_type), name, rings);
	else
		snprintf(text, UM_EVENT_TEXT, "%s%s%s", name, *rings ? ":" : "", rings);
}

/* The kernel has its own name for the clock, "clockticks". */
static const char *fixed_name(const struct um_encoding *ev)
{
	const char *name = ev->pmu->fixed[ev->fixed].event;

	return strstr(name, "CLOCK") || is_uncore(ev) ? "clockticks" : name;
}

/* Events with filters are written as terms, others as the whole word. @terms "": Linux cannot count the event. */
static void spell_box(const struct um_encoding *ev, const char *terms, char text[UM_EVENT_TEXT])
{
	uint64_t word = ev->word & ~ev->pmu->selector->enable;
	char unit[16] = "", counter[24] = "", whole[32];

	if (ev->fixed < 0 && !*terms)
		return;
	if (ev->unit >= 0)
		snprintf(unit, sizeof(unit), "_%d", ev->unit);
	/* If each counter has its own list of events, Linux needs the counter's number. */
	if (ev->fixed < 0 && um_term_find(ev->pmu, UM_WORD("counter")))
		snprintf(counter, sizeof(counter), ",counter=%d", __builtin_ctz(ev->counters));
	/* config=0 would mean no event, so write event=0x0. */
	snprintf(whole, sizeof(whole), word ? "config=0x%llx" : "event=0x%llx", (unsigned long long)word);
	snprintf(text, UM_EVENT_TEXT, "%s%s/%s%s/", ev->pmu->kernel, unit,
		 ev->fixed >= 0 ? fixed_name(ev) : ev->extras || is_uncore(ev) ? terms : whole, counter);
}

void um_event_spell_perf(const struct um_encoding *ev, const char *terms, char text[UM_EVENT_TEXT])
{
	*text = '\0';
	if (um_pmu_is_core(ev->pmu))
		spell_core(ev, text);
	else
		spell_box(ev, terms, text);
}

/* ---- likwid and libpfm4 ---- */

struct modifier_words {
	const char *edge, *inv, *cmask; /* the modifiers (":e", ":i", ":c="); @cmask needs a value */
	bool hex;
};
enum { MODIFIERS = 48 };

static void spell_modifiers(const struct um_encoding *ev, const struct modifier_words *w, char text[MODIFIERS])
{
	const struct {
		const char *name, *theirs;
	} modifiers[] = { { "edge", w->edge }, { "inv", w->inv }, { "cmask", w->cmask } };

	*text = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(modifiers) && ev->fixed < 0; i++) {
		const struct um_term *t = um_term_find(ev->pmu, modifiers[i].name, strlen(modifiers[i].name));
		unsigned value = t ? (unsigned)um_term_get(t, ev->word) : 0;

		if (value && um_term_max(t) == 1)
			um_append(text, MODIFIERS, "%s", modifiers[i].theirs);
		else if (value)
			um_append(text, MODIFIERS, w->hex ? "%s0x%x" : "%s%u", modifiers[i].theirs, value);
	}
}

/* In likwid fixed core counters have the same names on all Intel processors (perfmon_*_events.txt). */
static void spell_likwid_core(const struct um_encoding *ev, char text[UM_EVENT_TEXT])
{
	static const char names[][24] = {
		"INSTR_RETIRED_ANY", "CPU_CLK_UNHALTED_CORE", "CPU_CLK_UNHALTED_REF", "TOPDOWN_SLOTS",
	};
	const char *rings = um_event_rings(ev);

	/* likwid always counts user mode and can add kernel mode. So it cannot count kernel mode alone. */
	if (ev->fixed >= 0 && ev->fixed < (int)ARRAY_SIZE(names) && *rings != 'k')
		snprintf(text, UM_EVENT_TEXT, "%s:FIXC%d%s", names[ev->fixed], ev->fixed, *rings ? "" : ":KERNEL");
}

/* NAME:COUNTER:OPTION... */
void um_event_spell_likwid(const struct um_encoding *ev, const char *uarch, char text[UM_EVENT_TEXT])
{
	static const struct modifier_words words = { ":EDGEDETECT", ":INVERT", ":THRESHOLD=", true };
	const struct um_event_row *row = ev->listed ? NULL : ev->row;
	char name[UM_EVENT_FOLDED], modifiers[MODIFIERS];

	*text = '\0';
	if (um_pmu_is_core(ev->pmu))
		spell_likwid_core(ev, text);
	/* If likwid has other codes for the name, likwid would count another event, so write nothing. */
	if (!is_uncore(ev) || !row || !(um_event_sources(um_event_table_of(uarch, ev->pmu), row) & UM_LIKWID) ||
	    um_event_spell(row, UM_LIKWID, name) < 0)
		return;
	spell_modifiers(ev, &words, modifiers);
	snprintf(text, UM_EVENT_TEXT, "%s:%s%s", name, ev->fixed < 0 ? "UPMC0" : "UPMCFIX", modifiers);
}

/* Find a row with this event select and a name that libpfm4 accepts. The name can be used with a numeric unit mask. */
static const struct um_event_row *sibling(const struct um_event_table *t, unsigned select)
{
	const struct um_event_row *row = NULL;
	char name[UM_EVENT_FOLDED];

	while (t && (row = um_event_next(t, row)))
		if (row->event == select && um_event_spell(row, UM_LIBPFM4, name) > 0)
			return row;
	return NULL;
}

/* The unit mask is written as a number if it has no name, or if libpfm4 has other codes for the name. */
void um_event_spell_libpfm4(const struct um_encoding *ev, const char *uarch, char text[UM_EVENT_TEXT])
{
	static const struct modifier_words words = { ":e", ":i", ":c=", false };
	const struct um_event_table *t = um_event_table_of(uarch, ev->pmu);
	const struct um_event_row *row = ev->row;
	uint64_t codes = ev->fixed < 0 ? ev->word : 0;
	char name[UM_EVENT_FOLDED], umask[16] = "", modifiers[MODIFIERS];

	*text = '\0';
	if (!is_uncore(ev) || ev->listed)
		return;
	row = row ? row : sibling(t, um_code_of(&ev->pmu->selector->event, codes));
	if (!row || um_event_spell(row, UM_LIBPFM4, name) < 0)
		return;
	if (row != ev->row || !(um_event_sources(t, row) & UM_LIBPFM4)) {
		name[strcspn(name, ":")] = '\0';
		snprintf(umask, sizeof(umask), ":0x%x", um_code_of(&ev->pmu->selector->umask, codes));
	}
	spell_modifiers(ev, &words, modifiers);
	if (snprintf(text, UM_EVENT_TEXT, "%s::%s%s%s", strcmp(uarch, "nehalem") ? "wsm_unc" : "nhm_unc", name, umask,
		     modifiers) >= UM_EVENT_TEXT)
		*text = '\0'; /* too long: return none rather than a truncated name */
}
