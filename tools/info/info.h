/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-info share. Each file is about one subject and writes it in two forms: as records for
 * programs (info_put_*) and as lines for people (info_show_*).
 */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "common/arena.h"
#include "common/options.h"
#include "common/output.h"
#include "common/records.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

#define INFO_LABEL "%-13s"

/* What the kernel says about the core PMU in a saved boot log. */
struct boot_log {
	char features[256]; /* "PEBS fmt1+, IvyBridge events, ..., Intel PMU driver." */
	struct uncoremsr_core_kind said; /* known: full_width and, if logged, boot_..., lbr_depth, pebs_format */
	bool watchdog;      /* the NMI watchdog took a counter */
};

/* A PMU of the kernel; see uncoremsr_kernel_pmus(). */
struct kernel_pmu {
	const char *name, *cpus;
	unsigned type;
};

/* The options, and what is described: a machine, or the CPUs whose CPUID was recorded in a file. */
struct info {
	struct tool_common common;
	const char *uarch, *cpuid, *boot_file; /* arguments of --uarch, --cpuid, --boot-log; NULL: not given */
	bool registers, collisions;
	struct uncoremsr *um; /* NULL if a file, not a machine, is described */
	struct uncoremsr *tables; /* a handle for the tables; it is not open if a file is described */
	const struct uncoremsr_machine *m; /* the machine, or @recorded */
	struct uncoremsr_machine recorded; /* a kind of core in a file, as if it were a machine */
	const struct uncoremsr_cores *cores;
	const struct boot_log *boot; /* NULL: none was given */
	struct kernel_pmu *pmus;
	size_t num_pmus;
	int pmus_error;           /* a negative errno: not all PMUs could be read */
	struct arena texts;       /* memory for the texts of @pmus */
	struct records w;
	struct out *o;
};

/* processor.c: let @i->m describe a kind of core in a file. */
void info_record(struct info *i, const struct uncoremsr_core_kind *kind);
/* Identity, and the counters of the first PMU. */
void info_put_identity(struct info *i);
/* Fields that must come after packages and PMUs, because the order of fields is documented. */
void info_put_names(struct info *i);
void info_put_uncore(struct info *i);
void info_show_processor(struct info *i);
/* The PMU whose counters are described, or NULL. */
const struct uncoremsr_pmu *info_pmu(const struct info *i);

/* packages.c */
void info_put_packages(struct info *i);
void info_show_packages(struct info *i);

/* core_kinds.c: leaf 0xA of a kind of core (NULL: write null), and everything else that is known about the kind. */
void info_put_leaf_0xa(struct info *i, const struct uncoremsr_core_kind *kind);
void info_put_kind(struct info *i, const struct uncoremsr_core_kind *kind);
void info_show_kinds(struct info *i);

/* pmus.c: the PMUs of @i->m's processor (null if it is unknown or has no tables), from the tables alone. */
void info_put_pmus(struct info *i);
void info_show_pmus(struct info *i);

/* driver.c. Returns whether registers can be read. */
bool info_put_driver(struct info *i);
bool info_show_driver(struct info *i);

/* counters.c: counters in use; null unless the driver is @ready. */
void info_put_counters(struct info *i, bool ready);
void info_show_counters(struct info *i);

/* kernel.c: the kernel's PMUs, once they have been read, and its watchdog. */
void info_read_pmus(struct info *i);
void info_put_kernel(struct info *i);
void info_show_kernel(struct info *i);
/* What the kernel can record with each sample of a core event. */
void info_put_sampling(struct info *i);

/* in_memory.c: counters of POWER. */
void info_put_in_memory(struct info *i);
void info_show_in_memory(struct info *i);

/* boot_log.c: the kernel's lines at boot as CPUID implies them, for a kind of core whose boot_version is known. */
void info_put_boot_line(struct info *i, const struct uncoremsr_core_kind *kind);
void info_show_boot_line(struct out *o, const struct uncoremsr_core_kind *kind);
/*
 * Read the output of dmesg or journalctl -k, or a syslog file, with or without times; "-" is standard input. 0, or the
 * exit status after a message.
 */
int info_read_boot_log(const char *path, struct boot_log *b);
/* The boot log compared with what CPUID reports. */
void info_put_boot_log(struct info *i);
void info_show_boot_log(struct info *i);

/* registers.c: every register of the processor of --uarch, or of this machine's. Returns the exit status. */
int info_registers(struct info *i);
/* Every address that means different things on different processors, with its meanings. */
int info_collisions(struct info *i);

#endif
