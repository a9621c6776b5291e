/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of uncore-info share: the same facts for people, for programs, and the tables. */
#ifndef TOOL_INFO_H
#define TOOL_INFO_H

#include "info/boot_log.h"
#include "common/fields.h"
#include "common/options.h"
#include "common/output.h"
#include "uncoremsr.h"
#include "uncoremsr/names.h"

enum { INFO_REGISTERS = TOOL_LONG, INFO_UARCH, INFO_COLLISIONS, INFO_CPUID, INFO_BOOT_LOG };

#define INFO_LABEL "%-13s"

extern const struct tool info_tool;

/* What is described: a machine, or the CPUs of a file. */
struct info {
	struct uncoremsr *um; /* NULL: a file */
	struct uncoremsr_cores *cores;
	const char *file;     /* of --cpuid */
	const char *boot_file;
	const struct boot_log *boot; /* NULL: none was given */
	bool verbose;
};

/* The PMU whose counters are described, or NULL. */
const struct uncoremsr_pmu *info_pmu(const struct uncoremsr *um);
/* "ready", "missing", ... */
const char *info_driver_word(enum uncoremsr_driver_state state);
const char *info_counter_word(enum uncoremsr_counter_state state);
/* "present", "absent", "not-listed". */
const char *info_event_word(enum uncoremsr_event_state state);
/* "P", "E", or NULL where CPUID does not tell. */
const char *info_core_type(const struct uncoremsr_core_kind *kind);

/* Where the number of counters comes from, in words; NULL: there is no architectural PMU. */
const char *info_counters_from(const struct uncoremsr_core_kind *kind);
/* "SMT", "core", ... */
const char *info_level_word(enum uncoremsr_level level);
/* Logical CPUs of all kinds together. */
size_t info_num_cpus(const struct uncoremsr_cores *cores);
/* Sentence and advice of the last failure: why the driver is not ready. */
const char *info_driver_why(struct uncoremsr *um, char *buf, size_t size);

/* -1 unknown. */
int info_machine_number(struct uncoremsr *um, enum uncoremsr_machine_number what);
/* The fact as a number that fields_int() takes: -1 unknown. */
int64_t info_fact(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number fact);
/* How many bits a mask has; -1 unknown. */
int info_fact_bits(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number fact);
/* Whether the boot log says the same as one of the kinds. */
bool info_boot_agrees(const struct info *i);
/* Whether line @n of the boot log and what CPUID gives for @kind can be the same. */
bool info_boot_same(const struct boot_log *b, const struct uncoremsr_core_kind *kind, unsigned n);

void info_write_fields(const struct info *i, struct out *o, bool json);
void info_write_text(const struct info *i, struct out *o);
/* Leaf 0xA of a kind (NULL: there is none), and the rest of what is known about it. */
void info_write_leaf_0xa(struct fields *f, const struct uncoremsr_core_kind *kind);
void info_write_core(struct fields *f, const struct uncoremsr_core_kind *kind);
void info_write_boot_log(struct fields *f, const struct info *i);
/* The PMUs of processor @uarch (fields: NULL or without tables gives null), from the tables alone. */
void info_write_pmus(struct fields *f, const char *uarch);
void info_write_pmus_text(struct out *o, const char *uarch);
/* The parts of the text that tell about cores and about the kernel. */
void info_write_core_text(const struct info *i, struct out *o);
void info_write_kernel_text(const struct info *i, struct out *o);
/* Counters in use: null unless the driver is @ready. */
void info_write_counters(struct uncoremsr *um, struct fields *f, bool ready);
void info_write_counters_text(struct uncoremsr *um, struct out *o);
/* Every register of processor @uarch (NULL: this machine's). Returns the exit status. */
int info_write_registers(struct uncoremsr *um, struct out *o, enum tool_format format,
			 const char *uarch);
/* Every address that means different things on different processors, with each meaning. */
int info_write_collisions(struct uncoremsr *um, struct out *o, enum tool_format format);

#endif
