/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declarations that the files of uncore-agent share.
 * Sampler: options.c reads the command line, conf.c parses the configuration file, and config.c applies it; counts.c
 * has the sessions; needs.c computes the rights and descriptors that they need; check.c is --check; shared.c writes the
 * shared memory; main.c has the sampling loop; outputs.c and address.c run the output processes.
 * Output programs (program.h): http.c; collectd.c with totals.c; snmp.c with row_numbers.c and pmu_table.c.
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
	AGENT_EVENT,      /* an event; an error if it cannot be counted */
	AGENT_METRIC,     /* a metric; an error if it cannot be counted */
	AGENT_LISTED,     /* an event of the block intel_pmu; reported as unknown if it cannot be counted */
	AGENT_ALL_LISTED, /* every event of the lists that can be counted */
};

struct agent_event {
	enum agent_kind kind;
	const char *text; /* text as the user wrote it; commas between events make them a group */
	unsigned line;    /* line of the configuration file; 0 if from the command line */
};

/* Events that are counted on the same CPUs and reported in the same way. */
struct agent_group {
	struct agent_event *events;
	size_t num_events;
	const struct conf_item *cores; /* the option Cores; NULL: not given */
	bool global_cores;   /* @cores was set for the whole block, not for this group */
	bool each_cpu;       /* if there are no core groups, count on each CPU instead of each package */
	bool each_unit;      /* report each uncore unit separately, not the sum of all units */
	bool intel_pmu;
};

/* The number of core groups in the configuration; there are none if the option is Cores "". */
static inline size_t agent_num_cores(const struct agent_group *g)
{
	return g->cores && *g->cores->values[0].text ? g->cores->num : 0;
}

enum { AGENT_MOST_LISTENS = 8, AGENT_MOST_LISTS = 32 };

struct agent_config {
	struct tool_common common;
	const char *path;      /* path of the configuration file; NULL: none */
	struct conf conf;      /* the parsed file; the texts below are part of it or of the command line */
	bool check;
	bool print_snmp_agent_conf;
	bool throttle;
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
	const char *snmp_base; /* snmp.base as text: ".1.3.6..." */
	const char *state;     /* folder for files that are kept from run to run */
	unsigned num_wrong;
	struct agent_intel_pmu { /* state while a block intel_pmu is read */
		size_t first;  /* index of the group for the Report options; the later groups are for HardwareEvents */
		size_t pairs;  /* number of HardwareEvents options in the block */
		bool each_unit;
		const struct conf_item *cores; /* option Cores of the block, for groups that have none of their own */
	} intel_pmu;
	char why[600];
};

/* Returns TOOL_GO_ON or the exit status. */
int agent_options_parse(struct agent_config *cfg, int argc, char **argv);
void agent_config_free(struct agent_config *cfg);

/* ---- config.c ---- */

/* Read the file @cfg->path into @cfg. Returns 0, or the exit status after a message. */
int agent_config_read(struct agent_config *cfg);

/* The limits of an interval from the command line, the file or collectd's environment, and the message about them. */
bool agent_interval_fits(double seconds);
#define AGENT_INTERVALS "must be seconds, 0.01 to 86400"

/* Set @option ("--state"), which is also a keyword of the file, to @arg. 0; TOOL_USAGE after a message. */
int agent_config_option(struct agent_config *cfg, const char *option, const char *arg);

/* Parse an OID such as ".1.3.6.1". Returns the number of its parts, or 0 if @text is not valid. */
size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS]);

/* Add an event to a group. False: out of memory, after a message. */
bool agent_take_event(struct agent_config *cfg, struct agent_group *g, enum agent_kind kind,
		      const char *text, unsigned line);

/* snmp_agent_conf.c: print what collectd's plugin snmp_agent needs to serve INTEL-PMU-MIB. Returns the exit status. */
int agent_print_snmp_agent_conf(void);

/* ---- notify.c: messages to the service manager, as from sd_notify(3), but without its library ---- */

/* Send "READY=1" and the like to NOTIFY_SOCKET. Does nothing if there is no such socket, or if sending fails. */
void notify(const char *text);
/* Longest time between two messages "WATCHDOG=1", in ns; UINT64_MAX: none need be sent. */
uint64_t notify_watchdog_ns(void);

#endif
