/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Declarations that the files of uncore-throttle share. A check is a call of uncoremsr_throttle_look(); messages for
 * users call a check a "look".
 */
#ifndef TOOL_THROTTLE_H
#define TOOL_THROTTLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/arena.h"
#include "common/command.h"
#include "common/options.h"
#include "common/log_file.h"
#include "common/output.h"
#include "common/properties.h"
#include "common/records.h"
#include "common/series.h"
#include "common/throttle_series.h"
#include "common/wait.h"

struct throttle_config {
	struct tool_common common;
	uint64_t interval_ns; /* 0 if the state is shown once */
	uint64_t count;       /* number of intervals; 0 if only a signal ends the tool */
	bool periodic;        /* option -i or -n is given, so changes are printed */
	bool clear, since_clear, kernel_only, dimm, summary, dry_run, trace;
	bool show_host;
	unsigned without;     /* argument of --without: causes as bits */
	const char *output;   /* NULL: standard output */
	char host[HOST_SIZE]; /* name of the host, for records and, with @show_host, text */
	char **command;
};

/* Returns TOOL_GO_ON or the exit status. */
int throttle_options_parse(struct throttle_config *cfg, int argc, char **argv);

/* ---- a run ---- */

enum { THROTTLE_QUESTIONS = UNCOREMSR_CAUSE_ANY + 1 };

/* History of one cause on one package or core. A period is a time in which the cause held without interruption. */
struct throttle_spell {
	enum uncoremsr_cause_kind cause;
	int die;              /* -1 if the cause is not about a single die */
	bool now, logged;   /* the cause held at the latest check; a log bit or a count shows that it held before */
	bool seen;          /* the current check has found the cause */
	uint64_t begin_ns;  /* when the current or last period began, on the machine's clock */
	uint64_t slow_ns;   /* how long the cause held in this period, as far as that was measured */
	uint64_t total_ns;  /* how long the cause held in the whole run, as far as that was measured */
	uint64_t held_ns;   /* total length of the intervals at whose end the cause held */
	uint64_t cycles;    /* sum of the uncore events that show the cause, over the run */
	size_t looks;       /* number of checks after the first one at which the cause held */
	bool measured;      /* each check that found the cause also measured its share of the time */
	bool exact;         /* the cause's share of the time was measured at all checks of this period */
	bool announced;     /* the beginning of this period was printed, so print its end, too */
	bool counted;       /* the report includes the cause: it has decided a verdict, or --verbose is given */
	bool inherited;     /* the package has the cause only because its cores have it */
	bool own;           /* at some check the cause was not inherited */
	char who[384];      /* what slows the package or core down, in words */
};

/* History of one question about a package or core. */
struct throttle_question {
	bool lost;           /* the question was open at some check, and answered at another one */
	uint64_t looks;      /* number of checks after the first one at which the question was open */
	uint64_t blind_ns;   /* time for which there is no answer */
	char *why;           /* why the question was open (see note_reason()); NULL if @looks is 0 */
};

static inline const char *throttle_why(const struct throttle_question *q)
{
	return q->why ? q->why : "out of memory";
}

/* One package or core. */
struct throttle_track {
	int package, core, cpu;
	bool present, seen;    /* found by the latest check (with an online CPU); found by the current check */
	bool unknown;          /* the latest check had no answer about this package or core */
	char *policies;        /* the policies that were printed last (files and values); NULL or "" if none */
	struct throttle_spell *spells; /* in the order in which the causes were first seen */
	size_t num;
	struct throttle_question questions[THROTTLE_QUESTIONS]; /* by cause */
	unsigned open;         /* questions that were open at the latest check, as bits */
};

struct throttle_run {
	const struct throttle_config *cfg;
	struct uncoremsr *um;
	struct uncoremsr_throttle *t;
	struct out *out;
	struct records records;
	struct series series; /* replaces records with --format=prometheus or collectd */
	struct set series_tracks;
	uint64_t missed;      /* number of checks that were skipped because the tool woke up too late */
	struct tool_wait wait;
	struct command command;
	struct set tracks;   /* of struct throttle_track */
	uint64_t start_ns;   /* time of the first check, on the machine's clock */
	uint64_t wall_ns;    /* Unix time of the latest check */
	uint64_t looks;      /* number of checks so far */
	bool known;          /* some check had an answer */
	bool open;           /* a question was open at some check after the first one */
	bool denied;         /* a question was open because access was denied */
	bool disturbed;      /* a question was open because another program had changed counters */
	bool throttled;      /* some check saw throttling */
	bool was_throttled;  /* a log bit or a count shows earlier throttling */
	unsigned causes;     /* the causes that the report includes and that held at some check after the first one */
	bool blind;          /* the latest check had no answer */
	struct log_file log;
};

