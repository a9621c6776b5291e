/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dry run. A read gets the value from the real machine unless the register has been "written"; then it gets the
 * value that was "written". The devices are opened for reading only, so that an error in this file cannot write a
 * register.
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

struct um_dry_run {
	struct um_access_ops ops;
	const struct um_access_ops *under; /* the machine's functions */
	struct shadow *shadows;
	size_t num;
	uint64_t passed; /* ns by which advance() has moved the clock */
};

static int dry_open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	(void)for_writing;
	return a->dry->under->open_cpu(a, cpu, false);
}

static struct shadow *find_shadow(struct um_dry_run *d, unsigned cpu, uint32_t msr)
{
	for (size_t i = 0; i < d->num; i++)
		if (d->shadows[i].cpu == cpu && d->shadows[i].msr == msr)
			return &d->shadows[i];
	return NULL;
}

static int dry_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const struct shadow *s = find_shadow(a->dry, cpu, msr);

	if (!s)
		return a->dry->under->read(a, cpu, msr, value);
	*value = s->value;
	return 0;
}

static int dry_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct um_dry_run *d = a->dry;
	struct shadow *s = find_shadow(d, cpu, msr);

	if (!s)
		return ARRAY_APPEND(d->shadows, d->num, (struct shadow){ .cpu = cpu, .msr = msr, .value = value });
	s->value = value;
	return 0;
}

static uint64_t dry_now(struct um_access *a)
{
	return a->dry->under->now(a) + a->dry->passed;
}

static bool dry_advance(struct um_access *a, uint64_t ns)
{
	a->dry->passed += ns;
	return true;
}

static void dry_close(struct um_access *a)
{
	struct um_dry_run *d = a->dry;

	d->under->close(a);
	free(d->shadows);
	free(d);
}

int um_access_dry_run(struct um_access *a)
{
	struct um_dry_run *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->ops = *a->ops;
	d->under = a->ops;
	d->ops.open_cpu = dry_open_cpu;
	d->ops.check_cpu = NULL;
	d->ops.read = dry_read;
	d->ops.write = dry_write;
	d->ops.batch_read = NULL;
	d->ops.now = dry_now;
	d->ops.advance = dry_advance;
	d->ops.close = dry_close;
	a->ops = &d->ops;
	a->dry = d;
	return 0;
}
