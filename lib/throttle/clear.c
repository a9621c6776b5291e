/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reset the sticky log bits on request. Writing 0 clears a log bit, writing 1 leaves it as it is. So write 0 only to
 * bits that were read as set; then a bit that becomes set between the read and the write is not lost.
 */
#include <errno.h>

#include "throttle/throttle.h"

#define BIT(n) (UINT64_C(1) << (n))

struct clearing {
	struct uncoremsr_throttle *t;
	void (*fn)(void *user, const struct uncoremsr_clear_report *report);
	void *user;
	int written;
	struct um_error error; /* the first failure; class NONE if there was none */
};

/* Clear only log bits that show a cause. Other programs use those of temperature thresholds and turbo limits. */
static uint64_t bits_to_clear(const struct um_thermal_reg *row, unsigned gates, uint64_t value)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < row->num_bits; i++)
		if (row->bits[i].cause != UM_NUM_CAUSES)
			mask |= BIT(row->bits[i].log);
	return mask & um_thermal_log_bits(row, gates) & value;
}

static void failed(struct clearing *c, const struct um_error *e)
{
	if (c->error.class == UNCOREMSR_ERROR_NONE)
		um_fail_as(&c->error, e);
}

/* Clear the bits, and read the register again. *written: the bits were cleared, even if the second read failed. */
static int write_register(const struct um_machine *m, const struct um_subject *s,
			  struct um_gauge *r, uint64_t clear, bool *written, struct um_error *e)
{
	uint64_t logs = um_thermal_log_bits(r->row, s->gates);
	int err = m->registers->open(m, s->cpu, true, e);

	if (err)
		return err;
	err = m->registers->write(m, s->cpu, r->row->reg.msr, logs, logs & ~clear, e);
	*written = !err;
	if (!err)
		err = m->registers->read(m, s->cpu, r->row->reg.msr, &r->value, e);
	um_access_close_cpu(m->access, s->cpu);
	return err;
}

static void clear_register(struct clearing *c, const struct um_subject *s, struct um_gauge *r)
{
	const struct um_machine *m = &c->t->um->m;
	char names[UM_BITS];
	bool written = false;
	uint64_t was, clear;
	struct um_error e;
	int err = m->registers->read(m, s->cpu, r->row->reg.msr, &r->value, &e);

	was = r->value;
	clear = err ? 0 : bits_to_clear(r->row, s->gates, was);
	if (clear)
		err = write_register(m, s, r, clear, &written, &e);
	if (err)
		failed(c, &e);
	r->known = !err;
	if (!written)
		return;
	c->written++;
	if (c->fn)
		c->fn(c->user, &(struct uncoremsr_clear_report){
			.result = !err && r->value & clear ? UNCOREMSR_CLEAR_SET_AGAIN : UNCOREMSR_CLEAR_DONE,
			.cpu = s->cpu, .msr = r->row->reg.msr, .name = r->row->reg.name,
			.value = was, .cleared = clear,
			.bits = um_thermal_bits(um_reg_fields(&r->row->reg), clear, names, sizeof(names)),
		});
}

static void clear_subject(struct clearing *c, struct um_subject *s)
{
	if (s->access.class != UNCOREMSR_ERROR_NONE) {
		failed(c, &s->access);
		return;
	}
	for (int role = 0; role < UM_NUM_ROLES; role++) {
		struct um_gauge *r = &s->sources[role];

		if (r->row && r->row->num_bits && r->row->reg.write_mask && !r->err)
			clear_register(c, s, r);
	}
}

static int refuse(struct uncoremsr_throttle *t)
{
	struct um_error *e = &t->um->error;

	if (t->kernel_only)
		return um_fail(e, -EINVAL, UNCOREMSR_ERROR_USAGE,
			       "clearing the logs writes registers, but this watcher only reads the kernel's files");
	if (t->guest)
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, UM_GUEST);
	if (!t->model || (t->model->has & UM_HAS_AMD))
		return um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			       "no register with log bits is known for this processor");
	return 0;
}

static int clear_all(struct clearing *c)
{
	struct uncoremsr_throttle *t = c->t;
	int counts = 0, err;

	t->round++;
	err = um_subjects_update(t);
	if (err)
		return err;
	for (size_t i = 0; i < t->num_subjects; i++)
		clear_subject(c, &t->subjects[i]);
	/* Store the kernel's counts now, because the next look() compares later counts with them. */
	if (!t->um->m.dry_run && (c->written || c->error.class == UNCOREMSR_ERROR_NONE))
		counts = um_cleared_store(t);
	if (counts < 0)
		return counts;
	if (counts && c->fn)
		c->fn(c->user, &(struct uncoremsr_clear_report){
			.result = UNCOREMSR_CLEAR_KERNEL_COUNTS, .value = (uint64_t)counts,
		});
	if (c->error.class == UNCOREMSR_ERROR_NONE)
		return c->written;
	um_fail_as(&t->um->error, &c->error);
	return c->error.code;
}

int uncoremsr_throttle_clear(struct uncoremsr_throttle *t,
			     void (*fn)(void *user, const struct uncoremsr_clear_report *report), void *user)
{
	struct clearing c = { .t = t, .fn = fn, .user = user };
	int err = !t ? -EINVAL : um_check_process(&t->um->m, &t->um->error) ?: refuse(t);

	if (err)
		return err;
	err = clear_all(&c);
	/* Update the public structs: subjects may have changed, and so has the time of the last clearing. */
	um_publish(t);
	return err;
}
