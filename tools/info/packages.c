/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "info/info.h"

void info_put_packages(struct info *i)
{
	const struct uncoremsr_package *p;

	if (!i->um) {
		record_str(&i->w, "packages", NULL);
		return;
	}
	record_open_list(&i->w, "packages");
	for (size_t n = 0; (p = uncoremsr_package(i->um, n)); n++) {
		record_open(&i->w, NULL);
		record_int(&i->w, "package", p->id);
		record_int(&i->w, "die", p->die);
		record_int(&i->w, "cpu", p->cpu);
		record_str(&i->w, "cpus", p->cpus);
		record_int(&i->w, "cores", i->cores->packages[n]);
		record_close(&i->w);
	}
	record_close(&i->w);
}

void info_show_packages(struct info *i)
{
	const char *online = i->m->online_cpus;
	const struct uncoremsr_package *p;

	out_fmt(i->o, INFO_LABEL "%s\n", "online CPUs", online ? online : "unknown");
	for (size_t n = 0; (p = uncoremsr_package(i->um, n)); n++) {
		size_t start = i->o->len;
		int die = p->die, cores = i->cores->packages[n];

		out_fmt(i->o, "package %d", p->id);
		if (die >= 0)
			out_fmt(i->o, " die %d", die);
		out_column(i->o, start, die < 0 ? 13 : 17);
		if (p->cpu < 0) {
			out_str(i->o, "none of its CPUs is online; its nest counters in memory still count\n");
			continue;
		}
		out_fmt(i->o, "reached through CPU %d; %d core%s, CPUs %s\n", p->cpu, cores, cores == 1 ? "" : "s",
			p->cpus);
	}
}
