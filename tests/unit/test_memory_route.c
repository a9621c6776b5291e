/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The route memory, on a chip whose memory is an array of this test. Tests write its words, advance its clock
 * and make reads fail.
 *
 * Uses internal headers, because it calls the route directly, with memory of its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/imc_lists.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"
#include "helpers.h"
#include "nest/route.h"
#include "suite.h"

/* Memory of the unit: two events, and the control block at the end. */
enum { SIZE = 0x1000, CONTROL = 0xf00, READS = 0x40, WRITES = 0x48 };
enum { INITIALISING, RUNNING, PAUSED };
enum { NOTHING, RESUME, PAUSE };

struct chip {
	struct um_access base;
	unsigned char bytes[SIZE];
	uint64_t now, delay_ns;    /* @delay_ns: duration of a counter read */
	int err;                   /* error of all reads; if @err_is_at is set, only of reads at @err_at */
	uint64_t err_at;
	bool err_is_at;
};

static struct chip chip;
static struct um_machine machine;
static struct uncoremsr_package package;
static struct um_place place;
static struct um_choices choices;
static struct um_route_env env;
static struct um_imc_lists lists;
static struct um_error error;
static char dir[DIR_SIZE];
static void *state;
static const struct um_route *const route = &um_route_memory;

#define EXPORTS "sys/firmware/opal/exports/"

static ssize_t copy_bytes(const struct chip *c, uint64_t at, void *buf, size_t size)
{
	if (at >= SIZE)
		return 0;
	size = size < SIZE - at ? size : SIZE - at;
	memcpy(buf, c->bytes + at, size);
	return (ssize_t)size;
}

static ssize_t read_at(struct um_access *a, const char *path, uint64_t at, void *buf, size_t size)
{
	struct chip *c = (struct chip *)a;

	/* Reads of chip 2f never fail. */
	if (strcmp(path, EXPORTS "imc_nest_chip_2f") == 0)
		return copy_bytes(c, at, buf, size);
	ck_assert_str_eq(path, EXPORTS "imc_nest_chip_1f");
	if (c->err && (!c->err_is_at || c->err_at == at))
		return c->err;
	if (at != CONTROL)
		c->now += c->delay_ns;
	return copy_bytes(c, at, buf, size);
}

static uint64_t now(struct um_access *a)
{
	return ((struct chip *)a)->now;
}

static const struct um_access_ops ops = { .read_at = read_at, .now = now };

static int names(const struct um_route_env *e, struct um_names **out, struct um_error *ignored)
{
	static struct um_names all;

	(void)e;
	(void)ignored;
	all.imc = lists;
	*out = &all;
	return 0;
}

static void word(size_t offset, uint64_t value)
{
	for (size_t i = 0; i < 8; i++)
		chip.bytes[offset + i] = (unsigned char)(value >> (56 - 8 * i));
}

static void control(uint64_t status, uint64_t command)
{
	word(CONTROL, status);
	word(CONTROL + 8, command);
}

static void cell(const char *file, uint32_t n)
{
	const unsigned char bytes[] = { (unsigned char)(n >> 24), (unsigned char)(n >> 16),
					(unsigned char)(n >> 8), (unsigned char)n };

	write_file(dir, file, bytes, sizeof(bytes));
}

static void string(const char *file, const char *text)
{
	write_file(dir, file, text, strlen(text) + 1);
}

static void unit(const char *name, uint32_t type, uint32_t size)
{
	static const struct { const char *name; uint32_t value; } cells[] = {
		{ "reg", READS }, { "events", 5 }, { "cb_offset", CONTROL },
	};
	char file[96];

	snprintf(file, sizeof(file), "%s/compatible", name);
	string(file, "ibm,imc-counters");
	snprintf(file, sizeof(file), "%s/events-prefix", name);
	string(file, type == 0x10 ? "N_" : "C_");
	snprintf(file, sizeof(file), "%s/type", name);
	cell(file, type);
	snprintf(file, sizeof(file), "%s/size", name);
	cell(file, size);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		snprintf(file, sizeof(file), "%s/%s", name, cells[i].name);
		cell(file, cells[i].value);
	}
}

