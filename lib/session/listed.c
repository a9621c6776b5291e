/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of event lists on the register route. A list names the kernel's PMU and its terms; where
 * our tables reach that PMU by registers, the same terms are ours: "UNC_CHA_CLOCKTICKS" is
 * "cha/event=0x0/". What the kernel's formats have no room for (ExtSel of the first Xeons E5) can
 * be counted so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/json_list.h"
#include "events/catalogue.h"
#include "session/session.h"

/* The end of an event in a text: a comma or brace that stands in no slashes. */
static const char *event_end(const char *text)
{
	bool inside = false;

	for (; *text; text++) {
		if (*text == '/')
			inside = !inside;
		else if (!inside && strchr(",{}", *text))
			break;
	}
	return text;
}

static const struct uncoremsr_pmu *our_pmu(const struct uncoremsr *um, const char *kernel)
{
	struct um_event_pmus pmus = { .uarch = um->m.uarch ? um->m.uarch->name : "core" };
	struct um_error ignored;
	int unit;

	for (size_t i = 0; i < um->m.num_pmus && pmus.num < UM_EVENT_PMUS; i++)
		pmus.pmus[pmus.num++] = &um->m.pmus[i];
	return um_event_pmu(&pmus, kernel, strlen(kernel), &unit, "", &ignored);
}

/* How the PMU of an Xeon E5 with occupancy bits for a unit mask calls the same (list.h). */
static const char *terms_for(const struct uncoremsr_pmu *pmu, const struct um_json_event *ev)
{
	struct um_term t;

	return *ev->occ_terms && !um_term_find(pmu, "umask", 5, &t) ? ev->occ_terms : ev->terms;
}

/* Code 0xff is the kernel's for a fixed counter; a general one counts something else with it. */
static bool is_fixed_code(const struct uncoremsr_pmu *pmu, const char *terms)
{
	static const char code[] = "event=0xff";

	return !um_pmu_is_core(pmu) && !strncmp(terms, code, sizeof(code) - 1) &&
	       strchr(",", terms[sizeof(code) - 1]);
}

/* "NAME:term=value:mods", the name being @ev's. False: no PMU of ours, nothing is written. */
static bool say_listed(struct uncoremsr_session *s, const struct um_json_event *ev,
		       const char *more, const char *end, FILE *out)
{
	const struct uncoremsr_pmu *pmu = our_pmu(s->um, ev->pmu);
	const char *terms = pmu ? terms_for(pmu, ev) : "";

	/* Without the match register that it needs it would count something else. */
	if (!pmu || ev->impossible[0])
		return false;
	if (is_fixed_code(pmu, terms)) {
		if (pmu->num_fixed != 1)
			return false;
		terms = pmu->fixed[0].event;
	}
	fprintf(out, "%s/%s", pmu->name, terms);
	while (more < end) {
		const char *next = memchr(more + 1, ':', (size_t)(end - more - 1));
		const char *stop = next ? next : end;

		if (!memchr(more + 1, '=', (size_t)(stop - more - 1)))
			break;
		fprintf(out, "%s%.*s", *terms ? "," : "", (int)(stop - more - 1), more + 1);
		terms = more = stop;
	}
	fprintf(out, "/%.*s", (int)(end - more), more);
	return true;
}

/* The longest head of the text that is a name of the lists: names may have colons of their own. */
static const struct um_json_event *find(const struct um_json_lists *lists, const char *text,
					const char **end)
{
	const struct um_json_event *ev = um_json_find(lists, text, (size_t)(*end - text));

	while (!ev) {
		const char *colon = memrchr(text, ':', (size_t)(*end - text));

		if (!colon)
			return NULL;
		*end = colon;
		ev = um_json_find(lists, text, (size_t)(colon - text));
	}
	return ev;
}

/* Every event of the text; those of no list stay as they are. Returns how many were of a list. */
static int rewrite(struct uncoremsr_session *s, const struct um_json_lists *lists, const char *text,
		   FILE *out)
{
	int num = 0;

	while (*text) {
		const char *end = event_end(text), *name_end = end;
		bool name = end > text && !memchr(text, '/', (size_t)(end - text));
		const struct um_json_event *ev = name ? find(lists, text, &name_end) : NULL;

		if (ev && say_listed(s, ev, name_end, end, out))
			num++;
		else
			fprintf(out, "%.*s", (int)(end - text), text);
		if (*end)
			fputc(*end++, out);
		text = end;
	}
	return num;
}

int um_front_not_reached(struct uncoremsr_session *s, const char *text)
{
	struct um_error before = s->um->error;
	const char *end = text + strlen(text);
	const struct um_json_event *ev = NULL;
	struct um_perf_scope scope;

	if (!um_perf_names(s->um, &scope) && scope.lists && end > text)
		ev = find(scope.lists, text, &end);
	s->um->error = before;
	if (!ev)
		return 0;
	um_fail(&s->um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
		"event '%.100s': the list has it, on the PMU '%s', which no registers reach here",
		text, ev->pmu);
	um_hint(&s->um->error, "the kernel's driver may: --route=perf");
	return -ENOTSUP;
}

char *um_front_unlist(struct uncoremsr_session *s, const char *text)
{
	struct um_error before = s->um->error;
	struct um_perf_scope scope;
	char *out_text = NULL;
	size_t size;
	FILE *out;
	int num;

	if (um_perf_names(s->um, &scope) || !scope.lists) {
		s->um->error = before;
		return NULL;
	}
	out = open_memstream(&out_text, &size);
	num = out ? rewrite(s, scope.lists, text, out) : 0;
	if (out && !fclose(out) && num)
		return out_text;
	free(out_text);
	return NULL;
}

/* The next event of a text at or behind @at; NULL: there is none. */
static const char *next_event(const char *at)
{
	at += strspn(at, ",{}");
	return *at ? at : NULL;
}

/* Where each event of @text became one event, they keep the names that were written. */
void um_front_keep_listed(struct uncoremsr_session *s, const char *text, size_t from)
{
	struct um_encoding *events = s->msr->events.events + from;
	size_t num = 0;

	for (const char *at = next_event(text); at; at = next_event(event_end(at)))
		num++;
	if (num != s->msr->events.num - from)
		return;
	for (const char *at = next_event(text); at; at = next_event(event_end(at)), events++)
		if (!memchr(at, '/', (size_t)(event_end(at) - at)))
			snprintf(events->name, sizeof(events->name), "%.*s",
				 (int)(event_end(at) - at), at);
}
