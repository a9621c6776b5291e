/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leases: one file per counter of each unit in one directory per machine, locked while it is held.
 *
 * The locks are open-file-description locks (F_OFD_SETLK): the kernel drops them when the last
 * descriptor is closed, so also when the process dies however it dies; unlike classic POSIX locks
 * they are not lost when some other part of the program opens and closes the same file, and unlike
 * flock() they can be asked for (F_OFD_GETLK) without taking them.
 *
 * While a counter is programmed its lease file holds a record: who holds the counter, what its
 * registers held before, and every word that the holder may write to its selector. The record
 * survives the holder: a file with a record and without a lock is what a dead process left behind.
 * It is plain text, so that a person can read it; a checksum in the last line tells whether it is
 * whole. Registers that several counters share have records of their own: an extra register of a
 * unit (a filter), and a gate that was closed before one of our sessions opened it.
 */
#ifndef UM_LEASE_H
#define UM_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "counting/registers.h"
#include "uncoremsr/leases.h"

enum { UM_RECORD_WORDS = 512, UM_RECORD_TEXT = 16384, UM_LEASE_NAME = 96 };

enum um_lease_kind { UM_LEASE_COUNTER, UM_LEASE_EXTRA, UM_LEASE_GATE };

/* What a lease is about. */
struct um_lease_id {
	int package, die;              /* die -1: per package */
	char unit[UM_UNIT_NAME];       /* "cbo3"; "": a gate of the whole package */
	enum um_lease_kind kind;
	/* general counters from 0, then the fixed ones; else the address of the register */
	unsigned number;
};

struct um_record {
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
	UM_FAULT_UNREADABLE,           /* the file */
	UM_FAULT_FOREIGN, UM_FAULT_VERSION, UM_FAULT_TORN, UM_FAULT_FORM, /* its text */
	UM_FAULT_NAME,                 /* it is not about what its file is named for */
	UM_FAULT_BOOT, UM_FAULT_MACHINE, /* where it was written */
	UM_FAULT_UNIT, UM_FAULT_COUNTER, UM_FAULT_REGISTER, UM_FAULT_GATE, /* not here */
	UM_FAULT_WORDS,                /* no session of ours writes these */
};
/* For people: "torn: its checksum does not fit"; "" without a fault. */
const char *um_fault_text(enum um_fault fault);

/* ---- record.c ---- */

/*
 * Name of a lease file: "package0-die1-cbo3-counter2", "package0-cbo3-extrad14",
 * "package0-gatee01". That of the PMU "uncore" has no unit in it.
 */
void um_lease_name(const struct um_lease_id *id, char *buf, size_t size);
/* False: no name of ours. */
bool um_lease_parse_name(const char *name, struct um_lease_id *id);

/* A record of this process about @id, without old values and words. */
void um_record_begin(struct um_record *r, const struct um_machine *m, const char *boot,
		     const struct um_lease_id *id, const char *event);
/* One more word, unless it stands there already. */
void um_record_add_word(struct um_record *r, uint64_t word);
/* Is @selector one of the words, in the bits @compare? */
bool um_record_has_word(const struct um_record *r, uint64_t selector, uint64_t compare);
/* Into @buf; returns the length, or -ENOSPC. */
int um_record_format(const struct um_record *r, char *buf, size_t size);
enum um_fault um_record_parse(struct um_record *r, const char *text, size_t len);
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

/* ---- lease_files.c: the directory, and the locks ---- */

struct um_guard {
	int dir;           /* descriptor of the lease directory; -1: this machine has none */
	char path[4096];   /* its name, for messages */
	char boot[40];     /* identity of the boot, "-" where the kernel does not tell */
};

/* The directory of this machine into @buf; false: it has none (in-process, dry run). */
bool um_lease_dir(const struct um_machine *m, char *buf, size_t size);
/* Open the directory, making it if @create. No directory on this machine: dir -1 and success. */
int um_guard_open(struct um_guard *g, const struct um_machine *m, bool create,
		  struct um_error *e) UM_MUST_CHECK;
