/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of the lease directory: their modes and owners, closed standard descriptors, and lack of space. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lease_users.h"
#include "suite.h"
#include "uncoremsr/throttle.h"

#define CLIENT "sandybridge-1s,clock=stepped,start=0x1234"

/* Files that must not be used as the lock file. One is a link to a missing file, which open() would create. */
static const char *const wrong_locks[] = {
	"mkfifo -m 600 lock", "ln -s missing lock", "ln ../../other lock", "mkdir -m 700 lock",
	"touch lock && chmod 664 lock", "touch lock && chmod 600 lock && chown 65534 lock",
};

FIXTURE(.setup = setup, .teardown = teardown)

TEST_EACH(a_lock_file_of_the_wrong_type_mode_or_owner_is_not_used, ARRAY_SIZE(wrong_locks))
{
	static struct image before;
	char command[DIR_SIZE + 96];

	if (_i == 5 && geteuid() != 0)
		return;
	take_all(&before);
	write_lease("x", "", 0);
	write_text(root, "other", "");
	snprintf(command, sizeof(command), "cd '%s/run/uncoremsr' && %s", root, wrong_locks[_i]);
	ck_assert_int_eq(system(command), 0);
	join(&a);
	refuse_as(&a, "0x1d:0x1", -EPERM, "");
	ck_assert_uint_eq(uncoremsr_error(a.um)->error_class, UNCOREMSR_ERROR_ACCESS);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->message, "run/uncoremsr/lock: "));
	leave(&a);
	expect_as_before(&before, "spoiled lock file");
}

/* Only the owner and the group may have permissions for the lock file. */
TEST_EACH(a_lock_file_with_mode_bits_beyond_0660_is_not_used, 12)
{
	char path[DIR_SIZE + 32];
	mode_t bit = (mode_t)1 << _i;

	join(&a);
	count_as(&a, "0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_stop(a.s), 0);
	snprintf(path, sizeof(path), "%s/run/uncoremsr/lock", root);
	ck_assert_int_eq(chmod(path, 0600 | bit), 0);
	leave(&a);
	join(&a);
	ck_assert_int_eq(uncoremsr_session_add(a.s, "0x1d:0x1"), 1);
	ck_assert_int_eq(uncoremsr_session_start(a.s), bit & 0660 ? 0 : -EPERM);
}

/* A journal that group or others may write is not believed. Read permissions do not matter. */
TEST_EACH(a_journal_may_have_any_mode_bits_except_write_for_others, 9)
{
	const mode_t bit = (mode_t)1 << _i;
	char pattern[DIR_SIZE + 32];
	const char *path;
	glob_t found;

	join(&a);
	count_as(&a, "0x1d:0x1");
	bury(&a);
	snprintf(pattern, sizeof(pattern), "%s/run/uncoremsr/*.journal", root);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	path = found.gl_pathv[0];
	ck_assert_int_eq(chmod(path, 0600 | bit), 0);
	join(&b);
	ck_assert_int_eq(uncoremsr_repair(b.um, NULL, NULL) > 0, !(bit & 022));
	if (bit & 022) {
		ck_assert_int_eq(chmod(path, 0600), 0);
		ck_assert_int_gt(uncoremsr_repair(b.um, NULL, NULL), 0);
	}
	globfree(&found);
}

/* The modes of the directory and its files do not depend on the umask. */
TEST_EACH(whatever_the_umask_the_folder_is_readable_and_its_files_are_private, 4)
{
	static const mode_t umasks[] = { 0, 022, 077, 0277 };
	char path[DIR_SIZE + 40];
	struct stat st;
	mode_t before = umask(umasks[_i]);

	join(&a);
	count_as(&a, "0x1d:0x1");
	umask(before);
	snprintf(path, sizeof(path), "%s/run/uncoremsr", root);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0755);
	snprintf(path, sizeof(path), "%s/run/uncoremsr/lock", root);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
}

