/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leases and journals, in one directory per machine.
 *
 * A lease is a locked byte of the file "lock", which is never read or written. The offset of the byte
 * stands for what is held (a counter, a filter, a gate). A user who may not open the file cannot hold or
 * disturb a lease. The locks are open-file-description locks (F_OFD_SETLK): the kernel drops them when the
 * last descriptor is closed, also when the process is killed. A session has one descriptor for all its
 * leases, so another lease needs no further descriptor.
 *
 * If a Unix group may open "lock", a member of the group can lock any counter without counting with it. Sessions
 * of the directory's owner therefore lock "root.lock" first, which nobody else can open, and "lock" after it. The
 * owner's sessions respect a member's lock while another counter is free, or while the registers show that the
 * locked counter is in use. They wait for a member's lock only for a limited time.
 *
 * The device nodes themselves are not locked, for three reasons: whoever may read a node could block a session
 * with a read lock; nodes in containers are copies whose locks do not exclude each other; CPUs come and go.
 *
 * A journal is one file for each session, locked for writing as long as the session lives. Before a
 * register is changed, a record is written to the journal: who changes the register, what it held, and every
 * word that the session may write. If no process has locked a journal, the session that wrote it has died. A journal is
 * plain text, so that a person can read it; a checksum tells whether a record is whole.
 *
 *	lock                     owned by root; mode 0600, or 0660 with the group that may count
 *	root.lock                owned by root; mode 0600; used if "lock" has mode 0660
 *	4711-1.journal           of a session of root; mode 0600, or 0640 with that group
 *	user/1000/4712-1.journal of a session of user 1000; sessions of other users do not trust it
 *
 * If another user owns the directory (--machine=root:DIR), that user has the role of root.
 */
#ifndef UM_LEASE_H
#define UM_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "counting/registers.h"
#include "uncoremsr/leases.h"

enum { UM_RECORD_WORDS = 512, UM_RECORD_TEXT = 16384, UM_LEASE_NAME = 64 };

enum um_lease_kind { UM_LEASE_COUNTER, UM_LEASE_EXTRA, UM_LEASE_GATE };

struct um_lease_id {
	int package, die;              /* @die -1: the registers belong to the package, not to a die */
	char unit[UM_UNIT_NAME];       /* name of the unit ("cbo3"); "": a gate of the whole package */
	enum um_lease_kind kind;
	/* number of a counter (general ones from 0, then the fixed ones), or address of a filter or gate */
	unsigned number;
};

/* What still has to be restored from a record. */
enum um_mark {
	UM_MARK_USED,                  /* everything that the record holds */
	UM_MARK_GATE,                  /* the selector is restored; the counter or its gate bit is not */
	UM_MARK_WRAP,                  /* all is restored except the overflow status of the counter */
	UM_MARK_DONE,                  /* nothing is left to restore */
};

/* Old values of the registers that a change writes. */
struct um_old {
	uint64_t word;                 /* old contents of the selector, extra register or gate */
	uint64_t counter;              /* old value of the counter; not used for extra registers and gates */
	bool enabled;                  /* the counter's gate bit was set; not used for extra registers and gates */
};

struct um_record {
	enum um_mark mark;
	char boot[40], uarch[32];
	struct um_lease_id id;
	long pid;
	int64_t since;                 /* Unix seconds */
	char command[32], event[72];
	struct um_old old;
	uint64_t words[UM_RECORD_WORDS];
	unsigned num_words;
	bool full;                     /* another word did not fit into @words */
};

/* Why a journal or record is not trusted. */
enum um_fault {
	UM_FAULT_NONE,
	UM_FAULT_ALIEN, UM_FAULT_USERS, UM_FAULT_FILE, UM_FAULT_UNREADABLE, UM_FAULT_LONG, /* unsafe or unreadable */
	UM_FAULT_FOREIGN, UM_FAULT_VERSION, UM_FAULT_TORN, UM_FAULT_FORM, /* the text is damaged or in another format */
	UM_FAULT_BOOT, UM_FAULT_MACHINE, /* written before this boot, or on another machine */
	UM_FAULT_UNIT, UM_FAULT_COUNTER, UM_FAULT_REGISTER, UM_FAULT_GATE, /* this machine has no such unit, counter,
									    * register or gate */
	UM_FAULT_WORDS,                /* the record has register values that no session of ours writes */
	UM_FAULT_ON,                   /* a group member's record that would switch a counter or an interrupt on */
};
/* The fault in words, such as "damaged: its checksum is wrong"; "" for UM_FAULT_NONE. */
const char *um_fault_text(enum um_fault fault);

