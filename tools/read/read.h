/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of uncore-read; the sections are about one file or a few files each. */
#ifndef TOOL_READ_H
#define TOOL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/command.h"
#include "common/counted.h"
#include "common/event_lists.h"
#include "common/log_file.h"
#include "common/options.h"
#include "common/properties.h"
#include "common/records.h"
#include "common/series.h"
#include "common/task_ids.h"
#include "common/wait.h"
#include "uncoremsr.h"
#include "uncoremsr/names.h"

/* ---- command line ---- */

/* One --event of the command line, with the options that belong to it. */
struct read_event {
	int event, umask, cmask; /* -1: not given */
	bool edge, invert;
	size_t at;     /* index of this event among all events */
	char text[64]; /* in the event language, composed when all options are parsed */
};

/* --when: run @program in each interval in which an event's value or rate is above the limit. */
struct read_when {
	const char *text; /* as given */
	char *event;
	char *name;       /* the event's name in readings */
	bool metric, per_second;
	double limit;
	const char *program; /* argument of --do */
};

/* Arguments of an option that may be repeated. */
struct read_words {
	const char **words;
	size_t num;
};

struct read_config {
	struct tool_common common;
	struct read_words events;  /* arguments of -e, and the text of each --event */
	struct read_event *raw;    /* --event */
	size_t num_raw;
	struct read_words metrics; /* arguments of -M */
	uint64_t interval_ns; /* 0: no intervals, one reading at the end of COMMAND */
	uint64_t count;       /* number of intervals; 0: until a signal ends the tool */
	bool periodic;        /* -i or -n was given */
	int counter;          /* -1: any counter */
	const char *cpus, *packages; /* NULL: the library chooses */
	const char *route_word;
	enum uncoremsr_route route;
	/* The target: the tasks or CPUs for which the kernel counts events, and how counts are summed up. */
	enum uncoremsr_target whom;
	struct task_ids tasks;       /* arguments of -p or -t */
	struct read_words cgroups;   /* arguments of --cgroup */
	size_t *first_event;         /* index of each control group's first event */
	bool all_cpus;
	struct read_words cores;     /* arguments of --cores */
	int min_running;             /* warn about events counted for less than this percentage of time */
	bool tried_installed;        /* do not load the installed lists: they are loaded, or the user named others */
	struct event_lists lists;
	bool no_multiplex, no_verify, dry_run, trace, hex, force, append, one_line;
	bool per_unit, per_socket, per_core, per_cpu; /* at most one of @per_socket, @per_core and @per_cpu is true */
	bool in_runs;         /* --runs */
	bool defaults;        /* the user named no event: count the defaults */
	char **command;       /* COMMAND and its arguments; NULL: none */
	struct read_when *whens;
	size_t num_whens;
	uint64_t runs;        /* 0: as many runs as are needed */
	const char *output;
	char host[HOST_SIZE]; /* name of this host with --host; else empty */
};

/* Returns TOOL_GO_ON or the exit status. */
int read_options_parse(struct read_config *cfg, int argc, char **argv);
void read_options_free(struct read_config *cfg);

/* ---- what events are counted for ---- */

/* Names that are found nowhere else are looked up in the installed event lists. */
struct read_run;
int read_target_add(struct read_run *run, struct uncoremsr_session *s, const char *text);
/* Does the event have rows of cores or CPUs, as --per-core, --per-cpu or --cores asks for? */
bool read_target_splits(const struct read_config *cfg, const struct uncoremsr_session *s, size_t event);
/* Is the event counted, or the metric computed, for tasks, on whichever CPU they run? */
bool read_target_is_task(const struct read_config *cfg, const struct uncoremsr_session *s, bool metric, size_t i);

/* Write "process 12,13", "thread 5", "command", "cgroup PATH" or "system"; @event SIZE_MAX: the whole run. */
const char *read_target_name(const struct read_config *cfg, size_t event, char *buf, size_t size);
/* Index of the control group (--cgroup) that the event is counted for. */
size_t read_target_group(const struct read_config *cfg, size_t event);

/* ---- programs that are run when a limit is passed ---- */

