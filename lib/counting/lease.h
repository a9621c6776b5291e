/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Leases: one file per counter of each unit in one directory per machine, locked while it is held.
 *
 * The locks are open-file-description locks (F_OFD_SETLK): the kernel drops them when the last
 * descriptor is closed, so also when the process dies however it dies; unlike classic POSIX locks
 * they are not lost when some other part of the program opens and closes the same file, and unlike
 * flock() they can be asked for (F_OFD_GETLK) without taking them.
 *
 * A lease file that has a record (record.h) in it and no lock is what a dead process left behind.
 */
#ifndef UM_LEASE_H
#define UM_LEASE_H

#include <stdbool.h>

#include "counting/record.h"
#include "common/error.h"
#include "machine/handle.h"

struct um_guard {
	int dir;           /* descriptor of the lease directory; -1: this machine has none */
	char path[4096];   /* its name, for messages */
	char boot[40];     /* identity of the boot, "-" where the kernel does not tell */
};

/* The directory of this machine into @buf; false: it has none (in-process, dry run). */
bool um_lease_dir(const struct uncoremsr *um, char *buf, size_t size);
/* Open the directory, making it if @create. No directory on this machine: dir -1 and success. */
int um_guard_open(struct um_guard *g, struct uncoremsr *um, bool create,
		  struct um_error *e) UM_MUST_CHECK;
void um_guard_close(struct um_guard *g);

/*
 * Name of a lease file: "package0-die1-cbo3-counter2", "package0-cbo3-extrad14",
 * "package0-gatee01". That of the PMU "uncore" has no unit in it.
 */
void um_lease_name(const struct um_lease_id *id, char *buf, size_t size);
/* False: no name of ours. */
bool um_lease_parse_name(const char *name, struct um_lease_id *id);
/*
 * Take a lease: *fd is a descriptor to keep open, or -1 where the machine has no leases. -EBUSY: a
 * living process holds it (*held_by is its record, as far as it can be read).
 */
int um_lease_take(struct um_guard *g, const struct um_lease_id *id, int *fd,
		  struct um_record *held_by, struct um_error *e) UM_MUST_CHECK;
/* What stands in the file: 1 a record, 0 empty, -EINVAL (reason in @why). */
int um_lease_load(int fd, struct um_record *r, char *why, size_t size);
/* Write the record, before any register is changed. */
int um_lease_store(struct um_guard *g, int fd, const struct um_record *r,
		   struct um_error *e) UM_MUST_CHECK;
/* There is nothing left to put back. */
void um_lease_forget(int fd);
/* Give the counter back: forget the record, then the lock goes with the descriptor. */
void um_lease_drop(int fd);
/* Give back the lease of a counter that was not touched: whatever stands in the file stays. */
void um_lease_release(int fd);
/* Is the file locked by a living process? */
bool um_lease_is_held(int fd);

/*
 * The lock under which sessions start and repair, from looking for free counters until the journals
 * are written: else two of them could each take the last counter of another package and both fail,
 * and a lease that is only being looked at would pass for one that is held. A starter that is
 * stopped must not stop everybody: after 5 s it goes on without (*fd -1).
 */
int um_start_lock(struct um_guard *g, int *fd, struct um_error *e) UM_MUST_CHECK;
/*
 * The lock under which the shared enable register of a package is changed. Waits for a moment, but
 * not for ever: -EBUSY. *fd is -1 at first, and then stays open for the next time: a session must
 * be able to restore also when no file can be opened any more. um_unlock() closes it.
 */
int um_enable_lock(struct um_guard *g, int package, int die, int *fd,
		   struct um_error *e) UM_MUST_CHECK;
void um_enable_unlock(int fd);
void um_unlock(int fd);

/*
 * Gates are shared: a session that needs one which was closed before sessions of ours came keeps
 * the lease of the gate together with the others, and the last one closes it. All of these are
 * called under um_enable_lock().
 */
/* Does the gate have a record, so that somebody has to close it? *fd is then held by us too. */
bool um_gate_join(struct um_guard *g, const struct um_lease_id *id, int *fd);
/* Hold it, and make its file if there is none. */
int um_gate_hold(struct um_guard *g, const struct um_lease_id *id, int *fd,
		 struct um_error *e) UM_MUST_CHECK;
/* Are we the last one who holds it? */
bool um_gate_is_last(int fd);

/*
 * repair.c: put back what dead processes left; @tell gets a sentence about each (NULL: the log).
 * Returns how many counters were put back, or a negative errno. Under um_start_lock().
 */
int um_repair_all(struct uncoremsr *um, struct um_guard *g,
		  void (*tell)(void *user, const char *line), void *user);
/* The same for one lease @fd that we hold: its holder died after um_repair_all(). */
int um_repair_leased(struct uncoremsr *um, struct um_guard *g, int fd,
		     const struct um_lease_id *id, void (*tell)(void *user, const char *line),
		     void *user);

/*
 * leases.c: the files of the directory that are named like leases. Stops when @fn returns other
 * than 0.
 */
int um_lease_each(struct um_guard *g,
		  int (*fn)(void *user, const char *name, const struct um_lease_id *id), void *user);
/*
 * The record has to be whole, ours, of this boot, and about what its file is named for. 1, 0 empty,
 * -EINVAL. *box is the unit it is about when the result is 1; without a PMU when its package is not
 * online.
 */
int um_lease_check(struct uncoremsr *um, struct um_guard *g, int fd, const struct um_lease_id *id,
		   struct um_record *r, struct um_box *box, char *why, size_t size);

#endif
