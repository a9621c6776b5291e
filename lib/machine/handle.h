/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The handle behind the public header. Rooms below (access, machine, uarch) do not include this.
 */
#ifndef UM_INTERNAL_H
#define UM_INTERNAL_H

#include "access/access.h"
#include "common/error.h"
#include "machine/machine.h"
#include "uarch/uarch.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

/* A register of the public list: a row of the tables, and unit and index in it. */
struct uncoremsr_register {
	struct um_reg_place at;
	uint32_t msr;
	char name[48];
};

/* The registers of one processor, and the list of the next processor that was asked for. */
struct um_register_list {
	const struct um_uarch *of;
	struct um_register_list *next;
	size_t num;
	struct uncoremsr_register regs[];
};

struct uncoremsr {
	char *what;                 /* as given to uncoremsr_set_machine(); NULL: live */
	char *name;                 /* the same without parameters */
	struct uncoremsr_sim *sim;  /* set by the caller; NULL: none */
	bool dry_run;
	struct um_access *access;   /* NULL until opened */
	struct um_identity id;
	struct um_topology topo;
	const struct um_model *model;  /* NULL: in no table */
	const struct um_uarch *uarch;  /* NULL: not supported */
	/*
	 * The PMUs of this machine: those of the tables with the numbers that CPUID tells, and the
	 * core PMU last where there is one. A copy: pointers into it stand for PMUs everywhere.
	 */
	struct uncoremsr_pmu *pmus;
	size_t num_pmus;
	bool have_core;                /* the core PMU is one of them */
	char unsupported[384];         /* why not; "" when supported */
	char why[776];                 /* of uncoremsr_driver_state() */
	char driver_writes[16], lockdown[24];
	char lease_dir[4096];          /* "" where there is none */
	char *offline, *forbidden;     /* of uncoremsr_offline_cpus(), uncoremsr_forbidden_cpus() */
	struct um_register_list *regs;   /* made on demand by uncoremsr_register() */
	struct um_event_lists *events;   /* lists made on demand by uncoremsr_event() */
	struct um_perf_names *names;     /* the kernel's PMUs, event lists; made on demand */
	struct um_perf_kernel *kernel;   /* made when perf first counts */
	struct uncoremsr_sim *sim_open;  /* the simulated machine that is open; NULL: none */
	struct um_looked_at *looked_at;  /* the PMU of the last uncoremsr_unit_counter_state() */
	enum uncoremsr_trace_style trace_style;
	void (*trace)(void *user, const char *line);
	void *trace_user;
	void (*log)(void *user, enum uncoremsr_log_level level, const char *line);
	void *log_user;
	struct um_error error;
};

void um_register_lists_free(struct uncoremsr *um);
/* How the machine that was chosen is reached; the caller closes it. Nothing else is opened. */
int um_open_access(struct uncoremsr *um, struct um_access **out) UM_MUST_CHECK;
void um_looked_at_free(struct uncoremsr *um);
const char *um_scope_word(enum um_scope scope);
void um_log(struct uncoremsr *um, const char *fmt, ...) UM_PRINTF(2, 3);
void um_warn(struct uncoremsr *um, const char *fmt, ...) UM_PRINTF(2, 3);

#endif
