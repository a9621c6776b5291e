/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leases and journals, in one directory per machine.
 *
 * A lease is a locked byte of the file "lock", which is never read or written: where the byte is says
 * what is held (a counter, a filter, a gate). Whoever may not open that file for writing cannot hold
 * or disturb any of them. The locks are open-file-description locks (F_OFD_SETLK): the kernel drops
 * them when the last descriptor is closed, so also when the process dies however it dies. A session
 * has one descriptor for all its leases, so that it needs none once it has begun.
 *
 * Where a group may lock "lock", so may one of its members who counts nothing. The sessions of the
 * directory's owner exclude each other by "root.lock" then, which nobody else can open, and only after
 * that by "lock". What a member has locked there is respected as long as there is another counter or the
 * registers show that it is in use; it is never waited for in vain.
 *
 * The device nodes themselves are not locked: a read lock through a descriptor for reading would stop
 * a session, nodes in containers are copies that do not exclude each other, and which CPUs there are
 * changes.
 *
 * A journal is one file for each session, locked for writing as long as the session lives. It holds a
 * record for each register that is changed, written before: who changes it, what it held, and every
 * word that the session may write. A journal without a lock is what a dead process left. It is
 * plain text, so that a person can read it; a checksum tells whether a record is whole.
 *
 *	lock                     root's, 0600, or 0660 and of the group that may count
 *	root.lock                root's, 0600, where "lock" is the group's
 *	4711-1.journal           of root's sessions, 0600, or 0640 and of that group
 *	user/1000/4712-1.journal of that user's sessions; no other user's believe them
 *
 * In a tree of one's own one is root.
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

/* What a lease is about. */
struct um_lease_id {
	int package, die;              /* die -1: per package */
	char unit[UM_UNIT_NAME];       /* "cbo3"; "": a gate of the whole package */
	enum um_lease_kind kind;
	/* general counters from 0, then the fixed ones; else the address of the register */
	unsigned number;
};

/* What is still to be done about a record. */
enum um_mark {
	UM_MARK_USED,                  /* all that it tells */
	UM_MARK_GATE,                  /* the selector is back; the counter, or its bit of the gate, is not */
	UM_MARK_WRAP,                  /* all is back, but the mark that the counter wrapped is there */
	UM_MARK_DONE,                  /* nothing */
};

struct um_record {
	enum um_mark mark;
	char boot[40], uarch[32];
	struct um_lease_id id;
	long pid;
	int64_t since;                 /* Unix seconds */
	char command[32], event[72];
	uint64_t old_selector;         /* or what the extra register or gate held */
	uint64_t old_counter;          /* counters only, as the next */
	bool old_enabled;              /* its bit of the gate */
	uint64_t words[UM_RECORD_WORDS];
	unsigned num_words;
};

/* Why a record is not believed. */
enum um_fault {
	UM_FAULT_NONE,
	UM_FAULT_ALIEN, UM_FAULT_USERS, UM_FAULT_FILE, UM_FAULT_UNREADABLE, /* the file */
	UM_FAULT_FOREIGN, UM_FAULT_VERSION, UM_FAULT_TORN, UM_FAULT_FORM, /* its text */
	UM_FAULT_BOOT, UM_FAULT_MACHINE, /* where it was written */
	UM_FAULT_UNIT, UM_FAULT_COUNTER, UM_FAULT_REGISTER, UM_FAULT_GATE, /* not here */
	UM_FAULT_WORDS,                /* no session of ours writes these */
	UM_FAULT_ON,                   /* of a member: would switch something on */
};
/* For people: "torn: its checksum does not fit"; "" without a fault. */
const char *um_fault_text(enum um_fault fault);

/* ---- record.c ---- */

/* A record of this process about @id, without old values and words. */
void um_record_begin(struct um_record *r, const struct um_machine *m, const char *boot,
		     const struct um_lease_id *id, const char *event);
/* One more word, unless it stands there already. */
void um_record_add_word(struct um_record *r, uint64_t word);
/* Is @selector one of the words, in the bits @compare? */
bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare);
/*
 * A record begins with a line of UM_RECORD_HEAD bytes: the form, the mark, which is overwritten in
 * place and therefore not in the checksum, and the length of all of it.
 */
