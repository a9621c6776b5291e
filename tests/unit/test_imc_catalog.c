/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Catalogs from device trees that the tests build: which nodes and properties the kernel would use, and limits. Uses
 * internal headers, because the tests make nodes and properties that no file can contain.
 */
#include <errno.h>
#include <string.h>

#include "names/imc_lists.h"
#include "imc/catalog.h"
#include "encode/perf_event.h"
#include "suite.h"

static struct um_tree *tree;
static struct um_tree_node *root;

static void set_text(struct um_tree_node *node, const char *name, const char *text)
{
	ck_assert_int_eq(um_tree_set(node, name, text, strlen(text) + 1, true), 0);
}

/* Set a property to a number, which is big-endian in a device tree. */
static void set_cell(struct um_tree_node *node, const char *name, uint32_t n)
{
	const unsigned char bytes[] = { (unsigned char)(n >> 24), (unsigned char)(n >> 16),
					(unsigned char)(n >> 8), (unsigned char)n };

	ck_assert_int_eq(um_tree_set(node, name, bytes, sizeof(bytes), true), 0);
}

static struct um_tree_node *add_node(struct um_tree_node *parent, const char *name)
{
	struct um_tree_node *node = um_tree_add(tree, parent, name);

	ck_assert_ptr_nonnull(node);
	return node;
}

static void set_up(void)
{
	struct um_tree_node *list, *event;

	tree = um_tree_new();
	root = add_node(NULL, "");
	set_text(root, "compatible", "ibm,opal-in-memory-counters");
	list = add_node(root, "events");
	set_cell(list, "phandle", 5);
	event = add_node(list, "event@0");
	set_text(event, "event-name", "A");
	set_cell(event, "reg", 0x8);
}

static struct um_tree_node *add_unit(const char *name, uint32_t type)
{
	struct um_tree_node *unit = add_node(root, name);

	set_text(unit, "compatible", "ibm,imc-counters");
	set_cell(unit, "type", type);
	set_cell(unit, "size", 0x2000);
	set_cell(unit, "events", 5);
	set_text(unit, "events-prefix", "P_");
	return unit;
}

static struct um_imc_catalog *make(void)
{
	struct um_imc_catalog *c;
	struct um_error e;

	ck_assert_int_eq(um_imc_catalog_make(&c, tree, "test", &e), 0);
	return c;
}

FIXTURE(.setup = set_up)

TEST(nodes_that_make_no_pmu_are_listed_with_the_reason)
{
	struct um_tree_node *unit;
	struct um_imc_catalog *c;

	add_unit("good", 0x4);
	add_unit("odd", 0x20);
	unit = add_node(root, "bare");
	set_text(unit, "compatible", "ibm,imc-counters");
	unit = add_node(root, "small");
	set_text(unit, "compatible", "ibm,imc-counters");
	set_cell(unit, "type", 1);
	c = make();
	ck_assert_uint_eq(c->num_units, 1);
	ck_assert_uint_eq(c->num_skipped, 3);
	ck_assert_int_eq(c->skipped[0].why, UM_IMC_UNKNOWN_TYPE);
	ck_assert_uint_eq(c->skipped[0].type, 0x20);
	ck_assert_int_eq(c->skipped[1].why, UM_IMC_NO_TYPE);
	ck_assert_int_eq(c->skipped[2].why, UM_IMC_NO_SIZE);
	um_imc_catalog_free(c);
}

/* A property without a final NUL, or without a value, counts as absent; an empty string does not. */
TEST(absent_and_empty_properties_are_distinguished)
{
	struct um_tree_node *unit = add_unit("core", 0x4);
	struct um_tree_node *list = root->first, *event;
	struct um_imc_catalog *c;

	set_text(unit, "scale", "512");
	set_text(unit, "unit", "MiB");
	event = add_node(list, "event@8");
	set_text(event, "event-name", "B");
	set_cell(event, "reg", 0x10);
	ck_assert_int_eq(um_tree_set(event, "scale", "7", 1, true), 0);
	set_text(event, "unit", "");
	event = add_node(list, "event@10");
	set_text(event, "event-name", "C");
	set_cell(event, "reg", 0x18);
	ck_assert_int_eq(um_tree_set(event, "unit", "", 0, true), 0);
	set_text(event, "scale", "1.5");
	c = make();
	ck_assert_uint_eq(c->num_events, 3);
	ck_assert_str_eq(c->events[1].scale, "512");
	ck_assert_str_eq(c->events[1].measure, "");
	ck_assert_str_eq(c->events[2].scale, "1.5");
	ck_assert_str_eq(c->events[2].measure, "MiB");
	um_imc_catalog_free(c);
}

