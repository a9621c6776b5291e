/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that the kernel's PMUs have: ready-made events with scale and unit, cpumasks, formats. */
#include "perf_tree.h"

#include "perf/from_tables.h"

static void check(const struct um_perf_events *list)
{
	for (size_t i = 0; i < list->num; i++) {
		REQUIRE(list->events[i].name && list->events[i].pmu && list->events[i].num_units);
		for (size_t k = 0; k < list->events[i].num_units; k++)
			REQUIRE(list->events[i].units[k].pmu);
	}
}

static void parse(const struct um_perf_scope *scope, const char *text)
{
	struct um_perf_events list = { .num = 0 };
	struct um_error e = { 0 };
	int num = um_perf_parse(&list, scope, NULL, text, &e);

	REQUIRE(num == (int)list.num || (num < 0 && !list.num && e.msg[0]));
	check(&list);
	um_perf_events_free(&list);
}

static void target(const char *text, size_t size)
{
	struct perf_tree tree = PERF_TREE(text);
	struct um_kernel_pmus pmus;
	struct um_perf_scope scope = { .pmus = &pmus, .access = &tree.base };

	(void)size;
	REQUIRE(um_kernel_pmus_read(&pmus, &tree.base) == 0 && pmus.num == 4);
	parse(&scope, "imc/a/");
	parse(&scope, "imc/b,event=1/,cha/umask=5/");
	parse(&scope, "a");
	um_kernel_pmus_free(&pmus);
}