static void set_up(void)
{
	make_dir(dir);
	string("compatible", "ibm,opal-in-memory-counters");
	cell("list/phandle", 5);
	string("list/event@0/event-name", "READS");
	cell("list/event@0/reg", 0);
	string("list/event@8/event-name", "WRITES");
	cell("list/event@8/reg", WRITES - READS);
	string("list/event@8/scale", "256");
	string("list/event@8/unit", "MiB");
	unit("lane@40", 0x10, SIZE);
	unit("core@18", 0x4, SIZE);
	ck_assert_int_eq(um_imc_add(&lists, dir, 0, &error), 1);

	chip = (struct chip){ .base = { .ops = &ops, .root = "" }, .now = SECOND };
	control(RUNNING, RESUME);
	machine = (struct um_machine){ .access = &chip.base };
	package = (struct uncoremsr_package){ .id = 0x1f };
	place = (struct um_place){ .package = &package };
	choices = (struct um_choices){ .places = &place, .num_places = 1 };
	env = (struct um_route_env){ .m = &machine, .choices = &choices, .names = names };
	ck_assert_int_eq(route->open(&state, &env, &error), 0);
}

static void tear_down(void)
{
	route->free(state);
	um_imc_free(&lists);
	remove_dir(dir);
}

static void add_event(const char *text)
{
	struct um_written w;
	enum um_answer answer;

	ck_assert_int_eq(um_scan_events(&w, text, &error), 0);
	ck_assert_msg(route->claim(state, w.events, w.num, true, &answer, &error) == 0, "%s: %s", text, error.msg);
	um_written_free(&w);
	ck_assert_int_eq(answer, UM_CLAIM_YES);
	ck_assert_int_eq(route->add(state, &error), 1);
}

static void start(const char *text)
{
	add_event(text);
	ck_assert_int_eq(route->start(state, &error), 0);
}

static int second(void)
{
	chip.now += SECOND;
	return route->read(state, true, &error);
}

static const struct um_front *unit_of(size_t event)
{
	size_t num;
	const struct um_front *u = route->units(state, event, &num);

	ck_assert_uint_eq(num, choices.num_places);
	return u;
}

static void expect(size_t event, enum uncoremsr_status status, uint64_t value)
{
	const struct uncoremsr_reading *r = um_reading_show(unit_of(event)->reading);

	ck_assert_msg(r->status == status, "%s: %s", r->word, r->detail);
	ck_assert_uint_eq(r->value, value);
}

static void expect_total(size_t event, enum uncoremsr_status status, uint64_t value)
{
	const struct uncoremsr_reading *t = um_reading_show(unit_of(event)->total);

	ck_assert_msg(t->status == status, "%s: %s", t->word, t->detail);
	ck_assert_uint_eq(t->value, value);
}

FIXTURE(.setup = set_up, .teardown = tear_down)

TEST(an_interval_has_the_right_length_and_end_time)
{
	const struct uncoremsr_reading *r;

	start("N_READS");
	ck_assert_int_eq(second(), 0);
	ck_assert_int_eq(second(), 0);
	r = um_reading_show(unit_of(0)->reading);
	ck_assert_uint_eq(r->enabled_ns, SECOND);
	ck_assert_uint_eq(r->running_ns, SECOND);
	ck_assert_uint_eq(r->time_ns, 3 * SECOND);
	ck_assert_uint_eq(unit_of(0)->total->time_ns, 3 * SECOND);
	ck_assert_uint_eq(unit_of(0)->total->enabled_ns, 2 * SECOND);
}

TEST(a_memory_that_cannot_be_read_for_a_while_counts_again)
{
	const struct uncoremsr_reading *r;

	start("N_READS");
	r = um_reading_show(unit_of(0)->reading);
	word(READS, 10);
	chip.err = -EIO;
	ck_assert_int_eq(second(), -EIO);
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	expect_total(0, UNCOREMSR_FAILED, UINT64_MAX);
	ck_assert_ptr_nonnull(strstr(r->detail, "imc_nest_chip_1f: Input/output error"));
	ck_assert_uint_eq(r->raw, UINT64_MAX);
	ck_assert_uint_eq(r->enabled_ns, SECOND);
	chip.err = 0;
	word(READS, 30);
	ck_assert_int_eq(second(), 0);
	/* The count covers two intervals, so the interval has no value, but the total includes the count. */
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	ck_assert_str_eq(r->detail, UM_LATE);
	ck_assert_uint_eq(r->raw, 30);
	expect_total(0, UNCOREMSR_OK, 30);
	word(READS, 35);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 5);
	expect_total(0, UNCOREMSR_OK, 35);
}

TEST(a_failed_sample_within_an_interval_does_not_matter)
{
	start("N_READS");
	chip.err = -EIO;
	ck_assert_int_eq(route->read(state, false, &error), -EIO);
	chip.err = 0;
	word(READS, 7);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 7);
}

