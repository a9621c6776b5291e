/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Registers of a unit. If the CPU that we used went offline, they are reached through another CPU of the unit. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "counting/plan.h"

enum { TRIES = 3 };

/* Open the CPU even if it is open already: only open(2) tells whether the CPU is online now. */
int um_open_cpu(struct um_msr *s, unsigned cpu, struct um_error *e)
{
	int err = um_driver_open(s->m->access, cpu, true, e);
	bool again = um_cpuset_has(&s->opened, cpu);

	if (err)
		return err;
	if (!again && um_cpuset_add(&s->opened, cpu))
		err = um_no_memory(e);
	if (again || err)
		um_access_close_cpu(s->m->access, cpu);
	return err;
}

static const struct um_cpuset *cpus_of(const struct um_unit *u)
{
	return u->cpus.num ? &u->cpus : um_package_cpus(u->site->package);
}

static void move_all(struct um_msr *s, struct um_unit *u, unsigned old, unsigned cpu)
{
	for (struct um_unit *v = s->units; v < s->units + s->num_units; v++) {
		if (v == u || (v->site == u->site && v->box.cpu == old && um_cpuset_has(cpus_of(v), cpu)))
			v->box.cpu = cpu;
	}
	if (u->site->cpu == old)
		u->site->cpu = cpu;
}

static bool move_unit(struct um_msr *s, struct um_unit *u)
{
	const struct um_cpuset *cpus = cpus_of(u);
	unsigned old = u->box.cpu;

	for (size_t i = 0; i < cpus->num; i++) {
		if (cpus->cpus[i] == old || um_open_cpu(s, cpus->cpus[i], NULL))
			continue;
		um_log(s->m, "package %d: CPU %u went offline, CPU %u is used from now on",
		       u->box.package, old, cpus->cpus[i]);
		move_all(s, u, old, cpus->cpus[i]);
		return true;
	}
	return false;
}

/*
 * Should a failed access be tried again? Yes if the CPU went offline and the unit can be reached through another CPU.
 * Yes, up to TRIES times, if the access restores a register: a single device error must not leave a counter in use.
 */
static bool try_again(struct um_msr *s, struct um_unit *u, int err, int *tries, bool *moved)
{
	if (err == -ENXIO && !*moved) {
		*tries = 0;
		*moved = move_unit(s, u);
		return *moved;
	}
	return s->restoring && err && err != -ENXIO && !um_lacks_permission(err) && ++*tries < TRIES;
}

int um_unit_read(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t *value)
{
	bool moved = false;
	int err, tries = 0;

	do
		err = um_reg_read(s->m, u->box.cpu, msr, value, &u->error);
	while (try_again(s, u, err, &tries, &moved));
	u->answers |= !err;
	return err;
}

int um_unit_write(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask, uint64_t value)
{
	uint64_t begin = um_now(s->m);
	bool moved = false;
	int err, tries = 0;

	do
		err = um_reg_write(s->m, u->box.cpu, msr, mask, value, &u->error);
	while (try_again(s, u, err, &tries, &moved));
	u->written.ns = um_now(s->m);
	u->written.window_ns = u->written.ns - begin;
	return err;
}

int um_unit_write_shared(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t mask, uint64_t value)
{
	int err = um_enable_lock(s->guard, &u->box, &u->error) ?: um_unit_write(s, u, msr, mask, value);

	um_enable_unlock(s->guard, &u->box);
	return err;
}

/* The lock stops only our own sessions: another program's write at the same moment may clear our bits again. */
int um_unit_set_bits(struct um_msr *s, struct um_unit *u, uint64_t bits)
{
	uint32_t msr = u->bits_register;
	uint64_t now = 0;

	for (int tries = 0; tries < 3; tries++) {
		int err = um_unit_write_shared(s, u, msr, bits, bits) ?: um_unit_read(s, u, msr, &now);

		if (err || (now & bits) == bits)
			return err;
	}
	return um_unit_not_kept(s, u, msr, now | bits, now);
}

int um_unit_clear_bits(struct um_msr *s, struct um_unit *u, uint64_t bits)
{
	return bits ? um_unit_write_shared(s, u, u->bits_register, bits, 0) : 0;
}

int um_unit_read_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t *word)
{
	int err = um_unit_read(s, u, r->selector, word);

	*word &= r->mask;
	return err;
}

