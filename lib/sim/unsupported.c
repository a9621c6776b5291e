/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The same functions for a build without simulated machines (make SIM=no). No machine can be made, so the functions that
 * take one only ever get NULL.
 */
#include <errno.h>
#include <stdio.h>

#include "sim/sim.h"
#include "uncoremsr/sim.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *uncoremsr_sim_machine(size_t index, const char **title)
{
	if (title)
		*title = NULL;
	return NULL;
}

int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size)
{
	if (!sim || !what)
		return -EINVAL;
	*sim = NULL;
	if (error && size)
		snprintf(error, size, "%s: this library was built without simulated machines "
			 "(make SIM=no)", what);
	return -ENOTSUP;
}

#define ANSWER(type, name, value, ...) type name(__VA_ARGS__) { return value; }

void uncoremsr_sim_free(struct uncoremsr_sim *sim) { }
ANSWER(const char *, uncoremsr_sim_name, NULL, const struct uncoremsr_sim *sim)
ANSWER(uint64_t, uncoremsr_sim_now, 0, const struct uncoremsr_sim *sim)
ANSWER(uint64_t, uncoremsr_sim_last_access, 0, const struct uncoremsr_sim *sim)
ANSWER(int, uncoremsr_sim_advance, -EINVAL, struct uncoremsr_sim *sim, uint64_t ns)
ANSWER(int, uncoremsr_sim_rdmsr, -EINVAL, struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr,
       uint64_t *value)
ANSWER(int, uncoremsr_sim_wrmsr, -EINVAL, struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr,
       uint64_t value)
ANSWER(int, uncoremsr_sim_cpuid, -EINVAL, struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf,
       uint32_t subleaf, uint32_t regs[4])
ANSWER(int, uncoremsr_sim_open_cpu, -EINVAL, struct uncoremsr_sim *sim, unsigned cpu,
       int for_writing)
ANSWER(long, uncoremsr_sim_file_read, -EINVAL, struct uncoremsr_sim *sim, const char *path,
       char *buf, size_t size)
ANSWER(int, uncoremsr_sim_file_write, -EINVAL, struct uncoremsr_sim *sim, const char *path,
       const char *text, size_t size)
ANSWER(int, uncoremsr_sim_file_list, -EINVAL, struct uncoremsr_sim *sim, const char *path,
       int (*fn)(void *user, const char *name, int is_dir), void *user)

int um_sim_access(struct um_access **out, struct uncoremsr_sim *sim, bool own)
{
	*out = NULL;
	return -ENOTSUP;
}

int um_sim_perf_kernel(struct uncoremsr_sim *sim, struct um_perf_kernel **out)
{
	*out = NULL;
	return -ENOTSUP;
}
