/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attacks of a group member on sessions of root: the member locks files that the group may open, forges journals, and
 * keeps files from being read. These tests need root, to act as several users. Uses internal headers, because file
 * capabilities are simulated.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/handle.h"
#include "members.h"
#include "suite.h"

#define CLIENT "sandybridge-1s,clock=stepped,start=0x1234"
#define SERVER "haswell-ep-2s,clock=stepped,start=0x1234"

static struct image before;

static const struct machine {
	const char *name, *uarch;
	unsigned second_cpu;
	const char *events;
} machines[] = {
	{ "westmere-2s,clock=stepped,start=0x1234", "westmere", 1, "0x1d:0x1,0x82:0x1,clockticks" },
	{ CLIENT, "sandybridge", 0, "cbo/event=0x34,umask=0x88/,arb/event=0x81,umask=0x1/" },
	{ SERVER, "haswell-ep", 6, "cbo/event=0x35,umask=0x1,filter_opc=0x182/" },
};

static void use_shared(const struct machine *m)
{
	use_machine(m->name, um_uarch_find(m->uarch), m->second_cpu);
	share();
	take_all(&before);
}

static int lock_all(bool alone)
{
	struct flock l = { .l_type = alone ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET };
	int fd = open("run/uncoremsr/lock", (alone ? O_RDWR : O_RDONLY) | O_CLOEXEC);

	ck_assert_msg(fd >= 0 && !fcntl(fd, F_OFD_SETLK, &l), "%s", strerror(errno));
	return fd;
}

static void expect_counting(struct user *u)
{
	uncoremsr_sim_advance(sim, SECOND);
	ck_assert_int_eq(uncoremsr_session_read(u->s), 0);
	ck_assert_uint_eq(num_disturbed(u->s), 0);
}

FIXTURE(.setup = setup, .teardown = leave_and_be_root, .only_if = is_root)

/* ---- locks ---- */

TEST_EACH(two_sessions_of_root_exclude_each_other_whatever_a_member_has_locked, 2)
{
	int fd;

	use_shared(&machines[0]);
	fd = lock_all(_i);
	join_as(&a, 0);
	join_as(&b, 0);
	count_as(&a, "0:1,1:1,2:1,3:1,4:1");
	ck_assert_int_eq(uncoremsr_session_add(b.s, "0:1,1:1,2:1,3:1"), 4);
	ck_assert_int_eq(uncoremsr_session_set(b.s, UNCOREMSR_SESSION_MULTIPLEX, 0), 0);
	ck_assert_int_eq(uncoremsr_session_start(b.s), -EBUSY);
	leave(&b);
	join_as(&b, 0);
	count_as(&b, "0:1,1:1,2:1");
	ck_assert_int_eq(repair_as(&b), 0);
	expect_counting(&a);
	expect_counting(&b);
	leave(&a);
	expect_counting(&b);
	leave(&b);
	expect_as_before(&before, "two of root");
	close(fd);
}

/* The registers show that a member counts, so root need not trust the member's locks. */
TEST(root_takes_no_counter_that_a_member_uses)
{
	char path[128];

	use_shared(&machines[0]);
	join_as(&b, MEMBER);
	count_as(&b, "0:1,1:1,2:1,3:1,4:1");
	join_as(&a, 0);
	ck_assert_int_eq(uncoremsr_session_add(a.s, "0:1,1:1,2:1,3:1"), 4);
	ck_assert_int_eq(uncoremsr_session_set(a.s, UNCOREMSR_SESSION_MULTIPLEX, 0), 0);
	ck_assert_int_eq(uncoremsr_session_set(a.s, UNCOREMSR_SESSION_FORCE, 1), 0);
	ck_assert_int_eq(uncoremsr_session_start(a.s), -EBUSY);
	ck_assert_msg(strstr(uncoremsr_error(a.um)->message, "another session (pid ") != NULL, "%s",
		      uncoremsr_error(a.um)->message);
	leave(&a);
	join_as(&a, 0);
	count_as(&a, "0:1,1:1,2:1");
	expect_counting(&a);
	expect_counting(&b);
	leave(&a);
	become(MEMBER);
	leave(&b);
	ck_assert_str_eq(only_journal(path, "run/uncoremsr/user/65533"), "");
	expect_as_before(&before, "root and a member");
}

TEST(root_takes_no_filter_that_a_member_uses)
{
	use_shared(&machines[2]);
	join_as(&b, MEMBER);
	count_as(&b, machines[2].events);
	join_as(&a, 0);
	refuse_as(&a, "cbo/event=0x35,umask=0x1,filter_opc=0x180/", -EBUSY, "is in use by another session (pid ");
	expect_counting(&b);
	leave(&a);
	become(MEMBER);
	leave(&b);
	expect_as_before(&before, "a filter");
}

/* Root does not believe the member's journal, so root's own record is kept until the gate is closed. */
TEST(a_gate_that_a_member_needs_is_left_open_and_closed_later)
{
	use_shared(&machines[1]);
	join_as(&a, 0);
	count_as(&a, "cbo/event=0x34,umask=0x88/");
	join_as(&b, MEMBER);
	count_as(&b, "arb/event=0x81,umask=0x1/");
	become(0);
	ck_assert_int_eq(uncoremsr_session_stop(a.s), -EBUSY);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->message, "another user's session needs it"));
	ck_assert_int_eq(repair_as(&a), 0);
	ck_assert_ptr_nonnull(strstr(told, "6 ")); /* UNCOREMSR_REPAIR_HELD */
	expect_counting(&b);
	become(MEMBER);
	leave(&b);
	become(0);
	ck_assert_int_ge(repair_as(&a), 0);
	ck_assert_uint_eq(num_leases(a.um), 0);
	leave(&a);
	expect_as_before(&before, "a gate");
}

