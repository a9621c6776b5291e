/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The public functions: create, describe and free a machine, and access its registers. (Files: see files.c.) */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "access/access.h"
#include "sim/description.h"
#include "sim/imc.h"
#include "sim/kernel.h"
#include "sim/machines.h"
#include "sim/registers.h"
#include "sim/sim.h"
#include "sim/trouble.h"
#include "uncoremsr/sim.h"

const char *uncoremsr_sim_machine(size_t index, const char **title)
{
	const struct um_sim_builtin *m = um_sim_builtin_at(index);

	if (title)
		*title = m ? m->title : NULL;
	return m ? m->name : NULL;
}

int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size)
{
	struct um_error e = { .msg = "" };
	struct uncoremsr_sim *s;
	int err;

	if (sim)
		*sim = NULL;
	if (!sim || !what) {
		if (error && size)
			um_message(error, size, "the argument '%s' is NULL", sim ? "what" : "sim");
		return -EINVAL;
	}
	s = calloc(1, sizeof(*s));
	err = s ? um_sim_kernel_new(s) : -ENOMEM;
	if (!err) {
		s->uncore_hz = 2666666667; /* 20 * 133.33 MHz */
		s->tsc_hz = 2933333333;
		s->hypervisor = s->lockdown = -1;
		s->start = UINT64_MAX;
		s->kernel_thermal = true;
		err = um_sim_describe(s, what, &e);
	}
	if (err) {
		if (error && size)
			um_message(error, size, "%s", err == -ENOMEM ? "out of memory" : e.msg);
		uncoremsr_sim_free(s);
		return err;
	}
	s->created = um_sim_monotonic();
	*sim = s;
	return 0;
}

void uncoremsr_sim_free(struct uncoremsr_sim *sim)
{
	if (!sim)
		return;
	um_sim_kernel_free(sim);
	um_sim_imc_free(sim);
	um_sim_registers_destroy(sim);
	free(sim->name);
	for (unsigned i = 0; i < UM_SIM_SCOPES; i++)
		free(sim->copies[i].at);
	um_cpuid_dump_free(&sim->cpuid);
	free(sim->unit_rules);
	free(sim->events);
	free(sim->rates);
	free(sim->throttles);
	free(sim->failures);
	free(sim->happenings);
	free(sim->silent);
	free(sim->allowed);
	free(sim->presets);
	free(sim->delays);
	free(sim->keepings);
	free(sim->processor);
	free(sim);
}

const struct uncoremsr_sim_state *uncoremsr_sim_state(struct uncoremsr_sim *sim)
{
	if (!sim)
		return NULL;
	sim->state = (struct uncoremsr_sim_state){
		.size = sizeof(sim->state), .name = sim->name, .now = um_sim_clock(sim), .last_access = sim->now,
	};
	return &sim->state;
}

int uncoremsr_sim_advance(struct uncoremsr_sim *sim, uint64_t ns)
{
	return sim ? um_sim_advance(sim, ns) : -EINVAL;
}

/* Simulate the duration of an access (keys slow= and delay=): advance a stepped clock, else sleep. */
static void take_time(struct uncoremsr_sim *sim, uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / UM_SIM_NS), (long)(ns % UM_SIM_NS) };

	if (!ns || um_sim_advance(sim, ns))
		return;
	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

/* Checks before every register access: CPU online, allow list, simulated failures. */
static int begin_access(struct uncoremsr_sim *sim, int step, unsigned cpu, uint32_t msr, uint64_t *mask)
{
	int err;

	sim->accesses++;
	if (!um_sim_online(sim, cpu))
		return -ENXIO;
	err = um_sim_allowed(sim, msr, mask);
	return err ? err : um_sim_failure(sim, step, cpu, msr);
}

static int read_now(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	uint64_t v = 0, mask;
	int err = begin_access(sim, UM_SIM_FAIL_READ, cpu, msr, &mask);

	if (!err && !um_sim_is_silent(sim, msr))
		err = um_sim_register_read(sim, cpu, msr, &v);
	if (!err)
		*value = v;
	return err;
}

int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int err;

	if (!sim || !value)
		return -EINVAL;
	take_time(sim, sim->slow);
	um_sim_tick(sim);
	err = read_now(sim, cpu, msr, value);
	take_time(sim, um_sim_delayed(sim, cpu, msr));
	return err;
}

/* Read all registers at one moment, after the time that all the reads take (key slow=). */
static void read_at_once(struct uncoremsr_sim *sim, struct um_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		take_time(sim, sim->slow);
	um_sim_tick(sim);
	for (size_t i = 0; i < n; i++) {
		um_sim_go_on(sim, sim->now); /* run the actions that are due after this number of accesses */
		ops[i].err = read_now(sim, ops[i].cpu, ops[i].msr, &ops[i].value);
	}
}

void um_sim_batch_read(struct uncoremsr_sim *sim, struct um_op *ops, size_t n)
{
	uint64_t begin = um_sim_clock(sim);
	size_t step = sim->num_delays ? 1 : n;

	for (size_t i = 0; i < n; i += step) {
		read_at_once(sim, ops + i, step);
		take_time(sim, step == 1 ? um_sim_delayed(sim, ops[i].cpu, ops[i].msr) : 0);
		for (size_t k = i; k < i + step; k++) {
			ops[k].begin_ns = begin;
			ops[k].ns = um_sim_clock(sim);
		}
		begin = ops[i].ns;
	}
}

int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	uint64_t mask, old = 0;
	int err;

	if (!sim)
		return -EINVAL;
	take_time(sim, sim->slow);
	um_sim_tick(sim);
	err = begin_access(sim, UM_SIM_FAIL_WRITE, cpu, msr, &mask);
	if (!err && !mask)
		err = -EACCES;
	/* As in msr-safe's msr_entry.c: read the register, and change only the bits of the mask. */
	if (!err && mask != UINT64_MAX)
		err = um_sim_register_read(sim, cpu, msr, &old);
	if (err)
		return err;
	value = (old & ~mask) | (value & mask);
	/* The driver checks its filter and lockdown before the instruction (Linux msr.c, msr_write()). */
	if (sim->writes_allowed == UM_SIM_WRITES_OFF || sim->lockdown > UM_SIM_LOCKDOWN_NONE)
		return -EPERM;
	return um_sim_is_silent(sim, msr) ? 0 : um_sim_register_write(sim, cpu, msr, value);
}

int uncoremsr_sim_cpuid(struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	if (!sim || !regs)
		return -EINVAL;
	um_sim_tick(sim);
	if (sim->pvr)
		return -ENOENT;
	if (!um_sim_online(sim, cpu))
		return -ENXIO;
	um_sim_cpuid(sim, cpu, leaf, subleaf, regs);
	return 0;
}

/* Opening for writing is the same as for reading: the Linux driver checks writes only when they are done. */
int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim, unsigned cpu, int for_writing UM_SIM_UNUSED)
{
	if (!sim)
		return -EINVAL;
	um_sim_tick(sim);
	if (sim->driver != UM_SIM_DRIVER_READY)
		return -ENOENT;
	if (!um_sim_online(sim, cpu))
		return -ENXIO;
	return um_sim_failure(sim, UM_SIM_FAIL_OPEN, cpu, 0);
}
