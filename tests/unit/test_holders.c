/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Find the processes that hold bytes of the lock file, from the kernel's list of locks.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/handle.h"
#include "lease_users.h"
#include "suite.h"

static struct um_guard g;
static struct um_error e;

static void open_guard(void)
{
	join(&a);
	ck_assert_int_eq(um_guard_open(&g, &a.um->m, true, &e), 0);
}

static void close_guard(void)
{
	um_guard_close(&g);
	leave(&a);
}

struct holding {
	int fd;
	off_t first, last;
	const char *name;
	uid_t uid;
};

static bool take_bytes(const void *what)
{
	const struct holding *h = what;

	prctl(PR_SET_NAME, h->name);
	if (h->uid != geteuid() && setuid(h->uid))
		return false;
	prctl(PR_SET_DUMPABLE, 1); /* a process that is not dumpable would belong to root in /proc */
	return !lock_bytes(h->fd, F_WRLCK, h->first, h->last);
}

/* Start a process with the name @name and the user @uid that holds a lock on @fd until the process is killed. */
static pid_t hold(int fd, off_t first, off_t last, const char *name, uid_t uid)
{
	pid_t pid = hold_in_child(take_bytes, &(struct holding){ fd, first, last, name, uid });

	close(fd);
	return pid;
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(locks_that_do_not_conflict_are_ignored)
{
	pid_t others[5], holder, to_end;

	open_guard();
	others[0] = hold(open_lock("other"), 100, 109, "other", geteuid());
	others[1] = hold(memfd_create("elsewhere", MFD_CLOEXEC), 100, 109, "elsewhere", geteuid());
	others[2] = hold(open_lock("lock"), 90, 99, "before", geteuid());
	others[3] = hold(open_lock("lock"), 110, 119, "behind", geteuid());
	others[4] = hold(open_lock("other"), 200, TO_END, "to the end", geteuid());
	ck_assert_int_eq(um_lock_holder(&g, 100), 0);
	ck_assert_int_eq(um_lock_holder(&g, 250), 0);
	to_end = hold(open_lock("lock"), 240, TO_END, "to the end", geteuid());
	ck_assert_int_eq(um_lock_holder(&g, 239), 0);
	ck_assert_int_eq(um_lock_holder(&g, 240), to_end);
	ck_assert_int_eq(um_lock_holder(&g, UINT64_C(1) << 56), to_end);
	end_child(to_end);
	holder = hold(open_lock("lock"), 100, 109, "holder", geteuid());
	ck_assert_int_eq(um_lock_holder(&g, 99), others[2]);
	for (uint64_t byte = 100; byte < 110; byte++)
		ck_assert_int_eq(um_lock_holder(&g, byte), holder);
	ck_assert_int_eq(um_lock_holder(&g, 110), others[3]);
	end_child(holder);
	ck_assert_int_eq(um_lock_holder(&g, 100), 0);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		end_child(others[i]);
	close_guard();
}

/* A process can choose any name, so messages name the user, too. */
TEST_EACH(a_holder_is_reported_with_its_user_and_name, 2)
{
	const uid_t uid = geteuid() ? geteuid() : 65533;
	struct um_locked l = { .first = 100, .last = 109 };
	const struct uncoremsr_lease *listed;
	pid_t holder;

	open_guard();
	holder = hold(open_lock("lock"), 100, _i ? TO_END : 109, "an odd\tn\xffme~", uid);
	um_lock_describe(&g, &l);
	ck_assert_int_eq(l.pid, holder);
	ck_assert_int_eq(l.user, (long)uid);
	ck_assert_str_eq(l.command, "an?odd?n?me~");
	ck_assert_uint_eq(num_leases(a.um), 1);
	listed = leases_of(a.um)->list[0];
	ck_assert_int_eq(listed->state, UNCOREMSR_LEASE_LOCKED);
	ck_assert_uint_eq(listed->first, 100);
	ck_assert_uint_eq(listed->last, _i ? UINT64_MAX : 109);
	ck_assert_int_eq(listed->pid, holder);
	ck_assert_int_eq(listed->user, (int64_t)uid);
	ck_assert_uint_eq(listed->msr, UINT64_MAX);
	ck_assert_str_eq(listed->command, "an?odd?n?me~");
	ck_assert_str_eq(listed->file, "lock");
	end_child(holder);
	close_guard();
}

/*
 * If several locks lie in a range of bytes, the kernel reports only the oldest. So the library then asks about the
 * bytes before that lock and about those after it. A lock that extends into both parts may be reported twice.
 */
static const struct {
	short type;
	/*
	 * If true, the locks are taken in the order of the table, and all must be listed. If false, several orders are
	 * tried, and an older lock may hide another lock.
	 */
	bool all;
	size_t num;
	struct bytes { off_t first, last; } locks[6];
} overlaps[] = {
	{ F_RDLCK, false, 6, { { 10, 20 }, { 0, 30 }, { 0, 20 }, { 10, 30 }, { 12, 14 }, { 0, TO_END } } },
	{ F_RDLCK, true, 2, { { 10, 20 }, { 10, 30 } } },
	{ F_RDLCK, true, 2, { { 10, 30 }, { 0, 30 } } },
	{ F_RDLCK, true, 2, { { 10, 20 }, { 0, 30 } } },
	{ F_WRLCK, true, 3, { { 12, 12 }, { 11, 11 }, { 13, 13 } } },
	{ F_WRLCK, true, 3, { { 11, 11 }, { 12, 12 }, { 13, 13 } } },
	{ F_WRLCK, true, 3, { { 13, 13 }, { 12, 12 }, { 11, 11 } } },
	{ F_WRLCK, true, 3, { { 1, 1 }, { 0, 0 }, { 2, 2 } } },
};

TEST_EACH(each_lock_is_listed_once_whatever_overlaps_it, ARRAY_SIZE(overlaps))
{
	const size_t num = overlaps[_i].num;
	const struct bytes *locks = overlaps[_i].locks;
	const struct uncoremsr_lease *l;
	int fds[6];

	open_guard();
	for (size_t turn = 0; turn < (overlaps[_i].all ? 1 : num); turn++) {
		for (size_t i = 0; i < num; i++) {
			size_t k = overlaps[_i].all ? i : (i * (num - 1) + turn) % num;

			fds[i] = open_lock("lock");
			ck_assert_int_eq(lock_bytes(fds[i], overlaps[_i].type, locks[k].first, locks[k].last), 0);
		}
		ck_assert(!overlaps[_i].all || num_leases(a.um) == num);
		for (size_t k = 0; k < num; k++) {
			unsigned listed = 0;

			for (size_t i = 0; (l = uncoremsr_leases(a.um)->list[i]); i++)
				listed += (off_t)l->first == locks[k].first && (off_t)l->last == locks[k].last;
			ck_assert_msg(listed == 1 || (!overlaps[_i].all && !listed), "%zu: %u times", k, listed);
		}
		for (size_t i = 0; i < num; i++)
			close(fds[i]);
	}
	close_guard();
}

TEST(without_a_lock_file_nothing_is_locked)
{
	write_lease("throttle-cleared", "", 0);
	join(&a);
	ck_assert_uint_eq(num_leases(a.um), 0);
}

TEST(a_shared_lease_is_the_last_one_if_nobody_else_locks_its_byte)
{
	const struct um_lease_id id = { .package = 0, .die = -1, .unit = "", .kind = UM_LEASE_GATE, .number = 0x391 };
	const off_t gate = (off_t)3 << 56 | 0x391;
	struct um_lease lease;
	struct um_box box;
	int fd;

	open_guard();
	ck_assert_int_eq(um_box_find(&a.um->m, 0, -1, "uncore", &box), 0);
	lease = um_lease_make(&id, &box);
	ck_assert_uint_eq(lease.byte, (uint64_t)gate);
	ck_assert_int_eq(um_lease_take(&g, &lease, &e), 0);
	fd = open_lock("lock");
	ck_assert(um_lease_is_last(&g, &lease));
	ck_assert_int_eq(lock_bytes(fd, F_WRLCK, gate + 1, gate + 1), 0);
	ck_assert_int_eq(lock_bytes(fd, F_WRLCK, gate - 1, gate - 1), 0);
	ck_assert(um_lease_is_last(&g, &lease));
	ck_assert_int_ne(lock_bytes(fd, F_WRLCK, gate, gate), 0); /* a locked byte can only be shared by read locks */
	ck_assert_int_eq(lock_bytes(fd, F_RDLCK, gate, gate), 0);
	ck_assert(!um_lease_is_last(&g, &lease));
	um_lease_release(&g, &lease);
	ck_assert(!lease.held);
	ck_assert_int_eq(lock_bytes(fd, F_WRLCK, gate, gate), 0);
	ck_assert_int_eq(um_lease_take(&g, &lease, &e), -EBUSY);
	ck_assert(!lease.held);
	ck_assert_ptr_nonnull(strstr(e.msg, "package 0: "));
	ck_assert_ptr_nonnull(strstr(e.msg, "has held the lock on the register that lets its counters run"));
	close(fd);
	close_guard();
}

/* ---- locks that are held for a short time ---- */

static char left_journal[48];
static bool time_flies;
static unsigned slept_ms;

/* Replaces nanosleep() of the C library in the whole program. */
int nanosleep(const struct timespec *t, struct timespec *left)
{
	slept_ms += (unsigned)(t->tv_nsec / 1000000);
	if (time_flies)
		return 0;
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, t, left);
	return errno ? -1 : 0;
}