/* The first run (_i is 0) shares the directory with the group only after the session has begun. */
TEST_EACH(registers_of_a_living_session_of_root_are_not_restored, 2)
{
	if (_i)
		use_shared(&machines[0]);
	ck_assert_int_eq(chdir(root), 0);
	join_as(&a, 0);
	count_as(&a, "0:1,1:1,2:1,3:1,4:1");
	if (!_i) {
		ck_assert_int_eq(chown("run/uncoremsr/lock", 0, GROUP), 0);
		ck_assert_int_eq(chmod("run/uncoremsr/lock", 0660), 0);
	}
	join_as(&b, 0);
	ck_assert_int_eq(repair_as(&b), 0);
	ck_assert_str_eq(told, "");
	count_as(&b, "0:1,1:1,2:1");
	expect_counting(&a);
	expect_counting(&b);
	leave(&b);
	expect_counting(&a);
}

TEST(only_root_can_access_the_file_with_roots_locks)
{
	struct stat st;

	use_shared(&machines[0]);
	join_as(&a, 0);
	count_as(&a, "0x1d:0x1");
	ck_assert_int_eq(stat("run/uncoremsr/root.lock", &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_uint_eq(num_leases(a.um), 2);
	leave(&a);
	ck_assert_int_eq(chmod("run/uncoremsr/root.lock", 0640), 0);
	join_as(&a, 0);
	refuse_as(&a, "0x1d:0x1", -EPERM, "run/uncoremsr/root.lock: a file that other users may open");
}

/* ---- journals of a user who may write registers only by file capabilities of the program ---- */

static void borrow(struct user *u)
{
	u->um->m.borrowed = true;
}

/*
 * The journal says that the gate was closed before. In the second run (_i is 1) only file capabilities of the program
 * allow the member to write registers; then the journal is not believed, and the gate stays open.
 */
TEST_EACH(no_gate_is_closed_because_of_a_journal_of_an_unprivileged_user, 2)
{
	struct um_record r = counter_record(GLOBAL);

	use_shared(&machines[1]);
	make_folder(MEMBER);
	r.id.kind = UM_LEASE_GATE;
	*r.id.unit = '\0';
	strcpy(r.uarch, "sandybridge");
	r.words[0] = 1u << 29;
	poke(0, GLOBAL, 1u << 29);
	join_as(&a, MEMBER);
	r.id.die = uncoremsr_package(a.um, 0)->die;
	write_user_journal(MEMBER, 1, &r, 1);
	if (_i)
		borrow(&a);
	count_as(&a, "cbo/event=0x34,umask=0x88/");
	ck_assert_int_eq(uncoremsr_session_stop(a.s), 0);
	ck_assert_uint_eq(peek(0, GLOBAL), _i ? 1u << 29 : 0);
}

/* ---- journals that a member may have forged ---- */

TEST(a_members_journal_cannot_switch_a_counter_on)
{
	static const struct { uint64_t selector; bool enabled; } olds[] = {
		{ 0x100182, false }, { 0x4000aa, false }, { 0x5000aa, false }, { 0, true },
	};
	struct um_record r = counter_record(0);

	use_shared(&machines[0]);
	make_folder(MEMBER);
	poke(0, SEL0, 0x400182);
	poke(0, GLOBAL, 1);
	take_all(&before);
	for (size_t i = 0; i < ARRAY_SIZE(olds); i++) {
		r.old.word = olds[i].selector;
		r.old.enabled = olds[i].enabled;
		write_user_journal(MEMBER, 1, &r, 1);
		join_as(&a, MEMBER);
		ck_assert_int_eq(repair_as(&a), 0);
		ck_assert_msg(strstr(told, "would switch a counter or its interrupt on") != NULL, "%s", told);
		expect_as_before(&before, "switched on");
		leave(&a);
		become(0);
	}
}

/* With fcntl(F_SETLEASE), a file's owner can delay every open(2) of the file by 45 s. */
TEST(a_journal_whose_owner_delays_opening_it_blocks_nobody)
{
	struct um_record r[2] = { counter_record(0), counter_record(1) };
	int fd;

	use_shared(&machines[0]);
	make_folder(MEMBER);
	write_user_journal(MEMBER, 1, r, 1);
	write_user_journal(MEMBER, 2, &r[1], 1);
	signal(SIGIO, SIG_IGN);
	become(MEMBER);
	fd = open("run/uncoremsr/user/65533/1-1.journal", O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	if (fcntl(fd, F_SETLEASE, F_WRLCK)) {
		fprintf(stderr, "%s: skipped: no leases on this file system\n", __func__);
		close(fd);
		return;
	}
	join_as(&a, 0);
	ck_assert_uint_eq(num_leases(a.um), 2);
	ck_assert_int_eq(repair_as(&a), 0);
	ck_assert_ptr_nonnull(strstr(told, "3 user/65533/1-1.journal user=65533 counter=-1 "
				     "selector=0xffffffff holds=0xffffffff cannot be read\n"));
	ck_assert_ptr_nonnull(strstr(told, "8 user/65533/1-2.journal user=65533 counter=1 "));
	leave(&a);
	close(fd);
}

SUITE(group)
