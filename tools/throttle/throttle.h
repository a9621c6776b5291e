/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of uncore-throttle share: the command line (throttle_options.c), the machine in
 * one line (throttle_summary.c, throttle_words.c), one look as text (throttle_text.c) or as records
 * (throttle_records.c, throttle_values.c), many looks (throttle_watch.c), what changes from one to
 * the next (throttle_track.c, throttle_tracks.c, throttle_questions.c) and what they amount to
 * (throttle_report.c), the answer about DIMMs (throttle_dimm.c), lines about several cores
 * (throttle_lines.c), and a file that is written to for long (throttle_output.c).
 */
#ifndef TOOL_THROTTLE_H
#define TOOL_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/command.h"
#include "common/options.h"
#include "common/output.h"
#include "uncoremsr.h"
#include "uncoremsr/throttle.h"
#include "common/wait.h"

/* ---- command line ---- */

enum throttle_flags {
	THROTTLE_CLEAR = 1 << 0,
	THROTTLE_SINCE_CLEAR = 1 << 1,
	THROTTLE_KERNEL_ONLY = 1 << 2,
	THROTTLE_DIMM = 1 << 3,
	THROTTLE_SUMMARY = 1 << 4,
	THROTTLE_DRY_RUN = 1 << 5,
	THROTTLE_TRACE = 1 << 6,
};

struct throttle_config {
	struct tool_common common;
	uint64_t interval_ns; /* 0: one look */
	uint64_t count;       /* how many intervals; 0: until stopped */
	bool periodic;        /* -i or -n was given: changes are shown */
	unsigned flags;       /* enum throttle_flags */
	const char *output;   /* NULL: standard output */
	char **command;       /* NULL: none */
};

extern const struct tool throttle_tool;

/* Returns TOOL_GO_ON or the exit status. */
int throttle_options_parse(struct throttle_config *cfg, int argc, char **argv);

/* ---- a run ---- */

#define THROTTLE_WORD_SIZE 32
/* Where events take turns on few counters: so many looks later each has had one. */
#define THROTTLE_LOOKS_OF_A_TURN 4

/* One cause on one package or core, followed from look to look. */
struct throttle_spell {
	char cause[THROTTLE_WORD_SIZE];
	bool now, logged;   /* at the latest look */
	bool seen;          /* during the current look */
	uint64_t begin_ns;  /* on the machine's clock, of the spell that lasts or was the last */
	uint64_t slow_ns;   /* how long it held in this spell, as far as that was measured */
	uint64_t total_ns;  /* the same over the run */
	uint64_t cycles;    /* counted by events of the uncore over the run */
	uint64_t last;      /* number of the last look that told something about it */
	size_t looks;       /* looks of the run at which it held */
	bool measured;      /* at each of these the share of the time was measured, not only seen */
	bool exact;         /* the same of this spell */
	bool told;          /* its begin was told: its end is, too */
	bool counted;       /* has decided a verdict; others are not worth a line */
	bool inherited;     /* a package has it from its cores, which are told of instead */
	char who[384];      /* ": " and who does it, in words */
};

/* Something that could not be told of a package or core. */
struct throttle_question {
	char cause[THROTTLE_WORD_SIZE];
	bool open, seen;     /* as far as was told; without an answer at the latest look */
	uint64_t looks;      /* looks of the run that left it open */
	uint64_t last;       /* number of the last one */
	uint64_t blind_ns;   /* time for which there is no answer */
};

/* One package or core. */
struct throttle_track {
	int package, core, cpu;
	bool present, seen;    /* it had an online CPU at the latest look; found during this one */
	bool unknown;          /* nothing could be told about it at the latest look */
	struct throttle_spell *spells;
	size_t num;
	struct throttle_question *questions;
	size_t num_questions;
};

struct throttle_run {
	const struct throttle_config *cfg;
	struct uncoremsr *um;
	struct uncoremsr_throttle *t;
	struct out *out;
	struct tool_wait wait;
	struct command command;
	struct throttle_track *tracks;
	size_t num_tracks;
	uint64_t start_ns;   /* on the machine's clock: the first look */
	uint64_t wall_ns;    /* Unix time of the latest look */
	uint64_t looks;      /* so far */
	bool told;           /* some look could tell something */
	bool throttled;      /* some look saw it */
	bool was_throttled;  /* something is logged */
	bool blind;          /* the latest look could tell nothing */
	bool no_memory;
	int die_of;          /* signal to end by, 0: none */
	dev_t output_dev;    /* of the file at cfg->output, to see whether it was replaced */
	ino_t output_ino;
};

static inline bool throttle_json(const struct throttle_run *run)
{
	return run->cfg->common.format == TOOL_JSON;
}

static inline bool throttle_is_text(const struct throttle_run *run)
{
	return run->cfg->common.format == TOOL_TEXT;
}

/* "SIMULATED machine NAME: " where it is one, else "". Every first line of text begins so. */
void throttle_put_simulated(struct throttle_run *run);

/* ---- lines about packages and cores ---- */

struct throttle_line {
	int package, core;
	char *key;  /* lines of one package with the same key become one line */
	char *tail; /* ": " and what may differ; that of the first is shown. NULL: nothing */
	char *more; /* further lines, of the first. NULL: none */
};

struct throttle_lines {
	struct throttle_line *list;
	size_t num;
	bool no_memory;
};

/*
 * A sentence of the library without the package, core and CPU that it begins with and without "is"
 * or "was": several cores may share it.
 */
const char *throttle_phrase(const struct uncoremsr_throttle_subject *s, const char *sentence);
/* The part that tells who does it, from the ": " behind "slowed down now" on. */
const char *throttle_who(const char *phrase);

