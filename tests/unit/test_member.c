/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Group members who count without being root: each has a directory for journals, below "user". These tests need
 * root, to act as several users; else they are skipped.
 *
 * Uses internal headers, because it makes and reads locks and journals itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/handle.h"
#include "members.h"
#include "suite.h"

FIXTURE(.setup = setup, .teardown = leave_and_be_root, .only_if = is_root)

/* ---- sessions of members ---- */

/* If the group may read the lock file, members are told which of root's sessions holds the counters. */
TEST(for_a_member_the_message_names_roots_session_that_holds_the_counters)
{
	static const struct { mode_t lock, journal; } modes[] = {
		{ 0600, 0600 }, { 0620, 0600 }, { 0640, 0640 }, { 0660, 0640 },
	};
	char path[128], pid[40];
	struct stat st;

	share();
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		ck_assert_int_eq(chmod("run/uncoremsr/lock", modes[i].lock), 0);
		join_as(&a, 0);
		count_as(&a, "0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1");
		ck_assert_int_eq(stat(only_journal(path, "run/uncoremsr"), &st), 0);
		ck_assert_uint_eq(st.st_mode & 07777, modes[i].journal);
		ck_assert_uint_eq(st.st_gid, modes[i].lock & 040 ? GROUP : 0);
		if (modes[i].lock == 0660) {
			join_as(&b, MEMBER);
			ck_assert_int_eq(uncoremsr_session_add(b.s, "0x1d:0x1"), 1);
			logged[0] = '\0';
			ck_assert_int_eq(uncoremsr_session_start(b.s), -EBUSY);
			snprintf(pid, sizeof(pid), "(pid %d)", (int)getpid());
			ck_assert_msg(strstr(uncoremsr_error(b.um)->message, pid) != NULL, "%s", uncoremsr_error(b.um)->message);
			ck_assert_msg(strstr(logged, " for UNC_GQ_DATA.FROM_QPI since 20") != NULL, "%s", logged);
			leave(&b);
			become(0);
		}
		leave(&a);
	}
}

TEST(the_owner_of_a_lease_directory_needs_no_directory_below_user)
{
	char path[128];
	struct stat st;

	ck_assert_int_eq(chmod(root, 0755), 0);
	ck_assert_int_eq(chdir(root), 0);
	ck_assert_int_eq(chown("run", MEMBER, GROUP), 0);
	for (int again = 0; again < 2; again++) {
		join_as(&a, MEMBER);
		count_as(&a, "0x82:0x1");
		ck_assert_int_eq(stat("run/uncoremsr/lock", &st), 0);
		ck_assert_uint_eq(st.st_uid, MEMBER);
		ck_assert_int_eq(stat(only_journal(path, "run/uncoremsr"), &st), 0);
		ck_assert_uint_eq(st.st_uid, MEMBER);
		ck_assert_int_ne(access("run/uncoremsr/user", F_OK), 0);
		bury(&a);
		join_as(&a, MEMBER);
		ck_assert_uint_eq(num_leases(a.um), 2);
		ck_assert_int_eq(repair_as(&a), 2);
		ck_assert_str_eq(only_journal(path, "run/uncoremsr"), "");
		leave(&a);
	}
}

/* ---- leftovers of dead sessions ---- */

TEST(a_report_has_the_contents_of_a_members_register_if_readable)
{
	struct um_record r = counter_record(0);

	use_machine("westmere-2s,clock=stepped,fail=read 0x3c0-0x3c0 EIO", &um_uarch_westmere, 1);
	share();
	make_folder(MEMBER);
	write_user_journal(MEMBER, 1, &r, 1);
	join_as(&a, 0);
	ck_assert_int_eq(repair_as(&a), 0);
	ck_assert_str_eq(told, "8 user/65533/1-1.journal user=65533 counter=0 selector=0xffffffff "
			 "holds=0xffffffff\n");
}

/* Each user trusts its own journals and root's, but replays only its own. */
TEST(a_member_does_not_repair_roots_leftovers)
{
	struct um_record r = counter_record(0);
	char text[UM_RECORD_TEXT];
	int len = um_record_format(&r, text, sizeof(text));

	share();
	poke(0, SEL0, 0x400182);
	write_lease("1-1.journal", text, (size_t)len);
	join_as(&a, MEMBER);
	ck_assert_int_eq(repair_as(&a), 0);
	ck_assert_str_eq(told, "");
	ck_assert_uint_eq(peek(0, SEL0), 0x400182);
	leave(&a);
	join_as(&a, 0);
	ck_assert_int_eq(repair_as(&a), 1);
}

