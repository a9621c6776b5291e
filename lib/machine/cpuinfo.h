/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inside machine/ only: proc/cpuinfo, for machines whose CPUID cannot be read. */
#ifndef UM_CPUINFO_H
#define UM_CPUINFO_H

#include "machine/machine.h"

/*
 * Vendor, family, model, stepping, name and hypervisor flag of the first CPU listed. False: the file cannot be read, or
 * is neither of x86 nor of POWER; only id->foreign is set, if the architecture is known.
 */
bool um_cpuinfo_read(struct um_identity *id, struct um_access *a) UM_MUST_CHECK;
/* One CPU's block is below 3 KiB with today's flags. */
enum { UM_CPUINFO_SIZE = 8192 };
/* Read the first block of the file and as much of the rest as fits. 0 or a negative errno. */
int um_cpuinfo_block(struct um_access *a, char text[UM_CPUINFO_SIZE]) UM_MUST_CHECK;
/* Does the first CPU of the block have this flag? 1 or 0; -1 if there is no complete line of flags. */
int um_cpuinfo_flag(const char *text, const char *flag);

#endif