int um_unit_write_selector(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t word)
{
	if (r->mask != UM_WHOLE)
		return um_unit_write_shared(s, u, r->selector, r->mask, word);
	return um_unit_write(s, u, r->selector, UM_WHOLE, word);
}

/* May the alias be used? Reads IA32_PERF_CAPABILITIES only if the counter's own register cannot hold the value. */
static bool full_width(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t value)
{
	uint64_t word, can = 0;

	return !um_counter_way(r, value, false, &word) && r->alias &&
	       !um_unit_read(s, u, UM_PERF_CAPABILITIES, &can) && um_full_width(can);
}

int um_unit_write_counter(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r, uint64_t value)
{
	uint64_t word;
	uint32_t msr = um_counter_way(r, value, full_width(s, u, r, value), &word);

	if (msr)
		return um_unit_write(s, u, msr, UM_WHOLE, word);
	return um_unit_refuse(u, -EPERM, "0x%" PRIx64 " cannot be written: a write sets only %u bits",
			      value, r->write_bits);
}

struct um_stuck um_unit_stuck(struct um_msr *s, struct um_unit *u, const struct um_counter_regs *r,
			      uint64_t selector, uint64_t value)
{
	return um_counter_stuck(r, selector, value, full_width(s, u, r, value));
}

int um_unit_unless_back(struct um_msr *s, struct um_unit *u, int err, uint32_t msr, uint64_t mask, uint64_t value)
{
	struct um_error why = u->error;
	uint64_t now;

	if (err && !um_unit_read(s, u, msr, &now) && ((now ^ value) & mask) == 0)
		return 0;
	um_fail_as(&u->error, &why);
	return err;
}

void um_unit_left(struct um_msr *s, struct um_unit *u, uint32_t msr, int err)
{
	if (!err)
		return;
	if (s->env) /* NULL in a repair, which reports the error itself */
		um_warn(s->m, "%s: %s was not put back: %s; uncore-doctor --repair puts back what is left",
			u->label, UM_REG_TEXT(s->m, msr), u->error.msg);
	u->site->has_left = true;
	if (s->left)
		return;
	s->left = err;
	um_fail_as(&s->left_error, &u->error);
}

int um_unit_refuse(struct um_unit *u, int err, const char *fmt, ...)
{
	bool plain = u->label[u->place_len] == '\0';
	char why[UM_MESSAGE_SIZE];
	va_list ap;

	va_start(ap, fmt);
	um_vmessage(why, sizeof(why), fmt, ap);
	va_end(ap);
	um_fail(&u->error, err, UNCOREMSR_ERROR_UNSUPPORTED, "%s%s%s", plain ? "" : u->name,
		plain ? "" : ": ", why);
	snprintf(u->error.place, sizeof(u->error.place), "%.*s%s", (int)u->place_len, u->label, plain ? ": " : " ");
	return err;
}

const char *um_stuck_text(const struct um_msr *s, const struct um_stuck *stuck, char buf[UM_DETAIL])
{
	snprintf(buf, UM_DETAIL, "%s holds 0x%" PRIx64 ", and its bits 0x%" PRIx64 " could not be put back",
		 UM_REG_TEXT(s->m, stuck->msr), stuck->holds, stuck->bits);
	return buf;
}

int um_stuck_hint(struct um_unit *u, const struct um_stuck *stuck)
{
	return um_advise(&u->error, u->error.code, "if no program uses the register, wrmsr -p %u 0x%x 0 frees it; "
			 "--force does not help: what could not be put back is never overwritten", u->box.cpu,
			 stuck->msr);
}

int um_unit_refuse_stuck(struct um_msr *s, struct um_unit *u, const struct um_stuck *stuck)
{
	if (!stuck->bits)
		return 0;
	um_unit_refuse(u, -EBUSY, "%s", UM_STUCK_TEXT(s, stuck));
	return um_stuck_hint(u, stuck);
}

int um_unit_not_kept(struct um_msr *s, struct um_unit *u, uint32_t msr, uint64_t written, uint64_t read)
{
	um_unit_refuse(u, -ENOTSUP, "%s does not keep what was written (wrote 0x%" PRIx64 ", read 0x%"
		PRIx64 "): as in a virtual machine or an emulator", UM_REG_TEXT(s->m, msr), written, read);
	return um_advise(&u->error, -ENOTSUP, "nothing can be measured here; run on the hardware itself");
}
