/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The meaning of the configuration file. In blocks intel_pmu and uncoremsr every word is checked; blocks of other collectd
 * plugins are ignored. All errors of a file are printed, each with its line.
 *
 * Source for <Plugin intel_pmu>: collectd 5.12 src/intel_pmu.c, collectd main src/intel_pmu.c and src/collectd.conf.pod.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/agent.h"
#include "agent/outputs.h"
#include "agent/pmu_table.h"
#include "common/array.h"
#include "common/file.h"
#include "common/series.h"

enum { MOST_ERRORS = 20 };

/* ---- messages ---- */

enum severity { WARNING, ERROR };

static void __attribute__((format(printf, 4, 5)))
say(struct agent_config *cfg, enum severity severity, unsigned line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (severity == ERROR && cfg->num_wrong++ >= MOST_ERRORS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	tool_say(0, "%s:%u: %s", OUT_QUOTED(cfg->path), line, text);
}

/* Count a lack of memory as an error of the file, so that the file is refused. */
static bool no_memory(struct agent_config *cfg)
{
	cfg->num_wrong++;
	tool_no_memory();
	return false;
}

/* ---- values ---- */

static bool are_strings(struct agent_config *cfg, const struct conf_item *item)
{
	if (!item->num)
		say(cfg, ERROR, item->line, "%s: its value is missing", item->key);
	for (const struct conf_value *v = item->values; v < item->values + item->num; v++)
		if (v->type != CONF_STRING) {
			say(cfg, ERROR, v->line, "%s: '%s': put it in quotes", item->key, v->text);
			return false;
		}
	return item->num > 0;
}

/* NULL after a message: the option has no value, or more than one. */
static const struct conf_value *only(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *second = item->values + 1;

	if (!item->num) {
		say(cfg, ERROR, item->line, "%s: its value is missing", item->key);
		return NULL;
	}
	if (item->num == 1)
		return item->values;
	if (second->quoted || second->type != CONF_STRING)
		say(cfg, ERROR, second->line, "%s: '%s': takes one value", item->key, second->text);
	else
		say(cfg, ERROR, second->line, "%s: unexpected '%s' after its value; write each option on a line "
				"of its own", item->key, second->text);
	return NULL;
}

static bool take_bool(struct agent_config *cfg, const struct conf_item *item, bool *truth)
{
	const struct conf_value *v = only(cfg, item);

	if (!v)
		return false;
	if (!conf_is_truth(v->text, truth)) {
		say(cfg, ERROR, v->line, "%s: '%s': must be true or false", item->key, v->text);
		return false;
	}
	if (v->quoted)
		say(cfg, WARNING, v->line, "%s: '%s': write it without quotes", item->key, v->text);
	return true;
}

bool agent_take_event(struct agent_config *cfg, struct agent_group *g, enum agent_kind kind,
		      const char *text, unsigned line)
{
	return !ARRAY_APPEND(g->events, g->num_events, (struct agent_event){ kind, text, line }) || no_memory(cfg);
}

static void take_cores(struct agent_config *cfg, const struct conf_item **cores, const struct conf_item *item)
{
	if (*cores) {
		say(cfg, ERROR, item->line, "Cores: given twice for the same events, first in line %u", (*cores)->line);
		return;
	}
	if (!are_strings(cfg, item))
		return;
	*cores = item;
	for (size_t i = 0; i < item->num && item->num > 1; i++)
		if (!*item->values[i].text) {
			say(cfg, ERROR, item->values[i].line, "Cores: '': must name at least one core");
			return;
		}
}

/*
 * ---- what the words mean ----
 * Each function processes a value from the file or from an option of the command line. It returns what is wrong with
 * the value, or NULL if it is valid or a message has been printed.
 */

static const char *take_event(struct agent_config *cfg, struct conf_value *v)
{
	agent_take_event(cfg, &cfg->own, AGENT_EVENT, v->text, v->line);
	return NULL;
}

static const char *take_metric(struct agent_config *cfg, struct conf_value *v)
{
	agent_take_event(cfg, &cfg->own, AGENT_METRIC, v->text, v->line);
	return NULL;
}

static const char *take_list(struct agent_config *cfg, struct conf_value *v)
{
	if (!*v->text)
		return "must be a file or directory";
	snprintf(cfg->why, sizeof(cfg->why), "too many, at most %d are allowed", AGENT_MOST_LISTS);
	if (cfg->num_lists == AGENT_MOST_LISTS)
		return cfg->why;
	cfg->lists[cfg->num_lists++] = (struct agent_list){ v->text, v->line };
	return NULL;
}

static const char *take_state(struct agent_config *cfg, struct conf_value *v)
{
	cfg->state = v->text;
	return *v->text ? NULL : "must be a folder";
}

static bool is_within(const struct conf_value *v, double least, double most)
{
	return v->type == CONF_NUMBER && v->number >= least && v->number <= most;
}

bool agent_interval_fits(double seconds)
{
	return seconds >= 0.01 && seconds <= 86400;
}

static const char *take_interval(struct agent_config *cfg, struct conf_value *v)
{
	if (v->quoted)
		return "write seconds without quotes";
	if (v->type != CONF_NUMBER || !agent_interval_fits(v->number))
		return AGENT_INTERVALS;
	cfg->interval_ns = (uint64_t)(v->number * 1e9 + 0.5);
	return NULL;
}

/* A global Interval is collectd's own interval, so it also determines when collectd forgets a value. */
static const char *take_collectd_interval(struct agent_config *cfg, struct conf_value *v)
{
	const char *why = take_interval(cfg, v);

	cfg->collectd.timeout_ns = cfg->interval_ns;
	return why;
}

static const char *take_min_running(struct agent_config *cfg, struct conf_value *v)
{
	if (!is_within(v, 0, 100))
		return "must be a percentage, 0 to 100";
	cfg->min_running = (unsigned)v->number;
	return NULL;
}

static const char *take_timeout(struct agent_config *cfg, struct conf_value *v)
{
	cfg->collectd.timeout = v->number;
	return is_within(v, 1, 1000000) ? NULL : "must be a number of intervals, 1 or more";
}

/* The host name becomes part of an identifier on collectd's lines, so accept only letters, digits and . - _ : */
static const char *take_hostname(struct agent_config *cfg, struct conf_value *v)
{
	const char *p = v->text;

	while (isalnum((unsigned char)*p) || (*p && strchr(".-_:", *p)))
		p++;
	if (p == v->text || *p || p - v->text > HOST_NAME_MAX)
		return "must be letters, digits and . - _ :";
	memcpy(cfg->collectd.hostname, v->text, strlen(v->text) + 1);
	return NULL;
}

static const char *take_values(struct agent_config *cfg, struct conf_value *v)
{
	static const struct {
		const char *word;
		enum series_values values;
	} known[] = {
		{ "counter", SERIES_COUNTER },
		{ "pmu_counter", SERIES_FOUR },
		{ "counters", SERIES_COUNTER | SERIES_SINGLES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(v->text, known[i].word)) {
			cfg->collectd.values |= known[i].values;
			return NULL;
		}
	return "must be counter, counters or pmu_counter";
}

static const char *take_listen(struct agent_config *cfg, struct conf_value *v)
{
	struct agent_listen new = { .text = v->text };

	if (!address_parse(&new.address, v->text, cfg->why))
		return cfg->why;
	for (size_t i = 0; i < cfg->num_listens; i++)
		if (address_same(&cfg->listens[i].address, &new.address)) {
			snprintf(cfg->why, sizeof(cfg->why), "given already, as %s", cfg->listens[i].text);
			return cfg->why;
		}
	snprintf(cfg->why, sizeof(cfg->why), "more than %d addresses", AGENT_MOST_LISTENS);
	if (cfg->num_listens == AGENT_MOST_LISTENS)
		return cfg->why;
	cfg->listens[cfg->num_listens++] = new;
	return NULL;
}

static const char *take_collectd(struct agent_config *cfg, struct conf_value *v)
{
	const bool exec = strcmp(v->text, "exec") == 0;
	struct address a;

	if (!exec && strncmp(v->text, "unix:", 5) != 0)
		return "must be exec or unix:PATH";
	if (!exec && !address_parse(&a, v->text, cfg->why))
		return cfg->why;
	/* collectd.where has room for every address that address_parse() accepts. */
	snprintf(cfg->collectd.where, sizeof(cfg->collectd.where), "%s", v->text);
	return NULL;
}

static const char *take_socket(struct agent_config *cfg, struct conf_value *v)
{
	char text[sizeof("unix:") + CONF_TEXT];

	if (*cfg->collectd.where)
		return "given twice, or together with Exec";
	snprintf(text, sizeof(text), "unix:%s", v->text);
	return take_collectd(cfg, &(struct conf_value){ .text = text });
}

static void take_exec(struct agent_config *cfg, const struct conf_item *item)
{
	bool exec = false;

	if (!take_bool(cfg, item, &exec) || !exec)
		return;
	if (*cfg->collectd.where)
		say(cfg, ERROR, item->line, "Exec and Socket: choose one");
	strcpy(cfg->collectd.where, "exec");
}

static const char *take_agentx(struct agent_config *cfg, struct conf_value *v)
{
	const bool tcp = strncmp(v->text, "tcp:", 4) == 0, local = strncmp(v->text, "unix:", 5) == 0;
	char missing[AGENT_PROGRAM_WHY];
	struct address a;
	int program;

	if (strlen(v->text) >= sizeof(cfg->snmp.address) ||
	    !(tcp ? strchr(v->text + 4, ':') != NULL : local))
		return "must be tcp:HOST:PORT or unix:PATH";
	if (!address_parse(&a, tcp ? v->text + 4 : v->text, cfg->why))
		return cfg->why;
	memcpy(cfg->snmp.address, v->text, strlen(v->text) + 1);
	program = outputs_program(AGENT_SNMP, missing);
	if (program >= 0) {
		close(program);
		return NULL;
	}
	snprintf(cfg->why, sizeof(cfg->why), "the SNMP program cannot be opened (not installed, or the build had no "
		 "net-snmp, Debian: libsnmp-dev): %s", missing);
	return cfg->why;
}

size_t agent_snmp_parse(const char *text, unsigned long parts[SNMP_MOST_PARTS])
{
	size_t num = 0;

	text += *text == '.';
	do {
		char *end;

		if (*text < '0' || *text > '9' || num == SNMP_MOST_PARTS)
			return 0;
		parts[num] = strtoul(text, &end, 10);
		if (parts[num++] > UINT32_MAX || (*end && *end != '.'))
			return 0;
		text = *end ? end + 1 : end;
		if (*end && !*text)
			return 0;
	} while (*text);
	return num;
}

static const char *take_base(struct agent_config *cfg, struct conf_value *v)
{
	cfg->snmp_base = v->text;
	cfg->snmp.num_base = agent_snmp_parse(v->text, cfg->snmp.base);
	return cfg->snmp.num_base ? NULL : "must be numbers separated by dots";
}

static void take_own_cores(struct agent_config *cfg, const struct conf_item *item)
{
	take_cores(cfg, &cfg->own.cores, item);
}

/*
 * ---- <Plugin intel_pmu> ----
 * The block can have the forms of three generations of collectd's plugin: releases 5.8 to 5.12 (one HardwareEvents,
 * global Cores, DispatchMultiPmu); the main branch after them (pairs of HardwareEvents and Cores, "All",
 * AggregateUncorePMUs); and a design that mixes both.
 */

static bool add_group(struct agent_config *cfg)
{
	return !ARRAY_APPEND(cfg->groups, cfg->num_groups, (struct agent_group){ .intel_pmu = true, .each_cpu = true }) ||
	       no_memory(cfg);
}

static void take_hardware(struct agent_config *cfg, const struct conf_item *item)
{
	bool all = false;

	if (!are_strings(cfg, item))
		return;
	for (size_t i = 0; i < item->num; i++)
		all |= !strcasecmp(item->values[i].text, "All");
	for (size_t i = 0; i < (all ? 1 : item->num); i++)
		agent_take_event(cfg, &cfg->groups[cfg->num_groups - 1], all ? AGENT_ALL_LISTED : AGENT_LISTED,
				 item->values[i].text, item->values[i].line);
}

static void take_aggregate(struct agent_config *cfg, const struct conf_item *item)
{
	bool on;

	if (take_bool(cfg, item, &on))
		cfg->intel_pmu.each_unit = !on;
}

/* If there are several pairs, Cores applies to the HardwareEvents before it; otherwise, to all groups. */
static void take_intel_pmu_cores(struct agent_config *cfg, const struct conf_item *item)
{
	const size_t last = cfg->num_groups - 1;
	const bool of_pair = cfg->intel_pmu.pairs > 1 && last > cfg->intel_pmu.first;

	take_cores(cfg, of_pair ? &cfg->groups[last].cores : &cfg->intel_pmu.cores, item);
}

/* ---- the words ---- */

enum block { GLOBAL = 1, LOADED = 2, OWN = 4, INTEL_PMU = 8, PROMETHEUS = 16, COLLECTD = 32, SNMP = 64 };

static const struct word {
	unsigned blocks;    /* the blocks that may contain the keyword */
	const char *key;
	/* Kinds of values: strings, one string, any one value, one truth value; for the others see take_item(). */
	enum { MANY, ONE, PLAIN, TRUTH, REPORT, WHOLE, BLOCK } values;
	const char *(*take)(struct agent_config *cfg, struct conf_value *v);
	size_t truth;       /* offset of the bool in struct agent_config */
	size_t first, end;  /* if the value is true, count these events of agent_pmu_events */
	void (*whole)(struct agent_config *cfg, const struct conf_item *item);
	enum block inner;
	const char *needs;  /* the required option of the block @inner, for a message */
	const char *option; /* name of the same setting on the command line */
} words[] = {
	{ OWN, "Event", MANY, .take = take_event },
	{ OWN, "Metric", MANY, .take = take_metric },
	{ OWN, "Cores", WHOLE, .whole = take_own_cores },
	{ OWN, "Throttle", TRUTH, .truth = offsetof(struct agent_config, throttle) },
	{ OWN | INTEL_PMU, "EventList", ONE, .take = take_list },
	{ GLOBAL, "Interval", PLAIN, .take = take_collectd_interval },
	{ LOADED | OWN, "Interval", PLAIN, .take = take_interval },
	{ OWN, "MinRunning", PLAIN, .take = take_min_running },
	{ OWN, "State", ONE, .take = take_state, .option = "--state" },
	{ OWN, "Prometheus", BLOCK, .inner = PROMETHEUS, .needs = "Listen" },
	{ PROMETHEUS, "Listen", MANY, .take = take_listen, .option = "--prometheus" },
	{ OWN, "Collectd", BLOCK, .inner = COLLECTD, .needs = "Socket or Exec true" },
	{ COLLECTD, "Socket", ONE, .take = take_socket },
	{ COLLECTD, "Exec", WHOLE, .whole = take_exec },
	{ 0, "", ONE, .take = take_collectd, .option = "--collectd" },
	{ COLLECTD, "Values", MANY, .take = take_values },
	{ GLOBAL | COLLECTD, "Timeout", PLAIN, .take = take_timeout },
	{ GLOBAL | COLLECTD, "Hostname", ONE, .take = take_hostname },
	{ OWN, "SNMP", BLOCK, .inner = SNMP, .needs = "AgentX" },
	{ SNMP, "AgentX", ONE, .take = take_agentx, .option = "--agentx" },
	{ SNMP, "BaseOID", ONE, .take = take_base },
	{ SNMP, "IntelPmuMib", TRUTH, .truth = offsetof(struct agent_config, snmp.intel_pmu_mib) },
	{ INTEL_PMU, "HardwareEvents", WHOLE, .whole = take_hardware },
	{ INTEL_PMU, "HWSpecificEvents", WHOLE, .whole = take_hardware },
	{ INTEL_PMU, "Cores", WHOLE, .whole = take_intel_pmu_cores },
	{ INTEL_PMU, "ReportHardwareCacheEvents", REPORT, .first = PMU_CACHE, .end = PMU_KERNEL },
	{ INTEL_PMU, "ReportKernelPMUEvents", REPORT, .first = PMU_KERNEL, .end = PMU_SOFTWARE },
	{ INTEL_PMU, "ReportSoftwareEvents", REPORT, .first = PMU_SOFTWARE, .end = PMU_EVENTS },
	{ INTEL_PMU, "DispatchMultiPmu", TRUTH, .truth = offsetof(struct agent_config, intel_pmu.each_unit) },
	{ INTEL_PMU, "AggregateUncorePMUs", WHOLE, .whole = take_aggregate },
};

#define EACH_WORD(w) (const struct word *w = words; w < words + ARRAY_SIZE(words); w++)

int agent_config_option(struct agent_config *cfg, const char *option, const char *arg)
{
	struct conf_value v = { .text = arg };
	const struct word *w = words;
	const char *why;

	while (!w->option || strcmp(w->option, option) != 0)
		w++;
	why = w->take(cfg, &v);
	return why ? tool_say(TOOL_USAGE, "%s: '%s': %s", option, arg, why) : 0;
}

static bool take_item(struct agent_config *cfg, enum block block, const struct conf_item *item);

/* Apply the items of a block from @first up to @end. If @name is not NULL, warn about unknown items. */
static void take_block(struct agent_config *cfg, enum block block, const char *name, const struct conf_item *first,
		       const struct conf_item *end)
{
	for (const struct conf_item *item = first; item < end; item = item->end) {
		if (take_item(cfg, block, item) || !name)
			continue;
		if (block != OWN)
			say(cfg, WARNING, item->line, "%s: unknown option in <%s>, ignored", item->key, name);
		else
			say(cfg, WARNING, item->line, item->block ? "<%s>: unknown block, ignored"
							  : "%s: unknown option, ignored", item->key);
	}
}

static void take_output(struct agent_config *cfg, const struct word *w, const struct conf_item *item)
{
	const unsigned num_wrong = cfg->num_wrong;
	const size_t listens = cfg->num_listens;
	bool given;

	take_block(cfg, w->inner, w->key, item + 1, item->end);
	given = w->inner == PROMETHEUS ? cfg->num_listens > listens
				       : w->inner == COLLECTD ? *cfg->collectd.where : *cfg->snmp.address;
	if (!given && cfg->num_wrong == num_wrong)
		say(cfg, ERROR, item->line, "<%s>: %s is missing", w->key, w->needs);
}

static void take_values_of(struct agent_config *cfg, const struct word *w, const struct conf_item *item)
{
	if ((w->values != PLAIN && !are_strings(cfg, item)) || (w->values != MANY && !only(cfg, item)))
		return;
	for (size_t i = 0; i < item->num; i++) {
		struct conf_value v = item->values[i];
		const char *why = w->take(cfg, &v);

		if (why)
			say(cfg, ERROR, v.line, "%s: '%s': %s", w->key, v.text, why);
	}
}

static void take_report(struct agent_config *cfg, const struct word *w, const struct conf_item *item)
{
	bool on = false;

	if (take_bool(cfg, item, &on) && on)
		for (size_t e = w->first; e < w->end; e++)
			agent_take_event(cfg, &cfg->groups[cfg->intel_pmu.first], AGENT_LISTED,
					 agent_pmu_events[e].event, item->line);
}

/* False: this block has no such option or block. */
static bool take_item(struct agent_config *cfg, enum block block, const struct conf_item *item)
{
	for EACH_WORD(w) {
		if (!(w->blocks & block) || strcasecmp(item->key, w->key) || item->block != (w->values == BLOCK))
			continue;
		if (w->values == BLOCK)
			take_output(cfg, w, item);
		else if (w->values == WHOLE)
			w->whole(cfg, item);
		else if (w->values == REPORT)
			take_report(cfg, w, item);
		else if (w->values == TRUTH)
			take_bool(cfg, item, (bool *)((char *)cfg + w->truth));
		else
			take_values_of(cfg, w, item);
		return true;
	}
	return false;
}

/* Are two options of the block written as one word, without a line end between them? Then print the correction. */
static bool is_glued(struct agent_config *cfg, const struct conf_item *item)
{
	for EACH_WORD(a)
		for EACH_WORD(b) {
			size_t len = strlen(a->key);

			if (!(a->blocks & b->blocks & INTEL_PMU) || strncasecmp(item->key, a->key, len) ||
			    strcasecmp(item->key + len, b->key))
				continue;
			say(cfg, ERROR, item->line, "'%s': %s and %s are run together; write %s", item->key, a->key,
			    b->key, b->key);
			return true;
		}
	return false;
}

/* Also true for a word that ends in HardwareEvents: two options run together (see is_glued()), and Cores follows. */
static bool begins_pair(const char *key)
{
	static const char name[] = "HardwareEvents";
	size_t len = strlen(key), ending = sizeof(name) - 1;

	return !strcasecmp(key, "HWSpecificEvents") || (len >= ending && !strcasecmp(key + len - ending, name));
}

static void take_intel_pmu(struct agent_config *cfg, const struct conf_item *block)
{
	const struct conf_item *first = block + 1, *item;

	cfg->intel_pmu = (struct agent_intel_pmu){ .first = cfg->num_groups };
	for (item = first; item < block->end; item = item->end)
		cfg->intel_pmu.pairs += begins_pair(item->key);
	if (!add_group(cfg))
		return;
	for (item = first; item < block->end; item = item->end) {
		if (begins_pair(item->key))
			add_group(cfg);
		if (!take_item(cfg, INTEL_PMU, item) && !is_glued(cfg, item))
			say(cfg, WARNING, item->line, "%s: unknown option, ignored", item->key);
	}
	for (struct agent_group *g = cfg->groups + cfg->intel_pmu.first; g < cfg->groups + cfg->num_groups; g++) {
		g->each_unit = cfg->intel_pmu.each_unit;
		g->global_cores = !g->cores && cfg->intel_pmu.cores;
		g->cores = g->cores ? g->cores : cfg->intel_pmu.cores;
	}
}

/* ---- the whole file ---- */

/* Three passes, so that the most specific interval wins: the global one, then LoadPlugin's, then the plugin's own. */
static void take_top(struct agent_config *cfg)
{
	const struct conf *c = &cfg->conf;

	take_block(cfg, GLOBAL, NULL, c->items, c->end);
	for (int plugins = 0; plugins < 2; plugins++)
		for (const struct conf_item *item = c->items; item < c->end; item = item->end) {
			const char *plugin = item->num ? item->values[0].text : "";
			const bool ours = !strcmp(plugin, "uncoremsr"), intel = !strcmp(plugin, "intel_pmu");

			if (plugins && !strcasecmp(item->key, "Include"))
				say(cfg, WARNING, item->line, "Include: not supported; put all options into one file");
			if (!item->block || !(ours || intel) || strcasecmp(item->key, plugins ? "Plugin" : "LoadPlugin"))
				continue;
			if (!plugins)
				take_block(cfg, LOADED, NULL, item + 1, item->end);
			else if (ours)
				take_block(cfg, OWN, plugin, item + 1, item->end);
			else
				take_intel_pmu(cfg, item);
		}
}

int agent_config_read(struct agent_config *cfg)
{
	size_t size;
	char *text;
	int status = tool_file_read(cfg->path, CONF_SIZE, &text, &size, NULL), err;

	if (status)
		return status;
	err = conf_parse(&cfg->conf, text, size);
	free(text);
	if (err == -ENOMEM)
		return tool_no_memory();
	if (err)
		return tool_say(TOOL_USAGE, "%s:%u: %s", OUT_QUOTED(cfg->path), cfg->conf.line, cfg->conf.why);
	take_top(cfg);
	if (cfg->num_wrong > MOST_ERRORS)
		tool_say(0, "%s: %u more error%s", OUT_QUOTED(cfg->path), cfg->num_wrong - MOST_ERRORS,
			 cfg->num_wrong == MOST_ERRORS + 1 ? "" : "s");
	return cfg->num_wrong ? TOOL_USAGE : 0;
}

void agent_config_free(struct agent_config *cfg)
{
	free(cfg->own.events);
	for (size_t i = 0; i < cfg->num_groups; i++)
		free(cfg->groups[i].events);
	free(cfg->groups);
	conf_free(&cfg->conf);
}