/* All texts are copied; @tail and @more may be NULL. */
void throttle_line_add(struct throttle_lines *l, int package, int core, const char *key,
		       const char *tail, const char *more);
/* Write them in their order, each behind @prefix, and forget them. */
void throttle_lines_put(struct throttle_lines *l, struct out *out, const char *prefix);

/* ---- one look ---- */

struct throttle_summary {
	enum uncoremsr_verdict verdict; /* of the machine */
	size_t packages, cores;
	size_t throttled_packages, throttled_cores;
	size_t unknown_packages, unknown_cores;
	int below_limit, temperature;   /* the hottest; INT_MAX, INT_MIN: unknown */
};

/* "1 core", "2 cores". */
void throttle_put_number(struct out *out, size_t n, const char *what);
void throttle_summarize(const struct throttle_run *run, struct throttle_summary *sum);
/* What the machine's verdict rests on: "prochot-external (1 package, 6 cores), ...". */
void throttle_put_causes(struct throttle_run *run, enum uncoremsr_verdict verdict, bool places);
/* Names of questions that have no answer on some package or core; false: there is none. */
bool throttle_put_questions(struct throttle_run *run, const char *before, const char *between);
/* Is the question (its name, or its text) asked of packages and of cores? */
bool throttle_asked_of_cores(const char *text);
/* The machine in one line, in the format of the run; @why: why nothing could be told, or NULL. */
void throttle_show_summary(struct throttle_run *run, const char *why);
/* Everything that the latest look found, as text or as records. */
void throttle_show_text(struct throttle_run *run);
void throttle_records_head(struct throttle_run *run);
void throttle_show_records(struct throttle_run *run);
/* One package or core as record. */
void throttle_record(struct throttle_run *run, const struct uncoremsr_throttle_subject *s);
/* The same of a whole run, or of one that is gone: @gone says why it has no verdict, or is NULL. */
void throttle_record_track(struct throttle_run *run, const struct throttle_track *t,
			   const char *gone);
/*
 * Records: throttle_put_when() begins one with "time", "timestamp" and "machine" of the latest
 * look; the others add a named value (CSV: without the name), throttle_put_end() ends it.
 */
void throttle_put_when(struct throttle_run *run);
/* NULL: null */
void throttle_put_str(struct throttle_run *run, const char *name, const char *text);
/* INT64_MIN: null */
void throttle_put_int(struct throttle_run *run, const char *name, int64_t v);
void throttle_put_bool(struct throttle_run *run, const char *name, bool v);
void throttle_put_share(struct throttle_run *run, const char *name, bool known, double share);
/* What @put writes to the run's output, as one text. */
void throttle_put_text(struct throttle_run *run, const char *name,
		       void (*put)(struct throttle_run *run, const void *user), const void *user);
/* Words with blanks between them; in JSON a list. */
void throttle_put_words(struct throttle_run *run, const char *name,
			void (*put)(struct throttle_run *run, const void *user), const void *user);
void throttle_put_end(struct throttle_run *run);
/* A name of a register with its number: "IA32_THERM_STATUS (0x19c)". Returns the number or -1, and
 * the length of the name alone. */
int64_t throttle_register(const char *text, size_t *len);

/* ---- several looks ---- */

/* uncore-throttle.c: look and note the time; 0 or negative errno. */
int throttle_look_once(struct throttle_run *run);
/* Nothing could be told: say why. Returns the exit status. */
int throttle_show_failure(struct throttle_run *run);
/* The exit status that the verdicts of the run come to. */
int throttle_verdict_status(const struct throttle_run *run);
/* throttle_watch.c: -i, --dimm and COMMAND. Returns the exit status. */
int throttle_watch(struct throttle_run *run);

/*
 * throttle_tracks.c: a package (@core -1) or core. They mostly keep their places: @hint is where it
 * is looked for first. NULL: it is not followed; there is no memory.
 */
struct throttle_track *throttle_find_track(const struct throttle_run *run, int package, int core,
					   size_t hint);
struct throttle_track *throttle_add_track(struct throttle_run *run, int package, int core);
/* What is known of one of its causes; made when it is not there. NULL: no memory. */
struct throttle_spell *throttle_get_spell(struct throttle_run *run, struct throttle_track *t,
					  const char *cause);
void throttle_tracks_free(struct throttle_run *run);

/* Compare with the look before; changes are written if @show. */
void throttle_follow(struct throttle_run *run, bool show);
/* The part of the run in which it held, 0 to 1, of the time for which that can be told. */
double throttle_spell_share(const struct throttle_run *run, const struct throttle_track *t,
			    const struct throttle_spell *sp);
/* How this look's open questions differ from those before; @text receives what is to be told, or
 * NULL. Returns false when nothing has changed. */
bool throttle_follow_questions(struct throttle_run *run, struct throttle_track *t,
			       const struct uncoremsr_throttle_subject *s, uint64_t interval_ns,
			       struct out *text);
/* Did the latest look leave the question about @cause open? */
bool throttle_is_open(const struct throttle_track *t, const char *cause);
/* How long there was no answer to the question about @cause. */
uint64_t throttle_blind_ns(const struct throttle_track *t, const char *cause);
/* Names of questions that no look of the run has answered. */
void throttle_put_never(struct throttle_run *run, const char *before, const char *between);
/* What the whole run found. */
void throttle_report(struct throttle_run *run);

/* ---- DIMMs ---- */

/* The answer for each package; returns the exit status. */
int throttle_dimm(struct throttle_run *run);

/* ---- output ---- */

/* Open cfg->output as the output of the run. 0 or the exit status after saying why. */
int throttle_output_open(struct throttle_run *run);
/* Write what was collected; a file that was renamed or removed is made anew before. */
int throttle_output_flush(struct throttle_run *run);

#endif
