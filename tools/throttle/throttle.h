/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-throttle share: the command line (options.c); all sentences (wording.c); all checks (run.c);
 * the machine in one line (summary.c); one check as text (look_text.c) or as records (records.c); the changes between
 * checks (changes.c) and the report at the end (report.c); the answer about DIMMs (dimm.c); merging lines about several
 * cores (merged_lines.c); limits that software has set (policy.c).
 *
 * A check is a call of uncoremsr_throttle_look(), which finds out what slows the machine down. To users it is a "look".
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

/* ---- command line ---- */

struct throttle_config {
	struct tool_common common;
	uint64_t interval_ns; /* 0: show the state once and end */
	uint64_t count;       /* number of intervals; 0: until a signal ends the tool */
	bool periodic;        /* -i or -n was given, so changes are printed */
	bool clear, since_clear, kernel_only, dimm, summary, dry_run, trace;
	bool show_host;       /* --host */
	unsigned without;     /* causes that the user left out, as bits */
	const char *output;   /* NULL: standard output */
	char host[HOST_SIZE]; /* name of the host: shown in records, and in text with @show_host */
	char **command;       /* COMMAND and its arguments; NULL: none */
};

/* Returns TOOL_GO_ON or the exit status. */
int throttle_options_parse(struct throttle_config *cfg, int argc, char **argv);

/* ---- a run ---- */

/* Number of different questions. */
enum { THROTTLE_QUESTIONS = UNCOREMSR_CAUSE_ANY + 1 };

/* One cause on one package or core, followed from check to check. A period is a time in which the cause held. */
struct throttle_spell {
	enum uncoremsr_cause_kind cause;
	int die;              /* -1: not about a single die */
	bool now, logged;   /* @now: the cause held at the latest check; @logged: a log bit or a count shows it */
	bool seen;          /* the current check has found the cause */
	uint64_t begin_ns;  /* when the current or last period began, on the machine's clock */
	uint64_t slow_ns;   /* how long the cause held in this period, as far as that was measured */
	uint64_t total_ns;  /* how long the cause held in the whole run, as far as that was measured */
	uint64_t held_ns;   /* sum of the intervals at whose end the cause held */
	uint64_t cycles;    /* cycles counted by uncore events over the run */
	size_t looks;       /* number of checks after the first one at which the cause held */
	bool measured;      /* each check that found the cause also measured its share of the time */
	bool exact;         /* the cause's share of the time was measured at all checks of this period */
	bool announced;     /* the beginning of this period was printed, so print its end, too */
	bool counted;       /* the cause has decided a verdict, or --verbose is given; only such causes are reported */
	bool inherited;     /* the package only inherits the cause from its cores, which have their own lines */
	bool own;           /* at some check the cause was not inherited */
	char who[384];      /* what slows the package or core down, in words */
};

/* A question about a package or core, followed from check to check. */
struct throttle_question {
	bool lost;           /* some check left the question open, and another one answered it */
	uint64_t looks;      /* number of checks after the first one that left the question open */
	uint64_t blind_ns;   /* time for which there is no answer */
	char *why;           /* the first reason why an answer was lost, or else why there was none; NULL: all checks
			      * after the first one have an answer */
};

static inline const char *throttle_why(const struct throttle_question *q)
{
	return q->why ? q->why : "out of memory";
}

/* One package or core. */
struct throttle_track {
	int package, core, cpu;
	bool present, seen;    /* @present: had an online CPU at the latest check; @seen: found at the current check */
	bool unknown;          /* the latest check had no answer about this package or core */
	char *policies;        /* files and values of the policies that were printed last; NULL, "": none */
	struct throttle_spell *spells; /* in the order in which they began */
	size_t num;
	struct throttle_question questions[THROTTLE_QUESTIONS]; /* the index is the cause */
	unsigned open;         /* questions that the latest check left open, as bits */
};