enum { UM_RECORD_HEAD = 31, UM_RECORD_MARK = 20, UM_MARK_SIZE = 4 };
extern const char um_mark_texts[][UM_MARK_SIZE + 1];
/* At most: a record without words, and each word. */
enum { UM_RECORD_ROOM = 544, UM_WORD_ROOM = 24 };
/* Into @buf; returns the length, or -ENOSPC. */
int um_record_format(const struct um_record *r, char *buf, size_t size);
/* "uncore-read (pid 4711)"; @pid 0: not known, and just the name. Returns @buf. */
const char *um_process_text(const char *command, long pid, char *buf, size_t size);
/* @text begins with the record; *len becomes its length, or 0 when that is not known. */
enum um_fault um_record_parse(struct um_record *r, const char *text, size_t *len);
/* Was it written on this machine since it was started? */
enum um_fault um_record_check(const struct um_record *r, const struct um_machine *m,
			      const char *boot);
/*
 * Could a session of ours have written it? Register values are held against the tables. @box: the
 * unit it names, or one that is behind the gate it names.
 */
enum um_fault um_record_check_registers(const struct um_record *r, const struct um_machine *m,
					const struct um_box *box);
/* The gate of the unit that the record of a gate names; NULL: it has none there. */
const struct um_gate *um_record_gate(const struct um_lease_id *id, const struct um_box *box);

/* Another process has locked it: what a lock says, and never an open. */
static inline bool um_is_busy(int err)
{
	return err == -EAGAIN || err == -EACCES;
}

/* ---- lock.c: the directory, and the bytes of its file "lock" ---- */

/*
 * A machine without a directory (in-process, dry run) can be reached through its handle only: which
 * counters and filters the sessions of this handle hold.
 */
struct um_handle_leases;
struct um_handle_leases *um_handle_leases_new(void); /* NULL: no memory */
void um_handle_leases_free(struct um_handle_leases *all);

/* A file as it was when it was read. */
struct um_journal_key {
	ino_t inode;
	int64_t changed_ns;
};

struct um_guard {
	int dir;           /* descriptor of the directory; -1: this machine has none */
	struct um_handle_leases *of_handle; /* in its place; NULL: nobody else can count there */
	int locks;         /* of "lock"; for reading only, where nothing is to be held */
	int own;           /* of "root.lock", where the group may lock "lock"; -1: none. Only while locks is open */
	int patience;      /* ms that members' locks are still waited for */
	int home;          /* where our journals are: dir, or user/UID of its own */
	int journal;       /* ours; -1: none */
	const struct um_journal *seized; /* a dead session's: its lock is ours, and no sign of life */
	struct um_journal_key useless[16]; /* journals of the dead without anything that can be put back: skipped */
	unsigned num_useless;
	char journal_name[UM_LEASE_NAME];
	off_t end;         /* of what is in it */
	unsigned left;     /* records in it that have something left */
	unsigned owner;    /* of the directory */
	bool borrowed;     /* see struct um_machine: journals of our own are not believed */
	int patience_ms;   /* so long may all waiting for locks of others take together */
	char path[4096];   /* its name, for messages */
	char boot[40];     /* identity of the boot, "-" where the kernel does not tell */
};

/* The directory of this machine into @buf; false: it has none (in-process, dry run). */
bool um_lease_dir(const struct um_machine *m, char *buf, size_t size);
/*
 * Open the directory. @use: to hold leases and replay journals, so that it is made if it is missing.
 * No directory on this machine: dir -1 and success.
 */
int um_guard_open(struct um_guard *g, const struct um_machine *m, bool use,
		  struct um_error *e) UM_MUST_CHECK;
/* Wait a millisecond for a lock that another process has; false: it has been waited long enough. */
bool um_guard_wait(struct um_guard *g);
/* In a child: the journal and the leases are the parent's. Descriptors are closed, and nothing else is done. */
void um_guard_let_go(struct um_guard *g);
/* The end of all leases, and of the journal, which stays as a file when something is left. */
void um_guard_close(struct um_guard *g);

struct um_lease {
	struct um_lease_id id;
	uint64_t byte;     /* of the file "lock" */
	bool held;
	bool contested;    /* held by the directory's owner, and a member of the group has locked it, too */
	off_t record;      /* behind the beginning of its record in our journal; 0: it has none */
};

