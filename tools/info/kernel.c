/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel counts with: its PMUs, and its NMI watchdog. */
#include <errno.h>
#include <string.h>

#include "info/info.h"

struct pmu_list {
	struct info *i;
	char base[128]; /* the name before its number: uncore_cbox_0 to _9 are shown as one */
	unsigned num;   /* number of PMUs with this base so far */
	bool any, uncore;
};

static int put_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct pmu_list *l = user;

	if (!l->any)
		record_open_list(&l->i->w, "kernel_pmus");
	l->any = true;
	record_open(&l->i->w, NULL);
	record_str(&l->i->w, "name", name);
	record_int(&l->i->w, "type", type);
	record_str(&l->i->w, "cpus", cpus);
	record_close(&l->i->w);
	return 0;
}

void info_put_sampling(struct info *i)
{
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_SAMPLING);

	record_int(&i->w, "max_precise", s ? s->max_precise : -1);
	record_int(&i->w, "branch_records", s ? s->branches : -1);
}

void info_put_kernel(struct info *i)
{
	struct pmu_list l = { .i = i };
	int err = uncoremsr_kernel_pmus(i->um, put_pmu, &l);
	const struct uncoremsr_surroundings *s = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_WATCHDOG);

	/* If the kernel's list of PMUs in sysfs cannot be read, write unknown, not an empty list. */
	if (!l.any && err < 0)
		record_str(&i->w, "kernel_pmus", NULL);
	else if (!l.any)
		record_open_list(&i->w, "kernel_pmus");
	if (l.any || err >= 0)
		record_close(&i->w);
	record_bool(&i->w, "nmi_watchdog", s ? s->nmi_watchdog : -1);
}

/* ---- for people ---- */

static void show_base(struct pmu_list *l)
{
	if (!l->num)
		return;
	if (!l->any)
		out_fmt(l->i->o, INFO_LABEL, "kernel PMUs");
	else
		out_str(l->i->o, ", ");
	l->any = true;
	out_text_str(l->i->o, l->base);
	if (l->num > 1)
		out_fmt(l->i->o, " (%u)", l->num);
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
		show_base(l);
	memcpy(l->base, name, len);
	l->base[len] = '\0';
	l->num++;
	return 0;
}

static int show_pmu(void *user, const char *name, unsigned type, const char *cpus)
{
	struct out *o = user;

	out_fmt(o, "  PMU type %-4u ", type);
	out_text_str(o, name);
	if (cpus) {
		out_str(o, ", CPUs ");
		out_text_str(o, *cpus ? cpus : "none");
	}
	out_char(o, '\n');
	return 0;
}

/* Show what perf record's options event:pp and -b need; nothing if the kernel does not say. */
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
	struct pmu_list l = { .i = i };
	int watchdog = uncoremsr_surroundings(i->um, UNCOREMSR_LOOK_AT_WATCHDOG)->nmi_watchdog;
	int err = uncoremsr_kernel_pmus(i->um, add_pmu, &l);

	show_base(&l);
	if (l.any)
		out_char(i->o, '\n');
	else
		out_fmt(i->o, INFO_LABEL "%s%s\n", "kernel PMUs", err ? "unknown: " : "none",
			!err ? "" : err == -ENOENT ? "no sys/bus/event_source/devices" : strerror(-err));
	if (l.uncore && info_pmu(i))
		out_fmt(i->o, INFO_LABEL "the kernel's PMU \"uncore\" uses the same registers: end "
			"perf sessions that count with it\n", "");
	if (i->common.verbose && l.any)
		uncoremsr_kernel_pmus(i->um, show_pmu, i->o);
	show_sampling(i);
	if (watchdog > 0)
		out_fmt(i->o, INFO_LABEL "on: holds one core counter of every CPU "
			"(sysctl kernel.nmi_watchdog=0 frees it)\n", "NMI watchdog");
	else if (watchdog == 0 || i->common.verbose)
		out_fmt(i->o, INFO_LABEL "%s\n", "NMI watchdog",
			watchdog == 0 ? "off" : "unknown: no proc/sys/kernel/nmi_watchdog");
}