/* Results of a repair: numbers of restored leases and of leases held by another process, and the id of that process. */
static unsigned done, held;
static int64_t in_the_way;

static void note_repair(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	(void)user;
	done += what == UNCOREMSR_REPAIR_DONE;
	held += what == UNCOREMSR_REPAIR_HELD;
	if (what == UNCOREMSR_REPAIR_HELD)
		in_the_way = l->holder;
}

/* Make the journal look like that of a dead process: put the id of a process that has ended into its name. */
static void give_to_the_dead(void)
{
	char from[DIR_SIZE + 64], to[DIR_SIZE + 64];
	pid_t dead = fork();

	ck_assert_int_ge(dead, 0);
	if (!dead)
		_exit(0);
	ck_assert_int_eq(waitpid(dead, NULL, 0), dead);
	snprintf(from, sizeof(from), "%s/run/uncoremsr/%ld-1.journal", root, (long)getpid());
	snprintf(to, sizeof(to), "%s/run/uncoremsr/%ld-1.journal", root, (long)dead);
	ck_assert_int_eq(rename(from, to), 0);
	snprintf(left_journal, sizeof(left_journal), "%ld-1.journal", (long)dead);
}

/* The journal of a dead session is locked, as if a repair by another process had been stopped. */
TEST_EACH(a_repair_waits_for_a_lock_on_a_journal_and_then_says_who_has_it, 2)
{
	static struct image before;
	const struct uncoremsr_leases *leases;
	pid_t holder;

	take_all(&before);
	join(&a);
	count_as(&a, "0x82:0x1");
	bury(&a);
	give_to_the_dead();
	holder = hold(open_lock(left_journal), _i ? 7 : 0, _i ? 7 : TO_END, "holder", geteuid());
	join(&b);
	time_flies = true;
	slept_ms = done = held = 0;
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), 0);
	time_flies = false;
	ck_assert_uint_eq(slept_ms, 5000);
	ck_assert_uint_eq(held, 2);
	ck_assert_int_eq(in_the_way, holder);
	ck_assert_uint_eq(peek(0, GLOBAL), 1);
	leases = leases_of(b.um);
	ck_assert_int_eq(leases->list[0]->state, UNCOREMSR_LEASE_LEFTOVER);
	end_child(holder);
	slept_ms = held = 0;
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), 2);
	ck_assert_uint_eq(slept_ms, 0);
	ck_assert_uint_eq(done, 2);
	ck_assert_uint_eq(held, 0);
	leave(&b);
	expect_as_before(&before, "with a lock on its journal");
}