/* ---- record.c ---- */

/* Begin this process's record for the lease @id. The caller adds the words that may be written, and the old values. */
void um_record_begin(struct um_record *r, const struct um_machine *m, const char *boot,
		     const struct um_lease_id *id, const char *event);
/* Add a word, unless the record has it already. Sets r->full if there is no room: such a record must not be written. */
void um_record_add_word(struct um_record *r, uint64_t word);
/* Does @selector agree with one of the record's words in all bits of @compare? */
bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare);
/*
 * A record begins with a line of UM_RECORD_HEAD bytes: format, mark (enum um_mark), and length of the whole record. The
 * mark is overwritten later, so the checksum does not include it.
 */
enum { UM_RECORD_HEAD = 31, UM_RECORD_MARK = 20, UM_MARK_SIZE = 4 };
extern const char um_mark_texts[][UM_MARK_SIZE + 1];
/* Largest size of a record: UM_RECORD_ROOM bytes, and UM_WORD_ROOM bytes for each word. */
enum { UM_RECORD_ROOM = 544, UM_WORD_ROOM = 24 };
/* Write the record into @buf; returns its length, or -ENOSPC. */
int um_record_format(const struct um_record *r, char *buf, size_t size);
/* Write "uncore-read (pid 4711)" to @buf, or only the name if @pid is 0 (unknown). Returns @buf. */
const char *um_process_text(const char *command, long pid, char *buf, size_t size);
#define UM_PROCESS_TEXT(command, pid) um_process_text(command, pid, (char[64]){ 0 }, 64)
/* Parse the record at the beginning of @text, which has a NUL at its end; *len becomes the length of the record, or 0 if
 * that is unknown. */
enum um_fault um_record_parse(struct um_record *r, const char *text, size_t *len);
/* Was the record written on this machine, and since it was booted? */
enum um_fault um_record_check(const struct um_record *r, const struct um_machine *m, const char *boot);
/*
 * Could a session of ours have written the record? Compares its register values with the tables. @box: the unit
 * that the record names; for a gate, any unit that needs that gate.
 */
enum um_fault um_record_check_registers(const struct um_record *r, const struct um_machine *m,
					const struct um_box *box);

/* Does this error of fcntl(F_OFD_SETLK), not of open(2), mean that another process holds the lock? */
static inline bool um_is_busy(int err)
{
	return err == -EAGAIN || err == -EACCES;
}

/* ---- lock.c: the directory, and the bytes of its file "lock" ---- */

/* Leases of a handle's sessions: replace the locks on machines without a lease directory (simulated, dry run). */
struct um_handle_leases;
struct um_handle_leases *um_handle_leases_new(void); /* NULL: no memory */
void um_handle_leases_free(struct um_handle_leases *all);

struct um_guard {
	int dir;           /* descriptor of the directory; -1: this machine has none */
	struct um_handle_leases *of_handle; /* leases of the handle's sessions, if there is no directory */
	int locks;         /* descriptor of "lock"; opened read-only if no lease will be held */
	int own;           /* descriptor of "root.lock"; -1: no group may open "lock", or the directory is not ours */
	int patience;      /* ms that we may still wait for locks of group members */
	int home;          /* directory of our journals: @dir, or the user's own user/UID */
	int journal;       /* descriptor of our journal; -1: none */
	const struct um_journal *seized; /* a dead session's journal, which we have locked to read it */
	char journal_name[UM_LEASE_NAME];
	off_t end;         /* length of our journal */
	unsigned left;     /* number of records in our journal that still have something to put back */
	unsigned owner;    /* user id of the directory's owner */
	bool borrowed;     /* do not trust journals in the user's own folder (see struct um_machine) */
	int patience_ms;   /* total time in ms that we may still wait for locks of other processes */
	char path[4096];   /* name of the directory, for messages */
	char boot[40];     /* identity of the boot; "-" if the kernel does not report it */
};

/* Write the path of this machine's lease directory to @buf; false: the machine has none (in-process, dry run). */
bool um_lease_dir(const struct um_machine *m, char *buf, size_t size);
/* Set the hint for an error @err (a negative errno) of the lease directory. */
void um_lease_dir_hint(int err, struct um_error *e);
/*
 * Create a missing directory if leases will be held or journals replayed (@use). g->dir becomes -1 on machines without a
 * lease directory.
 */
