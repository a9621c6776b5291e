/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Built instead of the simulated machine (make SIM=no): the same symbols, which say so. */
#include <errno.h>
#include <stdio.h>

#include "sim/sim.h"
#include "uncoremsr/sim.h"

#define UNUSED __attribute__((unused))

const char *uncoremsr_sim_machine(size_t index UNUSED, const char **title)
{
	if (title)
		*title = NULL;
	return NULL;
}

int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size)
{
	*sim = NULL;
	if (error && size)
		snprintf(error, size, "%s: this library was built without simulated machines "
			 "(make SIM=no)", what);
	return -ENOTSUP;
}

void uncoremsr_sim_free(struct uncoremsr_sim *sim UNUSED)
{
}

const char *uncoremsr_sim_name(const struct uncoremsr_sim *sim UNUSED)
{
	return "";
}

int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED,
			uint32_t msr UNUSED, uint64_t *value UNUSED)
{
	return -ENOTSUP;
}

int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED,
			uint32_t msr UNUSED, uint64_t value UNUSED)
{
	return -ENOTSUP;
}

int uncoremsr_sim_cpuid(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED,
			uint32_t leaf UNUSED, uint32_t subleaf UNUSED, uint32_t regs[4] UNUSED)
{
	return -ENOTSUP;
}

int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim UNUSED, unsigned cpu UNUSED,
			   int for_writing UNUSED)
{
	return -ENOTSUP;
}

unsigned uncoremsr_sim_num_cpus(const struct uncoremsr_sim *sim UNUSED)
{
	return 0;
}

uint64_t uncoremsr_sim_now(const struct uncoremsr_sim *sim UNUSED)
{
	return 0;
}

int uncoremsr_sim_advance(struct uncoremsr_sim *sim UNUSED, uint64_t ns UNUSED)
{
	return 0;
}

long uncoremsr_sim_file_read(struct uncoremsr_sim *sim UNUSED, const char *path UNUSED,
			     char *buf UNUSED, size_t size UNUSED)
{
	return -ENOTSUP;
}

int uncoremsr_sim_file_write(struct uncoremsr_sim *sim UNUSED, const char *path UNUSED,
			     const char *text UNUSED, size_t size UNUSED)
{
	return -ENOTSUP;
}

int uncoremsr_sim_file_list(struct uncoremsr_sim *sim UNUSED, const char *path UNUSED,
			    int (*fn)(void *user, const char *name, int is_dir) UNUSED,
			    void *user UNUSED)
{
	return -ENOTSUP;
}

int um_sim_access(struct um_access **out, struct uncoremsr_sim *sim UNUSED, bool own UNUSED)
{
	*out = NULL;
	return -ENOTSUP;
}

int um_sim_perf_kernel(struct uncoremsr_sim *sim UNUSED, struct um_perf_kernel **out)
{
	*out = NULL;
	return -ENOTSUP;
}
