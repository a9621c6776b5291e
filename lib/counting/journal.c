/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Journals: ours, and those of other sessions. Every file is opened as if an attacker had made it. */
#include "counting/lease.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool um_same_id(const struct um_lease_id *a, const struct um_lease_id *b)
{
	return a->package == b->package && a->die == b->die && a->kind == b->kind &&
	       a->number == b->number && !strcmp(a->unit, b->unit);
}

/* Does a process hold a write lock? A process that may only read the file cannot hold one. */
static bool has_writer(int fd)
{
	uint64_t first = 0, last = UM_LOCK_END;

	return um_lock_find(fd, &first, &last, F_RDLCK);
}

/* Offset in "root.lock" of the bytes for journals. The bytes for registers have smaller offsets (lock.c). */
#define JOURNALS (UINT64_C(6) << 56)

/*
 * Lock or unlock (@type as for um_lock()) the journal @name of the directory's owner, through a byte of "root.lock". A
 * lock on the journal itself would prove nothing: group members who can read the file could lock it, too. Without a
 * group this function does nothing, and the caller locks the file. 0 or a negative errno; -EAGAIN if another process
 * has the lock.
 */
static int lock_journal(const struct um_guard *g, const char *name, short type)
{
	unsigned pid = 0, nth = 0;
	uint64_t byte;

	if (g->own < 0)
		return 0;
	sscanf(name, "%u-%u", &pid, &nth);
	byte = JOURNALS | (uint64_t)pid << 24 | (nth & 0xffffff);
	return um_lock(g->own, byte, byte, type);
}

/* ---- ours ---- */

void um_lease_dir_hint(int err, struct um_error *e)
{
	if (err == -ENOSPC || err == -EDQUOT)
		um_hint(e, "make room in the lease directory's file system");
	else if (err == -EFBIG)
		um_hint(e, "raise the file size limit (ulimit -f)");
	else if (err == -EROFS)
		um_hint(e, "mount that file system writable (findmnt -T shows which)");
	else if (err == -ENOENT)
		um_hint(e, "create the parent folder");
	else if (err == -ENOTDIR)
		um_hint(e, "remove the file of that name: a folder is needed");
	else if (um_lacks_permission(err))
		um_hint(e, "run as root, or let uncore-doctor --grant show how to share the lease directory with a "
			"group");
	else
		um_hint_descriptors(e, err);
}

static int cannot_write(const struct um_guard *g, int err, struct um_error *e)
{
	um_fail(e, err, UNCOREMSR_ERROR_ACCESS,
		"%s: cannot write the journal: %s; nothing is programmed without it", g->path, strerror(-err));
	um_lease_dir_hint(err, e);
	return err;
}

/* Root's journals are readable by the group whose members may count, so that they see what root's sessions do. */
static void show_to_group(const struct um_guard *g, int fd)
{
	struct stat st;

	fchmod(fd, 0600);
	if (g->home == g->dir && !fstat(g->locks, &st) && (st.st_mode & S_IRGRP) && !fchown(fd, (uid_t)-1, st.st_gid))
		fchmod(fd, 0640);
}

