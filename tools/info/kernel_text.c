/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For people: what the kernel counts with, and what it said when it started. */
#include <string.h>

#include "info/info.h"

struct pmu_list {
	struct out *o;
	char base[128]; /* the name before its number: uncore_cbox_0 to _9 are told as one */
	unsigned num;   /* of them, 0: none so far */
	bool any, uncore;
};

/* Names of a strange tree may hold anything. */
static void put_name(struct out *o, const char *name)
{
	for (; *name; name++)
		out_char(o, *name >= ' ' && *name <= '~' ? *name : '?');
}

static void put_base(struct pmu_list *l)
{
	if (!l->num)
		return;
	if (!l->any)
		out_fmt(l->o, INFO_LABEL, "kernel PMUs");
	else
		out_str(l->o, ", ");
	l->any = true;
	put_name(l->o, l->base);
	if (l->num > 1)
		out_fmt(l->o, " (%u)", l->num);
	l->num = 0;
}

static size_t base_length(const char *name)
{
	size_t len = strlen(name);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	return len > 1 && name[len] && name[len - 1] == '_' ? len - 1 : strlen(name);
}

static int add_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct pmu_list *l = user;
	size_t len = base_length(name);

	(void)type, (void)cpus;
	l->uncore = l->uncore || strcmp(name, "uncore") == 0;
	if (len >= sizeof(l->base))
		len = sizeof(l->base) - 1;
	if (l->num && (strncmp(l->base, name, len) != 0 || l->base[len]))
		put_base(l);
	memcpy(l->base, name, len);
	l->base[len] = '\0';
	l->num++;
	return 0;
}

static int put_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct pmu_list *l = user;

	out_fmt(l->o, "  PMU type %-4u ", type);
	put_name(l->o, name);
	if (cpus) {
		out_str(l->o, ", CPUs ");
		put_name(l->o, cpus);
	}
	out_char(l->o, '\n');
	return 0;
}

static void write_pmus(const struct info *i, struct out *o)
{
	struct pmu_list l = { .o = o };

	uncoremsr_kernel_pmus(i->um, add_pmu, &l);
	put_base(&l);
	if (l.any)
		out_char(o, '\n');
	else
		out_fmt(o, INFO_LABEL "unknown: no sys/bus/event_source/devices\n", "kernel PMUs");
	if (l.uncore && info_pmu(i->um))
		out_fmt(o, INFO_LABEL "the kernel's PMU \"uncore\" uses the same registers: end perf "
			"sessions that count with it\n", "");
	if (i->verbose && l.any)
		uncoremsr_kernel_pmus(i->um, put_pmu, &l);
}

static void write_watchdog(const struct info *i, struct out *o)
{
	int on = info_machine_number(i->um, UNCOREMSR_MACHINE_NMI_WATCHDOG);

	if (on > 0)
		out_fmt(o, INFO_LABEL "on: holds one core counter of every CPU "
			"(sysctl kernel.nmi_watchdog=0 frees it)\n", "NMI watchdog");
	else if (on == 0 || i->verbose)
		out_fmt(o, INFO_LABEL "%s\n", "NMI watchdog",
			on ? "unknown: no proc/sys/kernel/nmi_watchdog" : "off");
}

static void write_difference(const struct info *i, struct out *o,
			     const struct uncoremsr_core_kind *first, unsigned n)
{
	const struct boot_line *line = &boot_lines[n];
	const char *fmt = line->hex ? "%016llx" : "%llu";
	uint64_t v;

	out_fmt(o, INFO_LABEL "DIFFERS in %s: the kernel said ", "", line->key);
	out_fmt(o, fmt, (unsigned long long)i->boot->value[n]);
	out_str(o, ", CPUID gives ");
	if (uncoremsr_core_number(first, line->fact, &v) < 0)
		out_str(o, "no such number");
	else
		out_fmt(o, fmt, (unsigned long long)v);
	out_char(o, '\n');
}

static void write_boot_log(const struct info *i, struct out *o)
{
	const struct uncoremsr_core_kind *first = uncoremsr_core_kind(i->cores, 0);
	bool agrees = first && info_boot_agrees(i), any = false;

	out_fmt(o, INFO_LABEL "%s\n", "boot log", i->boot->features);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		any = any || i->boot->told[n];
		if (first && !agrees && !info_boot_same(i->boot, first, n))
			write_difference(i, o, first, n);
	}
	if (!any)
		out_fmt(o, INFO_LABEL "it tells no numbers to compare\n", "");
	else if (agrees)
		out_fmt(o, INFO_LABEL "its numbers are those that CPUID gives\n", "");
	if (i->boot->watchdog)
		out_fmt(o, INFO_LABEL "the NMI watchdog took one core counter of every CPU\n", "");
}

void info_write_kernel_text(const struct info *i, struct out *o)
{
	if (i->um) {
		write_pmus(i, o);
		write_watchdog(i, o);
	}
	if (i->boot)
		write_boot_log(i, o);
}
