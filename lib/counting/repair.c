/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * List the lease directory, and restore the registers that dead processes left changed. A register is restored only if
 * it still holds a word from the process's record. Counters come first, then their filters, then gates, because a gate
 * may be closed only when no running counter needs it. All files of the directory are checked as if an attacker had
 * written them.
 */
#include "counting/claim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/text.h"

/* ---- can a record be trusted? ---- */

/* Find the unit that @id names; for the gate of a whole package, any unit that needs that gate. */
static int box_of(const struct um_machine *m, const struct um_lease_id *id, struct um_box *box)
{
	const struct uncoremsr_package *p = um_package_at(m, id->package, id->die);

	if (id->kind != UM_LEASE_GATE || id->unit[0])
		return um_box_find(m, id->package, id->die, id->unit, box);
	for (size_t i = 0; i < m->num_pmus; i++) {
		*box = um_box_first(&m->pmus[i], p->id, p->die, (unsigned)p->cpu);
		if (box->pmu->reach == UM_REACH_MSR && um_gate_at(box, id->number))
			return 0;
	}
	return -ENODEV;
}

/* Does the unit ("cpu3") belong to a CPU that is offline now? It can be restored when the CPU is online again. */
static bool is_offline_cpu(const struct um_machine *m, const struct um_lease_id *id)
{
	char path[96], text[8];

	if (!um_starts_with(id->unit, "cpu") || strchr(id->unit, '/'))
		return false;
	snprintf(path, sizeof(path), "sys/devices/system/cpu/%s/online", id->unit);
	return um_access_line(m->access, path, text, sizeof(text)) > 0 && *text == '0';
}

/* Was the counter or its interrupt on before the session took it, so that restoring would switch it on again? */
static bool switches_on(const struct um_box *b, const struct um_record *r)
{
	struct um_counter_regs regs;

	if (r->id.kind != UM_LEASE_COUNTER)
		return false;
	regs = um_counter_regs(b, r->id.number);
	return (r->old.enabled && !regs.kernels) || um_counter_in_use(&regs, r->old.word, 0) ||
	       (r->old.word & b->pmu->selector->pmi);
}

/* *box: the unit that the record names, without a PMU if the unit is offline. Returns enum um_fault or -ENOMEM. */
static int check(const struct um_machine *m, const struct um_guard *g, const struct um_journal *j,
		 const struct um_record *r, struct um_box *box, struct um_error *e)
{
	int fault = j->fault ? (int)j->fault : m->num_pmus ? (int)um_record_check(r, m, g->boot) : UM_FAULT_NONE, err;

	*box = (struct um_box){ .pmu = NULL };
	/* The registers of a package without an online CPU cannot be reached now. */
	if (fault || !m->num_pmus || !um_package_at(m, r->id.package, r->id.die))
		return fault;
	err = box_of(m, &r->id, box);
	if (err == -ENOMEM)
		return um_no_memory(e);
	if (err)
		return is_offline_cpu(m, &r->id) ? UM_FAULT_NONE : UM_FAULT_UNIT;
	fault = (int)um_record_check_registers(r, m, box);
	return !fault && j->user >= 0 && switches_on(box, r) ? UM_FAULT_ON : fault;
}

static long or_unknown(long pid)
{
	return pid > 0 ? pid : -1;
}

/* A lease of which only the state, the file and the file's owner are known. */
static struct um_found_lease found(enum uncoremsr_lease_state state, const char *file, long user)
{
	struct um_found_lease l = {
		.pub = {
			.size = sizeof(l.pub), .state = state, .pid = -1, .user = user, .since = UINT64_MAX,
			.first = UINT64_MAX, .last = UINT64_MAX, .holds = UINT64_MAX, .selector = UINT64_MAX,
			.holder = -1,
		},
		.id = { .package = -1, .die = -1, .kind = UM_LEASE_EXTRA },
	};

	snprintf(l.file, sizeof(l.file), "%s", file);
	return l;
}

static struct um_found_lease describe(const struct um_journal *j, const struct um_record *r, int fault)
{
	struct um_found_lease l = found(fault ? UNCOREMSR_LEASE_INVALID
					: j->live && um_journal_has_owner(j) ? UNCOREMSR_LEASE_HELD
									     : UNCOREMSR_LEASE_LEFTOVER,
					j->file, j->user);

