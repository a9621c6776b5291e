/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What dead processes left: found in the lease directory, checked as if an enemy had written it, and
 * put back only where a selector still holds one of their words.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counting/lease.h"
#include "counting/registers.h"

struct uncoremsr_lease {
	enum uncoremsr_lease_state state;
	int package, die, counter; /* from the file's name */
	struct um_record record;
	char why[128];
};

struct uncoremsr_leases {
	struct uncoremsr_lease *all;
	size_t num;
};

/* "package0-counter3", "package0-die1-counter3"; anything else is no lease of ours. */
static bool parse_name(const char *name, int *package, int *die, unsigned *counter)
{
	char again[64];

	*die = -1;
	if (sscanf(name, "package%9d-counter%3u", package, counter) != 2 &&
	    sscanf(name, "package%9d-die%9d-counter%3u", package, die, counter) != 3)
		return false;
	um_lease_name(*package, *die, *counter, again, sizeof(again));
	return !strcmp(name, again);
}

typedef int visit_fn(void *user, const char *name, int package, int die, unsigned counter);

static int each_lease(struct um_guard *g, visit_fn *fn, void *user)
{
	int fd = g->dir < 0 ? -1 : openat(g->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && !err && (entry = readdir(dir))) {
		unsigned counter;
		int package, die;

		if (parse_name(entry->d_name, &package, &die, &counter))
			err = fn(user, entry->d_name, package, die, counter);
	}
	if (dir)
		closedir(dir);
	return err;
}