/* Another session may find the new journal empty and remove it before it is locked: then try again. */
static int make_journal(struct um_guard *g)
{
	struct stat st;
	int fd, err;

	for (unsigned n = 1;; n++) {
		snprintf(g->journal_name, sizeof(g->journal_name), "%ld-%u.journal", (long)getpid(), n);
		err = lock_journal(g, g->journal_name, F_WRLCK);
		if (um_is_busy(err))
			continue;
		if (err)
			return err;
		fd = openat(g->home, g->journal_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		err = fd < 0 ? -errno : um_lock(fd, 0, UM_LOCK_END, F_WRLCK);
		if (!err && !fstat(fd, &st) && st.st_nlink == 1)
			return fd;
		if (fd >= 0)
			close(fd);
		lock_journal(g, g->journal_name, F_UNLCK);
		if (fd < 0 && err != -EEXIST)
			return err;
		if (fd >= 0 && err && !um_is_busy(err)) {
			unlinkat(g->home, g->journal_name, 0);
			return err;
		}
	}
}

int um_journal_begin(struct um_guard *g, size_t room, struct um_error *e)
{
	int err;

	if (g->home < 0)
		return 0;
	g->journal = make_journal(g);
	if (g->journal < 0)
		return cannot_write(g, g->journal, e);
	g->end = 0;
	g->left = 0;
	show_to_group(g, g->journal);
	err = room ? -posix_fallocate(g->journal, 0, (off_t)room) : 0;
	if (!err)
		return 0;
	um_journal_end(g);
	return cannot_write(g, err, e);
}

void um_journal_end(struct um_guard *g)
{
	if (g->journal < 0)
		return;
	if (!g->left)
		unlinkat(g->home, g->journal_name, 0);
	close(g->journal);
	g->journal = -1;
	lock_journal(g, g->journal_name, F_UNLCK);
}

static int write_at(int fd, const char *text, size_t len, off_t at)
{
	ssize_t done = pwrite(fd, text, len, at);

	return done == (ssize_t)len ? 0 : done < 0 ? -errno : -ENOSPC;
}

/*
 * Write the first line of a record last: the record is not valid without it. The new record overwrites an older one of
 * the same lease and length that is done, so the journal of a long session does not grow.
 */
int um_lease_store(struct um_guard *g, struct um_lease *l, const struct um_record *r, struct um_error *e)
{
	char text[UM_RECORD_TEXT];
	int len, err;
	off_t at;

	_Static_assert(sizeof(text) > UM_RECORD_ROOM + UM_RECORD_WORDS * UM_WORD_ROOM, "any record fits");
	if (!l->held || g->of_handle)
		return 0;
	len = um_record_format(r, text, sizeof(text));
	if (len != l->length)
		l->spare = 0;
	at = l->spare ? l->spare : g->end + UM_RECORD_HEAD;
	err = write_at(g->journal, text + UM_RECORD_HEAD, (size_t)len - UM_RECORD_HEAD, at) ?:
	      write_at(g->journal, text, UM_RECORD_HEAD, at - UM_RECORD_HEAD);
	if (err)
		return cannot_write(g, err, e);
	g->end += l->spare ? 0 : len;
	l->spare = len == l->length ? l->record : 0;
	um_lease_forget(g, l);
	l->journal = g->journal;
	l->record = at;
	l->length = len;
	g->left++;
	return 0;
}

void um_lease_mark(const struct um_lease *l, enum um_mark mark)
{
	if (l->record)
		write_at(l->journal, um_mark_texts[mark], UM_MARK_SIZE, l->record - UM_RECORD_HEAD + UM_RECORD_MARK);
}

/* If the mark cannot be written, the next repair finds the record, but sees that the registers are restored already. */
void um_lease_forget(struct um_guard *g, struct um_lease *l)
{
	if (!l->record)
		return;
	um_lease_mark(l, UM_MARK_DONE);
	l->record = 0;
	g->left--;
}

/* ---- those of others ---- */

/* Limits for the journals of another user: how many are read, and how many bytes in total. */
enum { MOST_OF_A_USER = 64, MOST_BYTES = 4 << 20 };

struct walk {
	struct um_guard *g;
	enum um_whose whose;
	int (*fn)(void *user, struct um_journal *j);
	void *user;
	struct um_error *error;
	int dir;
	long owner;                    /* user id of the folder's owner; -1 if it is the lease directory itself */
	unsigned num, aliens;          /* number of journals in the folder; number of files that are no journals */
	off_t room;                    /* number of bytes that may still be read from the journals of the folder */
};

static bool is_journal(const char *name)
{
	unsigned pid, nth;
	char again[UM_LEASE_NAME];

	if (sscanf(name, "%9u-%9u.", &pid, &nth) != 2)
		return false;
	snprintf(again, sizeof(again), "%u-%u.journal", pid, nth);
	return !strcmp(name, again);
}

static int cannot_read(const struct walk *w, const char *name, int err)
{
	um_fail(w->error, err, UNCOREMSR_ERROR_ACCESS, "%s%s%s: %s", w->g->path, *name ? "/" : "", name, strerror(-err));
	um_hint_descriptors(w->error, err);
	return err;
}

/* Follows no links, waits for no pipe, and crosses no mount: the server of a user's FUSE mount may never answer. */
static int open_here(int dir, const char *name, int flags)
{
	const struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) /* openat2(2) needs Linux 5.6, and seccomp may forbid it */
		fd = openat(dir, name, (int)how.flags);
	return fd < 0 ? -errno : fd;
}

