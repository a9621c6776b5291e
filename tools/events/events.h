/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of uncore-events: the command line, and the columns that describe an event. */
#ifndef TOOL_EVENTS_H
#define TOOL_EVENTS_H

#include "common/event_lists.h"
#include "common/options.h"
#include "common/output.h"
#include "common/records.h"
#include "uncoremsr.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

struct events {
	struct tool_common common;
	struct uncoremsr *um;
	struct out out;
	struct records w;     /* writes into @out */
	const char *label;    /* label of the next list item, in text output */
	const char *chosen;   /* processor chosen by --uarch or --cpu; NULL: this machine's */
	const char *uarch;    /* processor whose tables are searched; NULL if this machine has no tables */
	const char *reg;      /* --register */
	bool differences, metrics;
	const char *route;    /* --route: "msr" or "perf"; NULL: auto */
	bool on_perf;
	bool wide;            /* show the columns that event lists need */
	bool catalog;         /* show the columns of IMC catalogs, too */
	struct event_lists lists;
	bool deprecated, all; /* --deprecated, --all */
	const char *width, *frequency, *preset, *period, *interval;
	const char *to;       /* argument of --to, the target folder of import; NULL: the default */
};

int events_list(struct events *e);
int events_search(struct events *e);
int events_encode(struct events *e);
int events_decode(struct events *e);
int events_explain(struct events *e);
int events_differences(struct events *e);
int events_metrics(struct events *e);
void events_put_metric(struct out *o, const struct uncoremsr_event *m, bool verbose);
int events_explain_metric(struct events *e, const struct uncoremsr_event *m);
/* Explain a metric, or print why this processor does not have it. Returns TOOL_GO_ON if no processor has it. */
int events_explain_metric_name(struct events *e, const char *name);
int events_import(struct events *e);
int events_period(struct events *e);

int events_no_tables_fail(struct events *e);

/* Processors whose tables are searched, by index: e->uarch, or all with event names. NULL past the end. */
const char *events_uarch(const struct events *e, size_t index);

struct events_row {
	struct uncoremsr_event shown;     /* values to show; NULL or UINT64_MAX in columns that do not apply */
	const struct events *e;
	const struct uncoremsr_event *event;        /* NULL: the codes have no name */
	const struct uncoremsr_encoding *encoding;  /* NULL: show the event as the tables have it */
	bool foreign;         /* the event is not from the tables, and not encoded */
	const char *class, *node;
};
/* At least one of @ev and @enc is not NULL. */
struct events_row events_row(const struct events *e, const struct uncoremsr_event *ev,
			     const struct uncoremsr_encoding *enc);

/* Columns of list, search and encode. Some are shown only for event lists (e->wide) or for catalogs (e->catalog). */
enum { EVENTS_COLUMNS = 23 };
extern const struct record_column events_columns[EVENTS_COLUMNS];

/* The sources of names, in the order in which list shows them. */
struct events_source {
	const char *word;     /* value of the event's member "from" */
	const char *class;    /* class of the events; NULL: depends on the PMU */
	const char *origin;   /* where the names are from, for display; NULL: not displayed */
	const char *heading;  /* heading in the output of list; NULL: composed by put_head() */
};
enum { EVENTS_SOURCES = 7 };
extern const struct events_source events_sources[EVENTS_SOURCES];
/* The source of an event. It is never NULL: events_sources[] has a row for every value of the event's member "from". */
const struct events_source *events_source(const struct uncoremsr_event *ev);
/* Is the event from @source, such as "table" or "list"? False if @ev is NULL. */
bool events_is_from(const struct uncoremsr_event *ev, const char *source);
/* Is the event a core event whose name is from the kernel or perf? */
bool events_is_of_core(const struct uncoremsr_event *ev);
/* An extra register that the event needs, by index; NULL past the last. */
const struct uncoremsr_register_bits *events_extra(const struct uncoremsr_encoding *enc, size_t index);
bool events_is_core(const char *pmu);
/* A register by name (with or without MSR_) or address text; NULL: in no table. */
const struct uncoremsr_register *events_register(const struct events *e, const char *text);
/*
 * Lists of platform registers (heat, power, frequency): index 0 is that of the chosen processor or this machine, higher
 * indexes those of all processors with tables. Returns @list; NULL past the end.
 */
enum { EVENTS_PLATFORM = 64 };
const char *events_platform(const struct events *e, size_t index, char list[EVENTS_PLATFORM]);
/* The argument of --uarch with which the register exists; NULL: none is needed. The result may point into @list. */
const char *events_register_elsewhere(const struct events *e, const struct uncoremsr_register *reg,
				      char list[EVENTS_PLATFORM]);
