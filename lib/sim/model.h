/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated machine from inside. It is a model of the hardware, made from the manuals and not
 * from this library's register tables, so that a mistake there shows up as a difference.
 */
#ifndef UM_SIM_MODEL_H
#define UM_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "uncoremsr.h"

__extension__ typedef unsigned __int128 um_u128;

#define UM_SIM_MAX_CPUS 1024u
#define UM_SIM_MAX_EVENTS 2048u /* in the workload, and as rates: ten times what there are */
#define UM_SIM_GENERAL 8u              /* UNCORE_PMC0-7 */
#define UM_SIM_FIXED UM_SIM_GENERAL    /* index of the fixed counter */
#define UM_SIM_COUNTERS (UM_SIM_GENERAL + 1)
#define UM_SIM_COUNTER_MASK ((1ull << 48) - 1)
#define UM_SIM_NS 1000000000ull

/*
 * Which uncore the machine has. Bits, so that a register can name several. BOXES: one made of
 * boxes, after a table of lib/uarch (box.h).
 */
enum um_sim_uncore { UM_SIM_NONE = 0, UM_SIM_NEHALEM = 1, UM_SIM_WESTMERE = 2, UM_SIM_BOXES = 4 };

/* ---- what happens on the machine (workload.c) ---- */

/* One event of the workload. Times in nanoseconds. */
struct um_sim_event {
	uint8_t event, umask;
	uint64_t rate;   /* increments per second while active */
	uint64_t inc;    /* increment of one active uncore cycle, 1 to 255 */
	uint64_t burst;  /* consecutive active cycles; 0: a burst is a whole episode */
	uint64_t every, length, phase; /* episodes; every 0: always, UINT64_MAX: only once */
	int package;     /* id, or -1: on every package */
};

/* An event of a box, or of a core ("core"). */
struct um_sim_box_event {
	char pmu[24];
	char name[32];   /* of a counter that counts one thing; "": by code */
	uint32_t event;
	uint64_t umask;  /* with the extension above the usual eight bits */
	uint64_t opc;    /* the opcode of these transactions; 0: any */
	uint64_t spread; /* unit n of a package: rate + n * spread */
	struct um_sim_event when; /* its rate, inc, burst, episodes and package */
	unsigned index;  /* of the PMU on this machine */
};

/* What a counter looks for. */
struct um_sim_select {
	unsigned pmu;    /* index, or UM_SIM_CORE_PMU */
	const char *name; /* NULL: by code */
	uint32_t event;
	uint64_t umask;
	unsigned threshold;
	bool edge, invert;
	int package;
	uint64_t n;      /* number of the unit within the package, or of the CPU */
	const void *counting; /* struct um_sim_counting: events have to pass its filters; or NULL */
};
#define UM_SIM_CORE_PMU UINT32_MAX

struct uncoremsr_sim;
struct um_sim_boxes;
struct um_sim_core;
struct um_uarch;

/* Of one event, not inverted; and its active cycles in units of 1e-9. */
um_u128 um_sim_event_count(const struct um_sim_event *e, bool edge, unsigned threshold,
			   uint64_t ns);
um_u128 um_sim_event_busy(const struct uncoremsr_sim *sim, const struct um_sim_event *e,
			  uint64_t ns);
/* What a counter of a box or core would have counted from time 0 to @ns (box_workload.c). */
um_u128 um_sim_select_count(const struct uncoremsr_sim *sim, const struct um_sim_select *s,
			    uint64_t ns);