TEST(a_unit_without_a_list_or_prefix_has_no_events)
{
	struct um_tree_node *unit;
	struct um_imc_catalog *c;

	add_unit("good", 0x4);
	unit = add_node(root, "no-prefix");
	set_text(unit, "compatible", "ibm,imc-counters");
	set_cell(unit, "type", 1);
	set_cell(unit, "size", 1);
	set_cell(unit, "events", 5);
	unit = add_unit("dangling", 0x1);
	set_cell(unit, "events", 99);
	c = make();
	ck_assert_uint_eq(c->num_units, 3);
	ck_assert_uint_eq(c->num_events, 1);
	um_imc_catalog_free(c);
}

/* Each unit has all events of a shared list, so a small file could need all memory. */
TEST(a_small_tree_with_too_many_events_is_refused)
{
	struct um_imc_catalog *c;
	struct um_error e;

	for (int i = 0; i < 400; i++) {
		struct um_tree_node *event = add_node(root->first, "event");

		set_text(event, "event-name", "X");
		set_cell(event, "reg", 8);
		add_unit("core", 0x4);
	}
	ck_assert_int_eq(um_imc_catalog_make(&c, tree, "test", &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "more than"));
}

TEST(a_tree_without_counters_is_no_catalog)
{
	struct um_imc_catalog *c;
	struct um_error e;

	ck_assert_int_eq(um_imc_catalog_make(&c, tree, "test", &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "no event"));
	tree = um_tree_new();
	root = add_node(NULL, "");
	ck_assert_int_eq(um_imc_catalog_make(&c, tree, "test", &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.msg, "no in-memory counters"));
}

/* ---- a catalog with one event, made by hand ---- */

static char pmu[] = "nest_x_imc", name[] = "PM_X", path[] = "nest_x_imc/PM_X/";
static struct um_imc_unit unit_x = { .pmu = pmu, .level = UM_IMC_NEST, .size = 64 };
static struct um_imc_event event_x = { .name = name };
static struct um_imc_catalog of_x = { .units = &unit_x, .events = &event_x, .num_units = 1, .num_events = 1 };
static struct um_imc_name name_x = { .unit = &unit_x, .event = &event_x, .base.path = path };
static struct um_imc_list list_x = { .catalog = &of_x, .names = &name_x };
static struct um_imc_lists lists = { .lists = &(struct um_imc_list *){ &list_x }, .num = 1 };

TEST(an_invalid_scale_counts_as_1)
{
	static const struct { const char *text; double factor; } rows[] = {
		{ NULL, 1 }, { "256", 256 }, { "0.5", 0.5 }, { "2x", 1 }, { "-4", 1 }, { "0", 1 }, { "", 1 },
	};
	struct um_names all = { .kernel.listed = true, .imc = lists };

	event_x.offset = 8;
	strcpy(name_x.terms, "event=0x8");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct um_perf_events events = { .num = 0 };
		struct um_error e = { .msg = "" };

		event_x.scale = rows[i].text;
		ck_assert_msg(um_perf_parse(&events, &(struct um_event_pmus){ .names = &all }, path, &e) == 1, "%s", e.msg);
		ck_assert(events.events[0].absent && events.events[0].is_uncore);
		ck_assert_double_eq(events.events[0].scale, rows[i].factor);
		um_perf_events_free(&events);
	}
	um_tree_free(tree);
}

/* With the invalid offset the kernel would read beyond the memory of the unit. */
TEST(an_event_with_an_invalid_offset_is_refused_with_or_without_its_pmu)
{
	const char *const texts[] = { name, path };
	char terms[] = "event=0x9";
	struct um_kernel_alias alias = { .name = name, .base.pub = { .pmu = pmu, .terms = terms }, .scale = 1 };
	struct um_term term = { .name = "event", .mask = UINT32_MAX };
	struct um_kernel_pmu there = {
		.name = pmu, .family_name = pmu, .imc = UM_IMC_NEST,
		.state = UM_PMU_THERE, .loaded = true, .alias_read = true,
		.aliases = &alias, .num_aliases = 1,
		.base = { .reach = UM_REACH_KERNEL, .terms = &term, .num_terms = 1 },
	};
	struct um_names all = { .kernel = { .pmus = &there, .num = 1, .listed = true }, .imc = lists };

	event_x.offset = 9;
	strcpy(name_x.terms, terms);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct um_perf_events events = { .num = 0 };
		struct um_error e = { .msg = "" };

		ck_assert_msg(um_perf_parse(&events, &(struct um_event_pmus){ .names = &all }, texts[i], &e) == -EINVAL,
			      "%s", texts[i]);
		ck_assert_ptr_nonnull(strstr(e.msg, "there is no counter of nest_x_imc at offset 0x9"));
	}
	um_tree_free(tree);
}

SUITE(imc_catalog)
