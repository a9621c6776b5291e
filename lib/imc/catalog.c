/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Read units and their events from a device tree by the kernel's rules. */
#include "imc/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/text.h"

static const char counters[] = "ibm,opal-in-memory-counters", unit_kind[] = "ibm,imc-counters";

/* Default of the property cb_offset: IMC_CNTL_BLK_OFFSET of Linux arch/powerpc/include/asm/imc-pmu.h. */
enum { CONTROL_BLOCK = 0x3fc00 };

static const struct {
	enum um_imc_level level;
	const char *name;
} levels[] = {
	{ UM_IMC_NEST, "nest" }, { UM_IMC_CORE, "core" }, { UM_IMC_THREAD, "thread" },
	{ UM_IMC_TRACE, "trace" },
};

const char *um_imc_level_name(enum um_imc_level level)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].level == level)
			return levels[i].name;
	return NULL;
}

/* ---- spellings ---- */

enum um_imc_level um_imc_pmu_level(const char *pmu)
{
	size_t len = strlen(pmu), end = strlen("_imc");

	if (len <= end || strcmp(pmu + len - end, "_imc") != 0)
		return UM_IMC_NO_LEVEL;
	len -= end;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].level != UM_IMC_NEST && um_is_exactly(pmu, len, levels[i].name))
			return levels[i].level;
	return um_starts_with(pmu, "nest_") && len > strlen("nest_") ? UM_IMC_NEST : UM_IMC_NO_LEVEL;
}

bool um_imc_pmu_is(const char *pmu, const char *text, size_t len)
{
	size_t head = strlen("nest_"), middle = strlen(pmu) - strlen("_imc") - head;

	if (um_is_exactly(text, len, pmu))
		return true;
	return um_imc_pmu_level(pmu) == UM_IMC_NEST &&
	       ((len == head + middle && !memcmp(text, pmu, len)) || (len == middle && !memcmp(text, pmu + head, len)));
}

bool um_imc_unit_is(const struct um_imc_unit *unit, const char *text, size_t len)
{
	return um_imc_pmu_is(unit->pmu, text, len) || um_is_exactly(text, len, unit->node);
}

/* ---- events ---- */

static int add_event(struct um_imc_catalog *c, const struct um_tree_node *unit,
		     const struct um_tree_node *node, const char *prefix)
{
	const char *name = um_tree_string(node, "event-name");
	struct um_imc_event ev = {
		.unit = c->num_units - 1,
		.scale = um_tree_string(node, "scale") ?: um_tree_string(unit, "scale"),
		.measure = um_tree_string(node, "unit") ?: um_tree_string(unit, "unit"),
		.description = um_tree_string(node, "desc"),
	};
	uint32_t reg;

	if (!name || !um_tree_cell(node, "reg", &reg) || strlen(prefix) + strlen(name) - 1 >= UM_IMC_NAME)
		return 0;
	if (ARRAY_ROOM(c->events, c->num_events, 1))
		return -ENOMEM;
	ev.offset = c->units[ev.unit].base + reg; /* a sum above 32 bits wraps, as in the kernel */
	if (asprintf(&ev.name, "%s%s", prefix, name) < 0)
		return -ENOMEM;
	c->events[c->num_events++] = ev;
	return 0;
}

/* A unit has events only if it has the properties "events" and "events-prefix". @looked: nodes visited so far. */
static int add_events(struct um_imc_catalog *c, const struct um_tree_node *unit, size_t *looked)
{
	const char *prefix = um_tree_string(unit, "events-prefix");
	const struct um_tree_node *list = NULL;
	uint32_t number;
	int err = 0;

	if (prefix && um_tree_cell(unit, "events", &number))
		list = um_tree_with_phandle(c->tree, number);
	for (const struct um_tree_node *node = list ? list->first : NULL; node && !err; node = node->next)
		err = (*looked)++ < UM_IMC_EVENTS ? add_event(c, unit, node, prefix) : -E2BIG;
	return err;
}

/* ---- units ---- */

