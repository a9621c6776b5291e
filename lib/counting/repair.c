/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What dead processes left: found in the lease directory, checked, and put back only where a
 * register still holds one of their words. Counters go back first, then the filters they counted
 * with, then the gates they were behind: a gate is closed when nothing runs behind it any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "counting/lease.h"
#include "counting/registers.h"
#include "counting/session.h"
#include "uncoremsr/leases.h"

/* A session that finds more than this tells the number: a large machine has hundreds. */
enum { TOLD_ONE_BY_ONE = 16 };

struct repair {
	struct uncoremsr *um;
	struct um_guard *g;
	void (*tell)(void *user, const char *line);
	void *user;
	enum um_lease_kind kind;   /* what this round is about */
	int num, err; /* err: the first one; the others are put back all the same */
};

/* To who asked for the repair; a session that repairs on its way has the log for it. */
static void UM_PRINTF(3, 4) tell(struct repair *rp, enum uncoremsr_log_level level,
				 const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (rp->tell)
		rp->tell(rp->user, line);
	else if (level == UNCOREMSR_LOG_WARNING)
		um_warn(&rp->um->m, "%s", line);
	else
		um_log(&rp->um->m, "%s", line);
}

/* "package 0 counter 3", "package 0 cbo3 counter 1", "package 0 register 0xe01" */
static const char *place(const struct um_lease_id *id, char *buf, size_t size)
{
	bool plain = !id->unit[0] || !strcmp(id->unit, "uncore");
	char die[24] = "";
	int len;

	if (id->die >= 0)
		snprintf(die, sizeof(die), " die %d", id->die);
	len = snprintf(buf, size, "package %d%s%s%s", id->package, die, plain ? "" : " ",
		       plain ? "" : id->unit);

	if (len > 0 && (size_t)len < size)
		snprintf(buf + len, size - (size_t)len,
			 id->kind == UM_LEASE_COUNTER ? " counter %u" : " register 0x%x", id->number);
	return buf;
}

static int cpu_of(const struct uncoremsr *um, const struct um_lease_id *id)
{
	for (size_t i = 0; i < um->m.topo.num_packages; i++)
		if (um->m.topo.packages[i].id == id->package && um->m.topo.packages[i].die == id->die)
			return um->m.topo.packages[i].cpu;
	return -1;
}

static int write_shared(struct repair *rp, const struct um_box *b, uint32_t msr, uint64_t mask,
			uint64_t value)
{
	struct um_error *e = &rp->um->error;
	int fd = -1, err = um_enable_lock(rp->g, b->package, b->die, &fd, e);

	if (!err)
		err = um_reg_write(rp->um, b->cpu, msr, mask, value, e);
	um_unlock(fd);
	return err;
}

static void tell_done(struct repair *rp, const struct um_record *r)
{
	char where[96];

	rp->num++;
	tell(rp, rp->num > TOLD_ONE_BY_ONE ? UNCOREMSR_LOG_REMARK : UNCOREMSR_LOG_WARNING,
	     "%s: put back what it held before %s (pid %ld) died",
	     place(&r->id, where, sizeof(where)), r->command, r->pid);
}

static void tell_nothing(struct repair *rp, const struct um_record *r, uint64_t holds)
{
	char where[96];

	tell(rp, UNCOREMSR_LOG_REMARK, "%s: nothing to put back, its %s holds 0x%" PRIx64
	     " which %s (pid %ld) did not write", place(&r->id, where, sizeof(where)),
	     r->id.kind == UM_LEASE_COUNTER ? "selector" : "register", holds, r->command, r->pid);
}

static int write_selector(struct repair *rp, const struct um_box *b,
			  const struct um_counter_regs *regs, uint64_t word)
{
	if (regs->mask != UM_WHOLE)
		return write_shared(rp, b, regs->selector, regs->mask, word & regs->mask);
	return um_reg_write(rp->um, b->cpu, regs->selector, UM_WHOLE, word, &rp->um->error);
}

/* A write of a core counter takes 32 bits: more than that is lost with the session that died. */
static uint64_t writable(const struct um_counter_regs *regs, uint64_t old)
{
	if (!regs->write_bits || regs->write_bits >= 64)
		return old;
	return old >> (regs->write_bits - 1) ? 0 : old;
}

/* In the order of a session that ends: gate bit, counter, and the selector last. */
static int put_back_counter(struct repair *rp, const struct um_box *b, const struct um_record *r)
{
	struct um_counter_regs regs = um_counter_regs(b, r->id.number);
	struct um_error *e = &rp->um->error;
	bool stops = !regs.gate || regs.kernels;
	uint64_t selector = 0;
	int err = um_reg_read(rp->um, b->cpu, regs.selector, &selector, e);

	if (err)
		return err;
	if (!um_record_has_word(r, selector & regs.mask, regs.compare & regs.mask)) {
		tell_nothing(rp, r, selector);
		return 0;
	}
	if (stops && (selector & regs.mask & regs.run))
		err = write_selector(rp, b, &regs, um_off_word(&regs, selector & regs.mask));
	if (regs.gate && !err)
		err = write_shared(rp, b, regs.gate, regs.gate_bit,
				   r->old_enabled ? regs.gate_bit : 0);
	if (!err)
		err = um_reg_write(rp->um, b->cpu, regs.counter, UM_WHOLE,
				   writable(&regs, r->old_counter), e);
	if (!err)
		err = write_selector(rp, b, &regs, r->old_selector);
	if (!err)
		tell_done(rp, r);
	return err;
}

