/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grammar of event.h: walks the text once; names are symbol.c's, terms those of terms.c. */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "perf/scan.h"

enum { MAX_EVENTS = 16384 };

int um_perf_bad(struct um_perf_scan *s, const char *what, const char *at, size_t len)
{
	um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE, "event '%s': %s '%.*s'", s->text, what,
		(int)(len > 60 ? 60 : len), at);
	um_hint(s->e, "write a name, or pmu/term=value,.../; see uncoremsr-events(7)");
	return -EINVAL;
}

/* ---- modifiers ---- */

static bool *flag_of(struct um_perf_mods *m, char letter)
{
	switch (letter) {
	case 'u': return &m->user;
	case 'k': return &m->kernel;
	case 'h': return &m->hv;
	case 'G': return &m->guest;
	case 'H': return &m->host;
	case 'I': return &m->idle_out;
	case 'P': return &m->highest;
	case 'D': return &m->pinned;
	case 'e': return &m->exclusive;
	case 'S': return &m->sampled;
	case 'W': return &m->weak;
	default: return NULL;
	}
}

static int read_mods(struct um_perf_scan *s, const char *text, size_t len, struct um_perf_mods *m)
{
	struct um_perf_mods own = { .any = len > 0 };

	for (size_t i = 0; i < len; i++) {
		bool *flag = flag_of(&own, text[i]);

		if (text[i] == 'p' && own.precise < 3) {
			own.precise++;
			continue;
		}
		if (!flag || *flag)
			return um_perf_bad(s, flag || text[i] == 'p' ? "a modifier twice in"
								     : "unknown modifier",
					   text, len);
		*flag = true;
	}
	m->user |= own.user;
	m->kernel |= own.kernel;
	m->hv |= own.hv;
	m->host |= own.host;
	m->guest |= own.guest;
	m->idle_out |= own.idle_out;
	m->highest |= own.highest;
	m->pinned |= own.pinned;
	m->exclusive |= own.exclusive;
	m->sampled |= own.sampled;
	m->any |= own.any;
	if (own.precise > m->precise)
		m->precise = own.precise;
	return 0;
}

static uint8_t highest_precise(struct um_perf_scan *s, const struct um_perf_unit *unit)
{
	char path[400], line[16];

	if (!unit->pmu)
		return 0;
	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/caps/max_precise",
		 unit->pmu->name);
	if (um_access_line(s->scope->access, path, line, sizeof(line)) != 1 || *line < '0' ||
	    *line > '3')
		return 0;
	return (uint8_t)(*line - '0');
}

/* Has the PMU exclude bits at all? Uncore, power and msr have none: any of them is refused. */
static bool has_levels(const struct um_perf_unit *unit)
{
	return unit->attr.type == PERF_TYPE_HARDWARE || unit->attr.type == PERF_TYPE_HW_CACHE ||
	       unit->attr.type == PERF_TYPE_RAW ||
	       (unit->pmu && (!strcmp(unit->pmu->name, "cpu") ||
			      !strncmp(unit->pmu->name, "cpu_", 4)));
}

static void apply_mods(struct um_perf_scan *s, struct um_perf_unit *unit,
		       const struct um_perf_mods *m)
{
	struct um_perf_attr *a = &unit->attr;

	if (m->user || m->kernel || m->hv) {
		a->exclude_user = !m->user;
		a->exclude_kernel = !m->kernel;
		a->exclude_hv = !m->hv;
	}
	if (m->guest != m->host) {
		a->exclude_host = m->guest;
		a->exclude_guest = m->host;
	}
	a->exclude_idle = m->idle_out;
	a->pinned = m->pinned;
	a->exclusive = m->exclusive;
	a->precise = m->highest ? highest_precise(s, unit) : (uint8_t)m->precise;
	/* As perf: without modifiers guests are left out, and with u. */
	if (has_levels(unit) && !m->guest && !m->host && !m->precise && !m->highest &&
	    (!m->any || m->user)) {
		a->exclude_guest = true;
		a->guest_by_default = true;
	}
}

