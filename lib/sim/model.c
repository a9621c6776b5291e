/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine as a whole: its life, its clock, and the instructions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/access.h"
#include "sim/perf.h"
#include "uncoremsr/sim.h"

void *um_sim_append(void *array, size_t *num, size_t size)
{
	char *p;

	/* Powers of two: grow only when one has been reached. */
	if (*num & (*num - 1)) {
		p = array;
	} else {
		p = realloc(array, (*num ? *num * 2 : 1) * size);
		if (!p) {
			free(array);
			*num = 0;
			return NULL;
		}
	}
	memset(p + *num * size, 0, size);
	(*num)++;
	return p;
}

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * UM_SIM_NS + (uint64_t)ts.tv_nsec;
}

static uint64_t clock_ns(const struct uncoremsr_sim *sim)
{
	return sim->stepped ? sim->now : monotonic_ns() - sim->created;
}

void um_sim_tick(struct uncoremsr_sim *sim)
{
	um_sim_happen(sim, clock_ns(sim));
}

bool um_sim_online(const struct uncoremsr_sim *sim, unsigned cpu)
{
	return cpu < sim->num_cpus && sim->cpus[cpu].present && sim->cpus[cpu].online;
}

/* The defaults of a machine about which nothing has been said. */
static struct uncoremsr_sim *new_sim(void)
{
	struct uncoremsr_sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return NULL;
	sim->uncore_hz = 2666666667; /* 20 * 133.33 MHz */
	sim->tsc_hz = 2933333333;
	sim->hypervisor = -1;
	sim->allow_writes = "default";
	sim->start = UINT64_MAX;
	sim->kernel_thermal = true;
	return sim;
}

static int set_up(struct uncoremsr_sim *sim, const char *what, struct um_error *e)
{
	int err = um_sim_describe(sim, what, e);

	if (err < 0)
		return err;
	sim->plain = calloc(um_sim_num_plain() * sim->num_cpus, sizeof(*sim->plain));
	if (!sim->plain)
		return -ENOMEM;
	um_sim_reset(sim);
	for (size_t i = 0; i < sim->num_presets; i++) {
		err = um_sim_preset(sim, &sim->presets[i]);
		if (err < 0)
			return um_fail(e, err, UNCOREMSR_ERROR_USAGE,
				       "%s: set: register 0x%x does not exist there or cannot be "
				       "preset", sim->name, sim->presets[i].msr);
	}
	sim->created = monotonic_ns();
	return 0;
}

int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size)
{
	struct um_error e = { .msg = "" };
	struct uncoremsr_sim *s = new_sim();
	int err = s ? set_up(s, what, &e) : -ENOMEM;

	*sim = s;
	if (err < 0) {
		if (error && size)
			snprintf(error, size, "%s", err == -ENOMEM ? "out of memory" : e.msg);
		uncoremsr_sim_free(s);
		*sim = NULL;
	}
	return err;
}

void uncoremsr_sim_free(struct uncoremsr_sim *sim)
{
	if (!sim)
		return;
	um_sim_perf_free(sim);
	um_sim_boxes_free(sim);
	free(sim->cores);
	free(sim->units);
	free(sim->box_events);
	free(sim->box_rates);
	free(sim->name);
	free(sim->title);
	free(sim->brand);
	free(sim->cpus);
	free(sim->packages);
	free(sim->leaves);
	free(sim->events);
	free(sim->rates);
	free(sim->fails);
	free(sim->happenings);
	free(sim->silent);
	free(sim->presets);
	free(sim->plain);
	free(sim->throttles);
	free(sim->part);
	free(sim->cells);
	free(sim);
}

const char *uncoremsr_sim_name(const struct uncoremsr_sim *sim)
{
	return sim->name;
}

unsigned uncoremsr_sim_num_cpus(const struct uncoremsr_sim *sim)
{
	return sim->num_cpus;
}

uint64_t uncoremsr_sim_now(const struct uncoremsr_sim *sim)
{
	return clock_ns(sim);
}

int uncoremsr_sim_advance(struct uncoremsr_sim *sim, uint64_t ns)
{
	if (!sim->stepped)
		return 0;
	um_sim_happen(sim, ns > UINT64_MAX - sim->now ? UINT64_MAX : sim->now + ns);
	return 1;
}

static void take_time(struct uncoremsr_sim *sim)
{
	struct timespec ts = { (time_t)(sim->slow / UM_SIM_NS), (long)(sim->slow % UM_SIM_NS) };

	if (!sim->slow || uncoremsr_sim_advance(sim, sim->slow))
		return;
	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

/* What every access to a register goes through before the register itself. */
static int begin_access(struct uncoremsr_sim *sim, unsigned step, unsigned cpu, uint32_t msr)
{
	sim->accesses++;
	if (!um_sim_online(sim, cpu))
		return -ENXIO;
	return um_sim_fail(sim, step, cpu, msr);
}

static int read_now(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	uint64_t v = 0;
	int err = begin_access(sim, UM_SIM_FAIL_READ, cpu, msr);

	if (!err && !um_sim_is_silent(sim, msr))
		err = um_sim_register_read(sim, cpu, msr, &v);
	if (!err)
		*value = v;
	return err;
}

int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	take_time(sim);
	um_sim_tick(sim);
	return read_now(sim, cpu, msr, value);
}

void um_sim_batch_read(struct uncoremsr_sim *sim, struct um_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		take_time(sim);
	um_sim_tick(sim);
	for (size_t i = 0; i < n; i++) {
		um_sim_happen(sim, sim->now); /* what was ordered after so many accesses */
		ops[i].err = read_now(sim, ops[i].cpu, ops[i].msr, &ops[i].value);
	}
}

/* The driver's filter and lockdown stand before the instruction (Linux msr.c, msr_write()). */
static bool writes_forbidden(const struct uncoremsr_sim *sim)
{
	return !strcmp(sim->allow_writes, "off") ||
		(sim->lockdown && strcmp(sim->lockdown, "none"));
}

int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int err;

	take_time(sim);
	um_sim_tick(sim);
	err = begin_access(sim, UM_SIM_FAIL_WRITE, cpu, msr);
	if (err)
		return err;
	if (writes_forbidden(sim))
		return -EPERM;
	return um_sim_is_silent(sim, msr) ? 0 : um_sim_register_write(sim, cpu, msr, value);
}

int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim, unsigned cpu, int for_writing)
{
	(void)for_writing; /* the Linux driver looks at writes only when they come */
	um_sim_tick(sim);
	if (sim->driver != UM_SIM_DRIVER_READY)
		return -ENOENT;
	if (!um_sim_online(sim, cpu))
		return -ENXIO;
	return um_sim_fail(sim, UM_SIM_FAIL_OPEN, cpu, 0);
}
