/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-read share: the command line (options.c, target.c), waiting while
 * counters take turns (turns.c), which readings are shown (shown_readings.c), the columns of every format
 * (columns.c), the end of an interval (report.c), and what only people get: lines and tables
 * (text.c), metrics with the units that people use (metrics.c), instructions per cycle (ipc.c).
 */
#ifndef TOOL_READ_H
#define TOOL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/command.h"
#include "common/options.h"
#include "common/records.h"
#include "common/wait.h"
#include "read/target.h"
#include "uncoremsr.h"
#include "uncoremsr/names.h"

/* ---- properties of what a session has; numbers: -1 unknown ---- */

static inline int64_t counted_number(const struct uncoremsr_session *s, size_t event,
				     enum uncoremsr_counted_number what)
{
	uint64_t v;

	return uncoremsr_session_event_number(s, event, what, &v) ? -1 : (int64_t)v;
}

static inline int64_t unit_number(const struct uncoremsr_unit *u, enum uncoremsr_unit_number what)
{
	uint64_t v;

	return uncoremsr_unit_number(u, what, &v) ? -1 : (int64_t)v;
}

static inline int64_t unit_cpu(const struct uncoremsr_unit *u)
{
	return unit_number(u, UNCOREMSR_UNIT_CPU);
}

static inline int64_t unit_core(const struct uncoremsr_unit *u)
{
	return unit_number(u, UNCOREMSR_UNIT_CORE);
}

static inline const char *unit_name(const struct uncoremsr_unit *u)
{
	return uncoremsr_unit_text(u, UNCOREMSR_UNIT_NAME);
}

static inline int64_t reading_number(const struct uncoremsr_reading *r,
				     enum uncoremsr_reading_number what)
{
	uint64_t v;

	return uncoremsr_reading_number(r, what, &v) ? -1 : (int64_t)v;
}

/* ---- command line ---- */

enum read_flags {
	READ_NO_MULTIPLEX = 1 << 0,
	READ_NO_VERIFY = 1 << 1,
	READ_DRY_RUN = 1 << 2,
	READ_TRACE = 1 << 3,
	READ_HEX = 1 << 4,
	READ_FORCE = 1 << 5,
	READ_PER_UNIT = 1 << 6,
};

/* One event of the command line: -e TEXT as given, or --event and what belongs to it. */
struct read_event {
	const char *text; /* of -e, else NULL */
	int event, umask, cmask; /* -1: not given */
	bool edge, invert;
};

struct read_config {
	struct tool_common common;
	struct read_event *events;
	size_t num_events;
	struct read_words metrics; /* of -M, as given */
	uint64_t interval_ns; /* 0: none, one reading at the end of COMMAND */
	uint64_t count;       /* how many intervals; 0: until stopped */
	bool periodic;        /* -i or -n was given */
	int counter;          /* -1: any */
	const char *cpus, *packages; /* NULL: as the library chooses */
	enum uncoremsr_route route;
	struct read_target target;
	unsigned flags;       /* enum read_flags */
	char **command;       /* NULL: none */
};

extern const struct tool read_tool;

/* Returns TOOL_GO_ON or the exit status. */
int read_options_parse(struct read_config *cfg, int argc, char **argv);
void read_options_free(struct read_config *cfg);
/* The event in the language of uncoremsr_session_add(), into @buf unless it is a text already. */
const char *read_event_text(const struct read_event *event, char *buf, size_t size);

/* ---- waiting ---- */

/*
 * Let the machine's clock go from @from (where the previous wait ended) to @deadline; UINT64_MAX:
 * until a signal comes. On the way the events of @s take turns, fairly within @interval_ns, and
 * counters are read often enough that none wraps twice.
 */
enum wake read_wait_until(struct tool_wait *w, struct uncoremsr_session *s, uint64_t from,
			  uint64_t deadline, uint64_t interval_ns);

/* ---- rows ---- */

struct read_run;

/*
 * One event or metric at one place: a package, a unit or a core of it, a set of --cores, a task.
 * What does not change while the run lasts is put into words once, in the template.
 */
struct read_row {
	struct read_run *run;
	enum read_place {
		READ_AT_PACKAGE,  /* or at a unit of it */
		READ_AT_CORE,
		READ_AT_CORES,    /* of --cores */
		READ_AT_TASK,     /* wherever it runs */
	} place;
	const struct uncoremsr_metric *metric; /* NULL: it is an event */
	const struct uncoremsr_package *package; /* NULL: it belongs to none */
	size_t package_index, event; /* @event is the number of the metric for one */
	size_t index;   /* of the set of --cores; of one of the units of the core */
	const struct uncoremsr_unit *unit; /* NULL: the sum of several, or none is there */
	bool many_cpus; /* a sum, counted on several CPUs */
	bool perf;      /* counted by the kernel */
	bool task;      /* and for a task, whose clock stands still while it sleeps */
	bool level;     /* it does not increase: a temperature */
	bool warned;    /* that it was counted for a small part of the time only */
	const char *measure; /* what the event is measured in: @scale of it; NULL: a mere count */
	double scale;
	struct read_row *cycles; /* of instructions: the cycles of the same place; NULL: none */
	size_t name_len; /* of the part of the line that says what is counted and where */
	struct record_template template;
	/* What read_row_take() took: of the last interval, or of everything since the start. */
	const struct uncoremsr_reading *reading;     /* of an event */
	enum uncoremsr_status metric_status;         /* of a metric, with its value or what was wrong */
	double metric_value;
	const char *metric_detail;
	uint64_t enabled_ns, running_ns, time_ns;
	enum uncoremsr_status status; /* changes are explained on stderr */
};