	l.pub.why = um_or_null(um_fault_text((enum um_fault)fault));
	l.pub.fault = fault == UM_FAULT_VERSION ? UNCOREMSR_LEASE_FAULT_VERSION
		      : fault == UM_FAULT_LONG ? UNCOREMSR_LEASE_FAULT_LONG : UNCOREMSR_LEASE_FAULT_OTHER;
	if (!j->fault)
		l.id = r->id;
	if (j->fault || fault)
		return l;
	l.pub.pid = or_unknown(r->pid);
	l.pub.since = r->since > 0 ? (uint64_t)r->since : UINT64_MAX;
	memcpy(l.command, r->command, sizeof(l.command));
	memcpy(l.event, r->event, sizeof(l.event));
	return l;
}

/* ---- the list ---- */

struct listing {
	const struct um_machine *m;
	struct um_guard *g;
	struct um_leases *list;
	struct um_error *error;
	uint64_t *bytes;               /* bytes of "lock" that live sessions have locked, according to their journals */
	size_t num_bytes;
	bool offline;                  /* a live session uses an offline unit: the bytes of its locks are unknown */
	unsigned strange;              /* number of locks that no journal explains */
};

static int add_lease(struct listing *l, struct um_found_lease lease)
{
	return ARRAY_APPEND(l->list->all, l->list->num, lease) ? um_no_memory(l->error) : 0;
}

/* A session locks the byte of the record's lease, and the bytes of the unit's gates. */
static int explain(struct listing *l, const struct um_lease_id *id, const struct um_box *box)
{
	unsigned gates = box->pmu ? box->pmu->num_gates : 0;
	struct um_lease_id gate = { .package = id->package, .die = id->die, .kind = UM_LEASE_GATE };

	if (ARRAY_ROOM(l->bytes, l->num_bytes, gates + 1))
		return um_no_memory(l->error);
	if (box->pmu)
		l->bytes[l->num_bytes++] = um_lease_make(id, box).byte;
	else
		l->offline = true;
	for (unsigned i = 0; i < gates; i++) {
		gate.number = um_gate_msr(box, &box->pmu->gates[i]);
		l->bytes[l->num_bytes++] = um_lease_make(&gate, box).byte;
	}
	return 0;
}

static int list_journal(void *user, struct um_journal *j)
{
	struct listing *l = user;
	struct um_record r;
	struct um_box box;
	int err = 0;

	while (!err && um_journal_next(j, &r)) {
		int fault;

		/* The last record of a live journal may be half written. */
		if (j->fault && j->live)
			return 0;
		fault = check(l->m, l->g, j, &r, &box, l->error);
		if (fault < 0)
			return fault;
		if (j->live && !fault)
			err = explain(l, &r.id, &box);
		/* For live sessions list only the counters: filters and gates belong to them. */
		if (err || (j->live && (fault || r.id.kind != UM_LEASE_COUNTER)))
			continue;
		err = add_lease(l, describe(j, &r, fault));
	}
	return err;
}

/* Fill in the rest of the public struct. It points into @l, which must not be moved afterwards. */
static const struct uncoremsr_lease *publish(struct um_found_lease *l)
{
	bool placed = l->id.package >= 0, counter = l->id.kind == UM_LEASE_COUNTER;

	l->pub.package = l->id.package;
	l->pub.die = l->id.die;
	l->pub.unit = l->id.unit;
	l->pub.counter = placed && counter ? (int)l->id.number : -1;
	l->pub.msr = placed && !counter ? l->id.number : UINT64_MAX;
	l->pub.command = um_or_null(l->command);
	l->pub.event = um_or_null(l->event);
	l->pub.file = um_or_null(l->file);
	return &l->pub;
}