TEST(descriptors_0_to_2_can_be_used_for_lease_files)
{
	const int keep[] = { dup(0), dup(1), dup(2) };
	const struct uncoremsr_leases *leases;

	join(&a);
	count_as(&a, "0x1d:0x1");
	bury(&a);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	join(&a);
	leases = leases_of(a.um);
	ck_assert_ptr_nonnull(leases->list[1]);
	ck_assert_int_eq(uncoremsr_repair(a.um, NULL, NULL), 2);
	count_as(&a, "0x1d:0x1");
	ck_assert_int_eq(uncoremsr_session_stop(a.s), 0);
	leave(&a);
	for (int fd = 0; fd < 3; fd++) {
		bool open = fcntl(fd, F_GETFD) >= 0;

		dup2(keep[fd], fd);
		close(keep[fd]);
		ck_assert_msg(!open, "%d", fd);
	}
}

/*
 * Modes of the directory "user". Whoever may write to the directory could also remove other users' directories, unless
 * the directory is sticky.
 */
static const struct {
	mode_t mode;
	bool wrong;
} folders[] = {
	{ 0700, false }, { 01770, false }, { 0755, false }, { 01755, false }, { 04755, false },
	{ 02755, false }, { 0770, true }, { 0720, true }, { 02770, true }, { 0702, true },
	{ 01702, true }, { 01777, true }, { 01750, false }, { 0744, false }, { 0711, false },
};

TEST(a_folder_where_others_may_remove_folders_is_not_trusted)
{
	struct um_guard g = { .owner = geteuid() };
	char path[DIR_SIZE + 32];

	write_lease("x", "", 0);
	snprintf(path, sizeof(path), "%s/run/uncoremsr", root);
	g.dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(g.dir, 0);
	ck_assert(!um_users_are_wrong(&g));
	ck_assert_int_eq(mkdirat(g.dir, "user", 0700), 0);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		ck_assert_int_eq(fchmodat(g.dir, "user", folders[i].mode, 0), 0);
		ck_assert_msg(um_users_are_wrong(&g) == folders[i].wrong, "%o", (unsigned)folders[i].mode);
	}
	ck_assert_int_eq(fchmodat(g.dir, "user", 0700, 0), 0);
	g.owner++;
	ck_assert(um_users_are_wrong(&g));
	g.owner--;
	ck_assert_int_eq(unlinkat(g.dir, "user", AT_REMOVEDIR), 0);
	ck_assert_int_eq(symlinkat(".", g.dir, "user"), 0);
	ck_assert(um_users_are_wrong(&g));
	close(g.dir);
}

/* A file named "user" is not a journal, and must not hide journals. */
TEST(a_file_with_the_name_of_the_users_folder_is_no_error)
{
	write_lease("user", "", 0);
	join(&a);
	ck_assert_int_eq(uncoremsr_repair(a.um, NULL, NULL), 0);
}

TEST(without_space_for_a_journal_nothing_is_programmed)
{
	static struct image before;
	char pattern[DIR_SIZE + 32];
	struct rlimit usual, limit;
	glob_t found;
	int err;

	take_all(&before);
	join(&a);
	ck_assert_int_eq(uncoremsr_session_add(a.s, "0x1d:0x1"), 1);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
	limit = usual;
	limit.rlim_cur = 512;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	err = uncoremsr_session_start(a.s);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_uint_eq(uncoremsr_error(a.um)->error_class, UNCOREMSR_ERROR_ACCESS);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->message, "run/uncoremsr: cannot write the journal: File too "
				     "large; nothing is programmed without it"));
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(a.um)->hint, "ulimit -f"));
	expect_as_before(&before, "no room");
	snprintf(pattern, sizeof(pattern), "%s/run/uncoremsr/*.journal", root);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
	ck_assert_int_eq(uncoremsr_session_start(a.s), 0);
}

SUITE(lease_folder)
