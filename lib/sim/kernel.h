/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of the simulated machine's kernel that serves perf_event_open(2): its PMUs (kernel_pmus.c), how often an
 * event happens (kernel_rates.c), when an event is on a counter (kernel_counters.c), samples (kernel_samples.c), files
 * in sysfs (kernel_files.c, search.h) and the calls (kernel_calls.c).
 */
#ifndef UM_SIM_KERNEL_H
#define UM_SIM_KERNEL_H

#include <sys/types.h>

#include "perf/kernel.h"
#include "sim/machine.h"

#define UM_SIM_KERNEL_TURN 4000000ull /* time slice of a group in ns: default perf_event_mux_interval_ms at 250 Hz */
#define UM_SIM_MAX_SAMPLE_RATE 100000 /* kernel.perf_event_max_sample_rate */
#define UM_SIM_KERNEL_MAX_PMUS 512u
#define UM_SIM_KERNEL_MAX_RATE 1000000000000000ull /* 1e15, so that products fit into 128 bits */

struct um_sim_place;

enum um_sim_pmu_kind {
	UM_SIM_PMU_SOFTWARE, UM_SIM_PMU_TRACEPOINT, UM_SIM_PMU_MSR, UM_SIM_PMU_CORE,
	UM_SIM_PMU_UNCORE,    /* uncore of Nehalem and Westmere: counts the events of workload.h */
	UM_SIM_PMU_DESCRIBED, /* described by keys kernel_pmu= */
	UM_SIM_PMU_IMC,       /* in-memory counters of POWER (imc.h) */
};

struct um_sim_kernel_pmu {
	char name[48];
	enum um_sim_pmu_kind kind;
	unsigned type;
	unsigned counters, fixed; /* counters 0: unlimited */
	bool free_running;        /* has only event 0xff, which needs no free counter */
	bool amd;                 /* core PMU of AMD: no fixed counters, no precise sampling */
	unsigned core_type;       /* core type of a hybrid processor's PMU (CPUID leaf 0x1A); 0: all cores */
	bool excludes;            /* supports attributes such as exclude_user and exclude_host */
	bool masked;              /* has a cpumask: one CPU of each die or core counts */
	enum um_sim_scope scope;  /* of a masked PMU: PER_DIE or PER_CORE */
	unsigned level;           /* IMC: enum um_sim_imc_level */
	uint32_t size;            /* IMC: bytes of the PMU's memory */
	bool eventless;           /* IMC: the catalog has no events for this PMU, so the PMU has no cpumask */
	uint64_t mask;            /* bits of config that a format covers; 0: no format, all bits are valid */
	int *counted_by;          /* of a masked PMU: the counting CPU for each um_sim_owner(); -1: there is none */
};

/* A key kernel_format=. @pmu is the name of one PMU or of a family. */
struct um_sim_pmu_format {
	char pmu[48], name[32], text[64];
};

struct um_sim_pmu_event {
	char pmu[48], name[64], terms[128], scale[40], unit[16];
	bool snapshot, per_package;
};

struct um_sim_pmu_rate {
	char pmu[48];
	uint64_t config, rate;
};

/*
 * A filter in config word @word. An event with n of the m bits in @bits set counts n/m of its rate (nothing if n is 0).
 * If bit @all is set, the event counts everything.
 */
struct um_sim_pmu_filter {
	char pmu[48], code[16], text[64]; /* from kernel_filter=; the members below are the parsed values */
	uint64_t event;           /* event select (lowest byte of config); UINT64_MAX: any */
	unsigned word;
	uint64_t bits, all;       /* @all is a bit number; UINT64_MAX: there is no such bit */
};

struct um_sim_perf_fail {
	char pmu[48];
	bool reading;             /* true: read() fails; false: opening fails */
	int err;
	uint64_t cpu, times;      /* UINT64_MAX: any */
};

/* An open event. The events of a group are linked by @next, beginning with the leader. */
struct um_sim_perf_event {
	const struct um_sim_kernel_pmu *pmu;
	struct um_perf_attr attr;
	unsigned flags;
	pid_t pid;
	unsigned cpu;             /* the CPU whose event rates apply */
	uint64_t id;
	struct um_sim_perf_event *leader, *next;
	struct um_sim_place *place;
	bool on;
	bool dead;                /* the event ended because its CPU or die went offline */
	bool lost;                /* a pinned event in the error state, because no counter was free */
	bool deaf;                /* a suspend cleared the event's selector: the event counts nothing until it is
				   * programmed again */
	uint64_t value, enabled, running;
	/* Only for sampling events (kernel_samples.c). */
	struct um_perf_sampling sampling; /* attr.sampling points to this member */
	void *ring;               /* ring buffer, possibly of another event (redirected output); NULL: none */
	uint64_t sampled;         /* time up to which samples are complete or the event was off */
	uint64_t taken, dropped, dropped_told;
	bool told, throttled;     /* @told: the records that describe the running program are written */
};