TEST(a_repair_waits_for_all_locks_together_up_to_one_limit)
{
	static struct image before;
	pid_t starter, holder;

	take_all(&before);
	join(&a);
	count_as(&a, "0x82:0x1,0x83:0x1,clockticks");
	bury(&a);
	give_to_the_dead();
	starter = hold(open_lock("lock"), 4 * ((off_t)1 << 56), TO_END, "starter", geteuid());
	holder = hold(open_lock(left_journal), 0, TO_END, "holder", geteuid());
	join(&b);
	time_flies = true;
	slept_ms = held = 0;
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), 0);
	ck_assert_uint_eq(slept_ms, 5000);
	ck_assert_uint_eq(held, 6);
	end_child(holder);
	slept_ms = 0;
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), -EBUSY);
	ck_assert_uint_eq(slept_ms, 5000);
	time_flies = false;
	end_child(starter);
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), 6);
	leave(&b);
	expect_as_before(&before, "with all locks held");
}

TEST(a_repair_does_not_wait_for_a_living_session)
{
	join(&a);
	count_as(&a, "0x82:0x1");
	join(&b);
	slept_ms = held = 0;
	ck_assert_int_eq(uncoremsr_repair(b.um, note_repair, NULL), 0);
	ck_assert_uint_eq(slept_ms, 0);
	ck_assert_uint_eq(held, 0);
}

SUITE(holders)
