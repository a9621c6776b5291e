/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the kernel's PMUs in sysfs: predefined events with scale and unit, cpumasks, formats. */
#include "perf_tree.h"

static void target(const char *text, size_t size)
{
	struct uncoremsr *um = tree_open(text);

	(void)size;
	REQUIRE(uncoremsr_pmu(um, "kernel", 3) && !uncoremsr_pmu(um, "kernel", 4));
	tree_encode(um, "imc/a/");
	tree_encode(um, "imc/b,event=1/,cha/umask=5/");
	tree_encode(um, "a");
	uncoremsr_free(um);
}
