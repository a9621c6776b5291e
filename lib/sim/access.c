/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine as a back end of the access interface. */
#include <errno.h>
#include <stdlib.h>

#include "sim/machine.h"
#include "sim/registers.h"
#include "sim/sim.h"
#include "sim/trouble.h"
#include "uncoremsr/sim.h"

struct sim_access {
	struct um_access base;
	struct uncoremsr_sim *sim;
	bool own;
	enum { CLOSED, FOR_READING, FOR_WRITING } open[UM_SIM_MAX_CPUS];
};

static struct uncoremsr_sim *sim_of(struct um_access *a)
{
	return ((struct sim_access *)a)->sim;
}

static ssize_t read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	long len;

	if (!size)
		return -EINVAL;
	len = uncoremsr_sim_file_read(sim_of(a), path, buf, size - 1);
	if (len == -ENOMEM)
		a->starved = ENOMEM;
	if (len < 0)
		return len;
	if ((size_t)len > size - 1)
		len = (long)(size - 1);
	buf[len] = '\0';
	return len;
}

static ssize_t read_at(struct um_access *a, const char *path, uint64_t at, void *buf, size_t size)
{
	long len = um_sim_file_part(sim_of(a), path, at, buf, size);

	if (len < 0 || at >= (uint64_t)len)
		return len < 0 ? len : 0;
	return (uint64_t)len - at < size ? len - (ssize_t)at : (ssize_t)size;
}

struct names {
	int (*fn)(void *user, const char *name);
	void *user;
};

static int pass_name(void *user, const char *name, int is_dir)
{
	const struct names *n = user;

	(void)is_dir;
	return n->fn(n->user, name);
}

static int list(struct um_access *a, const char *path, int (*fn)(void *user, const char *name), void *user)
{
	struct names n = { fn, user };
	int err = uncoremsr_sim_file_list(sim_of(a), path, pass_name, &n);

	if (err == -ENOMEM)
		a->starved = ENOMEM;
	return err;
}

static int cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	return uncoremsr_sim_cpuid(sim_of(a), cpu, leaf, subleaf, regs);
}

static int open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	struct sim_access *s = (struct sim_access *)a;
	int err = uncoremsr_sim_open_cpu(s->sim, cpu, for_writing);

	if (!err && s->open[cpu] != FOR_WRITING)
		s->open[cpu] = for_writing ? FOR_WRITING : FOR_READING;
	return err;
}

static void close_cpu(struct um_access *a, unsigned cpu)
{
	if (cpu < UM_SIM_MAX_CPUS)
		((struct sim_access *)a)->open[cpu] = CLOSED;
}

/* As with a real descriptor, access fails if the CPU's device is not open, or not open for writing. */
static bool is_open(struct um_access *a, unsigned cpu, bool for_writing)
{
	return cpu < UM_SIM_MAX_CPUS &&
	       ((struct sim_access *)a)->open[cpu] >= (for_writing ? FOR_WRITING : FOR_READING);
}

static int read_register(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	return is_open(a, cpu, false) ? uncoremsr_sim_rdmsr(sim_of(a), cpu, msr, value) : -EBADF;
}

static int write_register(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t value)
{
	return is_open(a, cpu, true) ? uncoremsr_sim_wrmsr(sim_of(a), cpu, msr, value) : -EBADF;
}

static uint64_t now(struct um_access *a)
{
	return um_sim_clock(sim_of(a));
}

static uint64_t slept(struct um_access *a)
{
	um_sim_tick(sim_of(a));
	return sim_of(a)->slept;
}

static void batch_read(struct um_access *a, struct um_op *ops, size_t n)
{
	um_sim_batch_read(sim_of(a), ops, n);
	for (size_t i = 0; i < n; i++)
		if (!is_open(a, ops[i].cpu, false))
			ops[i].err = -EBADF;
}

static bool advance(struct um_access *a, uint64_t ns)
{
	return uncoremsr_sim_advance(sim_of(a), ns);
}

static void close_access(struct um_access *a)
{
	struct sim_access *s = (struct sim_access *)a;

	if (s->own)
		uncoremsr_sim_free(s->sim);
	free(s);
}

static const struct um_access_ops ops = {
	.read_text = read_text,
	.read_at = read_at,
	.list = list,
	.cpuid = cpuid,
	.open_cpu = open_cpu,
	.close_cpu = close_cpu,
	.read = read_register,
	.write = write_register,
	.batch_read = batch_read,
	.now = now,
	.slept = slept,
	.advance = advance,
	.close = close_access,
};

int um_sim_access(struct um_access **out, struct uncoremsr_sim *sim, bool own)
{
	struct sim_access *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return -ENOMEM;
	s->base = (struct um_access) { .ops = &ops, .root = "", .simulated = true };
	s->sim = sim;
	s->own = own;
	*out = &s->base;
	return 0;
}