/* ---- events ---- */

static int no_memory(struct um_perf_scan *s)
{
	return um_fail(s->e, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

static void free_event(struct um_perf_event *ev)
{
	free(ev->name);
	free(ev->pmu);
	free(ev->units);
	free(ev->measure);
	free(ev->description);
}

/* What stands between slashes, for each PMU that the name before them means. */
struct slashed {
	struct um_perf_scan *scan;
	struct um_perf_draft *draft;
	const char *terms;
	size_t len;
};

static int add_unit(void *user, struct um_kernel_pmu *pmu)
{
	struct slashed *t = user;

	return um_perf_add_unit(t->scan, t->draft, pmu, t->terms, t->len);
}

static int unknown_pmu(struct um_perf_scan *s, const char *name, size_t len)
{
	const struct um_kernel_pmus *p = s->scope->pmus;
	char names[300] = "";
	size_t at = 0;

	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE, "event '%s': this kernel has no PMU '%.*s'",
		s->text, (int)(len > 60 ? 60 : len), name);
	for (size_t i = 0; i < p->num && at + 60 < sizeof(names); i++) {
		const struct um_kernel_pmu *pmu = &p->pmus[i];

		if (i && pmu->family == pmu[-1].family &&
		    !memcmp(pmu->name, pmu[-1].name, pmu->family))
			continue;
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%.*s", at ? ", " : "",
				       (int)(pmu->family > 40 ? 40 : pmu->family), pmu->name);
	}
	um_hint(s->e, "%s%s", at ? "it has " : "it has none in /sys/bus/event_source/devices",
		names);
	return -ENOENT;
}

/* pmu/terms/ : *rest is set behind the closing slash. */
static int slashes(struct um_perf_scan *s, struct um_perf_draft *d, const char *text,
		   const char *slash, const char *end, const char **rest)
{
	const char *close = memchr(slash + 1, '/', (size_t)(end - slash - 1));
	size_t len = (size_t)(slash - text);
	struct slashed t = { s, d, slash + 1, close ? (size_t)(close - slash - 1) : 0 };
	int num;

	if (!close)
		return um_perf_bad(s, "no closing slash in", text, (size_t)(end - text));
	*rest = close + 1;
	num = um_kernel_pmus_match(s->scope->pmus, text, len, add_unit, &t);
	if (num <= 0)
		return num ? num : unknown_pmu(s, text, len);
	len = d->ev.units[0].pmu->is_unit && d->ev.num_units > 1 ? d->ev.units[0].pmu->family
								 : strlen(d->ev.units[0].pmu->name);
	d->ev.pmu = strndup(d->ev.units[0].pmu->name, len);
	return d->ev.pmu ? 0 : no_memory(s);
}

/* NAME:config1=0x..:u as jevents has it: terms behind colons, and letters at the end. */
static int name_with_terms(struct um_perf_scan *s, struct um_perf_draft *d, const char *text,
			   const char *end, const char **rest)
{
	const char *colon = memchr(text, ':', (size_t)(end - text));
	char terms[512] = "";
	size_t at = 0;

	if (!colon)
		return -ENOENT;
	*rest = colon;
	for (const char *from = colon; from < end && *from == ':';) {
		const char *next = memchr(from + 1, ':', (size_t)(end - from - 1));
		const char *stop = next ? next : end;

		if (!memchr(from + 1, '=', (size_t)(stop - from - 1)))
			break;
		if (at + (size_t)(stop - from) + 2 > sizeof(terms))
			return um_perf_bad(s, "too many terms in", text, (size_t)(end - text));
		at += (size_t)snprintf(terms + at, sizeof(terms) - at, "%s%.*s", at ? "," : "",
				       (int)(stop - from - 1), from + 1);
		*rest = from = stop;
	}
	return um_perf_listed(s, d, text, (size_t)(colon - text), terms, at);
}