/* One that is not held yet. @box: the unit that @id names, or one behind the gate of a package. */
struct um_lease um_lease_make(const struct um_lease_id *id, const struct um_box *box);
/*
 * Hold it alone, or not at all (and success) where the machine has no leases. -EBUSY: another session
 * holds it (*held_by is its record, as far as it is known). What only a member of the group has locked the
 * owner of the directory can hold all the same: l->contested.
 */
int um_lease_take(struct um_guard *g, struct um_lease *l, struct um_record *held_by,
		  struct um_error *e) UM_MUST_CHECK;
/* Hold it together with others: a gate. Under um_enable_lock(), as the next. */
int um_lease_share(struct um_guard *g, struct um_lease *l, struct um_error *e) UM_MUST_CHECK;
/* Who has locked it beside us: a record, or no more than a process. */
void um_lease_holder(struct um_guard *g, const struct um_lease *l, struct um_record *held_by);
/* Does no other session hold it? For the directory's owner: none of the owner's. */
bool um_lease_is_last(const struct um_guard *g, const struct um_lease *l);
/* For the owner: has a member of the group locked it? */
bool um_lease_has_members(const struct um_guard *g, const struct um_lease *l);
/* Give it back. A record that is not forgotten stays in the journal. */
void um_lease_release(struct um_guard *g, struct um_lease *l);
/*
 * The lock under which sessions start and repair, from looking for free counters until the journals
 * are written: else two of them could each take the last counter of another package and both fail,
 * and a lease that is only being looked at would pass for one that is held. A starter that is
 * stopped must not stop all others: after 5 s they go on without.
 */
int um_start_lock(const struct um_machine *m, struct um_guard *g, struct um_error *e) UM_MUST_CHECK;
void um_start_unlock(struct um_guard *g);
/*
 * The lock under which the shared enable register of a package is changed. Waits for a moment, but
 * not forever: -EBUSY.
 */
int um_enable_lock(struct um_guard *g, int package, int die, struct um_error *e) UM_MUST_CHECK;
void um_enable_unlock(struct um_guard *g, int package, int die);

/* ---- lock_byte.c ---- */

/* @type: F_WRLCK alone, F_RDLCK together with others, F_UNLCK. 0 or a negative errno; does not wait. */
int um_lock_byte(int fd, uint64_t byte, short type);
/*
 * The owner's journal of that name alone, as its session or to repair what it tells: where the group can
 * read the file it could lock it as well. Without a group there is nothing to do, and the file itself is
 * locked. 0; -EAGAIN another process has it; or another negative errno.
 */
int um_journal_lock(const struct um_guard *g, const char *name) UM_MUST_CHECK;
void um_journal_unlock(const struct um_guard *g, const char *name);

/* ---- holders.c ---- */

/* Locked bytes of the file "lock", by one process. */
struct um_locked {
	uint64_t first, last;  /* last UM_LOCK_END: and all behind it */
	long pid, user;        /* pid 0: not known, then user -1 */
	char command[32];
};
#define UM_LOCK_END ((uint64_t)INT64_MAX)

/* The process that has locked @byte, from what the kernel shows of the files of processes; 0: unknown. */
long um_lock_holder(const struct um_guard *g, uint64_t byte);
/* The process that has locked a journal, or a part of it; 0: unknown. */
struct um_journal;
long um_journal_holder(const struct um_journal *j);
/* Who has locked from @l->first to @l->last. */
void um_lock_describe(const struct um_guard *g, struct um_locked *l);
/* Whatever is locked, one or more times. Stops when @fn returns other than 0, and returns that. */
int um_locks_each(const struct um_guard *g, int (*fn)(void *user, uint64_t first, uint64_t last),
		  void *user);

/* ---- journal.c ---- */

/* Is "user" there, and not what it has to be: root's, and whoever may write there only to what is theirs? */
bool um_users_are_wrong(const struct um_guard *g);

/* Make our journal, with room for so many bytes, before anything is programmed. */
int um_journal_begin(struct um_guard *g, size_t room, struct um_error *e) UM_MUST_CHECK;
void um_journal_end(struct um_guard *g);
/* Write a record, before any register is changed. Nothing, where there is no journal to be kept. */
int um_lease_store(struct um_guard *g, struct um_lease *l, const struct um_record *r,
		   struct um_error *e) UM_MUST_CHECK;