/* A CPU, core, die or process on which events of a PMU were opened. @groups: leaders in the order of opening. */
struct um_sim_place {
	const struct um_sim_kernel_pmu *pmu;
	pid_t pid;                /* process id; -1: a CPU, core or die, whose um_sim_owner() is @cpu */
	unsigned cpu;
	struct um_sim_perf_event **groups;
	size_t num;
	uint64_t seen;            /* time up to which the events were counted */
	struct um_sim_place *next;
};

/* Tracepoints: path in sysfs, id, and rate per second; ended by a row without a path (kernel_rates.c). */
extern const struct um_sim_tracepoint {
	const char *path;
	uint64_t id, rate;
} um_sim_tracepoints[];

struct um_sim_kernel {
	struct um_sim_kernel_pmu *pmus;
	size_t num_pmus;
	struct um_sim_pmu_format *formats;
	size_t num_formats;
	struct um_sim_pmu_event *events;
	size_t num_events;
	struct um_sim_pmu_rate *rates;
	size_t num_rates;
	struct um_sim_pmu_filter *filters;
	size_t num_filters;
	struct um_sim_perf_fail *fails;
	size_t num_fails;
	struct um_sim_place *places;
	bool kernel_uncore;
	bool unprivileged;
	int paranoid;
	uint64_t soft, hard;      /* limits for open descriptors */
	uint64_t last_id;
	size_t open_imc[0x11];    /* number of open IMC events per level */
};

/* ---- kernel_pmus.c ---- */

int um_sim_kernel_new(struct uncoremsr_sim *sim) UM_MUST_CHECK;
/* Called when the description is complete: add the PMUs that every kernel has, and check the others. */
int um_sim_kernel_finish(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;
void um_sim_kernel_free(struct uncoremsr_sim *sim);

/* Is @text the name of @pmu or of its family ("uncore_cha" for uncore_cha_3)? */
bool um_sim_kernel_pmu_is(const struct um_sim_kernel_pmu *pmu, const char *text);
/* Add a format of a PMU or of its family. 0; -ENOMEM. */
int um_sim_kernel_add_format(struct um_sim_kernel *k, const char *pmu, const char *name,
			     const char *text) UM_MUST_CHECK;
/* The CPU that stands for the die (or core) of @cpu in arrays indexed by CPU: the lowest CPU of that die (or core). */
unsigned um_sim_owner(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu);
/* Does the PMU count on the core type of the CPU? */
bool um_sim_has_core_pmu(const struct uncoremsr_sim *sim, const struct um_sim_kernel_pmu *pmu, unsigned cpu);

/* ---- kernel_rates.c ---- */

/* Is the event valid on this PMU? 0, -EINVAL or -ENOENT, as the kernel answers. */
int um_sim_kernel_valid(const struct um_sim_kernel_pmu *pmu, const struct um_perf_attr *attr);
/* How often an event has happened from time 0 to @ns. */
um_u128 um_sim_kernel_happened(const struct uncoremsr_sim *sim, const struct um_sim_perf_event *ev, uint64_t ns);
/* Is the event a level (a temperature) instead of a count? If so, its value is in *level. */
bool um_sim_kernel_level(const struct um_sim_perf_event *ev, uint64_t *level);
/* The bits of config that define a core event: event, unit mask, edge, any, inverted, threshold. */
uint64_t um_sim_core_code(const struct um_perf_attr *attr);

/* ---- kernel_counters.c ---- */

/* Add a new event to the CPU, die or process where it counts. @leader NULL: a new group. 0; -EINVAL; -ENOMEM. */
int um_sim_kernel_join(struct uncoremsr_sim *sim, struct um_sim_perf_event *leader,
		       struct um_sim_perf_event *ev) UM_MUST_CHECK;
/* Remove an event whose place is up to date. If it led a group, each member becomes a group of its own. */
void um_sim_kernel_leave(struct um_sim_perf_event *ev);
/* Bring the counts of all events of a CPU, die or process up to date with the machine's clock. */
void um_sim_place_settle(struct uncoremsr_sim *sim, struct um_sim_place *place);
/* For masked PMUs: if the counting CPU of a die or core is offline, choose another one. */
void um_sim_kernel_move_masks(struct uncoremsr_sim *sim);
/* A suspend has cleared registers unknown to the kernel: events count nothing until they are programmed again. */
void um_sim_kernel_suspend(struct uncoremsr_sim *sim);
/* A CPU goes online or offline. If offline, its own events end, and those of its package move to another CPU. */
void um_sim_kernel_hotplug(struct uncoremsr_sim *sim, unsigned cpu, bool online);

/* ---- kernel_samples.c ---- */

/* Can an event with these attributes be sampled on this PMU? 0, or the kernel's negative errno. */
int um_sim_samples_check(const struct um_sim_kernel_pmu *pmu, const struct um_perf_attr *attr);
/* Write the samples that are due since the last call into the event's ring buffer. */
void um_sim_samples_take(const struct uncoremsr_sim *sim, struct um_sim_perf_event *ev);
bool um_sim_ring_is_half_full(const void *ring);

#endif
