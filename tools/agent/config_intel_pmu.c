/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * <Plugin intel_pmu> in the forms of three generations of collectd's plugin: releases 5.8 to 5.12 (one
 * HardwareEvents, global Cores, DispatchMultiPmu); the main branch after them (pairs of HardwareEvents and Cores,
 * "All", AggregateUncorePMUs); and a design that mixes both.
 *
 * Source: collectd 5.12 src/intel_pmu.c, collectd main src/intel_pmu.c and src/collectd.conf.pod.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/agent.h"
#include "agent/pmu_table.h"
#include "common/array.h"

/* The events that each of the plugin's three Report options stands for. */
static const struct {
	const char *key;
	size_t first, end;
} reports[] = {
	{ "ReportKernelPMUEvents", PMU_KERNEL, PMU_SOFTWARE },
	{ "ReportHardwareCacheEvents", PMU_CACHE, PMU_KERNEL },
	{ "ReportSoftwareEvents", PMU_SOFTWARE, PMU_EVENTS },
};
enum { NUM_REPORTS = ARRAY_SIZE(reports) };

static const char *const names[] = {
	"ReportHardwareCacheEvents", "ReportKernelPMUEvents", "ReportSoftwareEvents", "EventList",
	"HardwareEvents", "HWSpecificEvents", "Cores", "DispatchMultiPmu", "AggregateUncorePMUs",
};

static bool is_hardware_events(const char *key)
{
	return !strcasecmp(key, "HardwareEvents") || !strcasecmp(key, "HWSpecificEvents");
}

static struct agent_group *new_group(struct agent_config *cfg)
{
	if (!ARRAY_APPEND(cfg->groups, cfg->num_groups, (struct agent_group){ .intel_pmu = true, .each_cpu = true }))
		return &cfg->groups[cfg->num_groups - 1];
	agent_no_memory(cfg);
	return NULL;
}

static void take_hardware(struct agent_config *cfg, struct agent_group *g,
			  const struct conf_item *item)
{
	bool all = false;

	if (!agent_are_strings(cfg, item))
		return;
	for (size_t i = 0; i < item->num; i++)
		all |= !strcasecmp(cfg->conf.values[item->first + i].text, "All");
	/* "All" includes every other event of the option. */
	for (size_t i = 0; i < (all ? 1 : item->num); i++) {
		const struct conf_value *v = &cfg->conf.values[item->first + i];

		agent_take_event(cfg, g, all ? AGENT_ALL_LISTED : AGENT_LISTED, v->text, v->line);
	}
}

/* Apply a Report option. False: @item is another option. */
static bool take_report(struct agent_config *cfg, struct agent_group *g, const struct conf_item *item)
{
	bool on = false;

	for (size_t r = 0; r < NUM_REPORTS; r++) {
		if (strcasecmp(item->key, reports[r].key))
			continue;
		if (agent_take_bool(cfg, item, &on) && on)
			for (size_t e = reports[r].first; e < reports[r].end; e++)
				agent_take_event(cfg, g, AGENT_LISTED, agent_pmu_events[e].event, item->line);
		return true;
	}
	return false;
}

/*
 * Does the option begin a pair of HardwareEvents and Cores? A word that ends in HardwareEvents does so, too: it is two
 * options without the line end between them (see is_glued()), and an option Cores after it belongs to the second one.
 */
static bool begins_pair(const char *key)
{
	static const char name[] = "HardwareEvents";
	size_t len = strlen(key), ending = sizeof(name) - 1;

	return is_hardware_events(key) || (len > ending && !strcasecmp(key + len - ending, name));
}

/* Does the word consist of two options, without the line end between them? If so, print how to write them. */
static bool is_glued(struct agent_config *cfg, const struct conf_item *item)
{
	for (size_t a = 0; a < ARRAY_SIZE(names); a++)
		for (size_t b = 0; b < ARRAY_SIZE(names); b++) {
			size_t len = strlen(names[a]);

			if (strncasecmp(item->key, names[a], len) || strcasecmp(item->key + len, names[b]))
				continue;
			agent_wrong(cfg, item->line, "'%s': is %s and %s run together; write %s", item->key,
				    names[a], names[b], names[b]);
			return true;
		}
	return false;
}

static void take_other(struct agent_config *cfg, const struct conf_item *item, bool *dispatch)
{
	bool on;

	if (!strcasecmp(item->key, "DispatchMultiPmu")) {
		agent_take_bool(cfg, item, dispatch);
	} else if (!strcasecmp(item->key, "AggregateUncorePMUs")) {
		if (agent_take_bool(cfg, item, &on))
			*dispatch = !on;
	} else if (!agent_take_in_intel_pmu(cfg, item) && !is_glued(cfg, item)) {
		agent_warn(cfg, item->line, "%s: unknown option, ignored", item->key);
	}
}

static size_t count_hardware(const struct agent_config *cfg, size_t first, size_t end)
{
	size_t num = 0;

	for (size_t i = first; i < end; i = cfg->conf.items[i].end)
		num += begins_pair(cfg->conf.items[i].key);
	return num;
}

/* Groups without cores of their own get the cores of the whole block. */
static void give_cores(struct agent_config *cfg, size_t begin, const struct agent_group *global)
{
	for (size_t i = begin; i < cfg->num_groups; i++) {
		struct agent_group *g = &cfg->groups[i];

		if (g->cores_line || !global->cores_line)
			continue;
		g->cores_line = global->cores_line;
		g->global_cores = true;
		g->cores = global->cores;
		g->num_cores = global->num_cores;
	}
}

void agent_intel_pmu(struct agent_config *cfg, size_t first, size_t end)
{
	const size_t begin = cfg->num_groups;
	const bool pairs = count_hardware(cfg, first, end) > 1;
	struct agent_group *g = new_group(cfg), global = { .num_cores = 0 };
	bool dispatch = false, in_pair = false;

	for (size_t i = first; g && i < end; i = cfg->conf.items[i].end) {
		const struct conf_item *item = &cfg->conf.items[i];

		if (begins_pair(item->key)) {
			g = new_group(cfg);
			in_pair = true;
			if (g && is_hardware_events(item->key))
				take_hardware(cfg, g, item);
			else if (g)
				take_other(cfg, item, &dispatch);
		} else if (!strcasecmp(item->key, "Cores")) {
			agent_take_cores(cfg, pairs && in_pair ? g : &global, item);
		} else if (!take_report(cfg, &cfg->groups[begin], item)) {
			take_other(cfg, item, &dispatch);
		}
	}
	give_cores(cfg, begin, &global);
	for (size_t i = begin; i < cfg->num_groups; i++)
		cfg->groups[i].each_unit = dispatch;
}
