/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What stands in the lease directory, and putting back what dead processes left: only where a
 * register still holds one of their words. Counters go back first, then the filters they counted
 * with, then the gates they were behind: a gate is closed when nothing runs behind it any more.
 * What is in the directory is checked as if an enemy had written it.
 */
#include "counting/lease.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- can a lease be believed? ---- */

/* The unit; for the gate of a whole package any unit that has it will do. */
static bool box_of(const struct um_machine *m, const struct um_lease_id *id, struct um_box *box)
{
	if (id->kind != UM_LEASE_GATE || id->unit[0])
		return um_box_find(m, id->package, id->die, id->unit, box);
	for (size_t i = 0; i < m->num_pmus; i++) {
		*box = (struct um_box){
			.pmu = &m->pmus[i], .package = id->package, .die = id->die,
			.num_general = m->pmus[i].num_general, .width = m->pmus[i].general_width,
		};
		if (box->pmu->reach == UM_REACH_MSR && um_record_gate(id, box))
			return true;
	}
	*box = (struct um_box){ .pmu = NULL };
	return false;
}

static bool same_id(const struct um_lease_id *a, const struct um_lease_id *b)
{
	return a->package == b->package && a->die == b->die && a->kind == b->kind &&
	       a->number == b->number && !strcmp(a->unit, b->unit);
}

/* "cpu3", which is there but switched off: it can be put back when it is online again. */
static bool is_offline_cpu(const struct um_machine *m, const struct um_lease_id *id)
{
	char path[96], text[8];

	if (strncmp(id->unit, "cpu", 3) || !isdigit((unsigned char)id->unit[3]))
		return false;
	snprintf(path, sizeof(path), "sys/devices/system/cpu/%s/online", id->unit);
	return um_access_line(m->access, path, text, sizeof(text)) > 0 && *text == '0';
}

/*
 * The record has to be whole, ours, of this boot, and about what its file is named for. 1, 0 empty,
 * -EINVAL (l->fault). *box is the unit it is about when the result is 1; without a PMU when that is
 * offline.
 */
static int check(const struct um_machine *m, struct um_guard *g, int fd,
		 struct uncoremsr_lease *l, struct um_box *box)
{
	int have = um_lease_load(fd, &l->record, &l->fault);

	*box = (struct um_box){ .pmu = NULL };
	if (have <= 0)
		return have;
	if (!same_id(&l->record.id, &l->id))
		l->fault = UM_FAULT_NAME;
	else if (m->num_pmus)
		l->fault = um_record_check(&l->record, m, g->boot);
	/* A package without an online CPU cannot be asked now. */
	if (!l->fault && m->num_pmus && um_package_at(m, l->id.package, l->id.die)) {
		if (box_of(m, &l->id, box))
			l->fault = um_record_check_registers(&l->record, m, box);
		else if (!is_offline_cpu(m, &l->id))
			l->fault = UM_FAULT_UNIT;
	}
	return l->fault ? -EINVAL : 1;
}

/* ---- the list ---- */

struct listing {
	const struct um_machine *m;
	struct um_guard *g;
	struct uncoremsr_leases *list;
	struct um_error *error;
};