/* Open a journal. Returns 0 if it was opened, or if it cannot be used (j->fault says why); else a negative errno. */
static int open_journal(const struct walk *w, const char *name, unsigned owner, struct um_journal *j)
{
	struct stat st;

	j->fault = UM_FAULT_FILE;
	j->fd = open_here(w->dir, name, w->whose == UM_JOURNALS_OURS ? O_RDWR : O_RDONLY);
	if (j->fd == -ELOOP || j->fd == -EISDIR || j->fd == -ENXIO || j->fd == -EXDEV)
		return 0;
	/* With fcntl(F_SETLEASE) the owner of a file can make open(2) fail with EAGAIN for other users. */
	if (j->fd == -EAGAIN && j->user >= 0) {
		j->fault = UM_FAULT_UNREADABLE;
		return 0;
	}
	if (j->fd < 0)
		return j->fd;
	if (fstat(j->fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink > 1 || st.st_uid != owner || (st.st_mode & 022)) {
		close(j->fd);
		j->fd = -1;
		return 0;
	}
	j->fault = UM_FAULT_NONE;
	j->live = has_writer(j->fd);
	return 0;
}

static int visit(struct walk *w, const char *name)
{
	struct um_guard *g = w->g;
	long user = w->owner;
	long us = g->home == g->dir ? -1 : (long)geteuid();
	struct um_journal j = { .name = name, .user = user, .dir = w->dir };
	int err;

	if (user < 0)
		snprintf(j.file, sizeof(j.file), "%.48s", name);
	else
		snprintf(j.file, sizeof(j.file), "user/%ld/%.32s", user, name);
	j.mine = g->journal >= 0 && user == us && !strcmp(name, g->journal_name);
	j.most = user < 0 || user == (long)geteuid() ? INT64_MAX : w->room;
	err = open_journal(w, name, user < 0 ? g->owner : (unsigned)user, &j);
	if (err == -ENOENT) /* the session of the journal has ended */
		return 0;
	if (um_lacks_descriptors(err) || (err && w->whose == UM_JOURNALS_ALL))
		return cannot_read(w, j.file, err);
	if (err)
		return 0;
	if (g->seized && !strcmp(g->seized->file, j.file))
		j.live = false; /* the lock that was found is our own */
	err = w->fn(w->user, &j);
	w->room -= j.at;
	if (j.fd >= 0)
		close(j.fd);
	if (g->seized != &j)
		return err;
	lock_journal(g, name, F_UNLCK);
	g->seized = NULL;
	return err;
}

/* Is @name a file or folder, other than a journal, that belongs in the lease directory? */
static bool is_known(const char *name)
{
	static const char names[][24] = {
		".", "..", "lock", "root.lock", "user", "throttle-cleared", "throttle-cleared.new",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int visit_alien(struct walk *w, const char *folder, const char *name, enum um_fault fault)
{
	struct um_journal j = { .user = -1, .dir = w->dir, .fd = -1, .fault = fault };

	snprintf(j.file, sizeof(j.file), "%s%.48s%s", folder, name, strlen(name) > 48 ? "?" : "");
	for (char *p = j.file; *p; p++)
		*p = isgraph((unsigned char)*p) ? *p : '?';
	return w->fn(w->user, &j);
}

static int each_name(struct walk *w, int (*fn)(struct walk *w, const char *name))
{
	int fd = openat(w->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!d) {
		err = cannot_read(w, "", -errno);
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (entry = readdir(d)))
		err = fn(w, entry->d_name);
	closedir(d);
	return err;
}

bool um_users_are_wrong(const struct um_guard *g)
{
	struct stat st;

	return !fstatat(g->dir, "user", &st, AT_SYMLINK_NOFOLLOW) &&
	       (!S_ISDIR(st.st_mode) || st.st_uid != g->owner || (st.st_mode & S_IWOTH) ||
		((st.st_mode & S_IWGRP) && !(st.st_mode & S_ISVTX)));
}

static int visit_file(struct walk *w, const char *name)
{
	bool top = w->owner < 0, ours = w->owner == (long)geteuid();

	if (is_journal(name))
		return top || ours || w->num++ < MOST_OF_A_USER ? visit(w, name) : 0;
	if (!top || w->whose != UM_JOURNALS_ALL)
		return 0;
	if (!strcmp(name, "user") && um_users_are_wrong(w->g))
		return visit_alien(w, "", name, UM_FAULT_USERS);
	return is_known(name) ? 0 : visit_alien(w, "", name, UM_FAULT_ALIEN);
}

/* Is @name a user id without leading zeros, such as "1000"? The folder of a user has such a name. */
static bool is_user(const char *name, unsigned *uid)
{
	char again[16];

	if (sscanf(name, "%10u", uid) != 1)
		return false;
	snprintf(again, sizeof(again), "%u", *uid);
	return !strcmp(name, again);
}

/*
 * Is @name the file "lock" in the folder "user"? "user" can be a file system of its own, for all files that the Unix
 * group may write. Then "lock" is in it, too, and is bind-mounted as "lock" of the lease directory.
 */
static bool is_groups_lock(const struct walk *w, const char *name, const struct stat *st)
{
	return !strcmp(name, "lock") && S_ISREG(st->st_mode) && st->st_uid == w->g->owner;
}

/*
 * Walk the folder user/1000, but only if user 1000 owns it: another user could have created it to stop user 1000 from
 * counting. Open the folder before stat(2): if the user has mounted a file system there, stat(2) may never return, but
 * open_here() does not cross mounts. Skip the folder silently if we may not open it.
 */
static int visit_user(struct walk *w, const char *name)
{
	int users = w->dir, err = 0;
	struct stat st = { .st_uid = 0 };
	unsigned uid = 0;
	bool known, is = is_user(name, &uid);

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return 0;
	w->dir = open_here(users, name, is ? O_RDONLY | O_DIRECTORY : O_RDONLY);
	if (um_lacks_descriptors(w->dir))
		err = cannot_read(w, "user", w->dir);
	known = w->dir == -EACCES || w->dir == -ENOENT ||
		(w->dir >= 0 && !fstat(w->dir, &st) && is_groups_lock(w, name, &st));
	is = is && w->dir >= 0 && st.st_uid == uid;
	w->owner = uid;
	w->num = 0;
	w->room = MOST_BYTES;
	if (is)
		err = each_name(w, visit_file);
	else if (!err && !known && w->aliens++ < MOST_OF_A_USER)
		err = visit_alien(w, "user/", name, UM_FAULT_ALIEN);
	if (w->dir >= 0)
		close(w->dir);
	w->dir = users;
	return err;
}

/* "user" may be a mount point: only root can have mounted there, so the mount is trusted. */
static int open_users(const struct um_guard *g)
{
	int fd = open_here(g->dir, "user", O_RDONLY | O_DIRECTORY);

	if (fd != -EXDEV || um_users_are_wrong(g))
		return fd;
	fd = openat(g->dir, "user", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	return fd < 0 ? -errno : fd;
}

static int each_user(struct walk *w)
{
	int err;

	w->dir = open_users(w->g);
	if (um_lacks_descriptors(w->dir))
		return cannot_read(w, "user", w->dir);
	if (w->dir < 0)
		return 0;
	err = each_name(w, visit_user);
	close(w->dir);
	return err;
}

int um_journals_each(struct um_guard *g, enum um_whose whose,
		     int (*fn)(void *user, struct um_journal *j), void *user, struct um_error *e)
{
	struct walk w = {
		.g = g, .whose = whose, .fn = fn, .user = user, .error = e, .dir = g->dir, .owner = -1,
	};
	bool member = g->home >= 0 && g->home != g->dir;
	int err = 0;

	if (g->dir < 0)
		return 0;
	if (whose != UM_JOURNALS_OURS || !member)
		err = each_name(&w, visit_file);
	if (!err && whose == UM_JOURNALS_ALL)
		return each_user(&w);
	if (!err && member && !g->borrowed) {
		w.dir = g->home;
		w.owner = geteuid();
		err = each_name(&w, visit_file);
	}
	return err;
}

bool um_journal_has_owner(const struct um_journal *j)
{
	return !kill((pid_t)atol(j->name), 0) || errno == EPERM;
}

bool um_journal_seize(struct um_guard *g, struct um_journal *j)
{
	bool named = g->own >= 0;

	j->live = named ? lock_journal(g, j->name, F_WRLCK) : um_lock(j->fd, 0, UM_LOCK_END, F_WRLCK);
	if (named && !j->live && has_writer(j->fd)) {
		lock_journal(g, j->name, F_UNLCK);
		j->live = true;
	}
	if (!j->live)
		g->seized = j;
	return !j->live;
}

bool um_journal_next(struct um_journal *j, struct um_record *r)
{
	char text[UM_RECORD_TEXT + 1];
	ssize_t got;
	size_t len;

	if (j->ended)
		return false;
	j->ended = j->fd < 0;
	if (j->ended)
		return true;
	do {
		got = pread(j->fd, text, UM_RECORD_TEXT, j->at);
		if (got == 0 || (got > 0 && !*text)) /* end of the file, or of the records in it */
			return false;
		len = got > 0 && j->at < j->most ? (size_t)got : 0;
		text[len] = '\0';
		j->fault = got < 0 ? UM_FAULT_UNREADABLE : len ? um_record_parse(r, text, &len) : UM_FAULT_LONG;
		j->ended = j->fault && !len;
		j->record = j->at;
		j->at += (off_t)len;
	} while (!j->fault && r->mark == UM_MARK_DONE);
	return true;
}

struct search {
	const struct um_lease_id *id;
	bool live;
	struct um_record *record;
};

static int search_journal(void *user, struct um_journal *j)
{
	const struct search *s = user;

	if (j->mine || (s->live && !j->live))
		return 0;
	while (um_journal_next(j, s->record) && !j->fault)
		if (um_same_id(&s->record->id, s->id))
			return 1;
	return 0;
}

bool um_journal_find(struct um_guard *g, const struct um_lease_id *id, bool live, struct um_record *r)
{
	struct search s = { .id = id, .live = live, .record = r };

	return um_journals_each(g, UM_JOURNALS_BELIEVED, search_journal, &s, NULL) > 0;
}
