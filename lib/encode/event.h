/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Encode scanned events (scanner.h) into register words, without a machine. Grammar: uncoremsr-events(7). */
#ifndef UM_EVENT_H
#define UM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "names/format.h"
#include "names/pmus.h"
#include "names/table.h"
#include "uarch/uarch.h"

enum { UM_EVENT_TEXT = 160, UM_EVENT_REMARKS = 6, UM_SCALE_TEXT = 48 };

struct um_json_event;

/* perf's modifiers (perf-list(1)), in the order of the letters in terms.c. S and W have no effect. */
enum {
	UM_MOD_USER = 1, UM_MOD_KERNEL = 2, UM_MOD_HV = 4, UM_MOD_GUEST = 8, UM_MOD_HOST = 16, UM_MOD_IDLE_OUT = 32,
	UM_MOD_HIGHEST = 64, UM_MOD_PINNED = 128, UM_MOD_EXCLUSIVE = 256,
};
struct um_perf_mods {
	unsigned set, precise;        /* precise: how often the letter p was given */
};

struct um_event_notes {
	/* Sentences for --verbose about bits that the encoder itself added or removed; NULL past the last. */
	const char *remarks[UM_EVENT_REMARKS + 1];
};

struct um_encoding {
	/*
	 * Canonical: parsing it again gives the same event. "UNC_L3_HITS.READ" or "0x82:0x3:edge" where the uncore
	 * is one PMU without units; else "cbo/UNC_CBO_LOOKUP.ANY/", "cbo3/event=0x34,umask=0x11/",
	 * "core/instructions/u".
	 */
	char name[UM_EVENT_TEXT];
	const struct um_pmu *pmu;
	int unit;                          /* the unit that was asked for; -1: every unit of the PMU */
	uint8_t core_type;                 /* core event: enum uncoremsr_core_type of its CPUs; 0: all */
	int fixed;                         /* index into the PMU's fixed counters; -1: a general counter */
	const struct um_event_row *row;    /* NULL: the tables have no name for the event */
	/*
	 * The selector word as it is written, without not_written bits. For a fixed counter, the bits within its
	 * control_mask (0 if it is free running). The other words are for the extra registers.
	 */
	union {
		uint64_t word, words[UM_WORDS];
	};
	uint64_t extras;                   /* bit n: the register in row n of the PMU's extras must be written */
	bool filtered;                     /* a term set bits of an extra register */
	/* Bit n: general counter n can count the event. 0 only if the event needs a fixed counter. */
	uint32_t counters;
	const struct um_json_event *listed; /* the event's entry in an event list; NULL: not from a list */
	unsigned group;                    /* events of one group are counted at the same time */
	int counter;                       /* the counter that was asked for by number; -1: any */
	unsigned max_per_clock;            /* highest increment of the PMU's counters per clock */
	/* A register outside the PMU's extras that must be set by hand; 0: none. */
	uint32_t needs_msr;
	uint64_t needs_value;              /* the value for @needs_msr; 0: the caller has to choose */
	struct um_event_notes notes;
	bool weak;                         /* the library made the event's group, so it may be split */
	struct um_perf_mods mods;          /* modifiers that only change how the kernel counts the event */
	/* The scale in the kernel's files, if it differs from that in our tables; else "". */
	char kernel_scale[UM_SCALE_TEXT];
};

/*
 * Some events count what a second, shared register selects, which is not one of the PMU's extras. The library does not
 * set that register yet, so on either route the count could mean something else. Returns -ENOTSUP with a message for
 * such an event, else 0.
 */
int um_event_lacks_msr(const struct um_encoding *ev, struct um_error *e);

struct um_encodings {
	struct um_encoding *events;
	size_t num;
	unsigned num_groups;
	bool no_effect;                    /* an event was refused: a filter has no effect on it, or was given twice */
	bool for_kernel;                   /* accept modifiers that only change how the kernel counts */
};

