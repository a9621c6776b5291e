/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intercepts register operations on the machine of machine.h: counts them and makes some of them fail. Uses internal
 * headers, because no simulated device fails at exactly the n-th operation.
 */
#ifndef FAILING_H
#define FAILING_H

#include "access/access.h"
#include "machine.h"

static struct {
	long left, times;       /* @left operations succeed, then @times operations fail; @left < 0: all succeed */
	int error;
	unsigned long reads, writes;
	bool (*claimed)(uint32_t msr, uint64_t value); /* may the session write @value? NULL: any value */
	unsigned long foreign;
} spy;

static inline int fails_now(void)
{
	if (spy.left > 0 || spy.left < 0 || !spy.times) {
		spy.left -= spy.left > 0;
		return 0;
	}
	spy.times--;
	return spy.error;
}

static inline int failing_read(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t *v)
{
	int err = fails_now();

	spy.reads++;
	return err ? err : true_ops->read(a, cpu, msr, v);
}

static inline int failing_write(struct um_access *a, unsigned cpu, uint32_t msr, uint64_t v)
{
	int err = fails_now();

	spy.writes++;
	spy.foreign += spy.claimed && !spy.claimed(msr, v);
	return err ? err : true_ops->write(a, cpu, msr, v);
}

/* fail_after(): reset the counts. The next @left operations succeed, then @times operations fail with @error. */
static inline void fail_after(long left, long times, int error)
{
	struct um_access_ops *ops = spy_on();

	memset(&spy, 0, sizeof(spy));
	spy.left = left;
	spy.times = times;
	spy.error = error;
	ops->read = failing_read;
	ops->write = failing_write;
	ops->batch_read = NULL;
}

#endif