int um_guard_open(struct um_guard *g, const struct um_machine *m, bool use, struct um_error *e) UM_MUST_CHECK;
/* Wait a millisecond for a lock of another process; false: the time limit has been reached. */
bool um_guard_wait(struct um_guard *g);
/* For a child process: the journal and the leases belong to the parent, so only close the descriptors. */
void um_guard_let_go(struct um_guard *g);
/* Release all leases and remove our journal. The journal's file stays if it still has a record to restore. */
void um_guard_close(struct um_guard *g);

struct um_lease {
	struct um_lease_id id;
	uint64_t byte;     /* offset of the byte in the file "lock" */
	bool held;
	bool contested;    /* we own the directory and hold the lease, although a group member has locked it, too */
	int journal;       /* descriptor of the journal that has the lease's record: ours, or a dead session's */
	off_t record;      /* offset in that journal, after the first line of the record; 0: no record */
	off_t spare;       /* offset of an older record of the lease, which is done and may be overwritten; 0: none */
	int length;        /* length of the records at @record and @spare */
};

/* Initialise a lease without taking it. @box: the unit that @id names; for a package's gate, any unit that needs it. */
struct um_lease um_lease_make(const struct um_lease_id *id, const struct um_box *box);
/*
 * Take the lease and set l->held. The lease of a counter or filter is for this session alone: returns -EBUSY, without
 * setting @e, if another session holds it (see um_lease_holder()). The owner of the directory also gets a lease that
 * only a member of the group has locked; l->contested is then set. The lease of a gate is shared by all sessions that
 * need the gate; take it under um_enable_lock().
 */
int um_lease_take(struct um_guard *g, struct um_lease *l, struct um_error *e) UM_MUST_CHECK;
/* *held_by gets the record from the journal of the other session or, if there is none, only its process. */
void um_lease_holder(struct um_guard *g, const struct um_lease *l, struct um_record *held_by);
/* True if no other session holds the lease. The owner of the lease directory ignores sessions of group members. */
bool um_lease_is_last(const struct um_guard *g, const struct um_lease *l);
/* For the owner of the lease directory: has a member of the group locked the lease? */
bool um_lease_has_members(const struct um_guard *g, const struct um_lease *l);
/* The record of the lease stays in the journal unless um_lease_forget() was called. */
void um_lease_release(struct um_guard *g, struct um_lease *l);
/*
 * The lock under which sessions start and repair, from the search for free counters until the journals are written.
 * Without it, two sessions that count on two packages could each take the last free counter of one of them, and both
 * would fail. A counter would also seem to be in use while another session holds its lease only to read the counter.
 * Wait at most 5 s: a process stopped by SIGSTOP must not block everyone else.
 */
int um_start_lock(const struct um_machine *m, struct um_guard *g, struct um_error *e) UM_MUST_CHECK;
void um_start_unlock(struct um_guard *g);
/*
 * The lock for changes of the shared enable registers of a package or die. Waits 2 s, then returns -EBUSY. Unlock also
 * after a failure.
 */
int um_enable_lock(struct um_guard *g, const struct um_box *b, struct um_error *e) UM_MUST_CHECK;
void um_enable_unlock(struct um_guard *g, const struct um_box *b);

/* ---- byte_locks.c ---- */

/* As the last byte of a range, UM_LOCK_END means the end of the file. */
#define UM_LOCK_END ((uint64_t)INT64_MAX)
/* Does not wait. @type: F_WRLCK (exclusive), F_RDLCK (shared) or F_UNLCK. 0 or a negative errno. */
int um_lock(int fd, uint64_t first, uint64_t last, short type);
/*
 * Find a lock of another process on any byte from *first to *last. @type F_WRLCK finds any lock, F_RDLCK only write
 * locks. Returns true if there is such a lock, with its range in *first and *last.
 */
bool um_lock_find(int fd, uint64_t *first, uint64_t *last, short type);

struct um_locked {
	uint64_t first, last;
	long pid, user;        /* pid 0 and user -1: unknown */
	char command[32];
};

/* The process that has locked @byte, according to /proc/PID/fdinfo; 0: unknown. */
long um_lock_holder(const struct um_guard *g, uint64_t byte);
/* The process that has locked a journal, or a part of it; 0: unknown. */
struct um_journal;
long um_journal_holder(const struct um_journal *j);
/* Find out which process has locked the bytes from l->first to l->last. */
void um_lock_describe(const struct um_guard *g, struct um_locked *l);
/* Call @fn for each locked range, sometimes again. A nonzero result of @fn ends the calls and is returned. */
int um_locks_each(const struct um_guard *g, int (*fn)(void *user, uint64_t first, uint64_t last), void *user);

/* ---- journal.c ---- */