/*
 * Where tracefs may not be read "cycles:u" could be a tracepoint as well. It is taken for one only
 * when what stands before the colon is nothing else.
 */
static int behind_denied(struct um_perf_scan *s, struct um_perf_draft *d, const char *text,
			 const char *colon, const char **rest)
{
	struct um_error denied = *s->e;
	size_t len = (size_t)(colon - text);
	uint64_t word;
	int err;

	s->e->msg[0] = '\0';
	*rest = colon;
	if (*text == 'r' && um_perf_hex(text + 1, len - 1, &word))
		err = um_perf_raw(s, d, word);
	else
		err = um_perf_symbol(s, d, text, len);
	if (err == -ENOENT && !s->e->msg[0]) {
		*s->e = denied;
		return -EACCES;
	}
	return err;
}

/* A name, with or without modifiers: the longest head that means something. */
static int symbol(struct um_perf_scan *s, struct um_perf_draft *d, const char *text,
		  const char *end, const char **rest)
{
	const char *last = memrchr(text, ':', (size_t)(end - text));
	size_t len = (size_t)(end - text);
	uint64_t word;
	int err = -ENOENT;

	if (last && memchr(last, '=', (size_t)(end - last)))
		err = name_with_terms(s, d, text, end, rest);
	if (err != -ENOENT || s->e->msg[0])
		return err;
	*rest = end;
	err = um_perf_symbol(s, d, text, len);
	if (err == -EACCES && last)
		return behind_denied(s, d, text, last, rest);
	if (err != -ENOENT || s->e->msg[0])
		return err;
	if (last) {
		*rest = last;
		err = um_perf_symbol(s, d, text, (size_t)(last - text));
		if (err != -ENOENT || s->e->msg[0])
			return err;
	}
	err = name_with_terms(s, d, text, end, rest);
	if (err != -ENOENT || s->e->msg[0])
		return err;
	*rest = memchr(text, ':', len);
	*rest = *rest ? *rest : end;
	if (*text == 'r' && um_perf_hex(text + 1, (size_t)(*rest - text - 1), &word))
		return um_perf_raw(s, d, word);
	um_fail(s->e, -ENOENT, UNCOREMSR_ERROR_USAGE,
		"event '%s': not a name that the kernel, perf%s know", s->text,
		s->scope->lists ? " or the event lists" : "");
	um_hint(s->e, s->scope->lists ? "uncore-events search finds names" :
		"names of this processor's own events come from an event list: --event-list=FILE");
	return -ENOENT;
}

static int append(struct um_perf_scan *s, struct um_perf_event *ev)
{
	struct um_perf_event *grown;

	if (s->list->num >= MAX_EVENTS)
		return um_fail(s->e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "event '%s': more than %d events", s->text, MAX_EVENTS);
	grown = realloc(s->list->events, (s->list->num + 1) * sizeof(*grown));
	if (!grown)
		return no_memory(s);
	s->list->events = grown;
	ev->group = s->in_group ? s->group : s->list->num_groups++;
	grown[s->list->num++] = *ev;
	return 0;
}

static int finish(struct um_perf_scan *s, struct um_perf_draft *d, const char *text,
		  const char *rest, const char *end)
{
	struct um_perf_mods mods = { .any = false };
	int err;

	if (rest < end && *rest == ':')
		rest++;
	err = read_mods(s, rest, (size_t)(end - rest), &mods);
	for (size_t i = 0; i < d->ev.num_units && !err; i++)
		apply_mods(s, &d->ev.units[i], &mods);
	if (err)
		return err;
	d->ev.name = d->shown ? strndup(d->shown, d->shown_len)
			      : strndup(text, (size_t)(end - text));
	return d->ev.name ? append(s, &d->ev) : no_memory(s);
}

