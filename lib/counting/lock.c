/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lease directory, and leases: bytes of its file "lock". */
#include "counting/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/array.h"

#define LOCK_FILE "lock"
#define OWN_FILE "root.lock"

bool um_lease_dir(const struct um_machine *m, char *buf, size_t size)
{
	if (!m->access || !m->access->has_files || m->dry_run)
		return false;
	return snprintf(buf, size, "%s/" UM_LEASES, m->access->root) < (int)size;
}

/* @name: a file of the directory; "": the directory itself. */
static int cannot_use(const struct um_guard *g, const char *name, int err, const char *why, struct um_error *e)
{
	um_fail(e, err, UNCOREMSR_ERROR_ACCESS,
		"%s%s%s: %s: counters are shared, so nothing is programmed without leases", g->path,
		*name ? "/" : "", name, why ? why : strerror(-err));
	if (why)
		um_hint(e, "remove that file or folder; the next session of root, or the script of uncore-doctor "
			"--grant, creates it again");
	else /* root has to create a missing file or folder, so advise as if access were denied */
		um_lease_dir_hint(*name && err == -ENOENT ? -EACCES : err, e);
	return err;
}

/* ---- lock files ---- */

/* Why a lock file must not be trusted; NULL: it may be trusted. @mode: the permissions that it may have. */
static const char *wrong_lock(const struct um_guard *g, const struct stat *st, mode_t mode)
{
	if (!S_ISREG(st->st_mode))
		return "not a regular file";
	if (st->st_nlink != 1)
		return "a file with more than one hard link";
	if (st->st_uid != g->owner)
		return "a file whose owner is not the owner of its directory";
	return st->st_mode & 07777 & ~mode ? "a file that other users may open" : NULL;
}

/* Open a lock file. The owner of the directory creates it, and may read and write it whatever the umask is. */
static int open_lock_file(struct um_guard *g, const char *name, mode_t mode, int *locks, struct um_error *e)
{
	bool ours = g->owner == geteuid();
	const char *wrong;
	struct stat st;
	int fd = openat(g->dir, name, (ours ? O_CREAT : 0) | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);

	if (fd < 0 && (errno == ELOOP || errno == EISDIR))
		return cannot_use(g, name, -EPERM, "not a regular file", e);
	if (fd < 0)
		return cannot_use(g, name, -errno, NULL, e);
	*locks = fd;
	if (fstat(fd, &st))
		return 0;
	wrong = wrong_lock(g, &st, mode);
	if (ours && !wrong && (st.st_mode & 0600) != 0600)
		fchmod(fd, (st.st_mode & 0777) | 0600);
	return wrong ? cannot_use(g, name, -EPERM, wrong, e) : 0;
}

static int open_locks(struct um_guard *g, struct um_error *e)
{
	int err = open_lock_file(g, LOCK_FILE, 0660, &g->locks, e);
	struct um_error ignored;
	struct stat st;

	if (err || g->owner != geteuid() || fstat(g->locks, &st) || !(st.st_mode & 060))
		return err;
	/* Members of the group may have filled the file system: the owner then goes on without "root.lock". */
	err = open_lock_file(g, OWN_FILE, 0600, &g->own, &ignored);
	if (err && err != -ENOSPC && err != -EDQUOT)
		um_fail_as(e, &ignored);
	return err == -ENOSPC || err == -EDQUOT ? 0 : err;
}