void um_guard_close(struct um_guard *g);
/*
 * The files of the directory that are named like leases. Stops when @fn returns other than 0, and
 * returns that.
 */
int um_lease_each(struct um_guard *g,
		  int (*fn)(void *user, const char *name, const struct um_lease_id *id), void *user);

/*
 * Take a lease: *fd is a descriptor to keep open, or -1 where the machine has no leases. -EBUSY: a
 * living process holds it (*held_by is its record, as far as it can be read).
 */
int um_lease_take(struct um_guard *g, const struct um_lease_id *id, int *fd,
		  struct um_record *held_by, struct um_error *e) UM_MUST_CHECK;
/* What stands in the file: 1 a record, 0 nothing, -EINVAL (reason in @fault). */
int um_lease_load(int fd, struct um_record *r, enum um_fault *fault);
/* Write the record, before any register is changed. */
int um_lease_store(struct um_guard *g, int fd, const struct um_record *r,
		   struct um_error *e) UM_MUST_CHECK;
/* There is nothing left to put back. */
void um_lease_forget(int fd);
/* Give the counter back. A record that is not forgotten stays in the file. */
void um_lease_release(int fd);
/* Is the file locked by a living process? */
bool um_lease_is_held(int fd);

/*
 * The lock under which sessions start and repair, from looking for free counters until the journals
 * are written: else two of them could each take the last counter of another package and both fail,
 * and a lease that is only being looked at would pass for one that is held. A starter that is
 * stopped must not stop everybody: after 5 s it goes on without (*fd -1). um_lease_release() ends
 * it.
 */
int um_start_lock(struct um_guard *g, int *fd, struct um_error *e) UM_MUST_CHECK;
/*
 * The lock under which the shared enable register of a package is changed. Waits for a moment, but
 * not for ever: -EBUSY. *fd is -1 at first, and then stays open for the next time: a session must
 * be able to restore also when no file can be opened any more. um_lease_release() closes it.
 */
int um_enable_lock(struct um_guard *g, int package, int die, int *fd,
		   struct um_error *e) UM_MUST_CHECK;
void um_enable_unlock(int fd);

/*
 * Gates are shared: a session that needs one which was closed before sessions of ours came keeps
 * the lease of the gate together with the others, and the last one closes it. All of these are
 * called under um_enable_lock().
 */
/* Hold the gate's lease with the others if it has a record, so that it has to be closed. */
void um_gate_join(struct um_guard *g, const struct um_lease_id *id, int *fd);
/* Hold it, and make its file if there is none. */
int um_gate_hold(struct um_guard *g, const struct um_lease_id *id, int *fd,
		 struct um_error *e) UM_MUST_CHECK;
/* Are we the last one who holds it? */
bool um_gate_is_last(int fd);

/* ---- repair.c: what dead processes left ---- */

/* A lease as found at one moment: what the public header tells about it. */
struct uncoremsr_lease {
	enum uncoremsr_lease_state state;
	struct um_lease_id id;         /* from the file's name */
	char file[UM_LEASE_NAME];
	struct um_record record;
	enum um_fault fault;
	bool looked;                   /* by a repair: */
	uint64_t holds;                /* what its selector, filter or gate holds */
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
 * Put back what dead processes left; @fn NULL: into the log. Returns how many counters and
 * registers were put back, or a negative errno. Under um_start_lock().
 */
int um_repair_all(const struct um_machine *m, struct um_guard *g, um_repair_fn *fn, void *user,
		  struct um_error *e);
/* The same for one lease @fd that we hold: its holder died after um_repair_all(). */
int um_repair_leased(const struct um_machine *m, struct um_guard *g, int fd,
		     const struct um_lease_id *id, struct um_error *e);

#endif