/* Add a --when, or (--do) set the program of each --when that has none yet. 0, or the exit status after a message. */
int read_when_add(struct read_config *cfg, const char *text);
int read_do_add(struct read_config *cfg, const char *program);
int read_when_check(const struct read_config *cfg);
void read_when_free(struct read_config *cfg);
struct read_row;
/* Add the events (or the metrics) of all --when to the session. 0, or the exit status after a message. */
int read_when_count(struct read_run *run, bool metrics);
/* Compare the row's value in this interval with the limits of --when. List the programs that have to be started. */
void read_actions_look(struct read_run *run, struct read_row *row);
/* Kill a program that runs for too long. If no program runs, start the next one of the list. */
void read_actions_go_on(struct read_run *run);
/* Let programs run for up to 2 s (@at_once: 0 s), then kill them. */
void read_actions_finish(struct read_run *run, bool at_once);

/* ---- several runs of COMMAND ---- */

/* The events and metrics as items to distribute among runs. Events that must be counted together are one item. */
struct read_items {
	const char **list;       /* allocated texts; events before metrics */
	size_t num, num_events;
	size_t *ends;            /* for each run, the index after its last item */
	size_t num_runs;
};

/* The events and metrics of one run, or all of the command line. */
struct read_part {
	struct read_words events, metrics;
};

/* Patterns are replaced by the events that match. If memory is lacking, exit: no register has been written yet. */
void read_items_make(struct read_items *items, const struct read_run *run);
void read_items_free(struct read_items *items);
/* The events and metrics among the items from @first to @end - 1. */
struct read_part read_items_part(const struct read_items *items, size_t first, size_t end);

/* ---- rows ---- */

/* Buffer size for the name of an event or a place; longer names are cut. */
enum { READ_NAME_SIZE = 512 };

/* Values of a row that seldom change (a CPU goes offline). They have one size: memcmp() must not compare padding. */
struct read_seldom {
	int cpu, counter;
	enum uncoremsr_status status;
	unsigned units, units_known;
	int known, partly; /* @partly: counted for a part of the time only */
};

/*
 * One event or metric at one place: a package, a unit or core of a package, a set of --cores, or a task. The parts of
 * the row's record that seldom or never change are formatted once, in the template.
 */
struct read_row {
	struct read_run *run;
	/*
	 * Arguments for uncoremsr_session_reading(). Only metrics use PLACE_CPU; an event on a CPU has PLACE_UNIT.
	 * PLACE_EVERYWHERE means a task or, for a metric, the whole machine.
	 */
	enum uncoremsr_place place;
	size_t index;
	const struct uncoremsr_event *metric; /* NULL: the row is about an event */
	const struct uncoremsr_package *package; /* NULL: the row belongs to no package */
	size_t package_index, event; /* @event: index of the event, or of the metric among the metrics */
	const struct uncoremsr_counted *counted; /* the event; for a metric, the first event of its formula, or NULL */
	const char *name;
	const struct uncoremsr_unit *unit; /* NULL: the row is about several units, or about none */
	bool many_cpus; /* the row is the sum of units that are read through several CPUs */
	bool perf;      /* not counted through registers, but by the kernel or in memory */
	bool task;      /* counted for a task; @enabled_ns does not include the time in which the task sleeps */
	bool changed;
	bool warned;    /* the warning that the row was counted for a small part of the time was printed */
	const char *measure; /* NULL: a plain count */
	struct series_total since; /* totals of all intervals in which the value is known */
	const struct read_ratio *ratio; /* the ratio of this row to @divisor, shown in text */
	struct read_row *divisor; /* row of the divisor at the same place; NULL: the divisor is not counted */
	struct record_template template; /* formatted parts of the row's record that seldom change */
	struct read_seldom written;
	/* Set by read_row_take(), for the last interval or the time since the start: */
	const struct uncoremsr_reading *reading;     /* events only */
	const struct uncoremsr_metric_reading *metric_reading; /* metrics only */
	const char *word;
	const char *detail; /* why the value is unknown; "" if the status is explanation enough */
	unsigned units, units_known; /* numbers of units; for a metric, of its event with the fewest known units */
	uint64_t enabled_ns, running_ns;
	enum uncoremsr_status status; /* a change of the status is explained on stderr */
};