/* Open "lock" only to see which bytes are locked. It may be missing; a file that must not be trusted is an error. */
static int look_at_locks(struct um_guard *g, struct um_error *e)
{
	struct stat st;
	const char *wrong;

	g->locks = openat(g->dir, LOCK_FILE, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	wrong = (g->locks >= 0 ? fstat(g->locks, &st) : fstatat(g->dir, LOCK_FILE, &st, AT_SYMLINK_NOFOLLOW))
			? NULL : wrong_lock(g, &st, 0660);
	return wrong ? cannot_use(g, LOCK_FILE, -EPERM, wrong, e) : 0;
}

/* ---- without a directory ---- */

struct um_handle_leases {
	struct handle_lease {
		uint64_t byte;
		const struct um_guard *by;
	} *list;
	size_t num;
};

struct um_handle_leases *um_handle_leases_new(void)
{
	return calloc(1, sizeof(struct um_handle_leases));
}

void um_handle_leases_free(struct um_handle_leases *all)
{
	if (all)
		free(all->list);
	free(all);
}

static int take_of_handle(struct um_guard *g, uint64_t byte)
{
	struct um_handle_leases *all = g->of_handle;

	for (size_t i = 0; i < all->num; i++)
		if (all->list[i].byte == byte)
			return all->list[i].by == g ? 0 : -EAGAIN;
	return ARRAY_APPEND(all->list, all->num, (struct handle_lease){ .byte = byte, .by = g });
}

/* On a machine without lock files: release @byte; NULL: all bytes of this session. */
static void give_back(struct um_guard *g, const uint64_t *byte)
{
	struct um_handle_leases *all = g->of_handle;

	for (size_t i = all ? all->num : 0; i-- > 0;)
		if (all->list[i].by == g && (!byte || all->list[i].byte == *byte))
			all->list[i] = all->list[--all->num];
}

/* Total ms that the directory's owner waits for locks of group members; each lock that is free adds one ms. */
enum { PATIENCE = 500 };

/* ---- the directories ---- */

/* Open this user's folder below "user"; @use: create it if it is missing. */
static int open_home(struct um_guard *g, bool use, struct um_error *e)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
	char name[32];
	struct stat st;
	int users, err = 0;

	if (um_users_are_wrong(g))
		return cannot_use(g, "user", -EPERM, um_fault_text(UM_FAULT_USERS), e);
	snprintf(name, sizeof(name), "user/%u", (unsigned)geteuid());
	users = openat(g->dir, "user", flags);
	if (users < 0)
		return cannot_use(g, "user", -errno, NULL, e);
	if (use && mkdirat(users, name + 5, 0700) && errno != EEXIST)
		err = -errno;
	if (!err)
		g->home = openat(users, name + 5, flags);
	if (!err && g->home < 0)
		err = -errno;
	close(users);
	if (err == -ENOENT && !use)
		return 0;
	if (!err && (fstat(g->home, &st) || st.st_uid != geteuid() || (st.st_mode & 022)))
		err = -EPERM;
	return err ? cannot_use(g, name, err, err == -EPERM ? "not owned by this user, or writable by others" : NULL,
				e) : 0;
}

int um_guard_open(struct um_guard *g, const struct um_machine *m, bool use, struct um_error *e)
{
	struct stat st = { .st_uid = 0 };
	int err;

	*g = (struct um_guard){
		.dir = -1, .locks = -1, .own = -1, .home = -1, .journal = -1, .patience = PATIENCE,
		.patience_ms = INT_MAX, .borrowed = m->borrowed,
	};
	if (!um_lease_dir(m, g->path, sizeof(g->path))) {
		g->of_handle = m->handle_leases;
		return 0;
	}
	if (um_access_line(m->access, "proc/sys/kernel/random/boot_id", g->boot, sizeof(g->boot)) <= 0)
		strcpy(g->boot, "-");
	g->dir = um_access_open_leases(m->access, use);
	if (g->dir < 0)
		return cannot_use(g, "", g->dir, NULL, e);
	err = um_access_check_dir(g->dir, g->path, e);
	if (!err && !fstat(g->dir, &st))
		g->owner = st.st_uid;
	if (!err)
		err = (use ? open_locks : look_at_locks)(g, e);
	if (!err && g->owner == geteuid())
		g->home = use ? g->dir : -1;
	else if (!err && (use || !faccessat(g->dir, LOCK_FILE, W_OK, AT_EACCESS)))
		err = open_home(g, use, e);
	if (err)
		um_guard_close(g);
	return err;
}

