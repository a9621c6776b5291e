/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Register words: what the events of scanner.h become on the PMUs of our tables. Knows no machine.
 *
 *   event    = name / pattern / raw / word / pmu  [ *( ":" modifier ) ]
 *   name     = what names.h takes for the name of an event, or of an event list
 *   pattern  = a name with "*" (any text), "[0-3]" or "[0,2]" (numbers) in it: several events
 *   raw      = number ":" number          ; event select and unit mask \ only where the uncore is
 *            / number                     ; selector word              / one PMU without units
 *   word     = "r" hex digits             ; word of a core selector
 *   pmu      = pmuname [ unit ] "/" ( name / pattern / word / term *( "," term ) ) "/"
 *   term     = ( a term of the PMU / "event" / "umask" / "cmask" ) "=" number / "edge" / "inv"
 *            / ( "raw" / "config" ) "=" number          ; the selector word as a whole
 *            / "extra" number "=" number                ; an extra word as a whole
 *            / "name" "=" text                          ; what to call it (by the scanner)
 *   modifier = "edge" / "e" / "inv" / "invert" / "i" / ( "cmask" / "c" / "t" ) "=" number
 *            / "raw" "=" number            ; more bits of the selector word
 *            / 1*( "u" / "k" )             ; core PMU: user mode, kernel mode
 *
 * "cbo" is every unit of a PMU, "cbo3" one of them; the kernel's names ("uncore_cbox_3") do too.
 */
#ifndef UM_EVENT_H
#define UM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/table.h"
#include "uarch/uarch.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"

enum { UM_EVENT_TEXT = 160, UM_EVENT_REMARKS = 5, UM_SCALE_TEXT = 48 };

struct um_json_event;

struct um_encoding {
	/*
	 * Canonical; parsed again it gives the same event: "UNC_L3_HITS.READ", "0x82:0x3:edge"
	 * where the uncore is one PMU without units, else "cbo/UNC_CBO_LOOKUP.ANY/",
	 * "cbo3/event=0x34,umask=0x11/", "core/instructions/u".
	 */
	char name[UM_EVENT_TEXT];
	const struct uncoremsr_pmu *pmu;
	int unit;                          /* the one asked for; -1: every unit of the PMU */
	uint8_t core_type;                 /* core PMU: only CPUs of this kind, 0x40, 0x20; 0: all */
	int fixed;                         /* index into the PMU's fixed; -1: a general counter */
	const struct um_event_row *row;    /* NULL: the tables have no name for it */
	/*
	 * For the selector, as it is to be written (without not_written bits); for a fixed counter
	 * within its control_mask (0: free running).
	 */
	uint64_t word;
	uint64_t extra[UM_MAX_EXTRAS];     /* by slot: what it wants in extra registers */
	uint64_t extras;                   /* bit n: row n of the PMU's extras has to be written */
	bool no_effect;                    /* refused: a filter that it does not look at, or two for one register */
	bool filtered;                     /* a term said something about an extra register */
	/*
	 * Bit n: general counter n may count it (by the PMU's constraints and the event's own).
	 * Never 0, unless it is fixed.
	 */
	uint32_t counters;
	const struct um_json_event *listed; /* the entry of its list; NULL: of no list */
	unsigned group;                    /* events of one group are counted at the same time */
	int counter;                       /* the one asked for by number; -1 any */
	unsigned max_per_clock;            /* highest increment per clock of the PMU */
	/* A register outside the PMU's extras that has to be set by hand; 0: none. */
	uint32_t needs_msr;
	uint64_t needs_value;              /* to what; 0: the caller has to choose */
	/* What was added or taken away without being asked for: sentences, for --verbose. */
	const char *remarks[UM_EVENT_REMARKS];
	unsigned num_remarks;
	bool weak;                         /* of a group that no user asked for: it may be counted later */
	char letters[4];                   /* perf's, which say how the kernel is to count it; "": none */
	bool no_filter;                    /* its list names a filter, and none was given: remark behind */
	/* What the kernel's files say one count is, where they differ from our tables; else "". */
	char kernel_scale[UM_SCALE_TEXT];
};

