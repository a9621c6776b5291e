/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Helpers for many suites: temporary folders, simulated machines. A helper that cannot do its work fails the test. */
#ifndef HELPERS_H
#define HELPERS_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncoremsr/leases.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"
#include "uncoremsr/sampling.h"
#include "uncoremsr/sim.h"
#include "uncoremsr/throttle.h"

#define SECOND UINT64_C(1000000000)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- files ---- */

enum { DIR_SIZE = 64, FD_PATH_SIZE = 32 };

/* make_dir(): make a folder in $TMPDIR; if that is not set, in memory if possible. @dir has DIR_SIZE bytes. */
void make_dir(char *dir);
void remove_dir(const char *dir);
/* write_file(): write @name in the folder @dir, and create missing folders. If @dir is NULL, @name is a path. */
void write_file(const char *dir, const char *name, const void *data, size_t size);
void write_text(const char *dir, const char *name, const char *text);
/* file_in_memory(): a file that exists until its descriptor is closed; its path is copied to @path (FD_PATH_SIZE). */
int file_in_memory(char *path, const void *data, size_t size);

/* is_one_of(): is @name one of the words in @words? Words are separated by blanks. */
bool is_one_of(const char *words, const char *name);

/* add_list_text(): add @text as an event list; returns the result of uncoremsr_event_list_add(). */
int add_list_text(struct uncoremsr *um, const char *text, size_t len);
/* add_event_list(): add the JSON text to the lists of a handle. */
void add_event_list(struct uncoremsr *um, const char *text);
/* has_lists(): true if the library was built with JSON; fixtures use it as .only_if. */
bool has_lists(void);

/* ---- simulated machines ---- */

struct uncoremsr_sim *sim_or_fail(const char *what);
/* expect_no_sim(): creating a machine from @what must fail with @err and a message that contains @part. */
void expect_no_sim(const char *what, int err, const char *part);
uint64_t rd(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr);
int rd_err(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr);
void wr(struct uncoremsr_sim *sim, unsigned cpu, uint32_t msr, uint64_t value);
/* advance(): advance the clock of a machine that has clock=stepped. */
void advance(struct uncoremsr_sim *sim, uint64_t ns);
/* sim_file(): the text of a file of the machine, valid until the next call. */
const char *sim_file(struct uncoremsr_sim *sim, const char *path);

/* ---- internals of a handle: access operations, and tables ---- */

struct um_access;
struct um_uarch;
struct um_access *access_of(struct uncoremsr *um);
struct um_access_ops;
extern const struct um_access_ops *true_ops; /* the operations of the machine; a test's replacements may call them */
/* spy_on(): use a copy of the operations until stop_spying(). A test may replace functions in the copy. */
struct um_access_ops *spy_on(void);
void stop_spying(void);
const struct um_uarch *uarch_of(struct uncoremsr *um);

/* leases_of(): the present leases of all processes; valid until the next call with the same handle. */
const struct uncoremsr_leases *leases_of(struct uncoremsr *handle);
size_t num_leases(struct uncoremsr *handle);
/* next_uarch(): the next table with registers after @u; NULL after the last table. With @u = NULL: the first table. */
const struct um_uarch *next_uarch(const struct um_uarch *u);
/* uarch_name(): name of a processor of the library, by index; NULL past the end. */
const char *uarch_name(size_t index);

/* ---- sessions ---- */

size_t num_events(const struct uncoremsr_session *session);
size_t num_units(const struct uncoremsr_session *session, size_t event);
/* num_disturbed(): number of disturbed unit readings in the last interval, over all events. */
size_t num_disturbed(const struct uncoremsr_session *session);

#endif