void um_guard_let_go(struct um_guard *g)
{
	if (g->journal >= 0)
		close(g->journal);
	g->journal = -1;
	um_guard_close(g);
}

void um_guard_close(struct um_guard *g)
{
	um_journal_end(g);
	give_back(g, NULL);
	if (g->home >= 0 && g->home != g->dir)
		close(g->home);
	if (g->locks >= 0 && g->own >= 0)
		close(g->own);
	if (g->locks >= 0)
		close(g->locks);
	if (g->dir >= 0)
		close(g->dir);
	g->dir = g->locks = g->own = g->home = -1;
	g->of_handle = NULL;
}

/* ---- bytes ---- */

/* The upper bits of a byte's offset say what is locked. All processes on the machine must agree on them. */
enum { BYTE_COUNTER = 1, BYTE_EXTRA, BYTE_GATE, BYTE_ENABLE, BYTE_START }; /* 6 is used in journal.c (JOURNALS) */

/* Bit of a byte's offset: set if the unit belongs to a cache, node or CPU, clear if to a package or die. */
enum { SMALLER = 0x800000 };

static uint64_t place_of(int package, int die)
{
	return (uint64_t)(package & 0x7fff) << 8 | (unsigned)((die + 1) & 0xff);
}

static uint64_t byte_at(uint64_t what, uint64_t place, uint32_t msr)
{
	return what << 56 | place << 32 | msr;
}

struct um_lease um_lease_make(const struct um_lease_id *id, const struct um_box *b)
{
	static const uint64_t what[] = { BYTE_COUNTER, BYTE_EXTRA, BYTE_GATE };
	bool smaller = b->pmu->scope > UM_SCOPE_DIE;
	uint64_t place = smaller ? SMALLER | (uint64_t)(id->package & 0x7f) << 16 | (b->number & 0xffff)
				 : place_of(id->package, id->die);
	uint32_t msr = id->kind == UM_LEASE_COUNTER ? um_counter_regs(b, id->number).counter : id->number;

	return (struct um_lease){ .id = *id, .byte = byte_at(what[id->kind], place, msr) };
}

/*
 * Lock a byte; @type as for um_lock(). The owner's sessions first lock it in "root.lock", which group members cannot
 * open. Returns 1 if we have the lock in "root.lock", but a group member has it in "lock". Returns 0 if we have the
 * lock, or if there are no lock files.
 */
static int lock(const struct um_guard *g, uint64_t byte, short type)
{
	int err = g->own < 0 ? 0 : um_lock(g->own, byte, byte, type);

	if (err || g->locks < 0)
		return err;
	err = um_lock(g->locks, byte, byte, type);
	return g->own < 0 ? err : err != 0;
}

static bool is_locked(int fd, uint64_t byte)
{
	uint64_t first = byte, last = byte;

	return um_lock_find(fd, &first, &last, F_WRLCK);
}

/* @what names the registers that another process has locked for too long. */
static int is_held(const struct um_guard *g, uint64_t byte, int package, const char *what, struct um_error *e)
{
	long pid = um_lock_holder(g, byte);

	um_fail(e, -EBUSY, UNCOREMSR_ERROR_UNSUPPORTED, "package %d: %s has held the lock on %s", package,
		UM_PROCESS_TEXT("another session", pid), what);
	return pid ? um_advise(e, -EBUSY, "ps -fp %ld shows the process; kill -CONT %ld continues it if it is stopped",
			       pid, pid)
		   : um_advise(e, -EBUSY, "uncore-doctor --leases lists the sessions; one may be stopped (ps: state T)");
}

void um_lease_holder(struct um_guard *g, const struct um_lease *l, struct um_record *held_by)
{
	if (g->of_handle)
		*held_by = (struct um_record){ .command = "another session of this program" };
	else if (!um_journal_find(g, &l->id, true, held_by))
		*held_by = (struct um_record){
			.command = "another session", .pid = um_lock_holder(g, l->byte),
		};
}