static int list_one(void *user, const char *name, const struct um_lease_id *id)
{
	struct listing *l = user;
	struct uncoremsr_lease found = { .id = *id }, *all;
	struct um_box box;
	struct stat st;
	int fd = openat(l->g->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), have;
	bool held;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		return 0;
	snprintf(found.file, sizeof(found.file), "%s", name);
	have = check(l->m, l->g, fd, &found, &box);
	held = um_lease_is_held(fd);
	close(fd);
	/* What goes with a counter that is held is listed with the counter. */
	if (held ? id->kind != UM_LEASE_COUNTER : !have)
		return 0;
	if (have <= 0)
		found.record.pid = -1;
	found.state = held ? UNCOREMSR_LEASE_HELD
			   : have > 0 ? UNCOREMSR_LEASE_LEFTOVER : UNCOREMSR_LEASE_INVALID;
	all = realloc(l->list->all, (l->list->num + 1) * sizeof(*all));
	if (!all)
		return um_fail(l->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	l->list->all = all;
	all[l->list->num++] = found;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct um_lease_id *x = &((const struct uncoremsr_lease *)a)->id;
	const struct um_lease_id *y = &((const struct uncoremsr_lease *)b)->id;
	int order = (x->package > y->package) - (x->package < y->package);

	if (!order)
		order = (x->die > y->die) - (x->die < y->die);
	if (!order)
		order = strverscmp(x->unit, y->unit);
	if (!order)
		order = (x->kind > y->kind) - (x->kind < y->kind);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

int um_leases_list(struct uncoremsr_leases *list, struct um_guard *g, const struct um_machine *m,
		   struct um_error *e)
{
	int err = um_lease_each(g, list_one, &(struct listing){ m, g, list, e });

	if (!err && list->num)
		qsort(list->all, list->num, sizeof(*list->all), by_place);
	return err;
}

void uncoremsr_leases_free(struct uncoremsr_leases *leases)
{
	if (leases)
		free(leases->all);
	free(leases);
}

const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index)
{
	return leases && index < leases->num ? &leases->all[index] : NULL;
}

const char *uncoremsr_lease_text(const struct uncoremsr_lease *l,
				 enum uncoremsr_lease_property what)
{
	const char *text = !l ? NULL : what == UNCOREMSR_LEASE_FILE ? l->file
			   : what == UNCOREMSR_LEASE_COMMAND ? l->record.command
			   : what == UNCOREMSR_LEASE_EVENT ? l->record.event
			   : what == UNCOREMSR_LEASE_WHY ? um_fault_text(l->fault) : NULL;

	if (l && what == UNCOREMSR_LEASE_UNIT)
		return l->id.unit;
	return text && *text ? text : NULL;
}

int uncoremsr_lease_number(const struct uncoremsr_lease *l, enum uncoremsr_lease_property what,
			   uint64_t *v)
{
	bool counter = l && l->id.kind == UM_LEASE_COUNTER;
	int64_t n = -1;

	if (!l)
		return -EINVAL;
	if (what == UNCOREMSR_LEASE_STATE)
		n = l->state;
	else if (what == UNCOREMSR_LEASE_PACKAGE)
		n = l->id.package;
	else if (what == UNCOREMSR_LEASE_DIE)
		n = l->id.die;
	else if (what == (counter ? UNCOREMSR_LEASE_COUNTER : UNCOREMSR_LEASE_REGISTER))
		n = l->id.number;
	else if (what == UNCOREMSR_LEASE_PID && l->record.pid > 0)
		n = l->record.pid;
	else if (what == UNCOREMSR_LEASE_SINCE && l->record.since > 0)
		n = l->record.since;
	else if (what == UNCOREMSR_LEASE_HOLDS && l->looked)
		n = 0;
	if (n < 0)
		return -ENODATA;
	*v = what == UNCOREMSR_LEASE_HOLDS ? l->holds : (uint64_t)n;
	return 0;
}

/* ---- repair ---- */

/* A session that finds more than this tells the number: a large machine has hundreds. */
enum { TOLD_ONE_BY_ONE = 16 };

struct repair {
	const struct um_machine *m;
	struct um_guard *g;
	um_repair_fn *fn;
	void *user;
	struct um_error *error;
	enum um_lease_kind kind;   /* what this round is about */
	int num, err;              /* err: the first one; the others are put back anyway */
};

/* A session that repairs on its way has no @fn: it has the log for it. */
static void report(struct repair *rp, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	const struct um_lease_id *id = &l->id;
	bool counter = id->kind == UM_LEASE_COUNTER;
	bool plain = !id->unit[0] || !strcmp(id->unit, "uncore");
	char die[24] = "", where[96];

	rp->num += what == UNCOREMSR_REPAIR_DONE;
	if (rp->fn) {
		rp->fn(rp->user, what, l);
		return;
	}
	if (id->die >= 0)
		snprintf(die, sizeof(die), " die %d", id->die);
	snprintf(where, sizeof(where), counter ? "package %d%s%s%s counter %u"
		 : "package %d%s%s%s register 0x%x", id->package, die, plain ? "" : " ",
		 plain ? "" : id->unit, id->number);
	if (what == UNCOREMSR_REPAIR_DONE)
		(rp->num > TOLD_ONE_BY_ONE ? um_log : um_warn)(
			rp->m, "%s: put back what it held before %s (pid %ld) died", where,
			l->record.command, l->record.pid);
	else if (what == UNCOREMSR_REPAIR_NOT_OURS)
		um_log(rp->m, "%s: nothing to put back, its %s holds 0x%" PRIx64 " which %s (pid %ld) "
		       "did not write", where, counter ? "selector" : "register", l->holds,
		       l->record.command, l->record.pid);
	else if (what == UNCOREMSR_REPAIR_IN_USE)
		um_warn(rp->m, "%s: left open, another program counts behind it", where);
	else if (what == UNCOREMSR_REPAIR_NOT_BELIEVED)
		um_warn(rp->m, "lease file %s is not replayed: %s", l->file, um_fault_text(l->fault));
	else if (what == UNCOREMSR_REPAIR_PACKAGE_OFFLINE)
		um_warn(rp->m, "lease file %s: package %d has no online CPU now", l->file,
			id->package);
	else
		um_warn(rp->m, "lease file %s: %s is offline now", l->file, id->unit);
}

static int write_shared(struct repair *rp, const struct um_box *b, uint32_t msr, uint64_t mask,
			uint64_t value)
{
	int fd = -1, err = um_enable_lock(rp->g, b->package, b->die, &fd, rp->error);

	if (!err)
		err = um_reg_insist_write(rp->m, b->cpu, msr, mask, value, rp->error);
	um_lease_release(fd);
	return err;
}

static int write_selector(struct repair *rp, const struct um_box *b,
			  const struct um_counter_regs *regs, uint64_t word)
{
	if (regs->mask != UM_WHOLE)
		return write_shared(rp, b, regs->selector, regs->mask, word & regs->mask);
	return um_reg_insist_write(rp->m, b->cpu, regs->selector, UM_WHOLE, word, rp->error);
}

/* In the order of a session that ends: gate bit, counter, and the selector last. */
static int put_back_counter(struct repair *rp, const struct um_box *b,
			    const struct uncoremsr_lease *l, const struct um_counter_regs *regs)
{
	const struct um_record *r = &l->record;
	uint64_t now = l->holds & regs->mask, counter = r->old_counter;
	int err = 0;

	/* A write of a core counter takes 32 bits: more is lost with the session that died. */
	if (regs->write_bits && regs->write_bits < 64 && counter >> (regs->write_bits - 1))
		counter = 0;
	if ((!regs->gate || regs->kernels) && (now & regs->run))
		err = write_selector(rp, b, regs, um_off_word(regs, now));
	if (regs->gate && !err)
		err = write_shared(rp, b, regs->gate, regs->gate_bit,
				   r->old_enabled ? regs->gate_bit : 0);
	if (!err)
		err = um_reg_insist_write(rp->m, b->cpu, regs->counter, UM_WHOLE, counter, rp->error);
	return err ? err : write_selector(rp, b, regs, r->old_selector);
}

/* A counter or an extra register, as long as it holds a word of the record. */
static int put_back_words(struct repair *rp, const struct um_box *b, struct uncoremsr_lease *l,
			  enum uncoremsr_repair *what)
{
	const struct um_record *r = &l->record;
	bool counter = l->id.kind == UM_LEASE_COUNTER;
	struct um_counter_regs regs = {
		.selector = l->id.number, .mask = UM_WHOLE, .compare = UM_WHOLE,
	};
	int err;

	if (counter)
		regs = um_counter_regs(b, l->id.number);
	err = um_reg_insist_read(rp->m, b->cpu, regs.selector, &l->holds, rp->error);
	if (err)
		return err;
	if (!um_record_has_word(r, l->holds & regs.mask, regs.compare & regs.mask)) {
		*what = UNCOREMSR_REPAIR_NOT_OURS;
		return 0;
	}
	if (counter)
		return put_back_counter(rp, b, l, &regs);
	return l->holds == r->old_selector ? 0 : write_selector(rp, b, &regs, r->old_selector);
}

static int put_back_gate(struct repair *rp, const struct um_box *b, struct uncoremsr_lease *l,
			 enum uncoremsr_repair *what)
{
	const struct um_gate *g = um_record_gate(&l->id, b);
	int fd = -1, err = um_enable_lock(rp->g, b->package, b->die, &fd, rp->error);

	if (!err && um_gate_in_use(rp->m, b, g, l->id.unit[0] != '\0'))
		*what = UNCOREMSR_REPAIR_IN_USE;
	else if (!err)
		err = um_gate_close(rp->m, b, g, l->record.old_selector, rp->error);
	um_lease_release(fd);
	return err;
}

/* With the lease held. The record is forgotten once there is nothing left to do. */
static int put_back(struct repair *rp, int fd, const struct um_lease_id *id)
{
	const struct uncoremsr_package *package = um_package_at(rp->m, id->package, id->die);
	struct uncoremsr_lease l = { .id = *id, .state = UNCOREMSR_LEASE_LEFTOVER };
	enum uncoremsr_repair what = UNCOREMSR_REPAIR_DONE;
	struct um_box box;
	int have = check(rp->m, rp->g, fd, &l, &box), err;

	if (!have)
		return 0;
	um_lease_name(id, l.file, sizeof(l.file));
	if (have < 0) {
		l.state = UNCOREMSR_LEASE_INVALID;
		what = UNCOREMSR_REPAIR_NOT_BELIEVED;
	} else if (!box.pmu) {
		what = package ? UNCOREMSR_REPAIR_UNIT_OFFLINE : UNCOREMSR_REPAIR_PACKAGE_OFFLINE;
	}
	if (what != UNCOREMSR_REPAIR_DONE) {
		report(rp, what, &l);
		return 0;
	}
	if (box.pmu->scope == UM_SCOPE_PACKAGE || box.pmu->scope == UM_SCOPE_DIE)
		box.cpu = (unsigned)package->cpu;
	err = um_reg_open_counters(rp->m, box.cpu, rp->error);
	if (!err)
		err = (id->kind == UM_LEASE_GATE ? put_back_gate : put_back_words)(rp, &box, &l, &what);
	if (err)
		return err;
	l.looked = what == UNCOREMSR_REPAIR_NOT_OURS;
	report(rp, what, &l);
	um_lease_forget(fd);
	return 0;
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
	err = um_lease_take(rp->g, id, &fd, &ignored, rp->error);
	if (err == -EBUSY)
		return 0;
	if (!err && fd >= 0)
		err = put_back(rp, fd, id);
	um_lease_release(fd);
	rp->err = rp->err ? rp->err : err;
	return 0;
}

int um_repair_leased(const struct um_machine *m, struct um_guard *g, int fd,
		     const struct um_lease_id *id, struct um_error *e)
{
	struct repair rp = { .m = m, .g = g, .error = e };
	int err = m->num_pmus ? put_back(&rp, fd, id) : 0;

	return err ? err : rp.num;
}

int um_repair_all(const struct um_machine *m, struct um_guard *g, um_repair_fn *fn, void *user,
		  struct um_error *e)
{
	struct repair rp = { .m = m, .g = g, .fn = fn, .user = user, .error = e };

	for (rp.kind = UM_LEASE_COUNTER; m->num_pmus && rp.kind <= UM_LEASE_GATE; rp.kind++)
		um_lease_each(g, repair_one, &rp);
	if (!fn && rp.num > TOLD_ONE_BY_ONE)
		um_warn(m, "and %d more, put back likewise", rp.num - TOLD_ONE_BY_ONE);
	return rp.err ? rp.err : rp.num;
}