/* A program that --when has to start, for one event and place. It is started when the program before it has ended. */
enum { READ_MOST_DUE = 64 };
struct read_due {
	const struct read_when *when;
	char place[READ_NAME_SIZE];
	double value;
	uint64_t sequence, wall_ns;
};

struct read_actions {
	struct read_due *due; /* at most READ_MOST_DUE */
	size_t num, dropped;
	struct command program;
	uint64_t until_ns;      /* CLOCK_MONOTONIC time at which the program is killed */
	const char *killed;     /* why the program was killed; NULL: it was not */
};

static inline bool read_actions_busy(const struct read_actions *a)
{
	return a->program.pid > 0 && !a->program.done;
}

struct read_run {
	/* Members that stay valid for all runs of COMMAND. */
	struct read_config *cfg;
	struct uncoremsr *um;
	struct out *out;
	struct log_file log;     /* the file of -o */
	struct tool_wait wait;
	struct read_items items; /* with --runs: the items distributed among the runs of COMMAND */
	struct read_part part;   /* events and metrics to count: all, or those of one run */
	uint64_t number, runs;   /* with --runs: which run of COMMAND this is, and of how many */
	uint64_t sequence;       /* number of this interval, from 1 */
	/* The members from @session on belong to one run of COMMAND. They are zeroed before the next run. */
	struct uncoremsr_session *session;
	struct command command;
	struct read_actions actions;
	struct records records;
	struct series series;    /* used instead of @records with --format=prometheus or collectd */
	uint64_t missed;         /* intervals that were skipped because the tool woke up too late */
	struct read_row *rows;   /* events first, then metrics */
	size_t num_rows;
	size_t num_event_rows;
	size_t *num_units;
	bool units_grow;         /* units may be added when CPUs come online */
	size_t num_events;       /* events that are shown; the session's later events are counted only for metrics */
	/* Times on the machine's clock: start, end of the previous interval, end of this one. */
	uint64_t start_ns, last_ns, end_ns;
	uint64_t wall_offset_ns; /* wall clock minus machine's clock in this interval */
	size_t event_width, metric_width, unit_width;
	bool no_memory;
	bool has_dies;
	bool has_raw;            /* some row shows a single register, not a sum */
	bool has_amounts;
	bool has_packages;
	bool has_cpus;
	bool has_levels;         /* some event is a level (like a temperature), shown for each unit */
	bool has_metrics;
	bool has_tasks;
	bool has_metric_packages, has_metric_places; /* metrics have rows of packages or the machine; other rows */
	bool has_msr, has_perf, has_memory; /* routes by which events are counted */
	bool has_shares;         /* some event was counted for a part of the time only */
	bool has_ratios;
	bool takes_turns;        /* there are more events than counters */
	bool of_total;           /* values since the start are being shown, not those of an interval */
	bool in_place;
	bool hinted;             /* the hint why counters may stand still was printed */
	bool partial;            /* some value or row is missing */
	bool left_out;           /* some metric cannot be counted here, but others are counted */
	bool nest;               /* the default events are POWER's memory traffic */
	char no_metric[512];     /* why default events are counted and not metrics; "" if metrics are counted */
};

/* ---- session.c ---- */

/* Add the events and metrics of @run->part. 0, or the exit status after a message. */
int read_session_make(struct read_run *run);
/* Start the session, and prepare the rows. 0, or the exit status after a message. */
int read_session_start(struct read_run *run);

/* ---- rows of a run ---- */

