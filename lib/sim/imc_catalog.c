/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A small catalog in the form of the published ones. Names are from the kernel's Documentation/powerpc/imc.rst, offsets
 * and scales from POWER9's and POWER10's catalogs; the descriptions are our own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/imc.h"

struct event {
	uint32_t reg;
	const char *name, *description;
};

struct list {
	const char *node;
	const struct event *events;
	size_t num;
};

struct unit {
	const char *node;
	enum um_sim_imc_level level;
	uint32_t size, reg;
	const struct list *list;
	const char *prefix, *scale, *measure;
};

enum { NEST_SIZE = 0x40000, PAGE = 0x2000, NEST_OFFSET = 0x180000, CONTROL = 0x3fc00, MOST_EVENTS = 32 };

static const struct event power9_memory[] = {
	{ 0x00, "64B_RD_DISP_PORT01", "reads of 64 bytes sent to memory ports 0 and 1" },
	{ 0x08, "128B_RD_DISP_PORT01", "reads of 128 bytes sent to memory ports 0 and 1" },
	{ 0x10, "128B_WR_DISP_PORT01", "writes of 128 bytes sent to memory ports 0 and 1" },
	{ 0x20, "64B_RD_DISP_PORT23", "reads of 64 bytes sent to memory ports 2 and 3" },
	{ 0x28, "128B_RD_DISP_PORT23", "reads of 128 bytes sent to memory ports 2 and 3" },
	{ 0x30, "128B_WR_DISP_PORT23", NULL },
};
static const struct event power10_memory[] = {
	{ 0x08, "128B_RD_DATA_BLOCKS_MC0_CHAN01", "blocks of 128 bytes that controller 0 read" },
	{ 0x10, "64B_WR_DATA_BLOCKS_MC0_CHAN01", "blocks of 64 bytes that controller 0 wrote" },
};
static const struct event links[] = {
	{ 0x00, "OUT_DATA", "outgoing bandwidth: amount of data sent" },
	{ 0x08, "IN_DATA", NULL },
};
static const struct event power9_core[] = {
	{ 0x10, "NON_IDLE_INST", "instructions while not idle" },
	{ 0x18, "NON_IDLE_PCYC", "processor cycles while not idle" },
	{ 0x88, "32MHZ_CYC", "cycles of a clock of 32 MHz" },
	{ 0xc8, "0THRD_NON_IDLE_PCYC", "processor cycles in which no thread ran" },
	{ 0x100, "1THRD_NON_IDLE_INST", "instructions while one thread ran" },
};
static const struct event power9_thread[] = {
	{ 0x10c8, "CS_32MHZ_CYC_USER", "cycles of a clock of 32 MHz in user mode" },
	{ 0x1148, "CS_BRU_CMPL_USER", "branches completed in user mode" },
};
/* Events of cores. Threads have the same events. */
static const struct event power10_core[] = {
	{ 0x00, "RUN_CYC_ST_MODE", "run cycles with one thread" },
	{ 0x10, "NON_IDLE_INST", "instructions while not idle" },
	{ 0x18, "NON_IDLE_PCYC", "processor cycles while not idle" },
	{ 0x100, "NEST_REF_CLK", "cycles of the nest's reference clock" },
};
static const struct event traced[] = {
	{ 0x10200000, "cycles", "a record of where the thread is, at every overflow" },
};

#define LIST(node, events) { node, events, ARRAY_SIZE(events) }
static const struct list memory9 = LIST("nest-mcs-events", power9_memory), core9 = LIST("core-events", power9_core),
	thread9 = LIST("thread-events", power9_thread), memory10 = LIST("nest-mcs-events", power10_memory),
	core10 = LIST("core-events", power10_core), link = LIST("nest-xlink-events", links),
	trace = LIST("trace-events", traced);