static int put_back_extra(struct repair *rp, const struct um_box *b, const struct um_record *r)
{
	uint64_t now = 0;
	int err = um_reg_read(rp->um, b->cpu, r->id.number, &now, &rp->um->error);

	if (err)
		return err;
	if (!um_record_has_word(r, now, UM_WHOLE)) {
		tell_nothing(rp, r, now);
		return 0;
	}
	if (now != r->old_selector)
		err = um_reg_write(rp->um, b->cpu, r->id.number, UM_WHOLE, r->old_selector,
				   &rp->um->error);
	if (!err)
		tell_done(rp, r);
	return err;
}

static int put_back_gate(struct repair *rp, const struct um_box *b, const struct um_record *r)
{
	const struct um_gate *g = um_record_gate(&r->id, b);
	int fd = -1, err = um_enable_lock(rp->g, b->package, b->die, &fd, &rp->um->error);
	bool runs = !err && um_gate_in_use(rp->um, b, g, r->id.unit[0] != '\0', b->cpu);

	if (runs)
		tell(rp, UNCOREMSR_LOG_WARNING, "package %d register 0x%x: left open, somebody counts "
		     "behind it", r->id.package, r->id.number);
	else if (!err)
		err = um_gate_close(rp->um, b, g, b->cpu, r->old_selector, &rp->um->error);
	um_unlock(fd);
	if (!err && !runs)
		tell_done(rp, r);
	return err;
}

static int put_back(struct repair *rp, const struct um_box *b, const struct um_record *r)
{
	int err = um_reg_open(rp->um, b->cpu, true, &rp->um->error);

	if (err)
		return err;
	if (r->id.kind == UM_LEASE_COUNTER)
		return put_back_counter(rp, b, r);
	return r->id.kind == UM_LEASE_EXTRA ? put_back_extra(rp, b, r) : put_back_gate(rp, b, r);
}

/* With the lease held. The record is forgotten once there is nothing left to do. */
static int repair_leased(struct repair *rp, int fd, const struct um_lease_id *id)
{
	struct um_record r = { .pid = 0 };
	struct um_box box = { .pmu = NULL };
	char why[128], name[96];
	int cpu = cpu_of(rp->um, id), err = 0;
	int have = um_lease_check(rp->um, rp->g, fd, id, &r, &box, why, sizeof(why));

	um_lease_name(id, name, sizeof(name));
	if (have < 0)
		tell(rp, UNCOREMSR_LOG_WARNING, "lease file %s is not replayed: %s", name, why);
	else if (have && cpu < 0)
		tell(rp, UNCOREMSR_LOG_WARNING, "lease file %s: package %d has no online CPU now", name,
		     id->package);
	else if (have && !box.pmu)
		tell(rp, UNCOREMSR_LOG_WARNING, "lease file %s: %s is offline now", name, id->unit);
	if (have <= 0 || cpu < 0 || !box.pmu)
		return 0;
	if (box.pmu->scope == UM_SCOPE_PACKAGE || box.pmu->scope == UM_SCOPE_DIE)
		box.cpu = (unsigned)cpu;
	err = put_back(rp, &box, &r);
	if (!err)
		um_lease_forget(fd);
	return err;
}

static int repair_one(void *user, const char *name, const struct um_lease_id *id)
{
	struct repair *rp = user;
	struct um_record ignored;
	struct stat st;
	int fd, err;

	/* Most files are empty: they stay where they are when a session has ended well. */
	if (id->kind != rp->kind ||
	    (!fstatat(rp->g->dir, name, &st, AT_SYMLINK_NOFOLLOW) && !st.st_size))
		return 0;
	/* Taken first, so that two of us do not put the same thing back twice. */
	err = um_lease_take(rp->g, id, &fd, &ignored, &rp->um->error);
	if (err || fd < 0) {
		rp->err = rp->err || err == -EBUSY ? rp->err : err;
		return 0;
	}
	err = repair_leased(rp, fd, id);
	um_lease_release(fd);
	rp->err = rp->err ? rp->err : err;
	return 0;
}

int um_repair_leased(struct uncoremsr *um, struct um_guard *g, int fd,
		     const struct um_lease_id *id, void (*fn)(void *user, const char *line),
		     void *user)
{
	struct repair rp = { .um = um, .g = g, .tell = fn, .user = user };
	int err = um->m.num_pmus ? repair_leased(&rp, fd, id) : 0;

	return err ? err : rp.num;
}

int um_repair_all(struct uncoremsr *um, struct um_guard *g,
		  void (*fn)(void *user, const char *line), void *user)
{
	struct repair rp = { .um = um, .g = g, .tell = fn, .user = user };

	for (rp.kind = UM_LEASE_COUNTER; um->m.num_pmus && rp.kind <= UM_LEASE_GATE; rp.kind++)
		um_lease_each(g, repair_one, &rp);
	if (!fn && rp.num > TOLD_ONE_BY_ONE)
		um_warn(&um->m, "and %d more, put back likewise", rp.num - TOLD_ONE_BY_ONE);
	return rp.err ? rp.err : rp.num;
}

int uncoremsr_repair(struct uncoremsr *um, void (*fn)(void *user, const char *line), void *user)
{
	struct um_guard g;
	int start = -1, err = um_guard_open(&g, um, true, &um->error);

	if (err)
		return err;
	err = um_start_lock(&g, &start, &um->error);
	if (!err)
		err = um_repair_all(um, &g, fn, user);
	um_unlock(start);
	um_guard_close(&g);
	return err;
}