struct throttle_run {
	const struct throttle_config *cfg;
	struct uncoremsr *um;
	struct uncoremsr_throttle *t;
	struct out *out;
	struct records records;
	struct series series; /* with --format=prometheus or collectd, in place of records */
	struct throttle_series series_tracks;
	uint64_t missed;      /* number of checks that were skipped because the tool woke up too late */
	struct tool_wait wait;
	struct command command;
	struct set tracks;   /* the items are struct throttle_track */
	uint64_t start_ns;   /* time of the first check, on the machine's clock */
	uint64_t wall_ns;    /* Unix time of the latest check */
	uint64_t looks;      /* number of checks so far */
	bool known;          /* some check had an answer */
	bool open;           /* a check after the first left a question open */
	bool denied;         /* a question was left open for lack of access */
	bool disturbed;      /* a question was left open because another program had changed counters */
	bool throttled;      /* some check saw throttling */
	bool was_throttled;  /* a log bit or a count shows earlier throttling */
	bool blind;          /* the latest check had no answer */
	int die_of;          /* signal that must end the tool; 0: none */
	struct log_file log; /* the file cfg->output */
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

/* ---- wording.c: English. Each appends to @o. ---- */

/* Write a number with its noun: "1 core", "2 cores". */
void throttle_say_number(struct out *o, size_t n, const char *what);
/*
 * Write a sentence about a cause; @c NULL: about the subject, with the cause that explains its verdict if there is one.
 * "package 1 core 0 (CPU 4) is slowed down now: ...; 12 % of the time since the last look; 3 degrees ...".
 */
void throttle_say_sentence(struct out *o, const struct throttle_run *run,
			   const struct uncoremsr_subject *s,
			   const struct uncoremsr_cause *c);
/*
 * Write a part of the sentence of throttle_say_sentence(): "slowed down now: ...", which can be the same for several
 * cores.
 */
void throttle_say_phrase(struct out *o, const struct throttle_run *run,
			 const struct uncoremsr_subject *s,
			 const struct uncoremsr_cause *c);
/* Write what slows the subject down, which is a part of throttle_say_phrase(). */
void throttle_say_who(struct out *o, const struct uncoremsr_subject *s,
		      const struct uncoremsr_cause *c);
/*
 * Write the rest of the sentence of throttle_say_sentence(): "12 % of the time since the last look; ...". It may be
 * empty.
 */
void throttle_say_rest(struct out *o, const struct uncoremsr_throttle *t,
		       const struct uncoremsr_subject *s,
		       const struct uncoremsr_cause *c);
/* Write the meaning of a piece of evidence, "PROCHOT PROCHOT_LOG"; may be empty. */
void throttle_say_finding(struct out *o, const struct uncoremsr_evidence *e);
/* Write a piece of evidence: "NAME (0x19c)", then @equals, then "0x8834000c [PROCHOT PROCHOT_LOG]". */
void throttle_say_evidence(struct out *o, const struct uncoremsr_evidence *e, const char *equals);
/* Write two lines for the text of one check: since when a cause has held, then what the user can do about it. */
void throttle_say_advice(struct out *o, const struct uncoremsr_throttle *t, const struct uncoremsr_cause *c);
/* Write @before and the words for @causes (causes or questions as bits), separated by commas; nothing if there are none. */
void throttle_say_causes(struct out *o, const char *before, unsigned causes);
/*
 * Group open questions by reason: return the first open question of @left (bits), set *@alike to those of @left with
 * the same reason, and remove these from @left. NULL: none is left.
 */
const struct uncoremsr_question *throttle_next_reason(const struct throttle_run *run, const struct uncoremsr_subject *s,
						      unsigned *left, unsigned *alike);
/*
 * Of @best (may be NULL) and the open questions of @s, the one whose reason is most useful to the user: the first one
 * that lacks access; else the first one whose reason the user may be able to remove (a register was not read, a counter
 * was changed); else the first one. NULL: none.
 */
const struct uncoremsr_question *throttle_obstacle(const struct uncoremsr_subject *s,
						   const struct uncoremsr_question *best);
/* Write "question: reason", or the reason alone. The question may be in any state. */
void throttle_say_question(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q);
void throttle_say_reason(struct out *o, const struct throttle_run *run, const struct uncoremsr_question *q);
/* Write a line about log bits that were cleared or, with @dry_run, would be cleared. */
enum { THROTTLE_CLEARED = 512 };
void throttle_say_cleared(char line[THROTTLE_CLEARED], const struct uncoremsr_clear_report *r, bool dry_run);

/* ---- merged_lines.c: lines about packages and cores ---- */

struct throttle_line {
	int package, core;
	const char *text; /* lines of one package with the same text become one line */
	const char *rest; /* written after @text; a merged line shows only the @rest of its first line. NULL: nothing */
	const char *next; /* further lines, the same for all lines with this text. NULL: none */
	const char *more; /* further lines; a merged line shows only those of its first line. NULL: none */
};

/* A list of lines. A zeroed struct is an empty list. */
struct throttle_lines {
	struct throttle_line *list;
	size_t num;
	struct arena texts; /* memory of the texts in @list */
	struct out text, rest, next, more; /* parts of the line that is being composed */
};

/* Add the line that was composed; the next one begins empty. @package -1: the line is about the whole machine. */
void throttle_line_add(struct throttle_lines *l, int package, int core);
/* Write all lines in their order, each after @prefix, and remove them. */
void throttle_lines_put(struct throttle_lines *l, struct out *out, const char *prefix);

/* ---- policy.c ---- */

/* Write the policies as lines of text. */
void throttle_put_policies(struct throttle_run *run);
/* Have the policies of a package or core changed since they were last written? If so, write them as they are now. */
bool throttle_policies_changed(struct throttle_track *t, const struct uncoremsr_subject *s,
			       struct throttle_lines *lines);
/* Write the policies as a list in a record; @flat: as a list of texts. */
void throttle_record_policies(struct records *w, const char *name, const struct uncoremsr_subject *s,
			      bool flat);

/* ---- summary.c ---- */

enum { THROTTLE_POLICIES = UNCOREMSR_POLICY_POWER_LIMIT + 1 };

/* A number of packages and cores. */
struct throttle_number {
	size_t packages, cores;
};

struct throttle_summary {
	enum uncoremsr_verdict verdict; /* verdict on the machine */
	unsigned causes; /* causes on which the verdict is based, as bits */
	struct throttle_number with[THROTTLE_CAUSES]; /* number of packages and cores with the cause */
	unsigned open, not_visible, needs_counting, not_asked; /* causes, as bits */
	const struct uncoremsr_question *obstacle; /* the most useful open question; NULL: everything is known */
	struct throttle_number all, throttled, unknown;
	int below_limit, temperature;   /* values of the hottest package or core; -1, INT_MIN: unknown */
	const char *policies[THROTTLE_POLICIES + 1]; /* words of all policies that are in force; ends with NULL */
};

/* A core, or with @core -1 a package, as the latest check found it; NULL: it is offline. */
const struct uncoremsr_subject *throttle_find_subject(const struct uncoremsr_throttle *t, int package, int core);
/* The causes whose questions about @package have this @state, as bits; 0 if @package is NULL. */
unsigned throttle_causes_in(const struct uncoremsr_subject *package, enum uncoremsr_question_state state);
/* Write "HOST: " if the user asked for the name of the host. A watch writes it in each line, after the time. */
void throttle_say_host(struct out *o, const struct throttle_run *run);
/* Write the start of any text output: "HOST: ", and "SIMULATED machine NAME: " on a simulated machine. */
void throttle_put_simulated(struct throttle_run *run);
void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum);
/* Write "; not visible here: ...": causes that this machine cannot show, or that were left out. May be empty. */
void throttle_put_unasked(struct throttle_run *run);
/* Write the machine in one line, in the format of the run. @why: why there is no answer, or NULL. */
void throttle_show_summary(struct throttle_run *run, const char *why);