int um_lease_take(struct um_guard *g, struct um_lease *l, struct um_error *e)
{
	bool shared = l->id.kind == UM_LEASE_GATE;
	int err = 0;

	if (!l->held && g->of_handle && !shared)
		err = take_of_handle(g, l->byte);
	else if (!l->held)
		err = lock(g, l->byte, shared ? F_RDLCK : F_WRLCK);
	l->held = err >= 0 && (g->of_handle || g->locks >= 0);
	l->contested = err > 0;
	if (err >= 0)
		return 0;
	if (um_is_busy(err))
		return shared ? is_held(g, l->byte, l->id.package, "the register that lets its counters run", e) : -EBUSY;
	return err == -ENOMEM ? um_no_memory(e) : cannot_use(g, LOCK_FILE, err, NULL, e);
}

bool um_lease_is_last(const struct um_guard *g, const struct um_lease *l)
{
	return g->locks < 0 || !is_locked(g->own < 0 ? g->locks : g->own, l->byte);
}

bool um_lease_has_members(const struct um_guard *g, const struct um_lease *l)
{
	return g->locks >= 0 && g->own >= 0 && is_locked(g->locks, l->byte);
}

void um_lease_release(struct um_guard *g, struct um_lease *l)
{
	if (l->held && g->of_handle)
		give_back(g, &l->byte);
	else if (l->held)
		lock(g, l->byte, F_UNLCK);
	l->held = false;
}

/* ---- locks that are held only for a moment ---- */

bool um_guard_wait(struct um_guard *g)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	if (!g->patience_ms)
		return false;
	g->patience_ms--;
	nanosleep(&pause, NULL);
	return true;
}

static int lock_in_time(struct um_guard *g, uint64_t byte, int ms, struct um_error *e)
{
	int err = lock(g, byte, F_WRLCK);

	if (!err && g->patience < PATIENCE)
		g->patience++;
	while (um_is_busy(err) || err > 0) {
		int *left = err > 0 ? &g->patience : &ms;

		if (!*left || !um_guard_wait(g))
			break;
		--*left;
		err = lock(g, byte, F_WRLCK);
	}
	return err < 0 && !um_is_busy(err) ? cannot_use(g, LOCK_FILE, err, NULL, e) : err;
}

int um_start_lock(const struct um_machine *m, struct um_guard *g, struct um_error *e)
{
	uint64_t byte = byte_at(BYTE_START, 0, 0);
	int err = lock_in_time(g, byte, 5000, e);
	const char *who;

	if (!um_is_busy(err) && err <= 0)
		return err;
	who = UM_PROCESS_TEXT("another session", um_lock_holder(g, byte));
	if (err > 0)
		um_warn(m, "%s of a member of the group delays the start: going on without waiting for it", who);
	else
		um_warn(m, "%s has been starting for 5 s: going on without waiting for it", who);
	return 0;
}

void um_start_unlock(struct um_guard *g)
{
	lock(g, byte_at(BYTE_START, 0, 0), F_UNLCK);
}

int um_enable_lock(struct um_guard *g, const struct um_box *b, struct um_error *e)
{
	uint64_t byte = byte_at(BYTE_ENABLE, place_of(b->package, b->die), 0);
	/* Sessions hold this lock for three register operations at most, unless they are stopped. */
	int err = lock_in_time(g, byte, 2000, e);

	if (um_is_busy(err))
		return is_held(g, byte, b->package, "its shared registers for 2 s", e);
	return err > 0 ? 0 : err; /* > 0: only a group member holds the lock; go on */
}

void um_enable_unlock(struct um_guard *g, const struct um_box *b)
{
	lock(g, byte_at(BYTE_ENABLE, place_of(b->package, b->die), 0), F_UNLCK);
}
