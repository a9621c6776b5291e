/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The simulated machine of a test, a handle on it and a session. A test calls open_machine(), which closes the previous
 * machine; its fixture calls close_machine().
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>

#include "helpers.h"
#include "uncoremsr.h"

struct um_uarch;

extern struct uncoremsr_sim *sim;
extern struct uncoremsr *um;
extern struct uncoremsr_session *s;

/* Messages of the library, one per line, with "W " before warnings and "- " before all other messages. */
extern char logged[65536];
void remember(void *user, enum uncoremsr_log_level level, const char *line);
void remember_line(void *user, const char *line);
/* times(): number of messages that contain @part. */
unsigned times(const char *part);

void open_machine(const char *what);
/*
 * open_stepped(): like open_machine(), but only pass() advances the clock, and counters begin at 0x1234. @keys is empty
 * or begins with a comma.
 */
void open_stepped(const char *name, const char *keys);
void close_machine(void);

/* ---- a folder for devices, leases and journals, which other processes can see ---- */

extern char root[DIR_SIZE];
void make_root(void);
void use_root(void);
/* reopen_in_root(): open another handle, without a session, on the same machine. */
void reopen_in_root(void);
/* close_in_root(): close the machine and remove the folder. */
void close_in_root(void);

/* ---- the session ---- */

void add(const char *events);
void start(void);
void count(const char *events);
/* pass(): advance the clock of the machine, which must be stepped. */
void pass(uint64_t ns);
int pass_and_read(uint64_t ns);
/* next_session(): make a new session in place of the old one, and empty @logged. */
void next_session(void);
/* reading(), value(): the reading of an event on a package in the last interval, and its value. */
const struct uncoremsr_reading *reading(size_t package, size_t event);
/* total_reading(): the reading of an event on a package since the start. */
const struct uncoremsr_reading *total_reading(size_t package, size_t event);
/* metric_in(): a metric on a package; if @place is the number of packages, on the whole machine. */
const struct uncoremsr_metric_reading *metric_in(size_t place, size_t metric, enum uncoremsr_span span);
/* metric_reading(): a metric in the last interval; @place as for metric_in(). */
const struct uncoremsr_metric_reading *metric_reading(size_t place, size_t metric);
uint64_t value_of(const struct uncoremsr_reading *r);
uint64_t value(size_t package, size_t event);

/* ---- the machine ---- */

uint64_t peek(unsigned cpu, uint32_t msr);
void poke(unsigned cpu, uint32_t msr, uint64_t value);

/* Contents of every register that a session may write. */
struct image {
	struct {
		const struct um_uarch *table;
		unsigned cpu;
		uint32_t msr;
		uint64_t value;
		bool faults;
	} regs[60000];
	size_t num;
	const struct um_uarch *table;
	unsigned cpu;
};

/*
 * take_image(): read the registers of @table through @cpu and append them to the image, which is empty if num is 0.
 */
void take_image(struct image *image, const struct um_uarch *table, unsigned cpu);
/* expect_image(): the images must be equal. @what is part of the message: what happened between the two images. */
void expect_image(const struct image *before, const struct image *after, const char *what);

#endif