/* ---- look_text.c, records.c: everything that the latest check found ---- */

void throttle_show_text(struct throttle_run *run);

/* Each record has the columns "time", "timestamp" and "machine", and "host" as the last one. */
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
/* The column "host" comes last, so that the positions of the others in CSV do not depend on it. */
#define THROTTLE_HOST_COLUMN { .name = "host", .type = RECORD_STR, RECORD_AT(throttle_record, host) }

/* A column with the words of causes, which a member of the row has as bits. */
const char *throttle_cause_word(unsigned cause);
#define THROTTLE_CAUSES_COLUMN(title, row, member) \
	{ .name = title, .type = RECORD_BITS, RECORD_AT(row, member), .word = throttle_cause_word, .join = " " }
/* Columns of the records about a check or a run, and of those of --summary, --dimm and --clear. */
struct throttle_columns {
	const struct record_column *columns;
	size_t num;
};
extern const struct throttle_columns throttle_record_columns, throttle_summary_columns, throttle_dimm_columns,
				     throttle_clear_columns;
void throttle_show_records(struct throttle_run *run);
/* Write one package or core as record. */
void throttle_record_subject(struct throttle_run *run, const struct uncoremsr_subject *s);
/* Write a record about a package or core over the whole run. @gone: the sentence if it went offline, else NULL. */
void throttle_record_track(struct throttle_run *run, const struct throttle_track *t,
			   const char *gone);

/* ---- the rest ---- */

/* run.c: a whole run that shows the state, once or from time to time. Returns the exit status. */
int throttle_run(struct throttle_run *run);
/* changes.c: compare the latest check with the previous one and, if @show, write the changes. */
void throttle_follow(struct throttle_run *run, bool show);
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
/* main.c: write the collected output. If the file was renamed or removed, create it again first, with a heading. */
int throttle_output_flush(struct throttle_run *run);

#endif
