/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who seems to use a counter: a look at its registers, outside of any session. */
#include <errno.h>
#include <stdlib.h>

#include "counting/registers.h"

int uncoremsr_pmu_num_units(struct uncoremsr *um, const struct uncoremsr_package *p,
			    const struct uncoremsr_pmu *pmu)
{
	const struct um_cpuset all = { NULL, 0 };
	struct um_spots spots;
	unsigned sum = 0;
	int err = um_check_open(um);

	if (err || !p || !pmu)
		return -EINVAL;
	if (pmu->reach != UM_REACH_MSR)
		return um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "%s is out of reach of MSRs", pmu->name);
	err = um_spots_find(&spots, um, p, pmu, &all);
	if (err)
		return um_fail(&um->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	for (size_t i = 0; i < spots.num && !err; i++) {
		unsigned num = 0;

		if (pmu->units.from == UM_UNITS_MSR)
			err = um_reg_open(um, spots.all[i].cpu, false, &um->error);
		if (!err)
			err = um_box_count(um, p, spots.all[i].cpu, pmu, &num, &um->error);
		sum += num;
	}
	um_spots_free(&spots);
	return err ? err : (int)sum;
}

/*
 * Finding the places of a PMU reads sysfs or CPUID of every CPU, and who looks at one counter looks
 * at the others next: kept until another PMU or package is asked for.
 */
struct um_looked_at {
	const struct uncoremsr_package *package;
	const struct uncoremsr_pmu *pmu;
	struct um_spots spots;
};

void um_looked_at_free(struct uncoremsr *um)
{
	if (um->looked_at)
		um_spots_free(&um->looked_at->spots);
	free(um->looked_at);
	um->looked_at = NULL;
}

static int look_at(struct uncoremsr *um, const struct uncoremsr_package *p,
		   const struct uncoremsr_pmu *pmu)
{
	const struct um_cpuset all = { NULL, 0 };

	if (um->looked_at && um->looked_at->package == p && um->looked_at->pmu == pmu)
		return 0;
	um_looked_at_free(um);
	um->looked_at = calloc(1, sizeof(*um->looked_at));
	if (um->looked_at && !um_spots_find(&um->looked_at->spots, um, p, pmu, &all)) {
		um->looked_at->package = p;
		um->looked_at->pmu = pmu;
		return 0;
	}
	um_looked_at_free(um);
	return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
}

/* Unit @unit of a package, counted over its places. */
static int find_box(struct uncoremsr *um, const struct uncoremsr_package *p,
		    const struct uncoremsr_pmu *pmu, unsigned unit, struct um_box *b)
{
	unsigned per_place = pmu->units.max ? pmu->units.max : 1;
	int err = look_at(um, p, pmu);

	if (err)
		return err;
	if (unit / per_place >= um->looked_at->spots.num)
		return um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no unit %u of %s here",
			       unit, pmu->name);
	*b = um_box_make(um, p, &um->looked_at->spots.all[unit / per_place], pmu,
			 unit % per_place);
	return 0;
}

static bool exists(const struct um_box *b, unsigned counter)
{
	if (counter < b->num_general)
		return b->general >> counter & 1;
	counter -= b->num_general;
	return counter < b->pmu->num_fixed && (b->fixed >> counter & 1);
}

static int read_both(struct uncoremsr *um, const struct um_box *b,
		     const struct um_counter_regs *regs, uint64_t *selector, uint64_t *gate)
{
	int err = um_reg_open(um, b->cpu, false, &um->error);

	if (!err && regs->selector)
		err = um_reg_read(um, b->cpu, regs->selector, selector, &um->error);
	if (!err && regs->gate)
		err = um_reg_read(um, b->cpu, regs->gate, gate, &um->error);
	*selector &= regs->mask;
	return err;
}

enum uncoremsr_counter_state uncoremsr_counter_state(struct uncoremsr *um,
						     const struct uncoremsr_package *p,
						     const struct uncoremsr_pmu *pmu,
						     unsigned unit, unsigned counter,
						     uint64_t *selector)
{
	struct um_counter_regs regs;
	uint64_t word = 0, gate = 0;
	struct um_box b;

	if (um_check_open(um))
		return UNCOREMSR_COUNTER_UNKNOWN;
	if (!p || !pmu || pmu->reach != UM_REACH_MSR) {
		um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no counter %u here", counter);
		return UNCOREMSR_COUNTER_UNKNOWN;
	}
	if (find_box(um, p, pmu, unit, &b))
		return UNCOREMSR_COUNTER_UNKNOWN;
	if (!exists(&b, counter)) {
		um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no counter %u here", counter);
		return UNCOREMSR_COUNTER_UNKNOWN;
	}
	regs = um_counter_regs(&b, counter);
	if (read_both(um, &b, &regs, &word, &gate))
		return UNCOREMSR_COUNTER_UNKNOWN;
	if (selector)
		*selector = word;
	return um_counter_in_use(&regs, word, gate) ? UNCOREMSR_COUNTER_IN_USE
						    : UNCOREMSR_COUNTER_FREE;
}