static int open_lease(struct um_guard *g, const char *name, int flags)
{
	int fd = openat(g->dir, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The record has to be whole, ours, of this boot, and about the counter that its file is named for. */
static int load_record(struct uncoremsr *um, struct um_guard *g, int fd, int package, int die,
		       unsigned counter, struct um_record *r, char *why, size_t size)
{
	int have = um_lease_load(fd, r, why, size);

	if (have <= 0)
		return have;
	if (r->package != package || r->die != die || r->counter != counter) {
		snprintf(why, size, "about another counter than its name says");
		return -EINVAL;
	}
	if (um->uarch && um_record_check(r, um->uarch, g->boot, why, size))
		return -EINVAL;
	return 1;
}

/* ---- putting back ---- */

struct repair {
	struct uncoremsr *um;
	struct um_guard *g;
	void (*tell)(void *user, const char *line);
	void *user;
	int num, err; /* err: the first one; the other counters are put back all the same */
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
		um_warn(rp->um, "%s", line);
	else
		um_log(rp->um, "%s", line);
}

static int cpu_of(const struct uncoremsr *um, int package, int die)
{
	for (size_t i = 0; i < um->topo.num_packages; i++)
		if (um->topo.packages[i].id == package && um->topo.packages[i].die == die)
			return um->topo.packages[i].cpu;
	return -1;
}

static int set_global(struct repair *rp, unsigned cpu, const struct um_record *r, uint64_t bit)
{
	const struct uncoremsr_pmu *pmu = rp->um->uarch->pmus;
	struct um_error *e = &rp->um->error;
	int fd = -1, err = um_enable_lock(rp->g, r->package, r->die, &fd, e);

	if (!err)
		err = um_reg_write(rp->um, cpu, pmu->global_control, bit, r->old_enabled ? bit : 0, e);
	um_unlock(fd);
	return err;
}

/* In the order of a session that ends: enable bit, counter, and the selector last. */
static int put_back(struct repair *rp, unsigned cpu, const struct um_record *r)
{
	struct um_counter_regs regs = um_counter_regs(rp->um->uarch->pmus, r->counter);
	struct um_error *e = &rp->um->error;
	uint64_t selector = 0;
	int err = um_reg_open(rp->um, cpu, true, e);

	if (!err)
		err = um_reg_read(rp->um, cpu, regs.selector, &selector, e);
	if (err)
		return err;
	if (!um_record_has_word(r, selector, regs.compare)) {
		tell(rp, UNCOREMSR_LOG_REMARK, "package %d counter %u: nothing to put back, its "
		     "selector holds 0x%" PRIx64 " which %s (pid %ld) did not write", r->package, r->counter, selector,
		     r->command, r->pid);
		return 0;
	}
	err = set_global(rp, cpu, r, regs.global_bit);
	if (!err)
		err = um_reg_write(rp->um, cpu, regs.counter, UM_WHOLE, r->old_counter, e);
	if (!err)
		err = um_reg_write(rp->um, cpu, regs.selector, UM_WHOLE, r->old_selector, e);
	if (err)
		return err;
	rp->num++;
	tell(rp, UNCOREMSR_LOG_WARNING, "package %d counter %u: put back what it held before %s (pid %ld) "
	     "died", r->package,
	     r->counter, r->command, r->pid);
	return 0;
}

/* With the lease held. The record is forgotten once there is nothing left to do. */
static int repair_leased(struct repair *rp, int fd, int package, int die, unsigned counter)
{
	struct um_record r = { .pid = 0 };
	char why[128], name[64];
	int cpu = cpu_of(rp->um, package, die), err = 0;
	int have = load_record(rp->um, rp->g, fd, package, die, counter, &r, why, sizeof(why));

	um_lease_name(package, die, counter, name, sizeof(name));
	if (have < 0)
		tell(rp, UNCOREMSR_LOG_WARNING, "lease file %s is not replayed: %s", name, why);
	else if (have && cpu < 0)
		tell(rp, UNCOREMSR_LOG_WARNING, "lease file %s: package %d has no online CPU now", name, package);
	else if (have)
		err = put_back(rp, (unsigned)cpu, &r);
	if (have == 1 && cpu >= 0 && !err)
		um_lease_forget(fd);
	return err;
}

static int repair_one(void *user, const char *name, int package, int die, unsigned counter)
{
	struct repair *rp = user;
	struct um_record ignored;
	int fd, err;

	(void)name;
	/* Taken first, so that two of us do not put the same thing back twice. */
	err = um_lease_take(rp->g, package, die, counter, &fd, &ignored, &rp->um->error);
	if (err || fd < 0) {
		rp->err = rp->err || err == -EBUSY ? rp->err : err;
		return 0;
	}
	err = repair_leased(rp, fd, package, die, counter);
	um_lease_release(fd);
	rp->err = rp->err ? rp->err : err;
	return 0;
}

int um_repair_leased(struct uncoremsr *um, struct um_guard *g, int fd, int package, int die,
		     unsigned counter, void (*fn)(void *user, const char *line), void *user)
{
	struct repair rp = { .um = um, .g = g, .tell = fn, .user = user };
	int err = um->uarch ? repair_leased(&rp, fd, package, die, counter) : 0;

	return err ? err : rp.num;
}

int um_repair_all(struct uncoremsr *um, struct um_guard *g,
		  void (*fn)(void *user, const char *line), void *user)
{
	struct repair rp = { .um = um, .g = g, .tell = fn, .user = user };

	if (um->uarch)
		each_lease(g, repair_one, &rp);
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

/* ---- looking ---- */

const char *uncoremsr_lease_dir(const struct uncoremsr *um)
{
	return um->lease_dir[0] ? um->lease_dir : NULL;
}

struct listing {
	struct uncoremsr *um;
	struct um_guard *g;
	struct uncoremsr_leases *list;
};

static int list_one(void *user, const char *name, int package, int die, unsigned counter)
{
	struct listing *l = user;
	struct uncoremsr_lease found = { .package = package, .die = die, .counter = (int)counter };
	struct uncoremsr_lease *all;
	int fd = open_lease(l->g, name, O_RDONLY), have;
	bool held;

	if (fd < 0)
		return 0;
	have = load_record(l->um, l->g, fd, package, die, counter, &found.record, found.why,
			   sizeof(found.why));
	held = um_lease_is_held(fd);
	close(fd);
	if (!have && !held)
		return 0;
	if (have <= 0)
		found.record.pid = -1;
	found.state = held ? UNCOREMSR_LEASE_HELD
			   : have > 0 ? UNCOREMSR_LEASE_LEFTOVER : UNCOREMSR_LEASE_INVALID;
	all = realloc(l->list->all, (l->list->num + 1) * sizeof(*all));
	if (!all)
		return um_fail(&l->um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	l->list->all = all;
	all[l->list->num++] = found;
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct uncoremsr_lease *x = a, *y = b;

	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	return x->counter - y->counter;
}

int uncoremsr_leases_read(struct uncoremsr *um, struct uncoremsr_leases **out)
{
	struct uncoremsr_leases *list = calloc(1, sizeof(*list));
	struct um_guard g = { .dir = -1 };
	int err;

	*out = NULL;
	if (!list)
		return um_fail(&um->error, -ENOMEM, UNCOREMSR_ERROR_UNSUPPORTED, "out of memory");
	err = um_guard_open(&g, um, false, &um->error);
	if (err == -ENOENT) /* nobody has counted here yet */
		err = 0;
	if (!err)
		err = each_lease(&g, list_one, &(struct listing){ um, &g, list });
	um_guard_close(&g);
	if (err) {
		uncoremsr_leases_free(list);
		return err;
	}
	if (list->num)
		qsort(list->all, list->num, sizeof(*list->all), by_place);
	*out = list;
	return 0;
}

void uncoremsr_leases_free(struct uncoremsr_leases *leases)
{
	if (!leases)
		return;
	free(leases->all);
	free(leases);
}

const struct uncoremsr_lease *uncoremsr_lease(const struct uncoremsr_leases *leases, size_t index)
{
	return index < leases->num ? &leases->all[index] : NULL;
}

enum uncoremsr_lease_state uncoremsr_lease_state(const struct uncoremsr_lease *lease)
{
	return lease->state;
}

int uncoremsr_lease_package(const struct uncoremsr_lease *lease)
{
	return lease->package;
}

int uncoremsr_lease_die(const struct uncoremsr_lease *lease)
{
	return lease->die;
}

int uncoremsr_lease_counter(const struct uncoremsr_lease *lease)
{
	return lease->counter;
}

long uncoremsr_lease_pid(const struct uncoremsr_lease *lease)
{
	return lease->record.pid;
}

const char *uncoremsr_lease_command(const struct uncoremsr_lease *lease)
{
	return lease->record.command;
}

const char *uncoremsr_lease_event(const struct uncoremsr_lease *lease)
{
	return lease->record.event;
}

int64_t uncoremsr_lease_since(const struct uncoremsr_lease *lease)
{
	return lease->record.since;
}

const char *uncoremsr_lease_why(const struct uncoremsr_lease *lease)
{
	return lease->why;
}