/*
 * Some events count what a second register says, which is shared and not one of the PMU's extras.
 * Until that is set and put back here too, counting them would give a number that means something
 * else, on either route. -ENOTSUP with a sentence for such an event, else 0.
 */
int um_event_lacks_msr(const struct um_encoding *ev, struct um_error *e);

struct um_encodings {
	struct um_encoding *events;
	size_t num;
	unsigned num_groups;
	bool no_effect;                    /* an event was refused for this */
};

/* The PMUs whose events can be named. */
enum { UM_EVENT_PMUS = 48 };

struct um_event_pmus {
	const char *uarch;                 /* whose they are, for messages and event tables */
	const struct uncoremsr_pmu *pmus[UM_EVENT_PMUS];
	size_t num;
	uint32_t arch_events;              /* of the core: um_arch_events() */
};

/* Those of the tables of @u, and @core (NULL: none) behind them. */
struct um_event_pmus um_event_pmus_of(const struct um_uarch *u, const struct uncoremsr_pmu *core);
struct um_machine;
/* Those of an open machine. */
struct um_event_pmus um_event_pmus_of_machine(const struct um_machine *m);
/*
 * The PMU with which EVENT:UMASK and bare words mean something: the only one of the uncore that
 * can be programmed, and without units. NULL: there is no such.
 */
const struct uncoremsr_pmu *um_event_plain_pmu(const struct um_event_pmus *pmus);

struct um_json_lists;
/*
 * Append the events of @text; @lists: names that the tables lack; NULL: none. On failure (-EINVAL,
 * -ENOENT, -ENOTSUP: the PMU is out of reach, -ENOMEM; with a sentence in @e) the list is as before.
 * Returns how many were added.
 */
int um_events_parse(struct um_encodings *list, const char *text,
		    const struct um_event_pmus *pmus, const struct um_json_lists *lists,
		    struct um_error *e) UM_MUST_CHECK;
void um_events_free(struct um_encodings *list);
/* Copy all of @from behind the events of @list, with the groups numbered on. 0 or -ENOMEM. */
int um_events_append(struct um_encodings *list, const struct um_encodings *from) UM_MUST_CHECK;
struct um_event;
/* The same of events that were scanned already. */
int um_events_encode(struct um_encodings *list, const struct um_event *events, size_t num,
		     const struct um_event_pmus *pmus, const struct um_json_lists *lists,
		     struct um_error *e) UM_MUST_CHECK;

/* What terms and modifiers make of an event, before it becomes words. */
struct um_event_spec {
	uint64_t word;                     /* bits of the selector, from names and terms */
	uint64_t given;                    /* its fields that were spoken about */
	uint64_t extra[UM_MAX_EXTRAS], extra_given[UM_MAX_EXTRAS]; /* by slot */
	bool raw;                          /* @raw_word was given as a whole */
	uint64_t raw_word;
	bool has_config1;                  /* all filters as the kernel takes them were given */
	uint64_t config1;
	uint64_t more;                     /* bits of the word that were asked for one by one */
	bool user, kernel;                 /* :u, :k */
	int port, set;                     /* of events that exist once per port; -1: not said */
	uint32_t counters;                 /* only these general counters; 0: any */
	bool on_fixed;                     /* a fixed counter was named for it */
	int fixed;                         /* which; -1: the only one */
	bool plain;                        /* um_event_plain_pmu(): names need no PMU */
	const struct um_event_table *table; /* where a name for the codes may be; or NULL */
	const struct um_event_row *row;    /* the name that was asked for; NULL: look it up */
	int unit;                          /* -1: every one */
	uint8_t core_type;                 /* as in struct um_encoding */
	uint32_t arch_events;              /* as in struct um_event_pmus */
};

/* encode.c: check @spec against the PMU's tables and fill @ev: words, counters, remarks, name. */
int um_event_encode(struct um_encoding *ev, const struct uncoremsr_pmu *pmu,
		    const struct um_event_spec *spec, const char *text, struct um_error *e);
/* Bits of the selector that make a row what it is, on port 0 where it has ports. */
uint64_t um_row_word(const struct uncoremsr_pmu *pmu, const struct um_event_row *row);
/*
 * What a row puts into extra registers, by slot; @word: the selector. Returns the slots; -1: a
 * register that the PMU's tables do not have (row->extra_msr).
 */