/* Nanoseconds from the first check to the latest; 0 before the first one. */
static inline uint64_t throttle_elapsed(const struct throttle_run *run)
{
	uint64_t now = uncoremsr_throttle_state(run->t)->time;

	return now != UINT64_MAX && now > run->start_ns ? now - run->start_ns : 0;
}

/* Convert a time of the machine's clock to Unix time. */
static inline uint64_t throttle_wall_ns(const struct throttle_run *run, uint64_t ns)
{
	return run->wall_ns - (uncoremsr_throttle_state(run->t)->time - ns);
}

/* ---- wording.c: these functions append text to @o ---- */

void throttle_say_number(struct out *o, size_t n, const char *what);
/*
 * Write "package 1 core 0 (CPU 4) is ", throttle_say_phrase(), "; " and throttle_say_rest(). If @c is NULL, write about
 * the verdict on @s, and about the cause that explains it.
 */
void throttle_say_sentence(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s,
			   const struct uncoremsr_cause *c);
/* Write "slowed down now: ...", which can be the same for several cores. */
void throttle_say_phrase(struct out *o, const struct throttle_run *run, const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c);
/* Write what slows @s down: the explanation of a cause in throttle_say_phrase(). */
void throttle_say_who(struct out *o, const struct uncoremsr_subject *s, const struct uncoremsr_cause *c);
/* Write "12 % of the time since the last look; 3 degrees ...". May write nothing. */
void throttle_say_rest(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_subject *s,
		       const struct uncoremsr_cause *c);
/* Write what a piece of evidence means: "PROCHOT PROCHOT_LOG". May write nothing. */
void throttle_say_finding(struct out *o, const struct uncoremsr_evidence *e);
/* Write a piece of evidence: "NAME (0x19c)", then @equals, then "0x8834000c [PROCHOT PROCHOT_LOG]". */
void throttle_say_evidence(struct out *o, const struct uncoremsr_evidence *e, const char *equals);
/* Write two lines about a cause: since when it has held, and what the user can do about it. */
void throttle_say_advice(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c);
/* Write @before and the names of @causes (causes or questions as bits), separated by commas. Nothing if none. */
void throttle_say_causes(struct out *o, const char *before, unsigned causes);
/* The first open question of @s in *left; moves all questions with its reason from *left to *alike. NULL: none left. */
const struct uncoremsr_question *throttle_next_reason(const struct throttle_run *run, const struct uncoremsr_subject *s,
						      unsigned *left, unsigned *alike);
/* The open question of @s, or @best (may be NULL), whose reason is most useful to the user: see usefulness(). */
const struct uncoremsr_question *throttle_obstacle(const struct uncoremsr_subject *s,
						   const struct uncoremsr_question *best);
/* Write "question: reason", or only the reason. The question need not be open. */
void throttle_say_question(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q);
void throttle_say_reason(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q);

/* Exit status 1 means "throttled" in this tool, so a failure with that status becomes "cannot tell". */
static inline int throttle_trouble(int status)
{
	return status == TOOL_PARTIAL ? TOOL_UNSUPPORTED : status;
}

/* ---- merged_lines.c: lines about packages and cores ---- */

struct throttle_line {
	int package, core;
	const char *text; /* lines of one package with the same text become one line */
	const char *rest; /* end of the line, may be NULL; a merged line has only the @rest of the first line */
	const char *next; /* further lines, the same for all lines with this @text; may be NULL */
	const char *more; /* further lines, may be NULL; a merged line has only those of the first line */
};

/* A list of lines. A zeroed struct is an empty list. */
struct throttle_lines {
	struct throttle_line *list;
	size_t num;
	struct arena texts; /* memory of the texts in @list */
	struct out text, rest, next, more; /* parts of the line that is being composed */
};

/* Add the composed line, and begin an empty one. @package is -1 if the line is about the whole machine. */
void throttle_line_add(struct throttle_lines *l, int package, int core);
/* Write all lines, each after @prefix, and empty the list. */
void throttle_lines_put(struct throttle_lines *l, struct out *out, const char *prefix);

/* ---- policy.c ---- */

/* Write the policies as lines of text. */
void throttle_put_policies(struct throttle_run *run);
/* If the policies of a package or core have changed since they were last written, write them and return true. */
bool throttle_policies_changed(struct throttle_track *t, const struct uncoremsr_subject *s,
			       struct throttle_lines *lines);
/* Write the policies as a list in a record: of objects or, in a format without objects, of texts. */
void throttle_record_policies(struct records *w, const char *name, const struct uncoremsr_subject *s);

/* ---- summary.c ---- */

enum { THROTTLE_POLICIES = UNCOREMSR_POLICY_POWER_LIMIT + 1 };