TEST(one_unreadable_word_affects_only_one_event)
{
	add_event("N_WRITES");
	start("N_READS");
	chip.err = -EIO;
	chip.err_at = WRITES;
	chip.err_is_at = true;
	word(READS, 7);
	ck_assert_int_eq(second(), -EIO);
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	expect(1, UNCOREMSR_OK, 7);
}

TEST(if_the_first_read_fails_the_total_is_unknown)
{
	struct um_place both[] = { place, { .package = &(struct uncoremsr_package){ .id = 0x2f } } };

	add_event("N_READS");
	chip.err = -EIO;
	ck_assert_int_eq(route->start(state, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.msg, "imc_nest_chip_1f: Input/output error"));
	choices.places = both;
	choices.num_places = ARRAY_SIZE(both);
	ck_assert_int_eq(route->start(state, &error), 0);
	chip.err = 0;
	word(READS, 10);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	ck_assert_ptr_null(strstr(unit_of(0)->reading->detail, "total"));
	word(READS, 12);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 2);
	expect_total(0, UNCOREMSR_FAILED, UINT64_MAX);
}

TEST(an_interval_that_is_paused_at_either_end_is_unknown)
{
	static const struct { uint64_t status, command; bool paused; } rows[] = {
		{ RUNNING, RESUME, false }, { RUNNING, NOTHING, false },
		{ PAUSED, RESUME, true }, { PAUSED, PAUSE, true }, { RUNNING, PAUSE, true },
		{ INITIALISING, NOTHING, true }, { 7, RESUME, true },
	};

	add_event("N_READS");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int at_end = 0; at_end < 2; at_end++) {
			enum uncoremsr_status status = rows[i].paused ? UNCOREMSR_PAUSED : UNCOREMSR_OK;

			word(READS, 0);
			control(at_end ? RUNNING : rows[i].status, at_end ? RESUME : rows[i].command);
			ck_assert_int_eq(route->start(state, &error), 0);
			control(at_end ? rows[i].status : RUNNING, at_end ? rows[i].command : RESUME);
			word(READS, 5);
			ck_assert_int_eq(second(), 0);
			expect(0, status, rows[i].paused ? UINT64_MAX : 5);
			expect_total(0, status, rows[i].paused ? UINT64_MAX : 5);
			control(RUNNING, RESUME);
			ck_assert_int_eq(second(), 0);
			/*
			 * Microcode that was paused at the end of an interval was paused at the beginning of the next
			 * interval, too.
			 */
			expect(0, at_end ? status : UNCOREMSR_OK, at_end && rows[i].paused ? UINT64_MAX : 0);
			word(READS, 8);
			ck_assert_int_eq(second(), 0);
			expect(0, UNCOREMSR_OK, 3);
			expect_total(0, status, rows[i].paused ? UINT64_MAX : 8);
			ck_assert_int_eq(route->stop(state, &error), 0);
		}
}

TEST(a_total_with_a_pause_in_it_stays_unknown_after_a_failure)
{
	start("N_READS");
	control(PAUSED, PAUSE);
	ck_assert_int_eq(second(), 0);
	control(RUNNING, RESUME);
	chip.err = -EIO;
	ck_assert_int_eq(second(), -EIO);
	chip.err = 0;
	ck_assert_int_eq(second(), 0);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 0);
	expect_total(0, UNCOREMSR_PAUSED, UINT64_MAX);
}

TEST(without_a_readable_control_block_nothing_is_known)
{
	start("N_READS");
	chip.err = -EIO;
	chip.err_at = CONTROL;
	chip.err_is_at = true;
	word(READS, 5);
	ck_assert_int_eq(second(), -EIO);
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	chip.err = 0;
	word(READS, 9);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_FAILED, UINT64_MAX);
	expect_total(0, UNCOREMSR_OK, 9);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 0);
}

TEST(a_program_that_is_stopped_while_it_reads_has_no_rate)
{
	start("N_READS");
	word(READS, 5);
	chip.delay_ns = SECOND / 5;
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_SPREAD, 5);
	chip.delay_ns = 0;
	/*
	 * The slow reads at the end of an interval also begin the next interval, so the time of both intervals is
	 * uncertain.
	 */
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_SPREAD, 0);
	ck_assert_int_eq(second(), 0);
	expect(0, UNCOREMSR_OK, 0);
}

SUITE(memory_route)