int um_row_extras(const struct uncoremsr_pmu *pmu, const struct um_event_row *row, uint64_t word,
		  uint64_t extra[UM_MAX_EXTRAS]);
/*
 * Add a row to what terms have made of @spec already. -EINVAL: it needs a port, or a term says
 * what the name says.
 */
int um_spec_add_row(struct um_event_spec *spec, const struct uncoremsr_pmu *pmu,
		    const struct um_event_row *row, const char *text, struct um_error *e);

/* terms.c: a term by its name, or by another name for the same; else what every selector has. */
bool um_term_find(const struct uncoremsr_pmu *pmu, const char *name, size_t len,
		  struct um_term *term);
/* With 0xff as event select: the unit mask by which the kernel knows a free-running counter. -1: it does not. */
int um_free_running_umask(const struct uncoremsr_pmu *pmu, int fixed);
/*
 * The words for what @name says: those that any program has for edge, inversion and threshold, and what
 * likwid's options stand for. NULL past the last, or if @name is none of these.
 */
const char *um_term_synonym(const char *name, size_t len, size_t index);
uint64_t um_term_mask(const struct um_term *t);
uint64_t um_term_max(const struct um_term *t);
/* Between the value of a term and the bits of its word. */
uint64_t um_term_put(const struct um_term *t, uint64_t value);
uint64_t um_term_get(const struct um_term *t, uint64_t word);

/* The remarks of an event, the last of which says that there is no filter; NULL past the end. */
const char *um_event_remark(const char *const remarks[UM_EVENT_REMARKS], unsigned num, bool no_filter,
			    size_t index);

/* spell.c: the canonical name of an event whose words are known. */
void um_event_spell_out(struct um_encoding *ev, const struct um_event_spec *spec, uint64_t word);
/*
 * The same of an uncore event of a list: @name, with what it has more than @plain, the list's own. False:
 * terms do not say the difference, and the name is as before.
 */
bool um_event_spell_listed(struct um_encoding *ev, const struct um_encoding *plain, const char *name);
/*
 * Its codes and every filter as terms of Linux's driver, what defaults added too:
 * "event=0x34,umask=0x11,filter_state=0x7f". False: they cannot say it.
 */
bool um_event_spell_for_kernel(const struct um_encoding *ev, char text[UM_EVENT_TEXT]);

/*
 * pmus.c: the PMU called so in *pmu, and in *unit the unit (-1: all). -ENOENT: there is no such PMU,
 * -ENOTSUP it is out of reach, -EINVAL it has no such unit; each with a sentence in @e.
 */
int um_event_pmu(const struct um_event_pmus *pmus, const char *name, size_t len,
		 const struct uncoremsr_pmu **pmu, int *unit, const char *text, struct um_error *e);
/*
 * Of hybrid processors: "cpu_core", "cpu_atom", as Linux calls the PMU of a kind of core, and the kind's
 * number, 0x40, 0x20; "cpu" and 0: any.
 */
const char *um_core_type_pmu(uint8_t core_type);
uint8_t um_core_type_of(const char *pmu, size_t len);
/* The one whose selectors hold "r5301b1"; NULL: none. */
const struct uncoremsr_pmu *um_event_core_pmu(const struct um_event_pmus *pmus);
bool um_pmu_is_core(const struct uncoremsr_pmu *pmu);
/* The counter that counts what is called so and nothing else; -1: none. */
int um_pmu_find_fixed(const struct uncoremsr_pmu *pmu, const char *text, size_t len);
/*
 * Between the name of a PMU and the number of a unit: "l3-2", because l32 would be another number.
 */
const char *um_pmu_dash(const struct uncoremsr_pmu *pmu);
/* "cbo, arb, clock": those that can be counted. Returns @buf. */
const char *um_event_pmu_names(const struct um_event_pmus *pmus, char *buf, size_t size);
/* Bits for user and kernel mode; false: the PMU cannot tell them apart. */
bool um_pmu_rings(const struct uncoremsr_pmu *pmu, uint64_t *user, uint64_t *kernel);

#endif