/* ---- directories that are refused ---- */

TEST(a_directory_that_others_can_use_is_not_a_members_directory)
{
	static const struct { mode_t mode; uid_t owner; } folders[] = {
		{ 0720, MEMBER }, { 0702, MEMBER }, { 0755, OTHER }, { 0700, MEMBER }, { 0755, MEMBER },
	};

	share();
	make_folder(MEMBER);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		bool wrong = folders[i].owner != MEMBER || folders[i].mode & 022;

		ck_assert_int_eq(chown("run/uncoremsr/user/65533", folders[i].owner, GROUP), 0);
		ck_assert_int_eq(chmod("run/uncoremsr/user/65533", folders[i].mode), 0);
		join_as(&a, MEMBER);
		ck_assert_int_eq(uncoremsr_session_add(a.s, "0x82:0x1"), 1);
		ck_assert_int_eq(uncoremsr_session_start(a.s), wrong ? -EPERM : 0);
		ck_assert_msg(!wrong || strstr(uncoremsr_error(a.um)->message, "user/65533: not owned by this user, or writable "
					       "by others"), "%s", uncoremsr_error(a.um)->message);
		leave(&a);
		become(0);
	}
}

/* Neither a file nor a symbolic link is accepted as a member's directory, whoever owns it. */
TEST_EACH(a_file_or_link_in_place_of_a_members_directory_is_not_used, 2)
{
	share();
	if (_i == 0) {
		write_lease("user/65533", "", 0);
		ck_assert_int_eq(chown("run/uncoremsr/user/65533", MEMBER, GROUP), 0);
	} else {
		ck_assert_int_eq(mkdir("elsewhere", 0700), 0);
		ck_assert_int_eq(chown("elsewhere", MEMBER, GROUP), 0);
		ck_assert_int_eq(symlink("../../../elsewhere", "run/uncoremsr/user/65533"), 0);
	}
	join_as(&a, MEMBER);
	refuse_as(&a, "0x82:0x1", -ENOTDIR, "user/65533: Not a directory");
	ck_assert_uint_eq(peek(0, GLOBAL), 0);
	ck_assert_ptr_null(uncoremsr_leases(a.um));
	ck_assert_int_eq(uncoremsr_error(a.um)->code, -ENOTDIR);
	become(0);
	ck_assert_int_eq(setegid(OTHER), 0);
	ck_assert_int_eq(seteuid(MEMBER), 0);
	ck_assert_uint_eq(num_leases(a.um), 0);
	ck_assert_int_eq(uncoremsr_session_start(a.s), -EACCES);
}

TEST(without_a_directory_user_that_can_be_written_no_member_counts)
{
	share();
	join_as(&a, MEMBER);
	ck_assert_int_eq(uncoremsr_session_add(a.s, "0x82:0x1"), 1);
	become(0);
	ck_assert_int_eq(rmdir("run/uncoremsr/user"), 0);
	become(MEMBER);
	ck_assert_int_eq(uncoremsr_session_start(a.s), -ENOENT);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->message, "/user: No such file"));
	become(0);
	ck_assert_int_eq(mkdir("run/uncoremsr/user", 0755), 0);
	become(MEMBER);
	ck_assert_int_eq(uncoremsr_session_start(a.s), -EACCES);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->message, "user/65533: Permission denied"));
	ck_assert_uint_eq(num_leases(a.um), 0);
}

#define TEN "abcdefghij"

/* A member's directory has the user id as its name, as Linux writes it, and belongs to that user. */
TEST(directories_that_belong_to_no_user_are_listed_as_foreign)
{
	static const char *const names[] = { "065531", "65531x", "x", "99999999999", "+65531" };
	char want[160], path[64];

	share();
	make_folder(MEMBER);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "run/uncoremsr/user/%s", names[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
		ck_assert_int_eq(chown(path, 65531, GROUP), 0);
	}
	ck_assert_int_eq(mkdir("run/uncoremsr/user/65530", 0700), 0); /* the directory belongs to root */
	write_lease("user/0", "", 0);
	ck_assert_int_eq(mkdir("run/uncoremsr/user/a b\n", 0700), 0);
	ck_assert_int_eq(mkdir("run/uncoremsr/user/" TEN TEN TEN TEN TEN, 0700), 0); /* a name too long to show */
	join_as(&a, 0);
	ck_assert_int_eq(repair_as(&a), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(want, sizeof(want), "3 user/%s user=-1 counter=-1 selector=0xffffffff holds=0xffffffff "
			 "not a file of this library\n", names[i]);
		ck_assert_msg(strstr(told, want) != NULL, "%s: %s", names[i], told);
	}
	ck_assert_ptr_nonnull(strstr(told, "3 user/65530 "));
	ck_assert_ptr_nonnull(strstr(told, "3 user/0 "));
	ck_assert_ptr_nonnull(strstr(told, "3 user/a?b? "));
	ck_assert_ptr_nonnull(strstr(told, "3 user/" TEN TEN TEN TEN "abcdefgh? "));
	ck_assert_ptr_null(strstr(told, "user/65533"));
	ck_assert_ptr_null(strstr(told, "user/. "));
	ck_assert_ptr_null(strstr(told, "user/.. "));
}

