/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dry run. Reads come from the real machine until a register has been "written"; then they return what it would
 * hold. The devices are opened for reading only, so that an error in this file cannot write a register.
 */
#include <errno.h>
#include <stdlib.h>

#include "access/access.h"
#include "common/array.h"

struct shadow {
	unsigned cpu;
	uint32_t msr;
	uint64_t value;
};

struct dry_run {
	struct um_access base;
	struct um_access *inner;
	struct shadow *shadows;
	size_t num;
	uint64_t passed; /* ns by which advance() has moved the clock */
};

static struct dry_run *self(struct um_access *a)
{
	return (struct dry_run *)(void *)a; /* base is the first member */
}

static struct um_access *inner(struct um_access *a)
{
	return self(a)->inner;
}

static ssize_t dry_read_at(struct um_access *a, const char *path, uint64_t at, void *buf, size_t size)
{
	const struct um_access_ops *ops = inner(a)->ops;

	return ops->read_at ? ops->read_at(inner(a), path, at, buf, size) : -ENOTSUP;
}

static ssize_t dry_read_text(struct um_access *a, const char *path, char *buf, size_t size)
{
	return inner(a)->ops->read_text(inner(a), path, buf, size);
}

static int dry_list(struct um_access *a, const char *path,
		    int (*fn)(void *user, const char *name), void *user)
{
	return inner(a)->ops->list(inner(a), path, fn, user);
}

static int dry_cpuid(struct um_access *a, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4])
{
	return inner(a)->ops->cpuid(inner(a), cpu, leaf, subleaf, regs);
}

static int dry_open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	(void)for_writing;
	return inner(a)->ops->open_cpu(inner(a), cpu, false);
}

static void dry_close_cpu(struct um_access *a, unsigned cpu)
{
	inner(a)->ops->close_cpu(inner(a), cpu);
}

static struct shadow *find_shadow(struct dry_run *d, unsigned cpu, uint32_t msr)
{
	for (size_t i = 0; i < d->num; i++)
		if (d->shadows[i].cpu == cpu && d->shadows[i].msr == msr)
			return &d->shadows[i];
	return NULL;
}

static int dry_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct shadow *s = find_shadow(self(a), cpu, msr);

	if (!s)
		return inner(a)->ops->read(inner(a), cpu, msr, value);
	*value = s->value;
	return 0;
}

static int dry_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct dry_run *d = self(a);
	struct shadow *s = find_shadow(d, cpu, msr);

	if (!s)
		return ARRAY_APPEND(d->shadows, d->num, (struct shadow){ .cpu = cpu, .msr = msr, .value = value });
	s->value = value;
	return 0;
}

static uint64_t dry_now(struct um_access *a)
{
	return inner(a)->ops->now(inner(a)) + self(a)->passed;
}

static uint64_t dry_slept(struct um_access *a)
{
	return um_access_slept(inner(a));
}

static bool dry_advance(struct um_access *a, uint64_t ns)
{
	self(a)->passed += ns;
	return true;
}

static void dry_close(struct um_access *a)
{
	struct dry_run *d = self(a);

	um_access_close(d->inner);
	free(d->shadows);
	free(d);
}

static const struct um_access_ops dry_ops = {
	.read_text = dry_read_text,
	.read_at = dry_read_at,
	.list = dry_list,
	.cpuid = dry_cpuid,
	.open_cpu = dry_open_cpu,
	.close_cpu = dry_close_cpu,
	.read = dry_read,
	.write = dry_write,
	.now = dry_now,
	.slept = dry_slept,
	.advance = dry_advance,
	.close = dry_close,
};

int um_access_dry_run(struct um_access **out, struct um_access *inner_access)
{
	struct dry_run *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->base = *inner_access;
	d->base.ops = &dry_ops;
	d->inner = inner_access;
	*out = &d->base;
	return 0;
}
