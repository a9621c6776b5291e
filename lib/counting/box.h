/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A box: one unit of one PMU at the place where its registers are reached. Where a PMU exists once
 * per package (or die) its units are counted from 0; where it exists once per last-level cache,
 * node or CPU, the unit has the number of that cache, node or CPU.
 */
#ifndef UM_BOX_H
#define UM_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "machine/handle.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

enum { UM_UNIT_NAME = 24 };

struct um_box {
	const struct uncoremsr_pmu *pmu;
	unsigned number;              /* for people: the 3 of "cbo3" */
	unsigned index;               /* for um_pmu_msr() */
	int package, die;
	unsigned cpu;                 /* one of those that reach it */
	unsigned num_general;         /* the fixed counters' numbers follow */
	uint32_t general, fixed;      /* those that exist: sets of bits */
	unsigned width, fixed_width;  /* fixed_width 0: as in the table */
};

/* "cbo3"; the name of the PMU where the package has only one unit ("uncore"). */
void um_box_name(const struct um_box *b, char *buf, size_t size);

/* Boxes of one place, and the CPUs that reach it. */
struct um_spot {
	unsigned number, cpu;
	struct um_cpuset cpus;        /* empty: all CPUs of the package */
};
struct um_spots {
	struct um_spot *all;
	size_t num;
};

/*
 * The places of @pmu on a package: one for PMUs of the package or die, else one per cache, node or
 * CPU. @asked: for PMUs of CPUs only these (empty: all). 0 or -ENOMEM.
 */
int um_spots_find(struct um_spots *list, struct uncoremsr *um, const struct uncoremsr_package *p,
		  const struct uncoremsr_pmu *pmu, const struct um_cpuset *asked) UM_MUST_CHECK;
void um_spots_free(struct um_spots *list);

/*
 * How many units @pmu has at a place that @cpu reaches; the CPU has been opened. 0, or a negative
 * errno with the sentence in @e. Some of them may turn out not to be there.
 */
int um_box_count(struct uncoremsr *um, const struct uncoremsr_package *p, unsigned cpu,
		 const struct uncoremsr_pmu *pmu, unsigned *num, struct um_error *e) UM_MUST_CHECK;
/* Box @index of the place. Reads CPUID where that tells how many counters there are. */
struct um_box um_box_make(struct uncoremsr *um, const struct uncoremsr_package *p,
			  const struct um_spot *spot, const struct uncoremsr_pmu *pmu,
			  unsigned index);
/* The box that is called @name on a package; false: there is no such box here now. */
bool um_box_find(struct uncoremsr *um, int package, int die, const char *name,
		 struct um_box *out);

#endif