struct read_run {
	const struct read_config *cfg;
	struct uncoremsr *um;
	struct uncoremsr_session *session;
	struct out *out;
	struct records records;
	struct read_row *rows;   /* events first, metrics behind them */
	size_t num_rows, room_rows;
	size_t num_event_rows;
	size_t num_units;        /* of all events; more may come */
	size_t num_events;       /* of the session; the events behind them serve metrics only */
	/* On the machine's clock: start, end of the previous interval, end of this one. */
	uint64_t start_ns, last_ns, end_ns;
	uint64_t wall_offset_ns; /* wall clock minus machine's clock in this interval */
	size_t event_width, metric_width, unit_width; /* of the longest names */
	bool has_dies;           /* some package shows up with several dies */
	bool has_raw;            /* some row is no sum, so that it has a register */
	bool has_amounts;        /* some event has a measure */
	bool has_packages;       /* some row belongs to a package */
	bool has_cpus;           /* some row was counted on one CPU */
	bool has_levels;         /* some event is a level, of which each unit is shown */
	bool has_tasks;          /* some event is counted for the target of the run */
	bool has_msr, has_perf;  /* some event is counted through registers, by the kernel */
	bool has_shares;         /* some event was counted for a part of the time only */
	bool takes_turns;        /* there are more events than counters */
	bool of_total;           /* what is being shown is everything since the start */
	bool told_route;
	bool in_place;           /* text is redrawn on a terminal */
	bool hinted;             /* it was said why counters may stand still */
	bool partial;            /* some reading was not ok */
};

/* Prepare the rows; after uncoremsr_session_start(). 0 or -ENOMEM. */
int read_rows_init(struct read_run *run);
void read_rows_free(struct read_run *run);
/* The same again where CPUs have come online that were not there before. 0 or -ENOMEM. */
int read_rows_follow(struct read_run *run);
/* What happened there in the last interval, or since the start if @total. Returns its status. */
enum uncoremsr_status read_row_take(struct read_row *row, bool total);
/*
 * The same once more, before its values are asked for: sums of a core, of --cores and of a task are
 * worked out when they are asked for, each in the place of the one before.
 */
void read_row_again(struct read_row *row);
/* Why its value is unknown; "" when there is no more to say than the status does. */
const char *read_row_detail(const struct read_row *row);
/* Is the row one unit of several, so that its name says which? */
bool read_row_is_each(const struct read_row *row);
/* Its own register, not a sum over several. */
static inline bool read_row_has_register(const struct read_row *row)
{
	return row->unit && row->place == READ_AT_PACKAGE;
}
/* Was it counted for a part of the time only? */
static inline bool read_row_is_partly(const struct read_row *row)
{
	return row->running_ns < row->enabled_ns;
}

/* Of a sum: units whose reading is known, and all; of a metric, of the event that knows least. 0: no sum. */
uint64_t read_row_units(const struct read_row *row, enum uncoremsr_reading_number which);
/* Is nothing missing, in it or of its units? */
static inline bool read_row_is_whole(const struct read_row *row)
{
	return row->status == UNCOREMSR_OK &&
	       read_row_units(row, UNCOREMSR_READING_UNITS_KNOWN) ==
		       read_row_units(row, UNCOREMSR_READING_UNITS);
}

/* Room for a name of an event or a place; longer ones are cut. */
enum { READ_NAME_SIZE = 512 };
/* "package 0 die 1 cbo3", "cores 0-3", "process 12", into @buf, which is returned. */
const char *read_row_place(const struct read_row *row, char *buf, size_t size);
/* What follows the package in it: "core 3", "cores 0-3", "process 12". */
const char *read_row_place_in(const struct read_row *row, char *buf, size_t size);
/* The name of its event or metric. */
const char *read_row_name(const struct read_row *row);
/* The same as people see it: "r5301b1 UOPS_EXECUTED.THREAD"; into @buf where that differs. */
const char *read_row_title(const struct read_row *row, char *buf, size_t size);

/* ---- columns ---- */

extern const struct record_column read_columns[], read_table_columns[], read_metric_columns[];
extern const size_t read_num_columns, read_num_table_columns, read_num_metric_columns;
/* What changes in a line of text. */
extern const struct record_column read_line_hex, read_line_raw, read_line_value, read_line_rate,
	read_line_amount, read_line_share, read_line_note;

/* ---- output ---- */

/* What stands before the first interval (CSV header, SIMULATED). */
void read_print_head(struct read_run *run);
/* The interval that uncoremsr_session_read() has closed. */
void read_print_interval(struct read_run *run, const struct tool_wait *wait);

/* For people. 0 or -ENOMEM. */
int read_text_prepare(struct read_run *run);
void read_text_head(struct read_run *run);
void read_text_interval(struct read_run *run);
/* Everything since the start, as a table. */
void read_text_summary(struct read_run *run);
/* How long COMMAND took, as perf stat ends. */
void read_text_elapsed(struct read_run *run);
/* Why counters may have stood still, when every one of them did. */
void read_text_hint(struct read_run *run);
/* A metric's value; or "unknown" and why. With turns: the part of the time that it covers. */
void read_metric_text(struct out *o, const struct read_row *row, bool in_line);
/* Below a table, or behind a line: instructions per cycle, where both are counted. */
void read_ipc_prepare(struct read_run *run);
void read_ipc_table(struct read_run *run);
void read_ipc_line(struct read_run *run);

#endif
