/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc compare: do two sources (catalogs, device trees, or sysfs of a machine) list the same events? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/properties.h"
#include "imc/imc.h"
#include "uncoremsr/names.h"

struct entry {
	const struct uncoremsr_event *event;
	size_t order; /* position among the source's events; events with the same name are compared in this order */
};

struct source {
	const char *text; /* name of the source, as given by the user */
	bool kernel;      /* the source is sysfs, where events have no descriptions; scale and unit may be "" */
	struct uncoremsr *um;
	struct entry *entries;
	size_t num;
};

struct difference {
	const struct uncoremsr_event *event;
	const char *field, *a, *b;
};

/* PMU and event: "nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/" */
static enum record_state get_name(const void *row, struct record_value *v)
{
	const struct uncoremsr_event *ev = ((const struct difference *)row)->event;

	out_str(v->scratch, ev->pmu);
	out_char(v->scratch, '/');
	out_str(v->scratch, ev->name);
	return value_copy(v, "/");
}

static const struct record_column columns[] = {
	{ "name", RECORD_STR, .get = get_name, .width = -46 },
	{ "field", RECORD_STR, RECORD_AT(difference, field), .width = -11 },
	{ "a", RECORD_STR, RECORD_AT(difference, a), .width = -16 },
	{ "b", RECORD_STR, RECORD_AT(difference, b), .width = -16 },
};

static int compare_names(const struct entry *a, const struct entry *b)
{
	int order = strcmp(a->event->pmu, b->event->pmu);

	return order ? order : strcmp(a->event->name, b->event->name);
}

static int by_name(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_names(a, b);

	return order ? order : a->order < b->order ? -1 : 1;
}

/* Drop repeated units. The kernel, too, registers only the first of several units with the same name. */
static void drop_repeated(struct source *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->num; i++)
		if (!kept || compare_names(&s->entries[i], &s->entries[kept - 1]) != 0)
			s->entries[kept++] = s->entries[i];
	s->num = kept;
}

static int take_events(struct source *s)
{
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(s->um, NULL, i)); i++)
		if (ev->level && strcmp(ev->from, s->kernel ? "kernel" : "imc") == 0 &&
		    ARRAY_APPEND(s->entries, s->num, (struct entry){ ev, i }))
			return tool_say(TOOL_USAGE, "compare: out of memory");
	if (s->num)
		qsort(s->entries, s->num, sizeof(*s->entries), by_name);
	if (tool_complete(s->um, NULL, 0))
		return TOOL_USAGE;
	if (s->num)
		return 0;
	/* No IMC PMU was found. If the machine could not be opened at all, print that error. */
	if (s->kernel && !uncoremsr_machine(s->um)) {
		uncoremsr_open(s->um); /* opening fails again, which restores the error message */
		tool_fail(s->um);
		return TOOL_USAGE;
	}
	return tool_say(TOOL_USAGE, "compare: %s: no event of an in-memory counter", s->text);
}

/* Load a source. If that fails, the differences are unknown, so the exit status is always 2. */
static int load(struct source *s, const struct imc *i)
{
	const char *cpu = i->option[IMC_CPU];

	s->kernel = strcmp(s->text, "kernel") == 0;
	if (tool_machine(&i->common, &s->um))
		return TOOL_USAGE;
	if (s->kernel ? uncoremsr_set(s->um, UNCOREMSR_OWN_CATALOG, 0) < 0
		      : (cpu && uncoremsr_event_list_set_cpu(s->um, cpu) < 0) ||
				uncoremsr_event_list_add(s->um, s->text) < 0) {
		tool_fail(s->um);
		return TOOL_USAGE;
	}
	/* Open the machine to find out whether it is simulated. Its events can be read even if opening fails. */
	if (s->kernel)
		uncoremsr_open(s->um);
	return take_events(s);
}

static bool is_same(const char *a, const char *b, bool empty_is_none)
{
	if (!a || !b)
		return a == b || (empty_is_none && !*(a ? a : b));
	return strcmp(a, b) == 0;
}

static size_t put(struct imc *i, const struct uncoremsr_event *ev, const char *field, const char *a, const char *b)
{
	struct difference d = { ev, field, a, b };

	if (records_for_people(&i->w) && !i->w.lines)
		record_head(&i->w, RECORD_COLUMNS(columns));
	record_row(&i->w, RECORD_COLUMNS(columns), &d);
	return 1;
}

/* Write the offset, and return it as a number. An event without an offset has "" and 0. */
static uint64_t put_offset(const struct uncoremsr_event *ev, char buf[24])
{
	snprintf(buf, 24, ev->offset == UINT64_MAX ? "" : "0x%llx", (unsigned long long)ev->offset);
	return ev->offset == UINT64_MAX ? 0 : ev->offset;
}

/* Returns how many fields differ. Numbers are compared as text, because the kernel passes the text on unchanged. */
static size_t compare_events(struct imc *i, bool kernel, const struct uncoremsr_event *x,
			     const struct uncoremsr_event *y)
{
	char a[24], b[24];
	size_t num = 0;

	if (put_offset(x, a) != put_offset(y, b))
		num += put(i, x, "offset", a, b);
	if (!is_same(x->scale, y->scale, kernel))
		num += put(i, x, "scale", x->scale, y->scale);
	if (!is_same(x->measure, y->measure, kernel))
		num += put(i, x, "measure", x->measure, y->measure);
	if (!kernel && !is_same(x->description, y->description, false))
		num += put(i, x, "description", x->description, y->description);
	return num;
}

static size_t compare_all(struct imc *i, const struct source *a, const struct source *b)
{
	size_t x = 0, y = 0, num = 0;

	while (x < a->num || y < b->num) {
		int order = x == a->num ? 1 : y == b->num ? -1 : compare_names(&a->entries[x], &b->entries[y]);

		if (order < 0)
			num += put(i, a->entries[x++].event, "event", "present", NULL);
		else if (order > 0)
			num += put(i, b->entries[y++].event, "event", NULL, "present");
		else
			num += compare_events(i, a->kernel || b->kernel, a->entries[x++].event, b->entries[y++].event);
	}
	return num;
}

int imc_compare(struct imc *i)
{
	struct source a = { .text = i->common.words[0] }, b = { .text = i->common.words[1] };
	int status = load(&a, i);
	size_t num;

	if (!status)
		status = load(&b, i);
	if (!status && (a.kernel || b.kernel)) {
		drop_repeated(&a);
		drop_repeated(&b);
	}
	if (!status) {
		if (!records_for_people(&i->w))
			record_head(&i->w, RECORD_COLUMNS(columns));
		else if (a.kernel || b.kernel)
			put_simulated(&i->out, machine_simulated_name(a.kernel ? a.um : b.um));
		num = compare_all(i, &a, &b);
		if (records_for_people(&i->w))
			out_fmt(&i->out, "%s: %zu event%s, %s: %zu event%s: %zu difference%s\n", a.text, a.num,
				a.num == 1 ? "" : "s", b.text, b.num, b.num == 1 ? "" : "s", num, num == 1 ? "" : "s");
		status = num ? TOOL_PARTIAL : TOOL_DONE;
	}
	free(a.entries);
	free(b.entries);
	uncoremsr_free(a.um);
	uncoremsr_free(b.um);
	return status;
}
