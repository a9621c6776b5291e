/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between the files that make attrs of an event: encode_event.c (slashes, modifiers), encode_name.c,
 * encode_listed.c, encode_terms.c, from_tables.c.
 */
#ifndef UM_PERF_ENCODER_H
#define UM_PERF_ENCODER_H

#include "events/scanner.h"
#include "perf/event.h"

struct um_perf_encoder {
	const struct um_perf_scope *scope;
	struct um_perf_events *list;
	struct um_error *e;
	unsigned group;               /* of the events that are added */
	const char *text;             /* the event being encoded, for messages */
};

/* Letters behind an event, as bits, so that a group's can be merged into its members'. */
struct um_perf_mods {
	bool user, kernel, hv, host, guest, idle_out, highest, pinned, exclusive, sampled, weak;
	unsigned precise;
	bool any;                     /* one was given */
};

/* An event under construction. */
struct um_perf_draft {
	struct um_perf_event ev;
	char letters[32];             /* modifiers that stood among terms */
	const struct um_kernel_alias *alias; /* of the unit that was added last: its files; NULL: none */
};

/* encode_event.c */
/* Letters for all units, a name, and into the list. The draft is the list's then. */
int um_perf_finish(struct um_perf_encoder *s, struct um_perf_draft *d, const char *mods, size_t len,
		   const char *name, size_t name_len);
void um_perf_draft_free(struct um_perf_draft *d);

/* encode_terms.c */
/* The event is wrong: @what is the matter with the @len bytes at @at. */
int um_perf_bad(struct um_perf_encoder *s, const char *what, const char *at, size_t len);
/* Names like it become the advice of the failure. False: none is. */
bool um_perf_offer(struct um_perf_encoder *s, const char *text, size_t len);
/*
 * One more unit of @pmu, with terms as the kernel or a list has them (@text) and those of
 * the user behind them. Scale, unit and so on go to the draft.
 */
int um_perf_add_unit(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_kernel_pmu *pmu,
		     const char *text, size_t len, struct um_term_list more);
/* A term of one bit for a unit that was added. */
int um_perf_add_flag(struct um_perf_encoder *s, struct um_perf_unit *unit, const char *name);
/* Does a modifier say what is counted? Else it is letters, which say how the kernel is to count it. */
bool um_perf_is_term(const struct um_event_term *t);
/* Modifiers that are terms go behind those of @terms, which has room for all; letters to the draft. */
int um_perf_split(struct um_perf_encoder *s, struct um_perf_draft *d, struct um_term_list modifiers,
		  struct um_event_term *terms, size_t *num);
/* A unit that is no sysfs PMU's. */
int um_perf_add_plain(struct um_perf_encoder *s, struct um_perf_draft *d, uint32_t type,
		      uint64_t config);
/* What the event's PMU is called. */
int um_perf_name_pmu(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name);
/* As its first unit's PMU is called: a unit, or the family of several. */
int um_perf_name_units(struct um_perf_encoder *s, struct um_perf_draft *d);

/* encode_named_on.c */
/*
 * What perf's or a list's name between the slashes of @pmu stands for: in *terms text for it, or a
 * type and word. -ENOENT: the PMU has no such event.
 */
int um_perf_named_on(struct um_perf_encoder *s, const struct um_kernel_pmu *pmu, const char *name,
		     size_t len, const char **terms, struct um_perf_attr *attr);

/* encode_name.c */
/* A name without slashes. -ENOENT: not one of perf's, the lists' or the kernel's. */
int um_perf_symbol(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name,
		   size_t len);
/* The kernel has a folder for tracefs, and nothing is mounted there: tracepoints cannot be found. */
bool um_perf_lacks_tracefs(struct um_perf_encoder *s);
/* "r" and hexadecimal digits, which are @word. */
int um_perf_raw(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t word);
/* TYPE:CONFIG, two numbers as in struct perf_event_attr. -ENOENT: no PMU has that type. */
int um_perf_typed(struct um_perf_encoder *s, struct um_perf_draft *d, uint64_t type, uint64_t config);

/* encode_imc.c */
/*
 * What stands between the slashes of a PMU that this kernel does not have, and a name of a catalog. The
 * draft says that it is absent. -ENOENT: no catalog has it.
 */
int um_perf_catalog_pmu(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev);
int um_perf_catalog_name(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name,
			 size_t len);
/*
 * Are what the units of an event name counters? The kernel takes any offset that is not past the end, and would
 * read beyond it. 0; -EINVAL.
 */
int um_perf_check_imc(struct um_perf_encoder *s, const struct um_perf_draft *d);

/* encode_listed.c */
/* An event of a list: the PMUs of its unit, and more terms of the user's. */
int um_perf_listed(struct um_perf_encoder *s, struct um_perf_draft *d, const char *name, size_t len,
		   struct um_term_list more);
/*
 * "skx_unc_imc0::UNC_M_CAS_COUNT:RD:e=1", and names of lists with several unit masks. In *rest the end of
 * what was taken. -ENOENT: it is not written so.
 */
int um_perf_qualified(struct um_perf_encoder *s, struct um_perf_draft *d, const struct um_event *ev,
		      const char **rest);

#endif