/* Prepare the rows, after uncoremsr_session_start(). Returns 0 or -ENOMEM. */
int read_rows_init(struct read_run *run);
void read_rows_free(struct read_run *run);
/* Prepare the rows again if CPUs have come online for the first time. Returns 0 or -ENOMEM. */
int read_rows_follow(struct read_run *run);
/* Set the row's values, of the last interval or, if @total, since the start. Returns the row's status. */
enum uncoremsr_status read_row_take(struct read_row *row, bool total);
/* Call this right before the values are used: reading another row of cores, CPUs or their metrics overwrites them. */
void read_row_again(struct read_row *row);
/* Is the row about one of several units? Then its name must contain the unit. */
bool read_row_is_each(const struct read_row *row);
/* Is the row counted in one register, not summed over several? */
static inline bool read_row_has_register(const struct read_row *row)
{
	return row->place == UNCOREMSR_PLACE_UNIT;
}
static inline bool read_row_is_of_task(const struct read_row *row)
{
	return row->place == UNCOREMSR_PLACE_EVERYWHERE && row->task;
}
/* Is the row about cores, CPUs or a task, and not about a package, one of its units, or the machine? */
static inline bool read_row_is_elsewhere(const struct read_row *row)
{
	switch (row->place) {
	case UNCOREMSR_PLACE_PACKAGE:
	case UNCOREMSR_PLACE_UNIT:
		return false;
	case UNCOREMSR_PLACE_EVERYWHERE:
		return row->task;
	default:
		return true;
	}
}
static inline bool read_row_is_partly(const struct read_row *row)
{
	return row->running_ns < row->enabled_ns;
}

static inline bool read_row_is_whole(const struct read_row *row)
{
	return row->status == UNCOREMSR_OK && row->units_known == row->units;
}

/* Write the row's place, such as "package 0 die 1 cbo3", "cores 0-3" or "process 12". Returns @buf. */
const char *read_row_place(const struct read_row *row, char *buf, size_t size);
/* The part of read_row_place() after the package: "core 3", "cores 0-3", "process 12". */
const char *read_row_place_in(const struct read_row *row, char *buf, size_t size);
static inline const char *read_row_route(const struct read_row *row)
{
	return row->counted ? counted_route_word(row->counted->route) : NULL;
}
/* The number of the unit (3 for "cbo3"); -1 for a sum, for the only unit of its kind, and for CPUs. */
int64_t read_row_unit(const struct read_row *row);
/* The CPU through which the row is counted now; -1: several, or none. */
int read_row_cpu(const struct read_row *row);
/* Does one count stand for an amount other than 1, for example 64 bytes? */
static inline bool read_row_has_amount(const struct read_row *row)
{
	return row->measure || (!row->metric && (row->counted->scale < 1 || row->counted->scale > 1));
}
/* The row's name in text, such as "r5301b1 UOPS_EXECUTED.THREAD". Uses @buf if that name differs from @row->name. */
const char *read_row_title(const struct read_row *row, char *buf, size_t size);
/* The PMU of the row's unit or, if the row is about several units or none, all PMUs that count the event. */
const char *read_row_pmu(const struct read_row *row);

/* ---- columns ---- */

/* Write the row as a record, or as a part of a line of text. */
void read_row_record(struct read_row *row);
extern const struct record_column read_columns[], read_table_columns[], read_metric_columns[];
extern const size_t read_num_columns, read_num_table_columns, read_num_metric_columns;
extern const struct record_column read_line_metric; /* the value of a metric in a line of text */
/* Indexes of the table columns whose values are also shown in lines of text. */
enum {
	READ_CELL_HEX = 7, READ_CELL_RAW, READ_CELL_VALUE, READ_CELL_RATE, READ_CELL_AMOUNT, READ_CELL_SHARE,
	READ_CELL_NOTE,
};

/* ---- output ---- */

/* Print what precedes the first interval of a file: the CSV header, "SIMULATED". */
void read_print_head(struct read_run *run);
void read_print_interval(struct read_run *run);

void read_series_interval(struct read_run *run);
/* Copy the totals of the @num rows at @old to the rows of @run about the same event or metric at the same place. */
void read_series_carry(struct read_run *run, const struct read_row *old, size_t num);

void read_text_prepare(struct read_run *run);
void read_text_head(struct read_run *run);
void read_text_interval(struct read_run *run);
/* Make the template that shows the row in a line of text. Returns 0 or -ENOMEM. */
int read_text_template(struct read_row *row);
void read_one_line(struct read_run *run);
void read_text_summary(struct read_run *run);
/* Print how long COMMAND took, in the format of perf stat. */
void read_text_elapsed(struct read_run *run);
/* If all counters stood still, print why that may be. */
void read_text_hint(struct read_run *run);
/* Find the rows that have ratios. Write ratios below a table, or at the end of a line. */
void read_ratios_prepare(struct read_run *run);
void read_ratios_put(struct read_run *run, bool in_line);

#endif
