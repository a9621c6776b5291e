/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What uncoremsr_encode() makes of a text: the one place where tests ask for words. No test needs to know how the
 * library gets from one to the other.
 */
#ifndef ENCODED_H
#define ENCODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr/names.h"

/* One encoding; "" and -1 stand for what is unknown or does not apply. */
struct encoded {
	char name[256], pmu[64], family[64], from[16], modifiers[16], cpus[128], scale[48], measure[32], terms[256];
	char kernel_scale[64], description[512];
	char event[128];          /* the name behind it */
	char remarks[6][256];
	size_t num_remarks;
	unsigned index, group;
	int64_t unit, units, type, selector, counter, counters;
	bool fixed;
	uint64_t word, config[4]; /* 0 where there is none */
	struct {
		uint32_t msr;
		enum uncoremsr_register_use use;
		uint64_t mask, value;
	} registers[12];
	size_t num_registers;
};

/* What the last text became. */
extern struct encoded *encoded;
extern size_t num_encoded;
extern const char *encode_error, *encode_hint;
extern enum uncoremsr_error_class encode_class;

/* encode(): as uncoremsr_encode(); what the text before it became is forgotten. */
int encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch, const char *text);
/* encode_on(): words of registers, by the tables of a processor; no machine is needed. */
int encode_on(const char *uarch, const char *text);
/* encode_one(): the same; the test fails unless @text is one event. */
const struct encoded *encode_one(const char *uarch, const char *text);
/* tables(): the handle of encode_on(), which is not open. */
struct uncoremsr *tables(void);

/* same_words(): do both tell the hardware the same? */
bool same_words(const struct encoded *a, const struct encoded *b);
/* put_into(): what an event has put into a register besides its selector; -1: nothing. */
int64_t put_into(const struct encoded *ev, uint32_t msr);

/* ---- a machine that is files in a folder, for what its kernel's PMUs make of a text ---- */

/* tree_begin(): one processor of this kind as /proc/cpuinfo has it, 0: none. What is added is read with the first text. */
void tree_begin(unsigned intel_model);
void tree_add(const char *path, const char *text);
/* tree_path(): where a file of it is; valid until the second next call. */
const char *tree_path(const char *path);
/* tree_pmu(): @formats as "event 0-7;filter 1:32": bits of config, or with "1:" of config1; cpumask NULL: none. */
void tree_pmu(const char *name, const char *type, const char *formats, const char *cpumask);
/* tree(): the handle on it, open where it has a processor. */
struct uncoremsr *tree(void);
/* tree_encode(): on the kernel's route. */
int tree_encode(const char *uarch, const char *text);
void tree_end(void);

/* ---- properties of named events; "" and -1: unknown ---- */

const char *event_text(const struct uncoremsr_event *ev, enum uncoremsr_event_property p);
int64_t event_number(const struct uncoremsr_event *ev, enum uncoremsr_event_property p);

#endif
