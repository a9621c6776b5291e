/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Resetting the sticky log bits, when somebody asks for it: the bits that speak for a cause are
 * written as 0, all others as 1, which leaves them as they are. So a bit that is set between the
 * read and the write is not lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "counting/registers.h"
#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

struct clearing {
	struct uncoremsr_throttle *t;
	void (*fn)(void *user, const char *line);
	void *user;
	int written, first_error;
	struct um_error error;
};

static void UM_PRINTF(2, 3) tell(struct clearing *c, const char *fmt, ...)
{
	char line[UM_SENTENCE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (c->fn)
		c->fn(c->user, line);
	else
		um_warn(&c->t->um->m, "%s", line);
}

/* Log bits of the thresholds and of ordinary turbo life are other programs' business. */
static uint64_t bits_to_clear(const struct um_thermal_reg *row, unsigned gates, uint64_t value)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < row->num_bits; i++)
		if (row->bits[i].cause != UM_NUM_CAUSES)
			mask |= BIT(row->bits[i].log);
	return mask & um_thermal_log_bits(row, gates) & value;
}

static void failed(struct clearing *c, int err, const struct um_error *e)
{
	if (!c->first_error) {
		c->first_error = err;
		c->error = *e;
	}
}

static int write_register(struct clearing *c, struct uncoremsr_throttle_subject *s,
			  struct um_reading *r, uint64_t clear, struct um_error *e)
{
	uint64_t logs = um_thermal_log_bits(r->row, s->gates);
	int err = um_reg_open(&c->t->um->m, s->cpu, true, e);

	if (!err)
		err = um_reg_write(&c->t->um->m, s->cpu, r->row->reg.msr, logs, logs & ~clear, e);
	return err ? err : um_reg_read(&c->t->um->m, s->cpu, r->row->reg.msr, &r->value, e);
}

static void clear_register(struct clearing *c, struct uncoremsr_throttle_subject *s,
			   struct um_reading *r)
{
	char names[UM_BITS];
	uint64_t was, clear;
	struct um_error e;
	int err = um_reg_read(&c->t->um->m, s->cpu, r->row->reg.msr, &r->value, &e);

	was = r->value;
	clear = err ? 0 : bits_to_clear(r->row, s->gates, was);
	if (clear)
		err = write_register(c, s, r, clear, &e);
	if (err) {
		failed(c, err, &e);
		return;
	}
	r->known = true;
	if (!clear)
		return;
	c->written++;
	tell(c, "CPU %u: %s was 0x%" PRIx64 ": cleared %s%s", s->cpu, c->t->names[r->row->role],
	     was, um_thermal_bits(&r->row->reg, clear, names, sizeof(names)),
	     r->value & clear ? ", of which some are set again at once" : "");
}

static void clear_subject(struct clearing *c, struct uncoremsr_throttle_subject *s)
{
	if (s->access.class != UNCOREMSR_ERROR_NONE) {
		failed(c, s->access_err, &s->access);
		return;
	}
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		struct um_reading *r = &s->regs[role];

		if (r->row && r->row->num_bits && r->row->reg.write_mask && !r->err)
			clear_register(c, s, r);
	}
}

static int refuse(struct uncoremsr_throttle *t)
{
	struct um_error *e = &t->um->error;

	if (t->kernel_only)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "clearing the logs writes registers, which this watcher was told "
			       "not to touch");
	if (t->guest)
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s", t->guest);
	if (!t->model || (t->model->has & UM_HAS_AMD))
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "no register with log bits is known of this processor");
	return 0;
}

/* Without them the next look would tell what the kernel remembers from before. */
static int remember(struct clearing *c)
{
	int num = um_cleared_store(c->t);

	if (num > 0)
		tell(c, "the kernel's counts cannot be reset (%d not 0): only what they grow by from "
			"now on makes a verdict", num);
	return num < 0 ? num : 0;
}

int uncoremsr_throttle_clear(struct uncoremsr_throttle *t,
			     void (*fn)(void *user, const char *line), void *user)
{
	struct clearing c = { .t = t, .fn = fn, .user = user };
	int err = refuse(t);
	bool opened;

	if (!err)
		err = um_subjects_update(t, &opened);
	if (err)
		return err;
	for (size_t i = 0; i < t->num_subjects; i++)
		clear_subject(&c, &t->subjects[i]);
	if (!t->um->m.dry_run && (c.written || !c.first_error))
		err = remember(&c);
	if (err)
		return err;
	if (!c.first_error)
		return c.written;
	t->um->error = c.error;
	return c.first_error;
}
