/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Users in the group with which root shares the lease directory, and journals that tests write for these users. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journals.h"
#include "lease_users.h"

enum { MEMBER = 65533, OTHER = 65532, GROUP = 65534 };

/* is_root(): only root can act as several users, so tests of several users are skipped without root. */
static inline bool is_root(void)
{
	if (geteuid())
		fprintf(stderr, "skipped: only root can be several users\n");
	return !geteuid();
}

/* ---- users and the group ---- */

static inline void become(uid_t uid)
{
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(setegid(uid ? GROUP : 0), 0);
	ck_assert_int_eq(seteuid(uid), 0);
}

/* Share the directory with a group, as root does. Paths are relative, because users may lack access to its parents. */
static inline void share(void)
{
	ck_assert_int_eq(chmod(root, 0755), 0);
	ck_assert_int_eq(chdir(root), 0);
	write_lease("lock", "", 0);
	ck_assert_int_eq(chown("run/uncoremsr/lock", 0, GROUP), 0);
	ck_assert_int_eq(chmod("run/uncoremsr/lock", 0660), 0);
	ck_assert_int_eq(mkdir("run/uncoremsr/user", 0700), 0);
	ck_assert_int_eq(chown("run/uncoremsr/user", 0, GROUP), 0);
	ck_assert_int_eq(chmod("run/uncoremsr/user", 01770), 0);
}

static inline void join_as(struct user *u, uid_t uid)
{
	become(uid);
	join(u);
	access_of(u->um)->root = ".";
}

static inline void leave_and_be_root(void)
{
	leave_all();
	if (!getuid())
		become(0);
	ck_assert_int_eq(chdir("/"), 0);
	teardown();
}

/* ---- journals written by hand ---- */

static inline void make_folder(uid_t uid)
{
	char path[64];

	snprintf(path, sizeof(path), "run/uncoremsr/user/%u", (unsigned)uid);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(chown(path, uid, GROUP), 0);
}

static inline struct um_record counter_record(unsigned counter)
{
	struct um_record r = record_of("uncore", 0, UM_LEASE_COUNTER, counter);

	r.words[0] = 0x400182;
	return r;
}

static inline void write_user_journal(uid_t uid, unsigned nth, const struct um_record *r, size_t num)
{
	char name[64], path[96];

	snprintf(name, sizeof(name), "user/%u/1-%u.journal", (unsigned)uid, nth);
	write_journal(name, r, num);
	snprintf(path, sizeof(path), "run/uncoremsr/%s", name);
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert_int_eq(chown(path, uid, GROUP), 0);
}

/* ---- report of a repair ---- */

static char told[16384];

static inline void note_repair(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *l)
{
	const char *why = l->why;
	size_t len = strlen(told);

	(void)user;
	snprintf(told + len, sizeof(told) - len, "%d %s user=%d counter=%d selector=%#x holds=%#x%s%s\n",
		 (int)what, l->file,
		 (int)l->user, (int)l->counter,
		 (unsigned)l->selector, (unsigned)l->holds,
		 why ? " " : "", why ? why : "");
}

static inline int repair_as(struct user *u)
{
	told[0] = '\0';
	return uncoremsr_repair(u->um, note_repair, NULL);
}

#endif