static int skip(struct um_imc_catalog *c, const char *node, enum um_imc_why why, uint32_t type)
{
	return ARRAY_APPEND(c->skipped, c->num_skipped, (struct um_imc_skipped){ node, why, type });
}

/* Add a unit and its events. */
static int add_unit(struct um_imc_catalog *c, const struct um_tree_node *node, size_t *looked)
{
	struct um_imc_unit unit = { .node = node->name, .control = CONTROL_BLOCK };
	uint32_t type = 0;

	if (!um_tree_cell(node, "type", &type))
		return skip(c, node->name, UM_IMC_NO_TYPE, 0);
	if (!um_imc_level_name((enum um_imc_level)type))
		return skip(c, node->name, UM_IMC_UNKNOWN_TYPE, type);
	if (!um_tree_cell(node, "size", &unit.size))
		return skip(c, node->name, UM_IMC_NO_SIZE, type);
	unit.level = (enum um_imc_level)type;
	um_tree_cell(node, "cb_offset", &unit.control);
	/* Without "reg" the kernel uses an undefined value; we use 0. */
	um_tree_cell(node, "reg", &unit.base);
	if (c->num_units == UM_IMC_UNITS)
		return -E2BIG;
	if (ARRAY_ROOM(c->units, c->num_units, 1))
		return -ENOMEM;
	if (asprintf(&unit.pmu, "%s%.*s_imc", unit.level == UM_IMC_NEST ? "nest_" : "", (int)strcspn(node->name, "@"),
		     node->name) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < c->num_units && !unit.repeated; i++)
		unit.repeated = strcmp(c->units[i].pmu, unit.pmu) == 0;
	c->units[c->num_units++] = unit;
	return add_events(c, node, looked);
}

static int add_all(struct um_imc_catalog *c)
{
	const struct um_tree_node *node = NULL;
	size_t looked = 0;
	int err = 0;

	while (!err && (node = um_tree_next(c->tree, node)))
		if (um_tree_compatible(node, unit_kind))
			err = add_unit(c, node, &looked);
	return err;
}

/* ---- a catalog ---- */

void um_imc_catalog_free(struct um_imc_catalog *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->num_units; i++)
		free(c->units[i].pmu);
	for (size_t i = 0; i < c->num_events; i++)
		free(c->events[i].name);
	free(c->units);
	free(c->events);
	free(c->skipped);
	um_tree_free(c->tree);
	free(c);
}

/* Find the node of the in-memory counters: the root of a catalog, or a child of the root on a machine. */
static const struct um_tree_node *find_counters(const struct um_tree *tree)
{
	const struct um_tree_node *node = NULL;

	while ((node = um_tree_next(tree, node)))
		if (um_tree_compatible(node, counters))
			return node;
	return NULL;
}

static int no_catalog(const char *where, struct um_error *e)
{
	UM_USAGE(e, "device tree %s: no in-memory counters in it: no node is compatible with %s", where, counters);
	return um_advise(e, -EINVAL, "catalogs are published as *.dts in the repository open-power/ima-catalog");
}

int um_imc_catalog_make(struct um_imc_catalog **out, struct um_tree *tree, const char *where, struct um_error *e)
{
	const struct um_tree_node *node = find_counters(tree);
	struct um_imc_catalog *c = node ? calloc(1, sizeof(*c)) : NULL;
	int err;

	if (!c) {
		um_tree_free(tree);
		return node ? um_no_memory(e) : no_catalog(where, e);
	}
	c->tree = tree;
	c->has_version = um_tree_cell(node, "version-id", &c->version);
	err = add_all(c);
	if (!err && !c->num_events)
		err = -ENOENT;
	if (!err) {
		*out = c;
		return 0;
	}
	um_imc_catalog_free(c);
	if (err == -ENOENT)
		return UM_USAGE(e, "device tree %s: it contains no event of an in-memory counter", where);
	return err == -ENOMEM ? um_no_memory(e)
			      : UM_USAGE(e, "device tree %s: more than %d units or %d events", where, UM_IMC_UNITS,
					 UM_IMC_EVENTS);
}
