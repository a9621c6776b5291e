/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-agent share.
 * The sampler: the command line (options.c); the syntax of the configuration file (conf.c) and its meaning (config.c);
 * sessions and what they count (counts.c); rights and descriptors (needs.c); --check (check.c); values in memory that
 * other processes can read (shared.c); the sampling loop (sampler.c); the output processes (outputs.c, child.c,
 * address.c).
 * The outputs are separate programs (program.h): HTTP (http.c), collectd (collectd.c, totals.c) and SNMP (snmp.c,
 * row_numbers.c, pmu_table.c).
 */
#ifndef AGENT_H
#define AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/address.h"
#include "agent/conf.h"
#include "agent/shared.h"
#include "common/options.h"
#include "uncoremsr.h"

/* ---- what to count, from the command line and the configuration file ---- */

enum agent_kind {
	AGENT_EVENT,      /* an event; it is an error if it cannot be counted */
	AGENT_METRIC,     /* a metric; it is an error if it cannot be counted */
	AGENT_LISTED,     /* an event of the block intel_pmu; reported as unknown if it cannot be counted */
	AGENT_ALL_LISTED, /* every event of the lists that can be counted */
};

struct agent_event {
	enum agent_kind kind;
	const char *text; /* text as the user wrote it; commas between events make them a group */
	unsigned line;    /* line of the file; 0: from the command line */
};

/* Events that are counted on the same CPUs and reported in the same way. */
struct agent_group {
	struct agent_event *events;
	size_t num_events;
	const struct conf_item *cores; /* the option Cores; NULL: not given */
	bool global_cores;   /* @cores are those of the whole block, not of this group */
	bool each_cpu;       /* without core groups, count each CPU by itself instead of each package */
	bool each_unit;      /* report each unit of the uncore by itself */
	bool intel_pmu;      /* the group is from a block intel_pmu */
};

/* The number of core groups in the configuration; Cores "" is the same as no option Cores. */
static inline size_t agent_num_cores(const struct agent_group *g)
{
	return g->cores && *g->cores->values[0].text ? g->cores->num : 0;
}

enum { AGENT_MOST_LISTENS = 8, AGENT_MOST_LISTS = 32 };

struct agent_config {
	struct tool_common common;
	const char *path;      /* path of the configuration file; NULL: none */
	struct conf conf;      /* the parsed file; pointers to text below point into it or into the command line */
	bool check;
	bool print_snmp_agent_conf;
	bool throttle;         /* also report throttling */
	uint64_t interval_ns;
	unsigned min_running;  /* warn about events that were counted for less than this percentage of the time */
	uint64_t count;        /* number of intervals; 0: until a signal ends the agent */
	struct agent_group own; /* events of the command line and of the block uncoremsr */
	struct agent_group *groups; /* events of the blocks intel_pmu */
	size_t num_groups;
	struct agent_list { const char *path; unsigned line; } lists[AGENT_MOST_LISTS];
	size_t num_lists;
	struct agent_listen {
		const char *text; /* "[ADDR]:PORT" or "unix:PATH" */
		struct address address;
	} listens[AGENT_MOST_LISTENS];
	size_t num_listens;
	struct agent_collectd collectd;
	struct agent_snmp snmp;
	const char *snmp_base; /* ".1.3.6...": the text of snmp.base */
	const char *state;     /* folder for files that are kept from run to run */
	unsigned num_wrong;    /* errors of the file so far */
	struct agent_intel_pmu { /* state while a block intel_pmu is read */
		size_t first;  /* index of the group of the Report options; each HardwareEvents begins another group */
		size_t pairs;  /* number of options that begin a pair of HardwareEvents and Cores */
		bool each_unit;
		const struct conf_item *cores; /* the cores of all groups that have no option Cores of their own */
	} intel_pmu;
	char why[600];         /* buffer for the message about a wrong value */
};

/* Returns TOOL_GO_ON or the exit status. */
int agent_options_parse(struct agent_config *cfg, int argc, char **argv);
void agent_config_free(struct agent_config *cfg);

/* ---- config.c ---- */

/* Read the file @cfg->path into @cfg. 0, or the exit status after saying why. */
int agent_config_read(struct agent_config *cfg);

/*
 * Is the length of the interval allowed? The limits are the same for the command line, the file and collectd's
 * environment. AGENT_INTERVALS is the message about them.
 */
bool agent_interval_fits(double seconds);
#define AGENT_INTERVALS "must be seconds, 0.01 to 86400"

/* Set @option ("--state"), which is also a keyword of the file, to @arg. 0; TOOL_USAGE after a message. */
int agent_config_option(struct agent_config *cfg, const char *option, const char *arg);

/* Parse a name such as ".1.3.6.1". Returns the number of its parts; 0: @text is no valid name. */
size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS]);

/* Add an event to a group. False: out of memory, after a message. */
bool agent_take_event(struct agent_config *cfg, struct agent_group *g, enum agent_kind kind,
		      const char *text, unsigned line);

/*
 * snmp_agent_conf.c: print the configuration with which collectd's plugin snmp_agent serves INTEL-PMU-MIB. Returns the
 * exit status.
 */
int agent_print_snmp_agent_conf(void);

#endif