/* Units, ended by a row without a node. */
static const struct unit power9[] = {
	{ "mcs01@c8", UM_SIM_IMC_NEST, NEST_SIZE, 0xc8, &memory9, "PM_MCS01_", "256", NULL },
	{ "mcs23@48", UM_SIM_IMC_NEST, NEST_SIZE, 0x48, &memory9, "PM_MCS23_", "256", NULL },
	{ "xlink0@300", UM_SIM_IMC_NEST, NEST_SIZE, 0x300, &link, "PM_XLINK0_", "1.2207e-4", "MiB" },
	{ "core@18", UM_SIM_IMC_CORE, PAGE, 0x18, &core9, "CPM_", "512", NULL },
	{ "thread@18", UM_SIM_IMC_THREAD, PAGE, 0x18, &thread9, "CPM_", "512", NULL },
	{ "trace@0", UM_SIM_IMC_TRACE, NEST_SIZE, 0, &trace, "trace_", NULL, NULL },
	{ .node = NULL },
};
static const struct unit power10[] = {
	{ "mcs01@8", UM_SIM_IMC_NEST, NEST_SIZE, 0x8, &memory10, "PM_MCS_", "4096", NULL },
	{ "xlink0@300", UM_SIM_IMC_NEST, NEST_SIZE, 0x300, &link, "PM_XLINK0_", "1.2207e-4", "MiB" },
	{ "core@18", UM_SIM_IMC_CORE, PAGE, 0x18, &core10, "CPM_", "1", NULL },
	{ "thread@18", UM_SIM_IMC_THREAD, PAGE, 0x18, &core10, "CPM_", "1", NULL },
	{ "trace@0", UM_SIM_IMC_TRACE, NEST_SIZE, 0, &trace, "trace_", NULL, NULL },
	{ .node = NULL },
};

/* ---- the tree ---- */

int um_sim_imc_set_cells(struct um_tree_node *node, const char *name, const uint32_t *cells, size_t num)
{
	unsigned char *bytes = malloc(4 * num);
	int err = bytes ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < 4 * num; i++)
		bytes[i] = (unsigned char)(cells[i / 4] >> (24 - 8 * (i % 4)));
	if (!err)
		err = um_tree_set(node, name, bytes, 4 * num, true);
	free(bytes);
	return err;
}

static int set_cell(struct um_tree_node *node, const char *name, uint32_t value)
{
	return um_sim_imc_set_cells(node, name, &value, 1);
}

static int set_text(struct um_tree_node *node, const char *name, const char *text)
{
	return text ? um_tree_set(node, name, text, strlen(text) + 1, true) : 0;
}

/* Room for the name of a node, "event@c8": the tree does not copy names. */
typedef char node_name[24];

static int add_list(struct um_tree *t, const struct list *l, uint32_t phandle, node_name **names)
{
	struct um_tree_node *list = um_tree_add(t, t->root, l->node);
	int err = list ? set_cell(list, "phandle", phandle) : -ENOMEM;

	for (const struct event *ev = l->events; ev < l->events + l->num && !err; ev++) {
		char *name = *(*names)++;
		struct um_tree_node *node = um_tree_add(t, list, name);

		snprintf(name, sizeof(node_name), "event@%x", (unsigned)ev->reg);
		err = !node ? -ENOMEM : um_sim_imc_set_cells(node, "reg", (uint32_t[]){ ev->reg, 8 }, 2) ?:
		      set_text(node, "event-name", ev->name) ?: set_text(node, "desc", ev->description);
	}
	return err;
}

static int add_unit(struct um_tree *t, const struct unit *u, uint32_t phandle)
{
	struct um_tree_node *node = um_tree_add(t, t->root, u->node);

	if (!node)
		return -ENOMEM;
	return set_text(node, "compatible", "ibm,imc-counters") ?: set_cell(node, "type", u->level) ?:
	       set_cell(node, "size", u->size) ?: um_sim_imc_set_cells(node, "reg", (uint32_t[]){ u->reg, 8 }, 2) ?:
	       set_cell(node, "events", phandle) ?: set_text(node, "events-prefix", u->prefix) ?:
	       set_text(node, "scale", u->scale) ?: set_text(node, "unit", u->measure) ?:
	       u->level != UM_SIM_IMC_NEST ? 0 :
	       set_cell(node, "offset", NEST_OFFSET) ?: set_cell(node, "cb_offset", CONTROL);
}

static int fill(struct um_tree *t, uint32_t version, const struct unit *units)
{
	struct um_tree_node *root = um_tree_add(t, NULL, "");
	node_name *names = t->blob = calloc(MOST_EVENTS, sizeof(node_name));
	int err;

	if (!root || !names)
		return -ENOMEM;
	err = set_text(root, "compatible", "ibm,opal-in-memory-counters") ?: set_cell(root, "version-id", version);
	for (const struct unit *u = units; u->node && !err; u++) {
		const struct unit *first = units;

		while (first->list != u->list)
			first++;
		if (first == u)
			err = add_list(t, u->list, (uint32_t)(u - units) + 1, &names);
		if (!err)
			err = add_unit(t, u, (uint32_t)(first - units) + 1);
	}
	return err;
}

struct um_tree *um_sim_imc_catalog(uint32_t pvr)
{
	struct um_tree *t = um_tree_new();

	if (t && (pvr >> 16 == 0x80 ? fill(t, 0x3, power10) : fill(t, 0x20, power9))) {
		um_tree_free(t);
		return NULL;
	}
	return t;
}
