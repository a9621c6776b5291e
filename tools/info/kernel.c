/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "common/memory.h"
#include "info/info.h"

static int add_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct info *i = user;
	const struct kernel_pmu pmu = {
		.name = need(arena_text(&i->texts, name)), .type = type,
		.cpus = cpus ? need(arena_text(&i->texts, cpus)) : NULL,
	};

	NEED_APPEND(i->pmus, i->num_pmus, pmu);
	return 0;
}

void info_read_pmus(struct info *i)
{
	i->pmus_error = uncoremsr_kernel_pmus(i->um, add_pmu, i);
}

static const struct record_column columns[] = {
	{ "name", RECORD_STR, RECORD_AT(kernel_pmu, name) },
	{ "type", RECORD_INT, RECORD_AT(kernel_pmu, type) },
	{ "cpus", RECORD_STR, RECORD_AT(kernel_pmu, cpus) },
};

void info_put_kernel(struct info *i)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_WATCHDOG);

	/* If the kernel's list of PMUs in sysfs cannot be read, write unknown, not an empty list. */
	if (!i->num_pmus && i->pmus_error < 0) {
		record_str(&i->w, "kernel_pmus", NULL);
	} else {
		record_open_list(&i->w, "kernel_pmus");
		for (size_t n = 0; n < i->num_pmus; n++)
			record_object(&i->w, NULL, RECORD_COLUMNS(columns), &i->pmus[n]);
		record_close(&i->w);
	}
	record_bool(&i->w, "nmi_watchdog", s ? s->nmi_watchdog : -1);
}

/* Length of a name without "_NUMBER" at the end: uncore_cbox_0 to uncore_cbox_9 are shown as "uncore_cbox (10)". */
static size_t base_length(const char *name)
{
	size_t len = strlen(name);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len > 1 && name[len] && name[len - 1] == '_' ? len - 1 : strlen(name);
}

static void show_pmus(const struct info *i)
{
	out_fmt(i->o, INFO_LABEL, "kernel PMUs");
	for (size_t n = 0, end; n < i->num_pmus; n = end) {
		const char *name = i->pmus[n].name;
		size_t len = base_length(name);

		for (end = n + 1; end < i->num_pmus; end++)
			if (base_length(i->pmus[end].name) != len || strncmp(i->pmus[end].name, name, len) != 0)
				break;
		out_fmt(i->o, "%s%.*s", n ? ", " : "", (int)len, name);
		if (end - n > 1)
			out_fmt(i->o, " (%zu)", end - n);
	}
	out_char(i->o, '\n');
}

static void show_sampling(struct info *i)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_SAMPLING);

	if (s->max_precise > 0)
		out_fmt(i->o, INFO_LABEL "up to cycles:%.*s\n", "precise", s->max_precise < 3 ? s->max_precise : 3,
			"ppp");
	else if (s->max_precise == 0)
		out_fmt(i->o, INFO_LABEL "no precise sampling\n", "precise");
	if (s->branches > 0)
		out_fmt(i->o, INFO_LABEL "%d in a sample (perf record -b)\n", "branches", s->branches);
}

void info_show_kernel(struct info *i)
{
	int watchdog = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_WATCHDOG)->nmi_watchdog;
	int err = i->pmus_error;

	if (i->num_pmus)
		show_pmus(i);
	else
		out_fmt(i->o, INFO_LABEL "%s%s\n", "kernel PMUs", err ? "unknown: " : "none",
			!err ? "" : err == -ENOENT ? "no sys/bus/event_source/devices" : strerror(-err));
	for (size_t n = 0; n < i->num_pmus && info_pmu(i); n++)
		if (strcmp(i->pmus[n].name, "uncore") == 0)
			out_fmt(i->o, INFO_LABEL "the kernel's PMU \"uncore\" uses the same registers: end perf "
				"sessions that count with it\n", "");
	for (const struct kernel_pmu *p = i->pmus; i->common.verbose && p < i->pmus + i->num_pmus; p++)
		out_fmt(i->o, "  PMU type %-4u %s%s%s\n", p->type, p->name, p->cpus ? ", CPUs " : "",
			!p->cpus ? "" : *p->cpus ? p->cpus : "none");
	show_sampling(i);
	if (watchdog > 0)
		out_fmt(i->o, INFO_LABEL "on: holds one core counter of every CPU "
			"(sysctl kernel.nmi_watchdog=0 frees it)\n", "NMI watchdog");
	else if (watchdog == 0 || i->common.verbose)
		out_fmt(i->o, INFO_LABEL "%s\n", "NMI watchdog",
			watchdog == 0 ? "off" : "unknown: no proc/sys/kernel/nmi_watchdog");
}