static int event(struct um_perf_scan *s, const char *text, const char *end)
{
	struct um_perf_draft d = { .ev.scale = 1 };
	const char *slash, *rest = end;
	int err;

	while (text < end && isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	snprintf(s->text, sizeof(s->text), "%.*s", (int)(end - text > 150 ? 150 : end - text),
		 text);
	if (text == end)
		return um_perf_bad(s, "nothing where an event should be:", "", 0);
	slash = memchr(text, '/', (size_t)(end - text));
	s->e->msg[0] = '\0';
	err = slash ? slashes(s, &d, text, slash, end, &rest) : symbol(s, &d, text, end, &rest);
	if (!err)
		err = finish(s, &d, text, rest, end);
	if (err)
		free_event(&d.ev);
	return err;
}

/* The end of the event that starts at @text: a comma or brace outside of pmu/.../ . */
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

/* Modifiers behind the closing brace hold for every member. */
static int group_mods(struct um_perf_scan *s, size_t from)
{
	const char *end = event_end(s->at);
	struct um_perf_mods mods = { .any = false };
	int err = read_mods(s, s->at + 1, (size_t)(end - s->at - 1), &mods);

	for (size_t i = from; i < s->list->num && !err; i++)
		for (size_t k = 0; k < s->list->events[i].num_units; k++) {
			const struct um_perf_attr *a = &s->list->events[i].units[k].attr;
			bool levels = a->exclude_user || a->exclude_kernel || a->exclude_hv;
			struct um_perf_mods own = mods;

			/* Levels add up: {cycles:u,instructions}:k counts both for the first. */
			own.user |= levels && !a->exclude_user;
			own.kernel |= levels && !a->exclude_kernel;
			own.hv |= levels && !a->exclude_hv;
			apply_mods(s, &s->list->events[i].units[k], &own);
		}
	s->at = end;
	return err;
}

static int group(struct um_perf_scan *s)
{
	size_t from = s->list->num;

	s->in_group = true;
	s->group = s->list->num_groups++;
	for (s->at++;; s->at++) {
		const char *end = event_end(s->at);
		int err = event(s, s->at, end);

		if (err)
			return err;
		s->at = end;
		if (*end == '}')
			break;
		if (*end != ',')
			return um_perf_bad(s, "no closing brace of the group before", end,
					   strlen(end));
	}
	s->at++;
	s->in_group = false;
	return *s->at == ':' ? group_mods(s, from) : 0;
}

static int list(struct um_perf_scan *s)
{
	for (;; s->at++) {
		const char *from = s->at + strspn(s->at, " \t\n");
		int err;

		if (*from == '{') {
			s->at = from;
			err = group(s);
		} else {
			s->at = event_end(from);
			err = event(s, from, s->at);
		}
		if (err)
			return err;
		if (!*s->at)
			return 0;
		if (*s->at != ',')
			return um_perf_bad(s, "unexpected text", s->at, strlen(s->at));
	}
}

static void cut(struct um_perf_events *list, size_t num, unsigned num_groups)
{
	while (list->num > num)
		free_event(&list->events[--list->num]);
	list->num_groups = num_groups;
}

int um_perf_parse(struct um_perf_events *events, const struct um_perf_scope *scope,
		  const char *text, struct um_error *e)
{
	struct um_perf_scan s = { .at = text, .scope = scope, .list = events, .e = e };
	size_t before = events->num;
	unsigned groups_before = events->num_groups;
	int err = list(&s);

	if (err) {
		cut(events, before, groups_before);
		return err;
	}
	return (int)(events->num - before);
}

void um_perf_events_cut(struct um_perf_events *events, size_t num)
{
	cut(events, num, num ? events->events[num - 1].group + 1 : 0);
}

void um_perf_events_free(struct um_perf_events *events)
{
	cut(events, 0, 0);
	free(events->events);
	*events = (struct um_perf_events){ 0 };
}