int um_lease_mark(struct um_guard *g, struct um_lease *l, enum um_mark mark);
/* There is nothing left to put back. */
void um_lease_forget(struct um_guard *g, struct um_lease *l);

/* Whose journals to look at. */
enum um_whose {
	UM_JOURNALS_OURS,      /* that we may put back from */
	UM_JOURNALS_BELIEVED,  /* and root's */
	UM_JOURNALS_ALL,       /* and those of all users, and what else is there */
};
/* One of them, opened. */
struct um_journal {
	char file[UM_LEASE_NAME];  /* under the directory */
	long user;                 /* whose: -1 the directory's owner's */
	int dir, fd;               /* fd -1: @fault tells why */
	enum um_fault fault;
	bool mine;                 /* this very session's */
	bool live;                 /* its process is alive */
	off_t most;                /* look no further; 0: at all of it */
	off_t at, record;          /* where the next record begins, and the last one */
	struct um_journal_key key;
};
/*
 * Stops when @fn returns other than 0, and returns that; or an error: the directory cannot be read, or
 * there is no descriptor for a file of it.
 */
int um_journals_each(struct um_guard *g, enum um_whose whose,
		     int (*fn)(void *user, struct um_journal *j), void *user, struct um_error *e);
/*
 * Is there still the process that made it, as far as can be seen from here? The lock of one that has died may
 * be another's: of a repair that is stopped, or of a child.
 */
bool um_journal_has_owner(const struct um_journal *j);
/* Keep @j for ourselves while it is looked at, which must not be alive: false. */
bool um_journal_seize(struct um_guard *g, struct um_journal *j);
/* The next record: 1, 0 none, -EINVAL (reason in @fault; j->at is 0 when no other can follow). */
int um_journal_next(struct um_journal *j, struct um_record *r, enum um_fault *fault);
/* It is of use to a listing only, and is given to no other walk of this guard until it changes. */
void um_journal_skip(struct um_guard *g, const struct um_journal *j);
/* What is left of the last one. */
void um_journal_mark(struct um_journal *j, enum um_mark mark);
/* A believed record that has something left, of another session; @live: of one that is alive. */
bool um_journal_find(struct um_guard *g, const struct um_lease_id *id, bool live,
		     struct um_record *r);
bool um_same_id(const struct um_lease_id *a, const struct um_lease_id *b);

/* ---- repair.c: what dead processes left ---- */

/* A lease as found at one moment: what the public header tells about it. */
struct uncoremsr_lease {
	enum uncoremsr_lease_state state;
	struct um_lease_id id;         /* package -1: unknown */
	char file[UM_LEASE_NAME];
	enum um_fault fault;
	long user, pid, holder;        /* user -1: the directory's owner; 0: not known */
	int64_t since;
	char command[32], event[72];
	uint64_t first, last;          /* bytes that are locked, in that state only */
	bool looked;                   /* by a repair: */
	uint32_t selector;             /* the register, and what it holds */
	uint64_t holds;
};

struct uncoremsr_leases {
	struct uncoremsr_lease *all;
	size_t num;
};

/* As uncoremsr_leases_read(), into an empty list. */
int um_leases_list(struct uncoremsr_leases *list, struct um_guard *g, const struct um_machine *m,
		   struct um_error *e) UM_MUST_CHECK;

/* Gets each thing that was found; see uncoremsr_repair(). */
typedef void um_repair_fn(void *user, enum uncoremsr_repair what,
			  const struct uncoremsr_lease *lease);
/*
 * Put back what dead processes left; @fn NULL: into the log. @asked: by the user, and not on the way of
 * a session; then core counters, and what others had switched on, go back too. Returns how many
 * counters and registers were put back, or a negative errno. Under um_start_lock().
 */
int um_repair_all(const struct um_machine *m, struct um_guard *g, bool asked, um_repair_fn *fn,
		  void *user, struct um_error *e);
/* The same for one lease that we hold: its holder died after um_repair_all(). */
int um_repair_leased(const struct um_machine *m, struct um_guard *g, const struct um_lease *lease,
		     struct um_error *e);

#endif
