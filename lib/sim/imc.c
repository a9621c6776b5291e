/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Make the kernel's IMC PMUs from a device tree, and check events when they are opened (Linux
 * arch/powerpc/perf/imc-pmu.c; the checks were compared with those of a POWER9 kernel).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "sim/imc.h"

#define COUNTERS "ibm,opal-in-memory-counters"
#define UNIT "ibm,imc-counters"
#define DEFAULT_CONTROL 0x3fc00u

/* First type number of the PMUs, which are numbered in the order of registration. */
enum { FIRST_TYPE = 22 };

/* Address of chip 0's HOMER memory, and the distance between chips, as on an emulated POWER9. */
#define HOMER 0x203ffd800000ull
#define HOMER_STEP 0x400000ull

/* ---- what firmware adds ---- */

static int add_chips(const struct uncoremsr_sim *sim, struct um_tree_node *node)
{
	const struct um_sim_copies *chips = &sim->copies[UM_SIM_PER_PACKAGE];
	uint32_t *bases = calloc(3 * chips->num, sizeof(*bases)), *ids;
	int err;

	if (!bases)
		return -ENOMEM;
	ids = bases + 2 * chips->num;
	for (size_t i = 0; i < chips->num; i++) {
		uint64_t base = HOMER + i * HOMER_STEP;

		bases[2 * i] = (uint32_t)(base >> 32);
		bases[2 * i + 1] = (uint32_t)base;
		ids[i] = (uint32_t)sim->cpus[chips->at[i].first_cpu].package;
	}
	err = um_sim_imc_set_cells(node, "base-addr", bases, 2 * chips->num) ?:
	      um_sim_imc_set_cells(node, "chip-id", ids, chips->num);
	free(bases);
	return err;
}

/* Every folder of proc/device-tree has a file with the node's name, without its unit address. */
static int add_name(struct um_tree_node *node, const char *name)
{
	char text[64];

	if (um_tree_property(node, "name"))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(name, "@"), name);
	return um_tree_set(node, "name", text, strlen(text) + 1, true);
}

static int complete(const struct uncoremsr_sim *sim, struct um_tree_node *node)
{
	int err = add_name(node, node == sim->imc->counters ? "imc-counters" : node->name);

	if (!err && um_tree_compatible(node, UNIT) && um_tree_property(node, "offset") &&
	    !um_tree_property(node, "chip-id"))
		err = add_chips(sim, node);
	for (struct um_tree_node *child = node->first; child && !err; child = child->next)
		err = complete(sim, child);
	return err;
}

/* ---- the kernel's PMUs ---- */

static int add_event(struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu,
		     const struct um_tree_node *unit, const struct um_tree_node *node)
{
	const char *name = um_tree_string(node, "event-name");
	struct um_sim_pmu_event ev = { .pmu = "" };
	uint32_t reg, base = 0;

	if (!name || !um_tree_cell(node, "reg", &reg))
		return 0;
	um_tree_cell(unit, "reg", &base);
	snprintf(ev.pmu, sizeof(ev.pmu), "%s", pmu->name);
	snprintf(ev.name, sizeof(ev.name), "%s%s", um_tree_string(unit, "events-prefix"), name);
	snprintf(ev.terms, sizeof(ev.terms), "event=0x%x", (unsigned)(base + reg));
	snprintf(ev.scale, sizeof(ev.scale), "%s",
		 um_tree_string(node, "scale") ?: um_tree_string(unit, "scale") ?: "");
	snprintf(ev.unit, sizeof(ev.unit), "%s", um_tree_string(node, "unit") ?: um_tree_string(unit, "unit") ?: "");
	return ARRAY_APPEND(k->events, k->num_events, ev);
}

/* If the node has no prefix or no event list, the PMU exists without events. */
static int add_events(struct um_sim_kernel *k, const struct um_sim_imc *imc,
		      struct um_sim_kernel_pmu *pmu, const struct um_tree_node *unit)
{
	const struct um_tree_node *list;
	size_t before = k->num_events;
	uint32_t phandle;
	int err = 0;

	if (!um_tree_string(unit, "events-prefix") || !um_tree_cell(unit, "events", &phandle))
		return 0;
	list = um_tree_with_phandle(imc->tree, phandle);
	for (const struct um_tree_node *n = list ? list->first : NULL; n && !err; n = n->next)
		err = add_event(k, pmu, unit, n);
	pmu->eventless = k->num_events == before;
	return err;
}

static int add_formats(struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu)
{
	static const struct {
		const char *name, *text;
		bool of_trace, of_others;
	} formats[] = {
		{ "event", "config:0-61", true, true },
		{ "offset", "config:0-31", false, true },
		{ "rvalue", "config:32", false, true },
		{ "mode", "config:33-40", false, true },
		{ "cpmc_reserved", "config:0-19", true, false },
		{ "cpmc_event", "config:20-27", true, false },
		{ "cpmc_samplesel", "config:28-29", true, false },
		{ "cpmc_load", "config:30-61", true, false },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(formats) && !err; i++)
		if (pmu->level == UM_SIM_IMC_TRACE ? formats[i].of_trace : formats[i].of_others)
			err = um_sim_kernel_add_format(k, pmu->name, formats[i].name, formats[i].text);
	return err;
}

static bool is_registered(const struct um_sim_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->num_pmus; i++)
		if (!strcmp(k->pmus[i].name, name))
			return true;
	return false;
}

