/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each file of uncore-info writes a subject as records for programs (info_put_*) and lines for people (info_show_*). */
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

struct boot_log {
	char features[256]; /* "PEBS fmt1+, IvyBridge events, ..., Intel PMU driver." */
	struct uncoremsr_core_kind said; /* only full_width, boot_..., lbr_depth and pebs_format are set */
	bool watchdog;      /* the NMI watchdog uses a counter */
};

/* A PMU that the kernel has registered; see uncoremsr_kernel_pmus(). */
struct kernel_pmu {
	const char *name, *cpus;
	unsigned type;
};

struct info {
	struct tool_common common;
	const char *uarch, *cpuid, *boot_file; /* arguments of --uarch, --cpuid and --boot-log; NULL if not given */
	bool registers, collisions;
	struct uncoremsr *um; /* the machine; NULL if a CPUID file is described */
	struct uncoremsr *tables; /* handle for the tables; not open if a CPUID file is described */
	const struct uncoremsr_machine *m; /* properties of @um; for a CPUID file, &recorded */
	struct uncoremsr_machine recorded; /* properties of a kind of core in a CPUID file */
	const struct uncoremsr_cores *cores;
	const struct boot_log *boot; /* NULL without --boot-log */
	struct kernel_pmu *pmus;
	size_t num_pmus;
	int pmus_error;           /* negative errno if not all PMUs could be read */
	struct arena texts;       /* memory for the texts of @pmus */
	struct records w;
	struct out *o;
};

void info_show_processor(struct info *i);
/* The first PMU, which the field "uncore" describes; may be NULL. */
const struct uncoremsr_pmu *info_pmu(const struct info *i);

void info_put_packages(struct info *i);
void info_show_packages(struct info *i);

/* core_kinds.c: leaf 0xA of a kind of core (@kind may be NULL); everything else about a kind of core. */
void info_put_leaf_0xa(struct info *i, const struct uncoremsr_core_kind *kind);
void info_put_kind(struct info *i, const struct uncoremsr_core_kind *kind);
void info_show_kinds(struct info *i);

/* pmus.c: the PMUs in the tables of this processor. Null is written if it is unknown or has no tables. */
void info_put_pmus(struct info *i);
void info_show_pmus(struct info *i);

/* driver.c. Returns whether registers can be read. */
bool info_put_driver(struct info *i);
bool info_show_driver(struct info *i);

/* counters.c. Null is written if the driver is not @ready. */
void info_put_counters(struct info *i, bool ready);
void info_show_counters(struct info *i);

/* kernel.c: PMUs and NMI watchdog of the kernel. Call info_read_pmus() first. */
void info_read_pmus(struct info *i);
void info_put_kernel(struct info *i);
void info_show_kernel(struct info *i);

void info_put_in_memory(struct info *i);
void info_show_in_memory(struct info *i);

/* boot_log.c: the kernel's boot messages, predicted from CPUID for a kind of core whose boot_version is known. */
void info_put_boot_line(struct info *i, const struct uncoremsr_core_kind *kind);
void info_show_boot_line(struct out *o, const struct uncoremsr_core_kind *kind);
/* The output of dmesg or journalctl -k, or a syslog file; "-" is standard input. Returns 0, or the exit status. */
int info_read_boot_log(const char *path, struct boot_log *b);
void info_put_boot_log(struct info *i);
void info_show_boot_log(struct info *i);

/* registers.c: --registers and --collisions; each returns the exit status. */
int info_registers(struct info *i);
int info_collisions(struct info *i);

#endif