/*
 * Is there an unsafe folder "user"? It is unsafe if the directory's owner does not own it, if everyone may write
 * to it, or if a group may and the sticky bit is not set.
 */
bool um_users_are_wrong(const struct um_guard *g);

/* Make our journal, with room for @room bytes, before anything is programmed. */
int um_journal_begin(struct um_guard *g, size_t room, struct um_error *e) UM_MUST_CHECK;
void um_journal_end(struct um_guard *g);
/* Write a record, before any register is changed. Does nothing if the machine has no journals. */
int um_lease_store(struct um_guard *g, struct um_lease *l, const struct um_record *r, struct um_error *e) UM_MUST_CHECK;
/* Note in the lease's record what is left to put back. Does nothing if the lease has no record. */
void um_lease_mark(const struct um_lease *l, enum um_mark mark);
/* Note in the record that nothing is left to put back. */
void um_lease_forget(struct um_guard *g, struct um_lease *l);

/* Which journals um_journals_each() reads. */
enum um_whose {
	UM_JOURNALS_OURS,      /* the user's own journals, from which we may restore registers */
	UM_JOURNALS_BELIEVED,  /* the user's own journals and root's */
	UM_JOURNALS_ALL,       /* journals of all users, and files that are not journals */
};
/* An open journal. */
struct um_journal {
	char file[UM_LEASE_NAME];  /* path, relative to the lease directory */
	const char *name;          /* the last part of @file; NULL: the file is no journal */
	long user;                 /* user id of the journal's owner; -1: the directory's owner */
	int dir, fd;               /* @dir: folder of the file; @fd -1: not opened */
	enum um_fault fault;       /* why the journal or, after um_journal_next(), the record cannot be read */
	bool mine;                 /* the journal belongs to this session */
	bool live;                 /* a process has locked the journal, so its session seems to be alive */
	bool ended;                /* no further record can be read */
	off_t most;                /* records that begin after this offset are not read */
	off_t at, record;          /* offsets of the next record and of the last one read */
};
/*
 * Call @fn for each journal. Stops when @fn returns a nonzero value, and returns it. Returns a negative errno if the
 * directory cannot be read, or if the process has no descriptor left to open one of its files.
 */
int um_journals_each(struct um_guard *g, enum um_whose whose,
		     int (*fn)(void *user, struct um_journal *j), void *user, struct um_error *e);
/* Does the journal's process still exist? The lock is no proof: a child or a stopped repair may hold the lock. */
bool um_journal_has_owner(const struct um_journal *j);
/* Lock @j while we read it. False: its session is alive, or another process has locked it. */
bool um_journal_seize(struct um_guard *g, struct um_journal *j);
/* Read the next record that is not done; j->fault says why it cannot be read. False: there is no further one. */
bool um_journal_next(struct um_journal *j, struct um_record *r);
/* Find a trusted record about @id of another session (@live: that is alive) with something left to restore. */
bool um_journal_find(struct um_guard *g, const struct um_lease_id *id, bool live, struct um_record *r);
bool um_same_id(const struct um_lease_id *a, const struct um_lease_id *b);

/* ---- repair.c: what dead processes left ---- */

/* Snapshot of a lease. */
struct um_found_lease {
	struct uncoremsr_lease pub;    /* publish() (repair.c) sets its pointers to the members below */
	struct um_lease_id id;         /* package -1: unknown */
	char file[UM_LEASE_NAME], command[32], event[72];
};

struct um_leases {
	struct uncoremsr_leases pub;
	struct um_found_lease *all;
	size_t num;
	const struct uncoremsr_lease **list;
};

/* Like uncoremsr_leases(), but fills the caller's empty list. 0 or a negative errno. */
int um_leases_list(struct um_leases *list, struct um_guard *g, const struct um_machine *m,
		   struct um_error *e) UM_MUST_CHECK;

/* Called for each lease that a repair finds; see uncoremsr_repair(). */
typedef void um_repair_fn(void *user, enum uncoremsr_repair what, const struct uncoremsr_lease *lease);
/*
 * Restore what dead processes left. If @fn is NULL, log the results. If @asked is false, the repair is part of a
 * session's start: core counters are left alone, and so are counters that were on before the dead process took them.
 * Returns the number of restored counters and registers, or a negative errno. Call it under um_start_lock().
 */
int um_repair_all(const struct um_machine *m, struct um_guard *g, bool asked, um_repair_fn *fn,
		  void *user, struct um_error *e);
/* Repair one lease that we hold: its holder may have died after um_repair_all(). True: something was put back. */
bool um_repair_leased(const struct um_machine *m, struct um_guard *g, const struct um_lease *lease);

#endif