/*
 * Append the events of @text. Returns how many were added. On failure the list is unchanged: -EINVAL, -ENOENT, -ENOMEM,
 * -ENOTSUP (the PMU cannot be reached), with a message in @e.
 */
int um_events_parse(struct um_encodings *list, const char *text, const struct um_event_pmus *pmus,
		    struct um_error *e) UM_MUST_CHECK;
void um_events_free(struct um_encodings *list) UM_CROSSES;
/* Append a copy of all events of @from to @list and renumber their groups. 0 or -ENOMEM. */
int um_events_append(struct um_encodings *list, const struct um_encodings *from) UM_MUST_CHECK;
struct um_event;
/* um_events_parse() for events that are scanned already. */
int um_events_encode(struct um_encodings *list, const struct um_event *events, size_t num,
		     const struct um_event_pmus *pmus, struct um_error *e) UM_MUST_CHECK;

/* The selector bits that no term sets, but Linux itself: enable, occupancy reset, interrupt, user and kernel mode. */
uint64_t um_control_bits(const struct um_pmu *pmu);
/* The words that the event uses: bit n is set for word n. */
unsigned um_event_used_words(const struct um_encoding *ev);
/*
 * Set *w to the words of the row, and mark the bits that the row sets. @word: the selector, with the port. False: the
 * row needs a register that the PMU's tables lack (row->extra_msr), so *w has only the selector.
 */
bool um_row_words(const struct um_pmu *pmu, const struct um_event_row *row, uint64_t word, struct um_words *w);
void um_event_remark(struct um_event_notes *n, const char *text);
/* The remark that an event of a list needs a filter, and none was given. It is worth a warning. */
extern const char um_lacks_filter[];

/* spell.c: write codes and filters as terms of Linux's driver. False: these terms cannot express the event. */
bool um_event_spell_for_kernel(const struct um_encoding *ev, char text[UM_EVENT_TEXT]);
/* "u" or "k" if the event counts in only one of user and kernel mode, else "". */
const char *um_event_rings(const struct um_encoding *ev);

/*
 * spell_others.c: the names of an event in other programs; "" if a program has no name for it. @terms: the event in
 * terms of Linux's driver, "" if the driver cannot count this event; @uarch: the processor.
 */
void um_event_spell_perf(const struct um_encoding *ev, const char *terms, char text[UM_EVENT_TEXT]);
void um_event_spell_likwid(const struct um_encoding *ev, const char *uarch, char text[UM_EVENT_TEXT]);
void um_event_spell_libpfm4(const struct um_encoding *ev, const char *uarch, char text[UM_EVENT_TEXT]);

/* linux_rules.c: a change that Linux's driver would make to bits of an event's word. */
struct um_linux_change {
	enum um_kernel_does does;          /* UM_KERNEL_DROPS, _FILLS or _FORCES */
	unsigned word;
	uint64_t bits;
	const uint8_t *umasks;             /* for DROPS: Linux keeps @bits with these unit masks; ends with 0 */
};
/* Would Linux change the event? Removes from @left the bits that Linux itself sets to the needed value. */
bool um_linux_changes(const struct um_encoding *ev, uint64_t left[UM_WORDS], struct um_linux_change *c);
/* Does Linux's driver count exactly this event, without dropping or adding a bit? */
bool um_linux_keeps(const struct um_encoding *ev);
/* Does Linux pass on the term's bits of the config word as they are (UM_KERNEL_VERBATIM)? */
bool um_linux_is_verbatim(const struct um_pmu *pmu, const struct um_term *t);
/*
 * Put a term into the config words at the position that the kernel's code uses. Some format files are wrong (occ_edge
 * is config:14-51, filter_cid of Haswell-EP config1:5), but the kernel passes the words on unchanged. False: our tables
 * do not know the position, so use that of the format file.
 */
bool um_linux_place(const struct um_encoding *ev, const struct um_term *t, uint64_t config[UM_CONFIGS]);

#endif
