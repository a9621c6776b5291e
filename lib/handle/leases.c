/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Leases, repair and counters in use, for users of a handle. */
#include <errno.h>
#include <stdlib.h>

#include "events/pmus.h"
#include "counting/lease.h"
#include "machine/handle.h"

void um_leases_forget(struct uncoremsr *um)
{
	if (um->leases) {
		free(um->leases->all);
		free(um->leases->list);
	}
	free(um->leases);
	um->leases = NULL;
}

const struct uncoremsr_leases *uncoremsr_leases(struct uncoremsr *um)
{
	struct um_guard g;
	int err = um_check_open(um);

	if (err)
		return NULL;
	um_leases_forget(um);
	um->leases = calloc(1, sizeof(*um->leases));
	if (!um->leases) {
		um_no_memory(&um->error);
		return NULL;
	}
	err = um_guard_open(&g, &um->m, false, &um->error);
	if (err == -ENOENT) /* no directory of leases: nothing has counted on this machine yet */
		err = 0;
	if (!err)
		err = um_leases_list(um->leases, &g, &um->m, &um->error);
	um_guard_close(&g);
	if (!err)
		return &um->leases->pub;
	um_leases_forget(um);
	return NULL;
}

/* Longest wait for processes that hold locks: one that is stopped by SIGSTOP would never release its lock. */
enum { REPAIR_WAITS_MS = 5000 };

int uncoremsr_repair(struct uncoremsr *um, um_repair_fn *fn, void *user)
{
	struct um_guard g;
	int err = um_check_open(um);

	if (err)
		return err;
	err = um_guard_open(&g, &um->m, true, &um->error);
	if (err)
		return err;
	g.patience_ms = REPAIR_WAITS_MS;
	err = um_start_lock(&um->m, &g, &um->error);
	if (!err)
		err = um_repair_all(&um->m, &g, true, fn, user, &um->error);
	um_start_unlock(&g);
	um_guard_close(&g);
	return err;
}

/* ---- counters in use ---- */

/*
 * Finding where a PMU can be read (its packages, CPUs and units) needs sysfs or CPUID of every CPU, and callers usually
 * ask about several counters in a row. So the result is kept until another PMU or package is asked for.
 */
struct um_looked_at {
	const struct uncoremsr_package *package;
	const struct um_pmu *pmu;
	struct um_spots spots;
};

void um_looked_at_free(struct uncoremsr *um)
{
	if (um->looked_at)
		um_spots_free(&um->looked_at->spots);
	free(um->looked_at);
	um->looked_at = NULL;
}

/* Find the packages and CPUs through which the registers of a PMU are reached. */
static int look_at(struct uncoremsr *um, const struct uncoremsr_package *p,
		   const struct um_pmu *pmu)
{
	const struct um_cpuset all = { NULL, 0 };
	int err = um_check_open(um);

	if (err)
		return err;
	if (!p || !pmu)
		return um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no such package or PMU");
	if (pmu->reach != UM_REACH_MSR)
		return um_fail(&um->error, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "%s is out of reach of MSRs", pmu->name);
	if (um->looked_at && um->looked_at->package == p && um->looked_at->pmu == pmu)
		return 0;
	um_looked_at_free(um);
	um->looked_at = calloc(1, sizeof(*um->looked_at));
	if (!um->looked_at || um_spots_find(&um->looked_at->spots, &um->m, p, pmu, &all)) {
		um_looked_at_free(um);
		return um_no_memory(&um->error);
	}
	um->looked_at->package = p;
	um->looked_at->pmu = pmu;
	return 0;
}

int uncoremsr_pmu_num_units(struct uncoremsr *um, const struct uncoremsr_package *p,
			    const struct uncoremsr_pmu *shown)
{
	const struct um_pmu *pmu = um_pmu_of(shown);
	unsigned sum = 0;
	int err = look_at(um, p, pmu);

	for (size_t i = 0; !err && i < um->looked_at->spots.num; i++) {
		unsigned num = 0, cpu = um->looked_at->spots.all[i].cpu;
		bool reads = pmu->units.from == UM_UNITS_MSR;

		if (reads)
			err = um_reg_open(&um->m, cpu, false, &um->error);
		if (err)
			break;
		err = um_box_count(&um->m, p, cpu, pmu, &num, &um->error);
		if (reads)
			um_access_close_cpu(um->m.access, cpu);
		sum += num;
	}
	return err ? err : (int)sum;
}

/* Fill in the box of a unit, through which its registers are read; on success the box's CPU is open. */
static int open_box(struct uncoremsr *um, const struct uncoremsr_package *p,
		    const struct um_pmu *pmu, unsigned unit, struct um_box *b)
{
	unsigned per_place;
	const struct um_spots *spots;
	int err = look_at(um, p, pmu);

	if (err)
		return err;
	spots = &um->looked_at->spots;
	per_place = pmu->units.max ? pmu->units.max : 1;
	if (unit / per_place >= spots->num)
		return um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no unit %u of %s here", unit,
			       pmu->name);
	*b = um_box_make(&um->m, p, &spots->all[unit / per_place], pmu, unit % per_place);
	return um_reg_open(&um->m, b->cpu, false, &um->error);
}

enum uncoremsr_counter_state
uncoremsr_counter_state(struct uncoremsr *um, const struct uncoremsr_package *p,
			const struct uncoremsr_pmu *pmu, unsigned unit, unsigned counter,
			struct uncoremsr_counter_words *words)
{
	struct uncoremsr_counter_words found = { 0 };
	struct um_stuck stuck;
	struct um_box b;
	int err = open_box(um, p, um_pmu_of(pmu), unit, &b), used = err;

	if (!used && !um_box_has_counter(&b, counter))
		used = um_fail(&um->error, -EINVAL, UNCOREMSR_ERROR_USAGE, "no counter %u here", counter);
	if (!used)
		used = um_counter_look(&um->m, &b, counter, &found.selector, &um->error);
	if (used >= 0 && um_counter_look_stuck(&um->m, &b, counter, found.selector, &stuck, &found.counter,
					       &um->error))
		used = -EIO;
	if (!err)
		um_access_close_cpu(um->m.access, b.cpu);
	if (words)
		*words = (struct uncoremsr_counter_words){ 0 };
	if (used < 0)
		return UNCOREMSR_COUNTER_UNKNOWN;
	found.cpu = b.cpu;
	found.stuck = stuck.msr;
	found.holds = stuck.holds;
	found.bits = stuck.bits;
	if (words)
		*words = found;
	return used ? UNCOREMSR_COUNTER_IN_USE : stuck.msr ? UNCOREMSR_COUNTER_STUCK
							   : UNCOREMSR_COUNTER_FREE;
}

int uncoremsr_unit_stuck(struct uncoremsr *um, const struct uncoremsr_package *p,
			 const struct uncoremsr_pmu *pmu, unsigned unit, unsigned index,
			 struct uncoremsr_counter_words *words)
{
	struct um_stuck stuck;
	struct um_box b;
	int err = open_box(um, p, um_pmu_of(pmu), unit, &b);

	if (err)
		return err;
	err = um_shared_look_stuck(&um->m, &b, index, &stuck, &um->error);
	um_access_close_cpu(um->m.access, b.cpu);
	if (err || !stuck.bits)
		return err;
	if (words)
		*words = (struct uncoremsr_counter_words){
			.cpu = b.cpu, .stuck = stuck.msr, .holds = stuck.holds, .bits = stuck.bits,
		};
	return 1;
}