/* Does the workload say anything about the counter @name of a PMU? */
bool um_sim_has_named(const struct uncoremsr_sim *sim, unsigned pmu, const char *name);
uint64_t um_sim_box_max_rate(const struct uncoremsr_sim *sim);
/* Put rate= into effect and resolve the PMUs' names. */
int um_sim_box_rates(struct uncoremsr_sim *sim) UM_MUST_CHECK;
int um_sim_box_resolve(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;

/* Of the time from 0 to @ns, how much lies within episodes, and how many of them have begun. */
uint64_t um_sim_active_ns(const struct um_sim_event *e, uint64_t ns);
uint64_t um_sim_begun(const struct um_sim_event *e, uint64_t ns);

/* Uncore clock ticks from time 0 to @ns. */
um_u128 um_sim_clock(const struct uncoremsr_sim *sim, uint64_t ns);
/* The highest rate at which any counter can count: the workload may be faster than hardware. */
uint64_t um_sim_max_rate(const struct uncoremsr_sim *sim);
/* What a counter with this selector would have counted on a package from time 0 to @ns. */
um_u128 um_sim_count(const struct uncoremsr_sim *sim, int package, uint64_t selector, uint64_t ns);

/* ---- the machine ---- */

struct um_sim_cpu {
	bool present, online;
	unsigned package; /* index into packages */
	unsigned core;    /* machine-wide index of its core */
	unsigned core_id, die, thread;
	unsigned l3, node; /* ids within the machine; UM_SIM_AS_DIE: one per die */
};
#define UM_SIM_AS_DIE UINT32_MAX

struct um_sim_counter {
	uint64_t value;
	um_u128 seen; /* um_sim_count() when value was last brought up to date */
};

struct um_sim_package {
	int id;
	uint64_t selector[UM_SIM_GENERAL];
	uint64_t fixed_control, global, status;
	struct um_sim_counter counter[UM_SIM_COUNTERS];
};

/* One CPUID leaf; leaves of @cpu -1 hold for every CPU and get the topology filled in. */
struct um_sim_leaf {
	int cpu;
	uint32_t leaf, subleaf, regs[4];
};

/* An error to order. */
enum { UM_SIM_FAIL_READ = 1, UM_SIM_FAIL_WRITE = 2, UM_SIM_FAIL_OPEN = 4 };
struct um_sim_fail {
	unsigned steps;
	uint32_t first, last; /* registers; of no meaning for opening */
	int err;              /* negative errno */
	uint64_t cpu;         /* UINT64_MAX: any */
	uint64_t after, times, seen;
};

/* Something that happens to the machine once. */
struct um_sim_happening {
	enum { UM_SIM_HOTPLUG, UM_SIM_FOREIGN } kind;
	uint64_t at;      /* time in nanoseconds, or UINT64_MAX */
	uint64_t after;   /* number of register accesses, or UINT64_MAX */
	bool done;
	unsigned cpu;     /* hotplug */
	bool online;
	uint32_t msr;     /* foreign write */
	uint64_t value;
	int package;      /* id, or -1: on every package */
};

struct um_sim_range {
	uint32_t first, last;
};

/* An initial value of a plain register. */
struct um_sim_preset {
	uint32_t msr;
	uint64_t value;
	uint64_t cpu; /* UINT64_MAX: all */
};

struct um_sim_perf;
/* How many units of a PMU there are, or that one of them is fused off. */
struct um_sim_units {
	char pmu[24];
	bool absent;      /* @number is the unit that faults */
	unsigned number;
	int package;      /* id, or -1: on every package */
};

enum um_sim_driver { UM_SIM_DRIVER_READY, UM_SIM_DRIVER_MISSING, UM_SIM_DRIVER_NO_NODE };

struct um_sim_part;
struct um_sim_throttle;
struct um_sim_cell;

struct uncoremsr_sim {
	char *name, *title;
	/* what it is */
	unsigned uncore;
	const struct um_uarch *uarch; /* UM_SIM_BOXES */
	struct um_sim_boxes *boxes;
	struct um_sim_core *cores;    /* core PMU of each CPU */
	struct um_sim_units *units;
	size_t num_units;
	uint64_t uncore_hz, tsc_hz;
	struct um_sim_cpu *cpus;   /* by number, holes included */
	unsigned num_cpus, num_cores;
	struct um_sim_package *packages;
	size_t num_packages;
	bool cpu0_hotplug;
	bool offline[UM_SIM_MAX_CPUS]; /* at the start */
	struct um_sim_leaf *leaves;
	size_t num_leaves;
	int hypervisor;            /* 1, 0, or -1: as the leaves say */
	char *brand;
	/* what happens on it */
	struct um_sim_event *events, *rates;
	size_t num_events, num_rates;
	struct um_sim_box_event *box_events, *box_rates;
	size_t num_box_events, num_box_rates;
	struct um_sim_fail *fails;
	size_t num_fails;
	struct um_sim_happening *happenings;
	size_t num_happenings;
	struct um_sim_range *silent;
	size_t num_silent;
	struct um_sim_preset *presets;
	size_t num_presets;
	struct um_sim_throttle *throttles;
	size_t num_throttles;
	bool calm;                 /* no log bit is set at the start either */
	bool kernel_thermal, kernel_clears, hsmp;
	uint64_t slow;
	enum um_sim_driver driver;
	const char *allow_writes, *lockdown; /* lockdown NULL: this kernel has none */
	bool busy[UM_SIM_COUNTERS];
	uint64_t seed, start;      /* start UINT64_MAX: garbage made from seed */
	/* its state */
	bool stepped;
	uint64_t created;          /* CLOCK_MONOTONIC, real clock only */
	uint64_t now;              /* the one clock reading of the access under way */
	uint64_t accesses;
	uint64_t *plain;           /* registers without a meaning of their own */
	struct um_sim_perf *perf;  /* what its kernel counts with (perf.h) */
	struct um_sim_part *part;  /* which registers about heat and power there are */
	struct um_sim_cell *cells; /* and what they hold */
};

/* A new zeroed element at the end of an array; NULL: no memory. */
void *um_sim_append(void *array, size_t *num, size_t size);
#define UM_SIM_APPEND(array, num) \
	((array) = um_sim_append((array), &(num), sizeof(*(array))), \
	 (array) ? &(array)[(num) - 1] : NULL)

bool um_sim_online(const struct uncoremsr_sim *sim, unsigned cpu);
/* Read the clock, and let happen what was due until now. Every public function starts with it. */
void um_sim_tick(struct uncoremsr_sim *sim);

struct um_op;
/* Read many registers as of one moment. */
void um_sim_batch_read(struct uncoremsr_sim *sim, struct um_op *ops, size_t n);

/* ---- box_*.c, core.c: 1 means that the register is not theirs ---- */

/* Which registers there are; needs the whole description. */
int um_sim_boxes_build(struct uncoremsr_sim *sim, struct um_error *e) UM_MUST_CHECK;
void um_sim_boxes_free(struct uncoremsr_sim *sim);
void um_sim_boxes_reset(struct uncoremsr_sim *sim);
bool um_sim_box_exists(const struct uncoremsr_sim *sim, uint32_t msr);
/* Index of a PMU, or -1. */
int um_sim_box_pmu(const struct uncoremsr_sim *sim, const char *name);
int um_sim_box_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int um_sim_box_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* Initial content, whatever can be written later. */
int um_sim_box_preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

int um_sim_cores_build(struct uncoremsr_sim *sim) UM_MUST_CHECK;
int um_sim_core_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int um_sim_core_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
int um_sim_core_preset(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
bool um_sim_core_exists(const struct uncoremsr_sim *sim, uint32_t msr);

/* ---- registers.c, uncore.c ---- */

/* What a counter holds after reset: the manuals leave it undefined. */
uint64_t um_sim_garbage(const struct uncoremsr_sim *sim, uint64_t salt, uint64_t mask);

/* How many plain values the machine keeps per CPU. */
size_t um_sim_num_plain(void);
bool um_sim_register_exists(const struct uncoremsr_sim *sim, uint32_t msr);
/* Reset values, presets, garbage in the counters, counters in use. */
void um_sim_reset(struct uncoremsr_sim *sim);
int um_sim_preset(struct uncoremsr_sim *sim, const struct um_sim_preset *p) UM_MUST_CHECK;
/* The register itself, past every hazard. 0 or -EIO. */
int um_sim_register_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int um_sim_register_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* Uncore registers with a meaning; @index counts within the row of registers. */
uint64_t um_sim_counter_read(struct uncoremsr_sim *sim, struct um_sim_package *p, unsigned index);
void um_sim_counter_write(struct uncoremsr_sim *sim, struct um_sim_package *p, unsigned index,
			  uint64_t value);
/* Bring every counter up to date; counters go on from now with whatever the registers then hold. */
void um_sim_sync(struct uncoremsr_sim *sim, struct um_sim_package *p);
void um_sim_resume(struct uncoremsr_sim *sim, struct um_sim_package *p);
void um_sim_uncore_reset(struct uncoremsr_sim *sim);

/* ---- thermal.c: the registers about heat, power and frequency ---- */

/* As above; a register that this processor does not have faults. */
int um_sim_thermal_read(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int um_sim_thermal_write(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
bool um_sim_thermal_exists(const struct uncoremsr_sim *sim, uint32_t msr);
/* From now on the register holds this value, whatever happens on the machine. */
int um_sim_thermal_preset(struct uncoremsr_sim *sim, const struct um_sim_preset *p) UM_MUST_CHECK;
int um_sim_thermal_new(struct uncoremsr_sim *sim) UM_MUST_CHECK;

/* ---- hazard.c ---- */

/* An ordered error for this step, or 0. @step is one of UM_SIM_FAIL_. */
int um_sim_fail(struct uncoremsr_sim *sim, unsigned step, unsigned cpu, uint32_t msr);
bool um_sim_is_silent(const struct uncoremsr_sim *sim, uint32_t msr);
/* Fire what is due. */
void um_sim_happen(struct uncoremsr_sim *sim, uint64_t now);

/* ---- describe.c, keys.c, parse.c, cpuid.c, machines.c ---- */

/* Where a value comes from, for messages. */
struct um_sim_source {
	const char *file; /* NULL: a parameter */
	unsigned line;
	const char *key;
	struct um_error *error;
};

int um_sim_bad(const struct um_sim_source *s, const char *fmt, ...) UM_PRINTF(2, 3);

/* Fill @sim from "NAME[,KEY=VALUE...]". */
int um_sim_describe(struct uncoremsr_sim *sim, const char *what, struct um_error *e) UM_MUST_CHECK;
int um_sim_set_key(struct uncoremsr_sim *sim, const struct um_sim_source *s, char *value)
	UM_MUST_CHECK;
/* What CPUID returns on a CPU that exists. */
void um_sim_cpuid(const struct uncoremsr_sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		  uint32_t regs[4]);
int um_sim_load_cpuid(struct uncoremsr_sim *sim, const char *path, struct um_error *e)
	UM_MUST_CHECK;
/* The description of a ready machine, and its title if asked for; NULL: no such name. */
const char *um_sim_ready(const char *name, const char **title);

/* Strict numbers: decimal or 0x hexadecimal, nothing around them. */
bool um_sim_number(const char *text, uint64_t max, uint64_t *value);
/* Seconds with up to nine decimals, as nanoseconds. */
bool um_sim_seconds(const char *text, uint64_t *ns);
/* A kernel-style list into flags[0..max]; false: malformed, or a number above @max. */
bool um_sim_list(const char *text, bool *flags, unsigned max);
bool um_sim_registers(const char *text, uint32_t *first, uint32_t *last);
/* Cut @text at blanks (and colons if @colons) into at most @max words; -1: too many. */
int um_sim_words(char *text, bool colons, char **words, int max);

#endif
