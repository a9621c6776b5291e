/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Results of uncoremsr_encode(). Tests get register words only through these functions, so they do not depend on how
 * the library encodes.
 */
#ifndef ENCODED_H
#define ENCODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr/names.h"

/* An encoded event. Members that are unknown or do not apply are "" or -1. */
struct encoded {
	char name[256], pmu[64], family[64], from[16], modifiers[16], cpus[128], scale[48], measure[32], terms[256];
	char event[128];
	char remarks[6][256];
	size_t num_remarks;
	int64_t unit, units, type, selector, counter, counters, core_type;
	bool fixed;
	uint64_t word, config[4]; /* 0 if the event has no such word */
	struct uncoremsr_register_bits registers[12];
	size_t num_registers;
};

/* The encodings of the text that was encoded last. */
extern struct encoded *encoded;
extern size_t num_encoded;
extern const char *encode_error, *encode_hint;
extern enum uncoremsr_error_class encode_class;

/* encode(): like uncoremsr_encode(); replaces the encodings of the previous text. */
int encode(struct uncoremsr *um, enum uncoremsr_route route, const char *uarch, const char *text);
/* encode_on(): encode @text for the MSR route with the tables of a processor; needs no machine. */
int encode_on(const char *uarch, const char *text);
/* encode_one(): like encode_on(), but the test fails unless @text is exactly one event. */
const struct encoded *encode_one(const char *uarch, const char *text);
/* tables(): the handle of encode_on(), which is not open. */
struct uncoremsr *tables(void);

/* same_words(): do both encodings write the same words to the hardware? */
bool same_words(const struct encoded *a, const struct encoded *b);

/* ---- a machine made of files in a folder, to encode with the PMUs of its kernel ---- */

/*
 * tree_begin(): create a tree whose /proc/cpuinfo has one processor of the model @intel_model; with model 0 the file is
 * missing. Files are read when the first text is encoded.
 */
void tree_begin(unsigned intel_model);
void tree_add(const char *path, const char *text);
/* tree_path(): the real path of a file of the tree. Only the paths of the last two calls are valid. */
const char *tree_path(const char *path);
/* tree_pmu(): add a PMU. @formats is like "event 0-7;filter 1:32"; "1:" means config1. @cpumask may be NULL. */
void tree_pmu(const char *name, const char *type, const char *formats, const char *cpumask);
/* tree(): the handle that uses the tree; open only if the tree has a processor. */
struct uncoremsr *tree(void);
/* tree_encode(): encode @text for the kernel's route (perf). */
int tree_encode(const char *uarch, const char *text);
void tree_end(void);

#endif