static int compare(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

static int by_place(const void *a, const void *b)
{
	const struct um_lease_id *x = &((const struct um_found_lease *)a)->id;
	const struct um_lease_id *y = &((const struct um_found_lease *)b)->id;

	return compare(x->package, y->package) ?: compare(x->die, y->die) ?: strverscmp(x->unit, y->unit) ?:
	       compare(x->kind, y->kind) ?: compare(x->number, y->number);
}

static int by_byte(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Do journals of live sessions explain all locked bytes of the range? The kernel merges locks on neighbouring bytes
 * into one range. */
static bool is_explained(const struct listing *l, uint64_t first, uint64_t last)
{
	bool is = last - first < l->num_bytes;

	for (uint64_t byte = first; is && byte <= last; byte++)
		is = bsearch(&byte, l->bytes, l->num_bytes, sizeof(byte), by_byte);
	return is || (l->offline && first >> 32 == last >> 32);
}

/* At most this many unexplained locks are listed, because a member of the Unix group can lock every byte. */
enum { MOST_LOCKS = 16 };

static int list_lock(void *user, uint64_t first, uint64_t last)
{
	struct listing *l = user;
	struct um_locked locked = { .first = first, .last = last };
	struct um_found_lease lease = found(UNCOREMSR_LEASE_LOCKED, "lock", -1);

	lease.pub.first = first;
	lease.pub.last = last < UM_LOCK_END ? last : UINT64_MAX;
	for (size_t i = 0; i < l->list->num; i++)
		if (l->list->all[i].pub.first == first && l->list->all[i].pub.last == lease.pub.last)
			return 0;
	if (is_explained(l, first, last) || l->strange++ >= MOST_LOCKS)
		return 0;
	um_lock_describe(l->g, &locked);
	lease.pub.pid = or_unknown(locked.pid);
	lease.pub.user = locked.user;
	memcpy(lease.command, locked.command, sizeof(lease.command));
	return add_lease(l, lease);
}

/* For the directory's owner only: other users cannot read all journals, so each lock would seem unexplained. */
static int list_locks(struct listing *l)
{
	if (l->g->dir < 0 || l->g->owner != geteuid())
		return 0;
	if (l->num_bytes)
		qsort(l->bytes, l->num_bytes, sizeof(*l->bytes), by_byte);
	return um_locks_each(l->g, list_lock, l);
}

int um_leases_list(struct um_leases *list, struct um_guard *g, const struct um_machine *m, struct um_error *e)
{
	struct listing l = { .m = m, .g = g, .list = list, .error = e };
	int err = um_journals_each(g, UM_JOURNALS_ALL, list_journal, &l, e) ?: list_locks(&l);

	free(l.bytes);
	if (!err && list->num)
		qsort(list->all, list->num, sizeof(*list->all), by_place);
	list->list = err ? NULL : calloc(list->num + 1, sizeof(*list->list));
	if (!err && !list->list)
		err = um_no_memory(e);
	for (size_t i = 0; i < list->num && !err; i++)
		list->list[i] = publish(&list->all[i]);
	list->pub = (struct uncoremsr_leases){
		.size = sizeof(list->pub), .dir = m->lease_dir[0] ? m->lease_dir : NULL, .list = list->list,
	};
	return err;
}

/* ---- repair ---- */

/* A session warns of this many repairs one by one, and of the rest in one line: there may be hundreds. */
enum { TOLD_ONE_BY_ONE = 16 };

struct repair {
	const struct um_machine *m;
	struct um_guard *g;
	bool asked;                    /* the user asked for a repair; false: a session is starting */
	const struct um_lease *held;   /* repair only records about this lease, which we hold; NULL: all records */
	um_repair_fn *fn;
	void *user;
	struct um_error *error;
	enum um_lease_kind kind;
	unsigned kinds;            /* kinds of leases in dead sessions' records, as bits; set by the first round */
	int num, err;              /* err: the first error, after which the repair goes on */
};

static void describe_result(char *text, size_t size, enum uncoremsr_repair what, const struct um_found_lease *l)
{
	const struct um_lease_id *id = &l->id;
	bool counter = id->kind == UM_LEASE_COUNTER, plain = !id->unit[0] || !strcmp(id->unit, "uncore");
	const char *by = UM_PROCESS_TEXT(l->command, l->pub.pid);
	const char *who = UM_PROCESS_TEXT("another session", l->pub.holder);
	char where[96], die[24] = "", holds[64] = "";

	if (id->die >= 0)
		snprintf(die, sizeof(die), " die %d", id->die);
	snprintf(where, sizeof(where), counter ? "package %d%s%s%s counter %u"
		 : "package %d%s%s%s register 0x%x", id->package, die, plain ? "" : " ",
		 plain ? "" : id->unit, id->number);
	if (l->pub.selector != UINT64_MAX)
		snprintf(holds, sizeof(holds), " (register 0x%" PRIx64 " holds 0x%" PRIx64 ")", l->pub.selector,
			 l->pub.holds);
	switch (what) {
	case UNCOREMSR_REPAIR_DONE:
		um_message(text, size, "%s: restored to what it held before %s used it and died", where, by);
		break;
	case UNCOREMSR_REPAIR_NOT_OURS:
		um_message(text, size, "%s: %s left as it is: it holds 0x%" PRIx64 ", not what %s wrote", where,
			   counter ? "selector" : "register", l->pub.holds, by);
		break;
	case UNCOREMSR_REPAIR_IN_USE:
		um_message(text, size, "%s: left enabled, because another program's counters need it", where);
		break;
	case UNCOREMSR_REPAIR_INHERITED:
		um_message(text, size, "%s: left enabled: %s needs it, and restores it when it ends", where, who);
		break;
	case UNCOREMSR_REPAIR_NOT_BELIEVED:
		um_message(text, size, "journal %s: nothing is restored from it: %s", l->file, l->pub.why);
		break;
	case UNCOREMSR_REPAIR_PACKAGE_OFFLINE:
		um_message(text, size, "journal %s: cannot restore now: no CPU of package %d is online; "
			   "uncore-doctor --repair restores it when one is", l->file, id->package);
		break;
	case UNCOREMSR_REPAIR_UNIT_OFFLINE:
		um_message(text, size, "journal %s: cannot restore now: %s is offline; "
			   "uncore-doctor --repair restores it when that is online", l->file, id->unit);
		break;
	case UNCOREMSR_REPAIR_HELD:
		um_message(text, size, "%s: left by %s, and held by %s now; uncore-doctor --repair puts it back when "
			   "that session has ended", where, by, who);
		break;
	case UNCOREMSR_REPAIR_ON_REQUEST:
		um_message(text, size, "%s: left by %s; uncore-doctor --repair puts it back", where, by);
		break;
	case UNCOREMSR_REPAIR_OF_USER:
		um_message(text, size, "user %ld: %s%s, left by pid %ld: that user's own uncore-doctor --repair puts "
			   "it back", l->pub.user, where, holds, l->pub.pid);
		break;
	case UNCOREMSR_REPAIR_BORROWED:
		um_message(text, size, "%s%s, left by %s: not put back: user %ld can write the journal, but has no "
			   "right to write registers; ask root (uncore-doctor(1), LEAST PRIVILEGE)", where, holds, by,
			   l->pub.user);
		break;
	}
}

static void report(struct repair *rp, enum uncoremsr_repair what, struct um_found_lease *l)
{
	char text[UM_MESSAGE_SIZE];
	bool minor = what == UNCOREMSR_REPAIR_NOT_OURS || what == UNCOREMSR_REPAIR_INHERITED;

	describe_result(text, sizeof(text), what, l);
	l->pub.result = text;
	rp->num += what == UNCOREMSR_REPAIR_DONE;
	minor |= what == UNCOREMSR_REPAIR_DONE && rp->num > TOLD_ONE_BY_ONE;
	if (rp->fn)
		rp->fn(rp->user, what, publish(l));
	else if (what != UNCOREMSR_REPAIR_NOT_BELIEVED || !rp->held) /* um_repair_all() logged untrusted records */
		um_log_line(rp->m, minor ? UNCOREMSR_LOG_REMARK : UNCOREMSR_LOG_WARNING, "%s", text);
}

/* Is the record finished, so that it can be marked as done? Otherwise it stays in the journal. */
static bool is_settled(int what)
{
	return what == UNCOREMSR_REPAIR_DONE || what == UNCOREMSR_REPAIR_NOT_OURS ||
	       what == UNCOREMSR_REPAIR_IN_USE || what == UNCOREMSR_REPAIR_INHERITED;
}

static struct um_change change_of(const struct um_unit *u, const struct um_journal *j, const struct um_record *r)
{
	struct um_change c = um_unit_change(u, r->id.kind, r->id.number);

	c.lease.journal = j->fd;
	c.lease.record = j->record + UM_RECORD_HEAD;
	c.old = r->old;
	return c;
}

/* Like the next functions, returns enum uncoremsr_repair or a negative errno. */
static int undo_words(struct repair *rp, struct um_msr *s, struct um_unit *u, struct um_change *c,
		      const struct um_record *r, struct um_found_lease *l)
{
	const struct um_counter_regs *regs = &c->regs;
	uint64_t holds = 0, gate = 0;
	int err = um_unit_read(s, u, regs->selector, &holds);

	if (err)
		return err;
	/* Older versions of this library recorded counter values that no write can restore. Clear such counters. */
	if (regs->counter && um_unit_stuck(s, u, regs, c->old.word, c->old.counter).msr)
		c->old.counter = 0;
	c->ours = holds & regs->mask;
	if ((r->mark == UM_MARK_USED || c->ours != (c->old.word & regs->mask)) &&
	    !um_record_has_word(r, c->ours, regs->compare & regs->mask)) {
		l->pub.holds = holds;
		/*
		 * If another program has switched our counter off, only our gate bit is left. But that program may be
		 * about to use the bit, which some programs set before the selector. So clear the bit only on request.
		 */
		if (regs->gate && r->mark != UM_MARK_WRAP && !c->old.enabled && !um_counter_in_use(regs, holds, 0))
			err = um_unit_read(s, u, regs->gate, &gate);
		if (!err && (gate & regs->gate_bit) && !rp->asked)
			return UNCOREMSR_REPAIR_ON_REQUEST;
		if (!err && (gate & regs->gate_bit))
			err = um_unit_clear_bits(s, u, regs->gate_bit);
		return err ? err : UNCOREMSR_REPAIR_NOT_OURS;
	}
	/*
	 * Two kinds of counters are restored only on request: core counters, because the kernel uses them, too, and
	 * counters that would count again, because another program had switched them on.
	 */
	if (!rp->asked && (u->box.pmu->scope == UM_SCOPE_CPU || switches_on(&u->box, r)))
		return UNCOREMSR_REPAIR_ON_REQUEST;
	if (r->mark == UM_MARK_WRAP)
		return um_unit_write_shared(s, u, regs->overflow, regs->overflow_bit, regs->overflow_bit);
	if (regs->counter || c->ours != c->old.word)
		um_change_put_back(s, u, c);
	return s->left;
}

/* Undo a change while we hold the lease of its register, so that no other session undoes it at the same time. */
static int undo_leased(struct repair *rp, struct um_msr *s, struct um_unit *u, struct um_change *c,
		       const struct um_record *r, struct um_found_lease *l)
{
	int what = rp->held ? 0 : um_lease_take(rp->g, &c->lease, &u->error);
	struct um_record holder;

	if (what == -EBUSY) {
		um_lease_holder(rp->g, &c->lease, &holder);
		l->pub.holder = or_unknown(holder.pid);
		return UNCOREMSR_REPAIR_HELD;
	}
	if (!what)
		what = undo_words(rp, s, u, c, r, l);
	um_lease_release(rp->g, &c->lease);
	return what;
}

/* If live sessions need the gate, the last one closes it; if its journal lacks the old value, the next repair does. */
static int undo_gate(struct repair *rp, struct um_msr *s, struct um_unit *u, const struct um_change *c,
		     struct um_found_lease *l)
{
	int end = um_enable_lock(s->guard, &u->box, &u->error) ?:
		  um_gate_close(s, u, c, um_gate_at(&u->box, c->lease.id.number), 0);

	um_enable_unlock(s->guard, &u->box);
	if (end == UM_GATE_OF_USER || end == UM_GATE_INHERITED) {
		l->pub.holder = or_unknown(um_lock_holder(rp->g, c->lease.byte));
		return end == UM_GATE_OF_USER ? UNCOREMSR_REPAIR_HELD : UNCOREMSR_REPAIR_INHERITED;
	}
	/* A counter that could not be restored may still need the gate. The next repair closes the gate. */
	if (end == UM_GATE_NEEDED && rp->err)
		return rp->err;
	return end > 0 ? UNCOREMSR_REPAIR_IN_USE : end;
}

/* The unit's CPU may have gone offline after the machine was opened: then open another one of the package. */
static int open_unit(const struct um_machine *m, struct um_unit *u, struct um_error *why)
{
	const struct um_cpuset *cpus = um_package_cpus(u->site->package);
	int err = um_driver_open(m->access, u->box.cpu, true, why);

	for (size_t i = 0; err == -ENXIO && u->box.pmu->scope <= UM_SCOPE_DIE && i < cpus->num; i++) {
		u->box.cpu = cpus->cpus[i];
		err = um_driver_open(m->access, u->box.cpu, true, why);
	}
	return err;
}

static int undo(struct repair *rp, const struct um_journal *j, const struct um_record *r, const struct um_box *box,
		struct um_found_lease *l, struct um_error *why)
{
	struct um_msr s = { .m = rp->m, .guard = rp->g, .restoring = true };
	struct um_site site = { .package = um_package_at(rp->m, r->id.package, r->id.die), .cpu = box->cpu };
	struct um_unit u = { .box = *box, .site = &site, .cpus = { &site.cpu, 1 } };
	int what = open_unit(rp->m, &u, why);
	struct um_change c;

	if (what == -ENXIO)
		return u.box.pmu->scope <= UM_SCOPE_DIE ? UNCOREMSR_REPAIR_PACKAGE_OFFLINE
							: UNCOREMSR_REPAIR_UNIT_OFFLINE;
	if (what)
		return what;
	site.cpu = u.box.cpu;
	memcpy(u.name, r->id.unit, sizeof(u.name));
	c = change_of(&u, j, r);
	u.bits_register = c.regs.gate;
	what = r->id.kind == UM_LEASE_GATE ? undo_gate(rp, &s, &u, &c, l) : undo_leased(rp, &s, &u, &c, r, l);
	um_access_close_cpu(rp->m->access, site.cpu);
	if (what < 0)
		um_fail_as(why, s.left ? &s.left_error : &u.error);
	else if (is_settled(what))
		um_lease_mark(&c.lease, UM_MARK_DONE);
	return what;
}

static void read_left(struct repair *rp, const struct um_record *r, const struct um_box *box, struct um_found_lease *l)
{
	unsigned n = r->id.number;
	uint32_t msr = r->id.kind == UM_LEASE_COUNTER ? um_counter_regs(box, n).selector : n;
	uint64_t holds = 0;

	if (um_driver_open(rp->m->access, box->cpu, true, NULL))
		return;
	if (!um_reg_read(rp->m, box->cpu, msr, &holds, NULL)) {
		l->pub.selector = msr;
		l->pub.holds = holds;
	}
	um_access_close_cpu(rp->m->access, box->cpu);
}

/* Report a record, and restore its registers if it is @ours. Returns true if nothing is left to restore. */
static bool put_back(struct repair *rp, struct um_journal *j, const struct um_record *r, bool ours)
{
	struct um_error why;
	struct um_box box;
	int what, fault = check(rp->m, rp->g, j, r, &box, &why);
	struct um_found_lease l = describe(j, r, fault > 0 ? fault : UM_FAULT_NONE);

	if (fault)
		what = fault < 0 ? fault : UNCOREMSR_REPAIR_NOT_BELIEVED;
	else if (!ours)
		what = j->user == (long)geteuid() ? UNCOREMSR_REPAIR_BORROWED : UNCOREMSR_REPAIR_OF_USER;
	else if (!box.pmu)
		what = um_package_at(rp->m, r->id.package, r->id.die)
			       ? UNCOREMSR_REPAIR_UNIT_OFFLINE : UNCOREMSR_REPAIR_PACKAGE_OFFLINE;
	else
		what = undo(rp, j, r, &box, &l, &why);
	if (!fault && !ours && box.pmu)
		read_left(rp, r, &box, &l);
	if (what >= 0) {
		report(rp, (enum uncoremsr_repair)what, &l);
	} else if (!rp->err) {
		rp->err = what;
		um_fail_as(rp->error, &why);
	}
	return is_settled(what);
}

/* Report, in the first round only, a journal or record that cannot be read. */
static void refuse(struct repair *rp, const struct um_journal *j)
{
	struct um_found_lease l = describe(j, NULL, j->fault);

	if (rp->kind == UM_LEASE_COUNTER)
		report(rp, UNCOREMSR_REPAIR_NOT_BELIEVED, &l);
}

/* The process that has locked the dead session's journal may end soon. */
static bool seize_in_time(struct repair *rp, struct um_journal *j)
{
	while (rp->asked && um_guard_wait(rp->g))
		if (um_journal_seize(rp->g, j))
			return true;
	return false;
}

static int tell_held(struct repair *rp, struct um_journal *j)
{
	long holder = um_journal_holder(j);
	struct um_found_lease l;
	struct um_record r;

	while (um_journal_next(j, &r) && !j->fault) {
		rp->kinds |= 1u << r.id.kind;
		if (r.id.kind != rp->kind)
			continue;
		l = describe(j, &r, UM_FAULT_NONE);
		l.pub.holder = or_unknown(holder);
		report(rp, UNCOREMSR_REPAIR_HELD, &l);
	}
	return 0;
}

static int repair_journal(void *user, struct um_journal *j)
{
	struct repair *rp = user;
	unsigned left = 0;
	enum um_fault told = UM_FAULT_NONE;
	struct um_record r;

	if (j->fault)
		refuse(rp, j);
	if (j->fault || j->mine)
		return 0;
	if (!um_journal_seize(rp->g, j) && um_journal_has_owner(j))
		return 0;
	if (j->live && !seize_in_time(rp, j))
		return rp->held ? 0 : tell_held(rp, j);
	while (um_journal_next(j, &r)) {
		left++;
		if (j->fault && j->fault != told)
			refuse(rp, j);
		if (j->fault) {
			told = j->fault;
			continue;
		}
		rp->kinds |= 1u << r.id.kind;
		if (r.id.kind == rp->kind && (!rp->held || um_same_id(&r.id, &rp->held->id)))
			left -= put_back(rp, j, &r, true);
	}
	if (!left)
		unlinkat(j->dir, j->name, 0);
	return 0;
}

/* Users could have forged these journals: other users', and our own if our rights come from file capabilities. */
static int tell_of_user(void *user, struct um_journal *j)
{
	struct repair *rp = user;
	struct um_record r;

	if ((j->user < 0 && j->fault != UM_FAULT_ALIEN && j->fault != UM_FAULT_USERS) ||
	    (j->user == (long)geteuid() && !rp->g->borrowed) || j->live)
		return 0;
	while (um_journal_next(j, &r))
		put_back(rp, j, &r, false);
	return 0;
}

bool um_repair_leased(const struct um_machine *m, struct um_guard *g, const struct um_lease *lease)
{
	struct repair rp = { .m = m, .g = g, .held = lease, .kind = lease->id.kind };

	return !um_journals_each(g, UM_JOURNALS_OURS, repair_journal, &rp, NULL) && !rp.err && rp.num;
}

int um_repair_all(const struct um_machine *m, struct um_guard *g, bool asked, um_repair_fn *fn,
		  void *user, struct um_error *e)
{
	struct repair rp = { .m = m, .g = g, .asked = asked, .fn = fn, .user = user, .error = e };
	int err = 0;

	/* Most starts find no record at all, and need only the first round. */
	for (rp.kind = UM_LEASE_COUNTER; m->num_pmus && !err && rp.kind <= UM_LEASE_GATE; rp.kind++)
		if (rp.kind == UM_LEASE_COUNTER || rp.kinds & 1u << rp.kind)
			err = um_journals_each(g, UM_JOURNALS_OURS, repair_journal, &rp, e);
	if (!err && asked && m->num_pmus)
		err = um_journals_each(g, UM_JOURNALS_ALL, tell_of_user, &rp, e);
	if (!fn && rp.num > TOLD_ONE_BY_ONE)
		um_warn(m, "%d more registers or counters of dead sessions were restored", rp.num - TOLD_ONE_BY_ONE);
	return err ? err : rp.err ? rp.err : rp.num;
}