/* ---- limits of the number of journals, directories and records that are read ---- */

TEST_EACH(at_most_64_journals_of_one_user_are_read, 3)
{
	struct um_record r = counter_record(0);

	share();
	make_folder(OTHER);
	make_folder(MEMBER);
	for (unsigned i = 1; i <= 63u + (unsigned)_i; i++) {
		write_user_journal(MEMBER, i, &r, 1);
		write_user_journal(OTHER, i, &r, 1);
	}
	join_as(&a, 0);
	ck_assert_uint_eq(num_leases(a.um), _i ? 128 : 126);
	leave(&a);
	join_as(&a, MEMBER);
	ck_assert_uint_eq(num_leases(a.um), 63 + (size_t)_i);
}

TEST_EACH(at_most_64_foreign_directories_are_listed, 3)
{
	char name[32];

	share();
	for (int i = 0; i < 63 + _i; i++) {
		snprintf(name, sizeof(name), "user/x%d", i);
		write_lease(name, "", 0);
	}
	join_as(&a, 0);
	ck_assert_uint_eq(num_leases(a.um), _i ? 64 : 63);
}

static struct um_record record_with(unsigned counter, int length)
{
	struct um_record r = counter_record(counter);
	char text[UM_RECORD_TEXT];

	while (um_record_format(&r, text, sizeof(text)) < length - 60)
		um_record_add_word(&r, UINT64_C(0x1000000000000000) + r.num_words);
	for (*r.event = '\0'; um_record_format(&r, text, sizeof(text)) < length; )
		strcat(r.event, "x");
	ck_assert_int_eq(um_record_format(&r, text, sizeof(text)), length);
	return r;
}

/* A session that counts with hundreds of counters needs more than 500 kB. */
TEST(at_most_4_mb_of_another_users_journals_are_read)
{
	static struct um_record r[300];
	const struct uncoremsr_leases *leases;
	size_t num = 0, invalid = 0;

	share();
	make_folder(MEMBER);
	for (size_t i = 0; i < ARRAY_SIZE(r); i++)
		r[i] = i ? r[0] : record_with(0, 8192);
	write_user_journal(MEMBER, 1, r, ARRAY_SIZE(r));
	write_user_journal(MEMBER, 2, r, ARRAY_SIZE(r));
	join_as(&a, 0);
	leases = uncoremsr_leases(a.um);
	for (const struct uncoremsr_lease *l; (l = leases->list[num]); num++)
		invalid += l->state == UNCOREMSR_LEASE_INVALID && l->fault == UNCOREMSR_LEASE_FAULT_LONG;
	ck_assert_uint_eq(num, (4 << 20) / 8192 + 1);
	ck_assert_uint_eq(invalid, 1);
	leave(&a);
	join_as(&a, MEMBER);
	ck_assert_uint_eq(num_leases(a.um), 2 * ARRAY_SIZE(r));
}

/* ---- descriptors ---- */

TEST_EACH(descriptors_are_closed_on_exec, 2)
{
	struct um_guard g;
	struct um_error e;
	int fds[4];

	share();
	make_folder(MEMBER);
	join_as(&a, _i ? MEMBER : 0);
	ck_assert_int_eq(um_guard_open(&g, &a.um->m, true, &e), 0);
	ck_assert_int_eq(um_journal_begin(&g, 1000, &e), 0);
	memcpy(fds, (int[]){ g.dir, g.locks, g.home, g.journal }, sizeof(fds));
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		ck_assert_int_eq(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
	um_guard_close(&g);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		ck_assert_int_lt(fcntl(fds[i], F_GETFD), 0);
}

SUITE(member)
