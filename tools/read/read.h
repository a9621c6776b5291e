/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-read share: the command line (read_options.c), waiting while counters
 * take turns (read_wait.c), which readings are shown (read_rows.c), and the output: records for
 * programs (read_records.c), lines (read_text.c) and tables (read_table.c) for people, the cells of
 * all (read_cells.c), metrics in either (read_metrics.c).
 */
#ifndef TOOL_READ_H
#define TOOL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/command.h"
#include "common/options.h"
#include "common/output.h"
#include "read/target.h"
#include "uncoremsr.h"
#include "common/wait.h"

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

/* One event of the command line: -e TEXT as it stands, or --event and what belongs to it. */
struct read_event {
	const char *text; /* of -e, else NULL */
	int event, umask, cmask; /* -1: not given */
	bool edge, invert;
};

struct read_config {
	struct tool_common common;
	struct read_event *events;
	size_t num_events;
	const char **metrics; /* of -M, as they stand */
	size_t num_metrics;
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
 * until a signal comes. On the way the groups of @s get their turns, fairly within @interval_ns, and
 * counters are read often enough that none wraps twice.
 */
enum wake read_wait_until(struct tool_wait *w, struct uncoremsr_session *s, uint64_t from,
			  uint64_t deadline, uint64_t interval_ns);

/* ---- output ---- */

/*
 * Columns. Those of the records come first, in the order in which they are written; the others are
 * only for people.
 */
enum read_column {
	READ_TIME, READ_INTERVAL, READ_TIMESTAMP, READ_MACHINE, READ_PACKAGE, READ_DIE, READ_CORE,
	READ_UNIT, READ_CPU, READ_PMU, READ_EVENT, READ_ENCODING, READ_COUNTER, READ_RAW,
	READ_COUNTED, READ_VALUE, READ_SCALED, READ_MEASURE, READ_ENABLED, READ_RUNNING,
	READ_ROUTE, READ_STATUS, READ_TARGET, READ_CORES,
	READ_NUM_RECORD_COLUMNS,
	READ_HEX_RAW = READ_NUM_RECORD_COLUMNS, READ_RATE, READ_SHARE, READ_NOTE, READ_UNIT_NAME,
	READ_AMOUNT, READ_PLACE_NAME,
	READ_NO_COLUMN, /* a piece that is constant text only */
};

/* A constant part of a line and the number that follows it. */
struct read_piece {
	size_t start, len; /* in the text of the row */
	enum read_column column;
};

/*
 * One event on one package, or on one unit there. What does not change while the run lasts is put
 * into words once; an interval copies it and puts the numbers in.
 */
struct read_row {
	enum read_place {
		READ_AT_PACKAGE,  /* or at a unit of it */
		READ_AT_CORE,
		READ_AT_GROUP,    /* of --cores */
		READ_AT_TASK,     /* wherever it runs */
	} place;
	size_t package, event;
	size_t index;   /* of the group; of one of the units of the core */
	const struct uncoremsr_unit *unit; /* NULL: the sum of several, or none is there */
	bool many_cpus; /* a sum, counted on several CPUs */
	bool perf;      /* counted by the kernel */
	bool task;      /* and for a task, whose clock stands still while it sleeps */
	bool warned;    /* that it was counted for a small part of the time only */
	size_t name_len; /* of the part of @text that says what is counted and where */
	struct out text; /* of the constant parts */
	struct read_piece pieces[READ_NO_COLUMN + 1];
	size_t num_pieces;
	enum uncoremsr_status status; /* of the last interval; changes are explained on stderr */
};

/* One metric on one package. */
struct read_metric_row {
	size_t package, metric;
	enum uncoremsr_status status; /* as in struct read_row */
};

struct read_run {
	const struct read_config *cfg;
	struct uncoremsr *um;
	struct uncoremsr_session *session;
	struct out *out;
	struct read_row *rows;
	size_t num_rows, room_rows;
	size_t num_events;       /* of the session; the events behind them serve metrics only */
	struct read_metric_row *metric_rows;
	size_t num_metric_rows;
	/* On the machine's clock: start, end of the previous interval, end of this one. */
	uint64_t start_ns, last_ns, end_ns;
	uint64_t wall_offset_ns; /* wall clock minus machine's clock in this interval */
	uint64_t stamp_second;   /* the second whose date and time @stamp holds */
	char stamp[24];          /* "2026-01-31T12:00:00" */
	size_t event_width, unit_width; /* of the longest names */
	bool has_dies;           /* some package shows up with several dies */
	bool has_raw;            /* some row is no sum, so that it has a register */
	bool has_amounts;        /* some event has a measure */
	bool has_packages;       /* some row belongs to a package */
	bool has_cpus;           /* some row was counted on one CPU */
	bool has_levels;         /* some event is a level, of which each unit is shown */
	bool has_msr, has_perf;  /* some event is counted through registers, by the kernel */
	bool has_shares;         /* some event was counted for a part of the time only */
	bool of_total;           /* what is being shown is everything since the start */
	bool told_route;
	size_t lines_drawn;      /* on the terminal, to be drawn over */
	bool in_place;           /* text is redrawn on a terminal */
	bool hinted;             /* it was said why counters may stand still */
	bool partial;            /* some reading was not ok */
};

/* Another row, or NULL. */
struct read_row *read_add_row(struct read_run *run, size_t package, size_t event);
/* The rows of an event that belongs to a task, a group of cores or cores. 0 or -ENOMEM. */
int read_places_add(struct read_run *run, size_t event);
/* Place by place, and within one in the order of the events. Before there are other rows. */
void read_places_sort(struct read_run *run);
/* Does an event have such rows, and none of packages? */
bool read_places_take(const struct read_run *run, size_t event);
/* "task", "core 3", "cores 0-3": what follows the package, if any. */
void read_places_name(const struct read_run *run, const struct read_row *row, char *buf,
		      size_t size);
const struct uncoremsr_reading *read_places_reading(const struct read_run *run,
						    const struct read_row *row, bool total);
/* Prepare the rows; after uncoremsr_session_start(). 0 or -ENOMEM. */
int read_rows_init(struct read_run *run);
void read_rows_free(struct read_run *run);
/* What happened there in the last interval, or since the start if @total. */
const struct uncoremsr_reading *read_row_reading(const struct read_run *run,
						 const struct read_row *row, bool total);
/* "package 0 die 1 cbo3", into @buf, which is returned. */
const char *read_row_place(const struct read_run *run, const struct read_row *row, char *buf,
			   size_t size);
/* What stands before the first interval (CSV header, SIMULATED). */
void read_print_head(struct read_run *run);
/* The interval that uncoremsr_session_read() has closed. */
void read_print_interval(struct read_run *run, const struct tool_wait *wait);
/* Everything since the start, as a table. */
void read_print_summary(struct read_run *run);
/* How long COMMAND took, as perf stat ends. */
void read_print_elapsed(struct read_run *run);
/* Is some event counted for the target of the run and not for everybody? */
bool read_has_tasks(const struct read_run *run);
/* "through perf (process 12)"; nothing where registers alone are read. */
void read_put_route(struct read_run *run);
/* Room for an event's words; longer ones are cut. */
enum { READ_WORDS = 512 };
/* The event as people see it: "r5301b1 UOPS_EXECUTED.THREAD"; into @buf where that differs. */
const char *read_event_words(const struct read_run *run, size_t event, char *buf, size_t size);
/* Say once on stderr when an event was counted for less than --min-running percent of the time. */
void read_check_share(struct read_run *run, struct read_row *row,
		      const struct uncoremsr_reading *r);
/* Was it counted for a part of the time only? */
bool read_is_partly(const struct uncoremsr_reading *r);
/* Its own register, not a sum over several. */
static inline bool read_has_register(const struct read_row *row)
{
	return row->unit && row->place == READ_AT_PACKAGE;
}
/* Each unit of the uncore, or each CPU, and no sum of them. */
bool read_shows_each(const struct read_run *run, size_t event, const struct uncoremsr_unit *u);
/* Is a column of the records written in this run? */
bool read_column_written(const struct read_run *run, enum read_column column);

static inline bool read_json(const struct read_run *run)
{
	return run->cfg->common.format == TOOL_JSON;
}

/* Name of a column of the records. */
const char *read_column_name(enum read_column column);
/* One cell in the format of the run; @r may be of an interval or of the whole time. */
void read_cell(struct read_run *run, const struct read_row *row,
	       const struct uncoremsr_reading *r, enum read_column column);
/* Ends a constant part of @row; @column follows it. */
void read_piece_end(struct read_row *row, enum read_column column);
/* The constant and the changing parts of @row, one after the other. */
void read_row_write(struct read_run *run, const struct read_row *row,
		    const struct uncoremsr_reading *r);

/* @v with @digits decimals and a point, whatever the locale. Below 2^63. */
void read_put_real(struct out *o, double v, unsigned digits);
/* The same with as many digits as a measured number is good for: twelve significant ones or so. */
void read_put_scaled(struct out *o, double v);
/* The end of this interval as a timestamp, without quotes; @ns on the machine's clock. */
void read_put_timestamp(struct read_run *run, uint64_t ns);

/* 0 or -ENOMEM. */
int read_metrics_init(struct read_run *run);
void read_metrics_free(struct read_run *run);
/* The interval's metrics as records, or at the end of a line of text. */
void read_metrics_records(struct read_run *run);
void read_metrics_line(struct read_run *run);
/* A table of them below the one of the events; of everything since the start if @total. */
void read_metrics_table(struct read_run *run, bool total);

/* Ends a line of a table, which on a terminal is drawn over what stands there. */
void read_text_end_line(struct read_run *run);
void read_record_template(struct read_run *run, struct read_row *row);
void read_line_template(struct read_run *run, struct read_row *row);
/* The table of an interval, or of everything since the start if @total. */
void read_table_write(struct read_run *run, bool total);
/* Below it or behind a line: instructions per cycle, where both are counted. */
void read_ipc_table(struct read_run *run, bool total);
void read_ipc_line(struct read_run *run);
void read_text_head(struct read_run *run);
bool read_text_fits_terminal(const struct read_run *run);
void read_text_interval(struct read_run *run);
/* Why counters may have stood still, when every one of them did. */
void read_text_hint(struct read_run *run);

#endif