const struct uncoremsr_register *events_register_at(const struct events *e, uint32_t msr);
/* The first selector in the tables of @uarch or, if @uarch is NULL, of processor events_uarch(e, 0). */
const struct uncoremsr_register *events_selector(const struct events *e, const char *uarch);
/* The selector of the first core counter: PERFEVTSEL0 on Intel, PERF_CTL0 on AMD. */
const struct uncoremsr_register *events_core_selector(const struct events *e);
/* Can codes be given without a PMU? Only if the uncore is a single PMU without units. */
bool events_is_plain(const struct events *e);
/* A PMU of @uarch (NULL: of this machine), by name; NULL: there is none. */
const struct uncoremsr_pmu *events_pmu_of(struct uncoremsr *um, const char *uarch, const char *name);
/* A PMU of the chosen processor, or the core PMU, by name; NULL: there is none. */
const struct uncoremsr_pmu *events_pmu(const struct events *e, const char *name);
/* The value in @word of all fields that begin with @name (EVENT, EVENT_EXT), lowest first; UINT64_MAX: no field. */
uint64_t events_code(const struct uncoremsr_register *reg, const char *name, uint64_t word);

enum { EVENTS_CHOICE = 256 };
/* Write the sources that have the event: "sdm, likwid". */
void events_who_has_it(const struct uncoremsr_event *ev, char *buf, size_t size);
/* If sources disagree about the event's codes, write which of them the tables follow. False: they agree. */
bool events_choice(const struct uncoremsr_event *ev, char *buf, size_t size);

int events_decode_word(struct events *e, const struct uncoremsr_register *reg, uint64_t word);
/* Decode a selector word, if there is only one kind of selector. @text is the word as the user wrote it. */
int events_decode_selector(struct events *e, const char *text, uint64_t word);
/* Decode PMU/raw=WORD/ or an event. */
int events_decode_form(struct events *e, const char *text);
int events_explain_name(struct events *e, const char *text);
/* Parse perf's form "r5301b1": a core selector in hexadecimal without 0x. */
bool events_perf_raw(const char *text, uint64_t *word);

/* Write the bits of a field: "7:0", or "17". */
void events_bits(char *buf, size_t size, unsigned shift, unsigned width);

/* ---- page.c: an explanation is a tree of named values, shown as lines of text or as an object of a record ---- */

/* Begin an explanation. @what is the kind of the explained thing ("register"), @name its name. Both may be NULL. */
void page_begin(struct events *e, const char *what, const char *name);
void page_end(struct events *e);
/* A value without @name is only in text, without @label only in records. Text has no line for an empty value. */
void page_str(struct events *e, const char *name, const char *label, const char *text);
void page_fmt(struct events *e, const char *name, const char *label, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void page_word(struct events *e, const char *name, const char *label, uint64_t v);

/* Write a list of texts. In text output only the first item has the label. */
void page_list(struct events *e, const char *name, const char *label);
void page_item(struct events *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_list_end(struct events *e);
/* Write the fields of a register and, if @word is not NULL, the value of each field in *@word. */
void page_fields(struct events *e, const struct uncoremsr_register *reg, const uint64_t *word);

/* A row of glossary.tsv: a longer text about a bit or a word. */
struct explanation {
	const char *reg; /* prefix of the names of registers that have the bit; NULL: the row explains a word */
	const char *word, *text;
};
extern const struct explanation explanations[]; /* made from glossary.tsv; ends with an entry without a word */
/* Find the row about bit @word of register @reg or, if @reg is NULL, about a word (ignoring case). NULL: none. */
const struct explanation *explanation(const char *reg, const char *word);

/* explain_bits.c. Each returns the exit status; explain_field() returns whether the field exists. */
int explain_register(struct events *e, const struct uncoremsr_register *reg);
int explain_address(struct events *e, uint64_t msr);
int explain_bit(struct events *e, unsigned bit, const char *word);
bool explain_field(struct events *e, const char *text);
/* The platform registers: heat, power and frequency. */
bool explain_platform_field(struct events *e, const char *text);

/* ---- encode.c, recipe.c ---- */

enum { EVENTS_LINE = 256 };

/* A CPU of the event's kind of core, else of the first package. -1: no such CPU is known, so there are no commands. */
int events_recipe_cpu(const struct events *e, const struct uncoremsr_encoding *enc);
/* Write the commands (for bash) that count the event by hand, as a list in records or as lines of text. */
void events_put_recipe(struct records *w, const struct events *e, const struct uncoremsr_encoding *enc);
/* Number of the lowest bit that is set; 0 if none is. */
static inline unsigned events_first_bit(uint64_t v)
{
	return v ? (unsigned)__builtin_ctzll(v) : 0;
}
/* Is the event an uncore event of Nehalem or Westmere? */
bool events_is_uncore(const struct uncoremsr_encoding *enc);
/* Write the event in the syntax of pcm-raw. False: pcm-raw cannot count it. */
bool events_spell_pcm(const struct uncoremsr_encoding *enc, char *buf, size_t size);

#endif