static int add_pmu(struct uncoremsr_sim *sim, const struct um_tree_node *unit)
{
	struct um_sim_kernel *k = sim->kernel;
	struct um_sim_kernel_pmu pmu = { .kind = UM_SIM_PMU_IMC, .eventless = true };
	uint32_t type;
	int err;

	if (!um_tree_cell(unit, "type", &type) || !um_tree_cell(unit, "size", &pmu.size) ||
	    (type != UM_SIM_IMC_NEST && type != UM_SIM_IMC_CORE && type != UM_SIM_IMC_THREAD &&
	     type != UM_SIM_IMC_TRACE))
		return 0;
	snprintf(pmu.name, sizeof(pmu.name), "%s%.*s_imc", type == UM_SIM_IMC_NEST ? "nest_" : "",
		 (int)strcspn(unit->name, "@"), unit->name);
	if (is_registered(k, pmu.name))
		return 0;
	pmu.type = FIRST_TYPE + (unsigned)k->num_pmus;
	pmu.level = type;
	pmu.masked = type == UM_SIM_IMC_NEST || type == UM_SIM_IMC_CORE;
	pmu.scope = type == UM_SIM_IMC_CORE ? UM_SIM_PER_CORE : UM_SIM_PER_DIE;
	if (type == UM_SIM_IMC_NEST) {
		sim->imc->nest_size = pmu.size;
		sim->imc->control = DEFAULT_CONTROL;
		um_tree_cell(unit, "cb_offset", &sim->imc->control);
	}
	err = add_formats(k, &pmu) ?: add_events(k, sim->imc, &pmu, unit);
	return err ? err : ARRAY_APPEND(k->pmus, k->num_pmus, pmu);
}

static const struct um_tree_node *find_counters(const struct um_tree *t)
{
	const struct um_tree_node *n = um_tree_next(t, NULL);

	while (n && !um_tree_compatible(n, COUNTERS))
		n = um_tree_next(t, n);
	return n;
}

static int load_tree(struct uncoremsr_sim *sim, struct um_error *e)
{
	struct um_sim_imc *imc = sim->imc;
	int err;

	if (!imc->path) {
		imc->tree = um_sim_imc_catalog((uint32_t)sim->pvr);
		err = imc->tree ? 0 : -ENOMEM;
	} else {
		err = um_tree_file(&imc->tree, imc->path, e);
	}
	if (err)
		return err;
	imc->counters = find_counters(imc->tree);
	if (imc->counters)
		return 0;
	return UM_USAGE(e, "%s: catalog: %s: no node is compatible with " COUNTERS, sim->name, imc->path);
}

static int apply_rate(struct uncoremsr_sim *sim, const struct um_sim_imc_rate *rate, struct um_error *e)
{
	struct um_sim_kernel *k = sim->kernel;
	bool found = false;
	int err = 0;

	for (size_t i = 0; i < k->num_events && !err; i++) {
		const struct um_sim_pmu_event *ev = &k->events[i];
		struct um_sim_pmu_rate r = { .rate = rate->rate };

		if (strcmp(ev->name, rate->name))
			continue;
		found = true;
		memcpy(r.pmu, ev->pmu, sizeof(r.pmu));
		r.config = strtoull(ev->terms + strlen("event="), NULL, 0);
		err = ARRAY_APPEND(k->rates, k->num_rates, r);
	}
	if (err || found)
		return err;
	return UM_USAGE(e, "%s: rate: the catalog has no event '%s'", sim->name, rate->name);
}

int um_sim_imc_finish(struct uncoremsr_sim *sim, struct um_error *e)
{
	struct um_sim_imc *imc = sim->imc;
	int err = load_tree(sim, e) ?: complete(sim, (struct um_tree_node *)imc->counters);

	for (const struct um_tree_node *n = imc->counters ? imc->counters->first : NULL; n && !err; n = n->next)
		if (um_tree_compatible(n, UNIT))
			err = add_pmu(sim, n);
	for (size_t i = 0; i < imc->num_rates && !err; i++)
		err = apply_rate(sim, &imc->rates[i], e);
	return err;
}

void um_sim_imc_free(struct uncoremsr_sim *sim)
{
	if (!sim->imc)
		return;
	um_tree_free(sim->imc->tree);
	free(sim->imc->path);
	free(sim->imc->rates);
	free(sim->imc);
}

/* ---- opening ---- */

/* Core, thread and trace counting exclude each other on the whole machine. */
static bool is_busy(const struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu)
{
	static const enum um_sim_imc_level levels[] = {
		UM_SIM_IMC_CORE, UM_SIM_IMC_THREAD, UM_SIM_IMC_TRACE,
	};

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i] != pmu->level && k->open_imc[levels[i]])
			return true;
	return false;
}

int um_sim_imc_check(const struct um_sim_kernel *k, const struct um_sim_kernel_pmu *pmu,
		     const struct um_perf_attr *attr, pid_t pid, int cpu)
{
	uint32_t offset = (uint32_t)attr->config[0];
	bool own = pmu->level == UM_SIM_IMC_THREAD || pmu->level == UM_SIM_IMC_TRACE;

	/* The kernel checks perfmon_capable() here, whatever the level of perf_event_paranoid. */
	if (own && k->unprivileged)
		return -EACCES;
	/* Trace events may be opened for tasks and CPUs, and must have a sample_period. */
	if (pmu->level == UM_SIM_IMC_TRACE)
		return !attr->sampling ? -ENOENT : is_busy(k, pmu) ? -EBUSY : 0;
	/* Thread events may be opened for tasks only, core and nest events for CPUs only. */
	if (pmu->level == UM_SIM_IMC_THREAD ? pid < 0 : pid >= 0 || cpu < 0)
		return -EINVAL;
	/* As in Linux, an offset equal to the size is accepted, although a counter at this offset would lie outside. */
	if (offset > pmu->size)
		return -EINVAL;
	return pmu->level != UM_SIM_IMC_NEST && is_busy(k, pmu) ? -EBUSY : 0;
}