struct throttle_number {
	size_t packages, cores;
};

struct throttle_summary {
	enum uncoremsr_verdict verdict;
	unsigned causes; /* causes that decide the verdict, as bits */
	struct throttle_number with[THROTTLE_CAUSES]; /* how many packages and cores have each cause */
	unsigned open, not_visible, needs_counting, not_asked; /* causes, as bits */
	const struct uncoremsr_question *obstacle; /* the most useful open question; NULL if none is open */
	struct throttle_number all, throttled, unknown;
	int below_limit, temperature;   /* of the hottest package or core; -1 or INT_MIN if unknown */
	const char *policies[THROTTLE_POLICIES + 1]; /* names of all policies in force; ends with NULL */
};

/* Find the results of the latest check for a core, or for a package (@core -1). NULL: it is offline. */
const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core);
/* The causes whose questions have this @state on a package or core, as bits. 0 if @package is NULL. */
unsigned throttle_causes_in(const struct uncoremsr_subject *package, enum uncoremsr_question_state state);
/* Write "HOST: " if --host is given. A watch writes it in each line, after the timestamp. */
void throttle_say_host(struct out *o, const struct throttle_run *run);
/* Write the start of the text output: "HOST: " if --host is given, "SIMULATED machine NAME: " if simulated. */
void throttle_put_simulated(struct throttle_run *run);
void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum);
/* Write which causes this machine cannot show and which were left out: "; not visible here: ...". May write nothing. */
void throttle_put_unasked(struct throttle_run *run, const struct throttle_summary *sum);
/* Write one line or record about the whole machine. @why: why the check failed; NULL if it did not. */
void throttle_show_summary(struct throttle_run *run, const char *why);

/* ---- look_text.c, records.c: all results of the latest check ---- */

void throttle_show_text(struct throttle_run *run);

/* Every record begins with the columns "time", "timestamp" and "machine", and ends with "host". */
struct throttle_record {
	const struct throttle_run *run;
	const char *machine, *host;
	uint64_t elapsed_ns, wall_ns;
};
struct throttle_record throttle_record(const struct throttle_run *run);
#define THROTTLE_RECORD_COLUMNS \
	{ .name = "time", .type = RECORD_FIXED, RECORD_AT(throttle_record, elapsed_ns), .decimals = 9 }, \
	{ .name = "timestamp", .type = RECORD_TIME, RECORD_AT(throttle_record, wall_ns), .decimals = 9 }, \
	{ .name = "machine", .type = RECORD_STR, RECORD_AT(throttle_record, machine) }
/* "host" is the last column, so that it does not change the positions of the other CSV columns. */
#define THROTTLE_HOST_COLUMN { .name = "host", .type = RECORD_STR, RECORD_AT(throttle_record, host) }

/* A column with the names of causes. @member: member of @row with the causes as bits. */
const char *throttle_cause_word(unsigned cause);
#define THROTTLE_CAUSES_COLUMN(title, row, member) \
	{ .name = title, .type = RECORD_BITS, RECORD_AT(row, member), .word = throttle_cause_word, .join = " " }
/* Columns of the records: about a check or a run, of --summary, of --dimm, and of --clear. */
struct throttle_columns {
	const struct record_column *columns;
	size_t num;
};
extern const struct throttle_columns throttle_record_columns, throttle_summary_columns, throttle_dimm_columns,
				     throttle_clear_columns;
void throttle_show_records(struct throttle_run *run);
/* Write the record of a package or core for the latest check. */
void throttle_record_subject(struct throttle_run *run, const struct uncoremsr_subject *s);
/* Write the record of a package or core for the whole run. @gone: sentence if it went offline; else NULL. */
void throttle_record_track(struct throttle_run *run, const struct throttle_track *t, const char *gone);

/* ---- the rest ---- */

/* run.c: show the state once or repeatedly. Returns the exit status. */
int throttle_run(struct throttle_run *run);
/* changes.c: compare the latest check with the previous one and, with -i or -n, write the changes. */
void throttle_follow(struct throttle_run *run);
/* Find the struct of a package (@core -1) or core, or add it. NULL: out of memory. */
struct throttle_track *throttle_get_track(struct throttle_run *run, int package, int core);
/* Share of the run's time in which the cause held, 0 to 1; time without an answer is left out. */
double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp);
void throttle_tracks_free(struct throttle_run *run);
/* report.c: write the result of the whole run. */
void throttle_report(struct throttle_run *run);
/* dimm.c: write the answer about DIMMs for each package. Returns the exit status. */
int throttle_dimm(struct throttle_run *run);
/* main.c: write the collected output. If the output file was renamed or removed, create a new one with a heading. */
int throttle_output_flush(struct throttle_run *run);

#endif
