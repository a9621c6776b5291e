/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/sim.h
 * Simulated machines.
 * Rules about errors, threads and ownership: uncoremsr.h.
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



/* ------------------------------------------------------ simulated machines */

/** A ready machine: its name and one line about it; NULL past the end. */
const char *uncoremsr_sim_machine(size_t index, const char **title);
/**
 * Make a simulated machine.
 * @param what NAME[,KEY=VALUE...] or PATH[,KEY=VALUE...] (a path has a slash), see uncoremsr-sim(5).
 * @param error if not NULL, a buffer of @p size bytes for the sentence that explains a failure.
 * @return 0; -ENOENT no such machine or file; -EINVAL a parameter or description is wrong;
 *   -ENOTSUP built without simulated machines; -ENOMEM.
 */
int uncoremsr_sim_new(struct uncoremsr_sim **sim, const char *what, char *error, size_t size);
void uncoremsr_sim_free(struct uncoremsr_sim *sim);
/** Its name without parameters. */
const char *uncoremsr_sim_name(const struct uncoremsr_sim *sim);
/**
 * What the rdmsr and wrmsr instructions do on a CPU of the machine.
 * @return 0; -EIO the access faults (#GP); -ENXIO no such CPU or offline; or an error to order.
 */
int uncoremsr_sim_rdmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int uncoremsr_sim_wrmsr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/** What CPUID returns there: eax, ebx, ecx, edx. @return 0; -ENXIO. */
int uncoremsr_sim_cpuid(struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			uint32_t regs[4]);
/** What opening the msr device of a CPU answers: 0, or a negative errno (-ENXIO when offline). */
int uncoremsr_sim_open_cpu(struct uncoremsr_sim *sim, unsigned cpu, int for_writing);
/** Number of possible CPUs, offline ones included. */
unsigned uncoremsr_sim_num_cpus(const struct uncoremsr_sim *sim);
/** Nanoseconds since the machine was made, on its own clock. */
uint64_t uncoremsr_sim_now(const struct uncoremsr_sim *sim);
/** As uncoremsr_advance(): 1 the stepped clock moved on, 0 the clock is real. */
int uncoremsr_sim_advance(struct uncoremsr_sim *sim, uint64_t ns);
/**
 * The machine's sysfs and procfs as text files ("sys/devices/system/cpu/online"), no leading slash.
 * @return the length of the whole text (at most @p size bytes of it in @p buf, no terminating NUL);
 *   -ENOENT; -EISDIR.
 */
long uncoremsr_sim_file_read(struct uncoremsr_sim *sim, const char *path, char *buf, size_t size);
/**
 * Write to one of these files. "sys/devices/system/cpu/cpuN/online" takes a CPU off and back.
 * @return 0; -ENOENT; -EISDIR; -EACCES the file is read only; -EINVAL the text makes no sense.
 */
int uncoremsr_sim_file_write(struct uncoremsr_sim *sim, const char *path, const char *text,
			     size_t size);
/**
 * Names in a directory of that tree ("" is its top). dev/cpu/N/msr and dev/cpu/N/cpuid are not
 * part of it: they are devices.
 * @return 0; -ENOENT; -ENOTDIR; or the first value other than 0 that @p fn returned.
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
