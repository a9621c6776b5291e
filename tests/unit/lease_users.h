/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A machine with a lease directory that several handles share. A test may kill a session. This is simulated within one
 * process, by closing the files that the kernel would close.
 *
 * Uses internal headers, because a killed session must not write registers, and tests examine its locks and journals.
 */
#ifndef LEASE_USERS_H
#define LEASE_USERS_H

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/access.h"
#include "counting/lease.h"
#include "machine.h"
#include "uncoremsr/leases.h"

enum { GLOBAL = 0x391, FIXED_CTR = 0x394, FIXED_CTRL = 0x395, PMC0 = 0x3b0, SEL0 = 0x3c0 };

/* ---- users of the machine ---- */

struct user {
	struct uncoremsr *um;
	struct uncoremsr_session *s;
	struct um_access_ops ops; /* operations that the handle uses after the user was killed */
	fd_set open_before;
};

static struct user a, b, c;

static inline int write_nothing(struct um_access *access, unsigned cpu, uint32_t msr, uint64_t v)
{
	(void)access, (void)cpu, (void)msr, (void)v;
	return 0;
}

static inline void list_open(fd_set *open)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *e;

	ck_assert_ptr_nonnull(dir);
	FD_ZERO(open);
	while ((e = readdir(dir)))
		if (*e->d_name != '.' && atoi(e->d_name) != dirfd(dir))
			FD_SET(atoi(e->d_name), open);
	closedir(dir);
}

static inline void join(struct user *u)
{
	ck_assert_int_eq(uncoremsr_new(&u->um), 0);
	ck_assert_int_eq(uncoremsr_set_sim(u->um, sim), 0);
	uncoremsr_set_log(u->um, remember, NULL);
	ck_assert_int_eq(uncoremsr_open(u->um), 0);
	access_of(u->um)->has_files = true;
	access_of(u->um)->root = root;
	list_open(&u->open_before);
	ck_assert_int_eq(uncoremsr_session_new(u->um, &u->s), 0);
}

static inline void leave(struct user *u)
{
	uncoremsr_session_free(u->s);
	uncoremsr_free(u->um);
	memset(u, 0, sizeof(*u));
}

static inline void leave_all(void)
{
	struct user *users[] = { &a, &b, &c };

	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		if (users[i]->um)
			leave(users[i]);
}

static inline void count_as(struct user *u, const char *events)
{
	ck_assert_msg(uncoremsr_session_add(u->s, events) > 0, "%s", uncoremsr_error(u->um)->message);
	ck_assert_msg(uncoremsr_session_start(u->s) == 0, "%s", uncoremsr_error(u->um)->message);
}

/* Add @events, unless NULL. Then starting the session must fail with @err and a message that contains @part. */
static inline void refuse_as(struct user *u, const char *events, int err, const char *part)
{
	int got;

	ck_assert_msg(!events || uncoremsr_session_add(u->s, events) > 0, "%s", uncoremsr_error(u->um)->message);
	got = uncoremsr_session_start(u->s);
	ck_assert_msg(got == err && strstr(uncoremsr_error(u->um)->message, part), "%d: %s", got,
		      uncoremsr_error(u->um)->message);
}

/* A session holds its leases and locks through open files in the lease directory. */
static inline bool is_lease_file(int fd)
{
	char link[64], target[300];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	return !strncmp(target, root, strlen(root));
}

/*
 * Do what the kernel does after kill -9: close the session's files. Replace the descriptors by /dev/null: the code that
 * frees the memory later must not write to registers or files.
 */
static inline void bury(struct user *u)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	fd_set open_now;

	ck_assert_int_ge(nothing, 0);
	list_open(&open_now);
	for (int fd = 0; fd < FD_SETSIZE; fd++)
		if (FD_ISSET(fd, &open_now) && !FD_ISSET(fd, &u->open_before) && is_lease_file(fd))
			ck_assert_int_eq(dup2(nothing, fd), fd);
	close(nothing);
	uncoremsr_set_log(u->um, NULL, NULL);
	access_of(u->um)->root = "/dev/null";
	u->ops = *access_of(u->um)->ops;
	u->ops.write = write_nothing;
	access_of(u->um)->ops = &u->ops;
	leave(u);
}

/* ---- the machine ---- */

static const struct um_uarch *uarch;
static unsigned cpus[2];
static size_t num_cpus;

static inline void take_all(struct image *image)
{
	image->num = 0;
	for (size_t i = 0; i < num_cpus; i++)
		take_image(image, uarch, cpus[i]);
}

static inline void expect_as_before(const struct image *before, const char *what)
{
	static struct image now;

	take_all(&now);
	expect_image(before, &now, what);
}

static inline void use_machine(const char *what, const struct um_uarch *u, unsigned second_cpu)
{
	uncoremsr_sim_free(sim);
	sim = sim_or_fail(what);
	uarch = u;
	cpus[0] = 0;
	cpus[1] = second_cpu;
	num_cpus = second_cpu ? 2 : 1;
}

static inline void write_lease(const char *name, const void *data, size_t len)
{
	char path[96];

	snprintf(path, sizeof(path), "run/uncoremsr/%s", name);
	write_file(root, path, data, len);
}

static inline void setup(void)
{
	logged[0] = '\0';
	make_root();
	use_machine("westmere-2s,clock=stepped,start=0x1234,rate=0x1d:0x1=1000", &um_uarch_westmere, 1);
}

static inline void teardown(void)
{
	leave_all();
	uncoremsr_sim_free(sim);
	sim = NULL;
	remove_dir(root);
}

/* The path of the journal in a folder; there must be exactly one journal. */
static inline const char *only_journal(char *path, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;

	*path = '\0';
	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir)))
		if (strstr(e->d_name, ".journal")) {
			ck_assert_msg(!*path, "%s and %s", path, e->d_name);
			sprintf(path, "%s/%.64s", folder, e->d_name);
		}
	closedir(dir);
	return path;
}

enum { TO_END = -1 };

static inline int lock_bytes(int fd, short type, off_t first, off_t last)
{
	struct flock l = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = first, .l_len = last == TO_END ? 0 : last - first + 1,
	};

	ck_assert_int_ge(fd, 0);
	return fcntl(fd, F_OFD_SETLK, &l);
}

static inline int open_lock(const char *name)
{
	char path[DIR_SIZE + 48];

	snprintf(path, sizeof(path), "%s/run/uncoremsr/%s", root, name);
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

/* hold_in_child(): start a process that acquires a lock by calling @take and holds it until end_child(). */
static inline pid_t hold_in_child(bool (*take)(const void *what), const void *what)
{
	char ready = 0;
	int ends[2];
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ready = take(what);
		if (write(ends[1], &ready, 1) == 1)
			pause();
		_exit(1);
	}
	ck_assert_int_eq(read(ends[0], &ready, 1), 1);
	ck_assert_int_eq(ready, 1);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static inline void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

#endif
