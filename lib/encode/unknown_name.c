/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Explain unknown names: which other PMU or processor has them, and which names are similar. */
#include <errno.h>
#include <string.h>

#include "encode/encoder.h"
#include "names/index.h"
#include "names/pattern.h"

/* The first other processor that has the name, or a match for the pattern. */
static const struct um_event_table *who_has(const char *uarch, const char *text, size_t len,
					    const struct um_event_row **row)
{
	bool pattern = um_event_is_pattern(text, len);
	struct um_pattern p;

	if (pattern && um_pattern_compile(&p, "event", text, len, true, NULL))
		return NULL;
	for (const struct um_event_table *t = um_event_tables; t < um_event_tables + um_num_event_tables; t++) {
		const struct um_event_row *match = NULL;

		if (strcmp(t->uarch, uarch) == 0)
			continue;
		while (pattern && (match = um_event_next(t, match)) && !um_pattern_matches_row(&p, match->name))
			;
		*row = pattern ? NULL : um_event_find(t, text, len);
		if (*row || match)
			return t;
	}
	return NULL;
}

static int not_here(struct um_encoder *s, const struct um_event_table *other, const struct um_event_row *row)
{
	char names[128];

	/* The tables have no core counters for this processor. */
	if (strcmp(other->uarch, um_core_registers.name) == 0) {
		UM_REFUSE(s, -ENOENT, "the core counters of %s are not programmed through registers", s->pmus->uarch);
		return um_advise(s->e, -ENOENT, "registers can program these PMUs: %s",
				 um_event_pmu_names(s->pmus, names, sizeof(names)));
	}
	UM_REFUSE(s, -ENOENT, "not defined for %s; %s has this event", s->pmus->uarch, other->uarch);
	if (row && s->plain)
		um_hint(s->e, "on %s its codes are 0x%x:0x%x; no source says what these codes count "
			"on %s, but they can be counted", other->uarch, row->event, row->umask,
			s->pmus->uarch);
	else
		um_hint(s->e, "no source lists this event for %s; any code can be counted as %s", s->pmus->uarch,
			s->plain ? "EVENT:UMASK" : "PMU/event=NUMBER,umask=NUMBER/");
	return -ENOENT;
}

static int not_among(struct um_encoder *s, const struct um_pmu *pmu)
{
	char names[UM_MESSAGE_LIST_SIZE] = "";

	UM_REFUSE(s, -ENOENT, "%s has no counter of that name", pmu->name);
	for (unsigned i = 0; i < pmu->num_fixed; i++)
		um_list_add(names, sizeof(names), "%s", pmu->fixed[i].event);
	return um_advise(s->e, -ENOENT, "each counter of this PMU counts one fixed event: %s", names);
}

static bool has_names(const struct um_encoder *s)
{
	for (size_t i = 0; i < s->pmus->num; i++)
		if (!um_pmu_is_core(s->pmus->pmus[i]) && um_event_table_of(s->pmus->uarch, s->pmus->pmus[i]))
			return true;
	return s->lists;
}

static int nowhere(struct um_encoder *s, const char *names)
{
	bool near = *names, pattern = um_event_is_pattern(s->text, strlen(s->text)) && !strchr(s->text, '/');
	char pmus[128];

	UM_REFUSE(s, -ENOENT, pattern ? "no uncore event matches the pattern on %s" : "no event of that name on %s",
		  s->pmus->uarch);
	if (s->plain)
		um_hint(s->e, "%s%s%sany code can be counted as EVENT:UMASK, such as 0x82:0x1",
			near ? "did you mean " : "see uncoremsr-events(7); ", names,
			near ? "? Or else: " : "");
	else
		um_hint(s->e, "%s%s%sany code can be counted as PMU/event=NUMBER,umask=NUMBER/ "
			"with one of %s", near ? "did you mean " : "", names,
			near ? "? Or else: " : has_names(s) ? ""
			: "names of this processor's events are in the vendor's list (uncore-events import); ",
			um_event_pmu_names(s->pmus, pmus, sizeof(pmus)));
	return -ENOENT;
}

/*
 * Find names similar to the text, or else to its beginnings, except those that are names, which registers cannot count.
 * True: the text is a part of the first name found.
 */
static bool find_near(const struct um_encoder *s, const char *text, struct um_term_list heads, char *buf, size_t size)
{
	struct um_lookup l = {
		.names = s->pmus->names, .uarch = um_uarch_find(s->pmus->uarch), .core = um_event_core_pmu(s->pmus),
		.machine = s->pmus->machine,
	};
	bool part = false;

	*buf = '\0';
	for (size_t i = heads.num; l.names && !*buf && i-- > 0;) {
		size_t len = (size_t)(heads.at[i].end - text);

		l.metrics = UM_NO_METRICS;
		if (um_name_find(&l, text, len))
			continue;
		l.metrics = UM_METRICS_TOO;
		part = um_near_names(&l, text, len, buf, size);
	}
	return part;
}

static const struct um_pmu *neighbour(const struct um_encoder *s, const char *text, size_t len)
{
	for (size_t i = 0; i < s->pmus->num; i++) {
		const struct um_pmu *p = s->pmus->pmus[i];
		const struct um_event_table *t = um_event_table_of(s->pmus->uarch, p);

		if (um_pmu_find_fixed(p, text, len) >= 0 ||
		    (t && !um_event_is_pattern(text, len) && um_event_find(t, text, len)))
			return p;
	}
	return NULL;
}

int um_unknown_name(struct um_encoder *s, const struct um_pmu *only, struct um_term_list heads)
{
	const char *text = heads.at->name;
	size_t first = (size_t)(heads.at->end - text);
	const struct um_pmu *other_pmu;
	const struct um_event_row *row;
	char near[UM_MESSAGE_LIST_SIZE];
	bool part;

	if (!s->e)
		return -ENOENT;
	other_pmu = only ? neighbour(s, text, first) : NULL;
	if (other_pmu) {
		UM_REFUSE(s, -ENOENT, "%s does not have this event, but %s does", only->name, other_pmu->name);
		return um_advise(s->e, -ENOENT, "write %s/%.*s/", other_pmu->name, (int)first, text);
	}
	part = find_near(s, text, heads, near, sizeof(near));
	/* Part of a name of this processor is probably a shortened name, so search no other processor. */
	for (size_t i = heads.num; i-- > 0 && !part;) {
		size_t len = (size_t)(heads.at[i].end - text);
		const struct um_event_table *other = who_has(s->pmus->uarch, text, len, &row);

		if (other)
			return not_here(s, other, row);
	}
	if (only && !only->num_general)
		return not_among(s, only);
	return nowhere(s, near);
}
