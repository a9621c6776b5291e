/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/sim.h
 * Simulated machines: a model of hardware inside the process, for trials, teaching and tests. Rules about
 * errors, threads, ownership and structs: uncoremsr.h. Names, keys and files of the machines: uncoremsr-sim(5).
 * These functions are in a library of their own, libuncoremsr-sim (pkg-config --libs libuncoremsr-sim). A program
 * that only opens "sim:NAME" need not link it.
 * If the machine is NULL, every function returns an error or NULL.
 */
#ifndef UNCOREMSR_SIM_H
#define UNCOREMSR_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_sim; /* a simulated machine */

/* ---- machines ---- */

/**
 * A built-in machine.
 * @param index counts from 0.
 * @param title if not NULL, gets a one-line description, or NULL if there is none.
 * @return its name, a constant string; NULL past the end.
 */
const char *uncoremsr_sim_machine(size_t index, const char **title);
/**
 * Make a simulated machine. Its clock starts at 0.
 * @param sim gets the machine, which the caller frees with uncoremsr_sim_free(); NULL after a failure.
 * @param what NAME[,KEY=VALUE...], or PATH[,KEY=VALUE...] for a file (a path contains a slash).
 * @param error if not NULL, a buffer of @p size bytes; after a failure it has a message that says why.
 * @return 0; -ENOENT no such machine or file; -EINVAL a key or description is wrong, or an argument
 *   is NULL; -EACCES or -EPERM the file may not be read; -ENOMEM.
 */
int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size);
/** Free a simulated machine. No handle may have it open (uncoremsr_set_sim()). Accepts NULL. */
void uncoremsr_sim_free(struct uncoremsr_sim *sim);
/**
 * Use a simulated machine that belongs to the caller (for tests that look at the machine afterwards).
 * @param sim borrowed; must outlive the handle.
 * @return 0; -EBUSY already open; -EINVAL an argument is NULL; -ENOMEM.
 */
int uncoremsr_set_sim(struct uncoremsr *um, struct uncoremsr_sim *sim);
/** A simulated machine at one moment. */
struct uncoremsr_sim_state {
	size_t size;
	const char *name;     /* name of the machine, or path of its description; without KEY=VALUE settings */
	uint64_t now;         /* nanoseconds since the machine was made, on its own clock */
	uint64_t last_access; /* time of the last access (to a register, CPUID or a file). The value that was read or
			       * written was exact at this time; a real clock has advanced since then. */
};
/** @return the state of the machine, valid until the next call; NULL without a machine. */
const struct uncoremsr_sim_state *uncoremsr_sim_state(struct uncoremsr_sim *sim);

/* ---- instructions and devices ---- */

/**
 * Execute rdmsr on a CPU of the machine.
 * @param value unchanged after a failure.
 * @return 0; -EIO the access faults (#GP); -ENXIO no such CPU, or it is offline; -EACCES the keys allow= do not list
 *   the register; -EINVAL an argument is NULL; or the error that the key fail= names.
 */
int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
/**
 * Execute wrmsr on a CPU of the machine, after the write filter of the msr driver.
 * @return as uncoremsr_sim_rdmsr(); -EACCES also if the keys allow= let no bit be written; -EPERM the keys
 *   allow_writes= or lockdown= forbid writing.
 */
int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/**
 * Execute CPUID on a CPU of the machine.
 * @param regs gets EAX, EBX, ECX, EDX; unchanged after a failure.
 * @return 0; -ENXIO no such CPU, or it is offline; -ENOENT a POWER machine, which has no CPUID; -EINVAL an argument is
 *   NULL.
 */
int uncoremsr_sim_cpuid(struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4]);
/**
 * Get the result of opening the msr device of a CPU. Nothing stays open.
 * @param for_writing not 0: for writing too. The result is the same, because the driver checks only the
 *   writes themselves.
 * @return 0; -ENOENT no msr driver or no devices; -ENXIO no such CPU, or it is offline; -EINVAL
 *   without a machine; or the error that the key open= names.
 */
int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim, unsigned cpu, int for_writing);

/* ---- time ---- */

/**
 * Advance a stepped clock (key clock=stepped), as uncoremsr_advance() does.
 * @param ns nanoseconds.
 * @return 1; 0 if the clock is real and was not changed; -EINVAL without a machine.
 */
int uncoremsr_sim_advance(struct uncoremsr_sim *sim, uint64_t ns);

/* ---- sysfs and procfs ---- */

/**
 * Read one of the machine's text files.
 * @param path such as "sys/devices/system/cpu/online", without a slash in front.
 * @param buf gets at most @p size bytes of the text, without a terminating NUL.
 * @return the length of the whole text; -ENOENT; -EISDIR; -EACCES only root may read the file; -ENOMEM; -EINVAL an
 *   argument is NULL.
 */
long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size);
/**
 * Write to one of the machine's text files. "sys/devices/system/cpu/cpuN/online" takes a CPU offline or
 * online, "sim/clock" advances a stepped clock.
 * @return 0; -ENOENT; -EISDIR; -EACCES the file is read-only; -EINVAL the text is not valid for the file,
 *   or an argument is NULL.
 */
int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text,
			     size_t size);
/**
 * List a directory of the machine's text files. dev/cpu/N/msr and dev/cpu/N/cpuid are not listed, because they
 * are devices.
 * @param path "" for the top directory.
 * @param fn called once for each name, which is valid during the call; a return value other than 0 ends the
 *   list.
 * @return 0; -ENOENT; -ENOTDIR; -ENOMEM; -EINVAL an argument is NULL; or what @p fn returned.
 */
int uncoremsr_sim_file_list(struct uncoremsr_sim *sim, const char *path,
			    int (*fn)(void *user, const char *name, int is_dir), void *user);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
