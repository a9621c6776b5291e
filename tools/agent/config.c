/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The meaning of the configuration file. In blocks intel_pmu and uncoremsr every word is checked; blocks of other collectd
 * plugins are ignored. All errors of a file are printed, each with its line.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/agent.h"
#include "agent/address.h"
#include "agent/child.h"
#include "common/array.h"
#include "common/file.h"
#include "common/series.h"
#include "common/wait.h"

enum { MOST_ERRORS = 20, LONGEST_INTERVAL_S = 86400 };

/* ---- messages ---- */

static void say(const struct agent_config *cfg, unsigned line, const char *fmt, va_list ap)
{
	char text[512];

	vsnprintf(text, sizeof(text), fmt, ap);
	tool_say(&agent_tool, 0, "%s:%u: %s", OUT_QUOTED(cfg->path), line, text);
}

void agent_wrong(struct agent_config *cfg, unsigned line, const char *fmt, ...)
{
	va_list ap;

	if (cfg->num_wrong++ >= MOST_ERRORS)
		return;
	va_start(ap, fmt);
	say(cfg, line, fmt, ap);
	va_end(ap);
}

void agent_warn(const struct agent_config *cfg, unsigned line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(cfg, line, fmt, ap);
	va_end(ap);
}

void agent_no_memory(struct agent_config *cfg)
{
	cfg->num_wrong++;
	tool_no_memory(&agent_tool);
}

/* ---- values ---- */

static const struct conf_value *value(const struct agent_config *cfg, const struct conf_item *item,
				      size_t i)
{
	return &cfg->conf.values[item->first + i];
}

bool agent_are_strings(struct agent_config *cfg, const struct conf_item *item)
{
	if (!item->num)
		agent_wrong(cfg, item->line, "%s: its value is missing", item->key);
	for (size_t i = 0; i < item->num; i++)
		if (value(cfg, item, i)->type != CONF_STRING) {
			agent_wrong(cfg, value(cfg, item, i)->line, "%s: '%s': put it between quotes",
				    item->key, value(cfg, item, i)->text);
			return false;
		}
	return item->num > 0;
}

/* The value of an option that takes one. If there are more, the message suggests that they belong to a new line. */
static const struct conf_value *only(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *second;

	if (!item->num) {
		agent_wrong(cfg, item->line, "%s: its value is missing", item->key);
		return NULL;
	}
	if (item->num == 1)
		return value(cfg, item, 0);
	second = value(cfg, item, 1);
	if (second->quoted || second->type != CONF_STRING)
		agent_wrong(cfg, second->line, "%s: '%s': takes one value", item->key, second->text);
	else
		agent_wrong(cfg, second->line, "%s: unexpected '%s' after its value; write each option on a line "
				"of its own", item->key, second->text);
	return NULL;
}

bool agent_take_bool(struct agent_config *cfg, const struct conf_item *item, bool *truth)
{
	const struct conf_value *v = only(cfg, item);

	if (!v)
		return false;
	if (v->type == CONF_BOOL) {
		*truth = v->truth;
	} else if (v->quoted && (!strcasecmp(v->text, "true") || !strcasecmp(v->text, "false"))) {
		*truth = !strcasecmp(v->text, "true");
		agent_warn(cfg, v->line, "%s: '%s': write it without quotes", item->key, v->text);
	} else {
		agent_wrong(cfg, v->line, "%s: '%s': must be true or false", item->key, v->text);
		return false;
	}
	return true;
}

bool agent_take_interval(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = only(cfg, item);

	if (!v)
		return false;
	if (v->quoted) {
		agent_wrong(cfg, v->line, "Interval: '%s': write seconds without quotes", v->text);
		return false;
	}
	if (v->type != CONF_NUMBER || v->number < 0.01 || v->number > LONGEST_INTERVAL_S) {
		agent_wrong(cfg, v->line, "Interval: '%s': must be seconds, 0.01 to %d", v->text,
			    LONGEST_INTERVAL_S);
		return false;
	}
	cfg->interval_ns = (uint64_t)(v->number * 1e9 + 0.5);
	return true;
}

bool agent_take_list(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;

	if (!v)
		return false;
	if (!*v->text || cfg->num_lists == AGENT_MOST_LISTS) {
		agent_wrong(cfg, v->line, *v->text ? "EventList: '%s': too many, at most %d are allowed"
						   : "EventList: '%s': must be a file or directory",
			    v->text, AGENT_MOST_LISTS);
		return false;
	}
	cfg->lists[cfg->num_lists++] = (struct agent_list){ v->text, v->line };
	return true;
}

bool agent_take_event(struct agent_config *cfg, struct agent_group *g, enum agent_kind kind,
		      const char *text, unsigned line)
{
	if (!ARRAY_APPEND(g->events, g->num_events, (struct agent_event){ kind, text, line }))
		return true;
	agent_no_memory(cfg);
	return false;
}

bool agent_take_cores(struct agent_config *cfg, struct agent_group *g, const struct conf_item *item)
{
	if (g->cores_line) {
		agent_wrong(cfg, item->line, "Cores: given twice for the same events, first in line %u",
			    g->cores_line);
		return false;
	}
	if (!agent_are_strings(cfg, item))
		return false;
	g->cores_line = item->line;
	if (item->num == 1 && !*value(cfg, item, 0)->text)
		return true; /* the same as no option */
	g->cores = reallocarray(NULL, item->num, sizeof(*g->cores));
	if (!g->cores) {
		agent_no_memory(cfg);
		return false;
	}
	for (size_t i = 0; i < item->num; i++) {
		if (!*value(cfg, item, i)->text) {
			agent_wrong(cfg, value(cfg, item, i)->line, "Cores: '': must name at least one core");
			return false;
		}
		g->cores[g->num_cores++] = value(cfg, item, i)->text;
	}
	return true;
}

bool agent_take_listen(struct agent_config *cfg, const char *where, const char *text)
{
	char why[ADDRESS_WHY];

	if (!address_check(text, why)) {
		tool_say(&agent_tool, 0, "%s: '%s': %s", where, text, why);
		return false;
	}
	if (cfg->num_listens == AGENT_MOST_LISTENS) {
		tool_say(&agent_tool, 0, "%s: '%s': more than %d addresses", where, text,
			 AGENT_MOST_LISTENS);
		return false;
	}
	cfg->listens[cfg->num_listens++] = text;
	return true;
}

bool agent_take_collectd(struct agent_config *cfg, const char *where, const char *text)
{
	char why[ADDRESS_WHY];

	if (strcmp(text, "exec") != 0 && strncmp(text, "unix:", 5) != 0) {
		tool_say(&agent_tool, 0, "%s: '%s': must be exec or unix:PATH", where, text);
		return false;
	}
	if (strcmp(text, "exec") != 0 && !address_check(text, why)) {
		tool_say(&agent_tool, 0, "%s: '%s': %s", where, text, why);
		return false;
	}
	cfg->collectd = text;
	return true;
}

bool agent_take_agentx(struct agent_config *cfg, const char *where, const char *text)
{
	const bool tcp = strncmp(text, "tcp:", 4) == 0;
	char why[ADDRESS_WHY] = "must be tcp:HOST:PORT or unix:PATH", missing[AGENT_PROGRAM_WHY];
	int program;

	if (strlen(text) >= sizeof(((struct agent_snmp *)NULL)->address) || (!tcp && strncmp(text, "unix:", 5) != 0) || (tcp && !strchr(text + 4, ':')) ||
	    !address_check(tcp ? text + 4 : text, why)) {
		tool_say(&agent_tool, 0, "%s: '%s': %s", where, text, why);
		return false;
	}
	program = agent_child_program(AGENT_SNMP, missing);
	if (program < 0) {
		tool_say(&agent_tool, 0, "%s: '%s': no SNMP here (the build had no net-snmp, Debian: libsnmp-dev, "
				"or it is not installed): %s",
			 where, text, missing);
		return false;
	}
	close(program);
	cfg->agentx = text;
	return true;
}

/* ---- <Plugin uncoremsr> ---- */

static void take_events(struct agent_config *cfg, const struct conf_item *item, enum agent_kind kind)
{
	if (!agent_are_strings(cfg, item))
		return;
	for (size_t i = 0; i < item->num; i++)
		agent_take_event(cfg, &cfg->own, kind, value(cfg, item, i)->text,
				 value(cfg, item, i)->line);
}

static void take_prometheus(struct agent_config *cfg, size_t first, size_t end)
{
	size_t before = cfg->num_listens;
	char where[64];

	for (size_t i = first; i < end; i = cfg->conf.items[i].end) {
		const struct conf_item *item = &cfg->conf.items[i];

		if (strcasecmp(item->key, "Listen") != 0) {
			agent_warn(cfg, item->line, "%s: unknown option in <Prometheus>, ignored", item->key);
			continue;
		}
		if (!agent_are_strings(cfg, item))
			continue;
		for (size_t k = 0; k < item->num; k++) {
			snprintf(where, sizeof(where), "%.40s:%u: Listen", cfg->path,
				 value(cfg, item, k)->line);
			cfg->num_wrong += !agent_take_listen(cfg, where, value(cfg, item, k)->text);
		}
	}
	if (cfg->num_listens == before && !cfg->num_wrong)
		agent_wrong(cfg, cfg->conf.items[first - 1].line, "<Prometheus>: Listen is missing");
}

static void take_socket(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;
	char where[64], *text;

	if (!v)
		return;
	/* The prefix needs a new string: the words of the file have no room in front of them. */
	if (asprintf(&text, "unix:%s", v->text) < 0) {
		agent_no_memory(cfg);
		return;
	}
	free(cfg->collectd_text);
	cfg->collectd_text = text;
	snprintf(where, sizeof(where), "%.40s:%u: Socket", cfg->path, v->line);
	cfg->num_wrong += !agent_take_collectd(cfg, where, text);
}

static void take_values(struct agent_config *cfg, const struct conf_item *item)
{
	static const struct {
		const char *word;
		enum series_values values;
	} known[] = {
		{ "counter", SERIES_COUNTER },
		{ "pmu_counter", SERIES_FOUR },
		{ "counters", SERIES_COUNTER | SERIES_SINGLES },
	};

	for (size_t k = 0; agent_are_strings(cfg, item) && k < item->num; k++) {
		const struct conf_value *v = value(cfg, item, k);
		unsigned values = 0;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			values |= strcmp(v->text, known[i].word) ? 0 : known[i].values;
		if (!values)
			agent_wrong(cfg, v->line, "Values: '%s': must be counter, counters or pmu_counter",
				    v->text);
		cfg->collectd_values |= values;
	}
}

static void take_timeout(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = only(cfg, item);

	if (v && (v->type != CONF_NUMBER || v->number < 1 || v->number > 1000000))
		agent_wrong(cfg, v->line, "Timeout: '%s': must be a number of intervals, 1 or more", v->text);
	else if (v)
		cfg->collectd_timeout = v->number;
}

/* The host name becomes part of an identifier on collectd's lines, so other characters are refused. */
static void take_hostname(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;
	const char *p = v ? v->text : "";

	while (isalnum((unsigned char)*p) || (*p && strchr(".-_:", *p)))
		p++;
	if (v && (p == v->text || *p || p - v->text > HOST_NAME_MAX))
		agent_wrong(cfg, v->line, "Hostname: '%s': must be letters, digits and . - _ :", v->text);
	else if (v)
		cfg->hostname = v->text;
}

static void take_min_running(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = only(cfg, item);

	if (v && (v->type != CONF_NUMBER || v->number < 0 || v->number > 100))
		agent_wrong(cfg, v->line, "MinRunning: '%s': must be a percentage, 0 to 100", v->text);
	else if (v)
		cfg->min_running = (unsigned)v->number;
}

static void take_exec(struct agent_config *cfg, const struct conf_item *item)
{
	bool exec = false;

	if (!agent_take_bool(cfg, item, &exec) || !exec)
		return;
	if (cfg->collectd)
		agent_wrong(cfg, item->line, "Exec and Socket: choose one");
	cfg->collectd = "exec";
}

static void take_collectd(struct agent_config *cfg, size_t first, size_t end)
{
	const unsigned wrong = cfg->num_wrong;

	for (size_t i = first; i < end; i = cfg->conf.items[i].end) {
		const struct conf_item *item = &cfg->conf.items[i];

		if (!strcasecmp(item->key, "Socket") && cfg->collectd)
			agent_wrong(cfg, item->line, "Socket: given twice, or together with Exec");
		else if (!strcasecmp(item->key, "Socket"))
			take_socket(cfg, item);
		else if (!strcasecmp(item->key, "Exec"))
			take_exec(cfg, item);
		else if (!strcasecmp(item->key, "Values"))
			take_values(cfg, item);
		else if (!strcasecmp(item->key, "Timeout"))
			take_timeout(cfg, item);
		else if (!strcasecmp(item->key, "Hostname"))
			take_hostname(cfg, item);
		else
			agent_warn(cfg, item->line, "%s: unknown option in <Collectd>, ignored", item->key);
	}
	if (!cfg->collectd && cfg->num_wrong == wrong)
		agent_wrong(cfg, cfg->conf.items[first - 1].line,
			    "<Collectd>: Socket or Exec true is missing");
}

static void take_state(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;

	if (v && !*v->text)
		agent_wrong(cfg, v->line, "State: '': must be a folder");
	else if (v)
		cfg->state = v->text;
}

static void take_agentx(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;
	char where[64];

	if (!v)
		return;
	snprintf(where, sizeof(where), "%.40s:%u: AgentX", cfg->path, v->line);
	cfg->num_wrong += !agent_take_agentx(cfg, where, v->text);
}

static void take_base(struct agent_config *cfg, const struct conf_item *item)
{
	const struct conf_value *v = agent_are_strings(cfg, item) ? only(cfg, item) : NULL;
	unsigned long parts[SNMP_MOST_PARTS];

	if (v && !agent_snmp_parse(v->text, parts))
		agent_wrong(cfg, v->line, "BaseOID: '%s': must be numbers separated by dots", v->text);
	else if (v)
		cfg->snmp_base = v->text;
}

static void take_snmp(struct agent_config *cfg, size_t first, size_t end)
{
	const unsigned wrong = cfg->num_wrong;

	for (size_t i = first; i < end; i = cfg->conf.items[i].end) {
		const struct conf_item *item = &cfg->conf.items[i];

		if (!strcasecmp(item->key, "AgentX"))
			take_agentx(cfg, item);
		else if (!strcasecmp(item->key, "BaseOID"))
			take_base(cfg, item);
		else if (!strcasecmp(item->key, "IntelPmuMib"))
			agent_take_bool(cfg, item, &cfg->intel_pmu_mib);
		else
			agent_warn(cfg, item->line, "%s: unknown option in <SNMP>, ignored", item->key);
	}
	if (!cfg->agentx && cfg->num_wrong == wrong)
		agent_wrong(cfg, cfg->conf.items[first - 1].line, "<SNMP>: AgentX is missing");
}

static bool is_for_later(const char *key)
{
	return !strcasecmp(key, "History");
}

static void take_own(struct agent_config *cfg, size_t first, size_t end)
{
	for (size_t i = first; i < end; i = cfg->conf.items[i].end) {
		const struct conf_item *item = &cfg->conf.items[i];

		if (item->block && !strcasecmp(item->key, "Prometheus"))
			take_prometheus(cfg, i + 1, item->end);
		else if (item->block && !strcasecmp(item->key, "Collectd"))
			take_collectd(cfg, i + 1, item->end);
		else if (item->block && !strcasecmp(item->key, "SNMP"))
			take_snmp(cfg, i + 1, item->end);
		else if (is_for_later(item->key))
			agent_wrong(cfg, item->line, item->block ? "<%s>: not supported by this build"
								 : "%s: not supported by this build",
				    item->key);
		else if (item->block)
			agent_warn(cfg, item->line, "<%s>: unknown block, ignored", item->key);
		else if (!strcasecmp(item->key, "Event"))
			take_events(cfg, item, AGENT_EVENT);
		else if (!strcasecmp(item->key, "Metric"))
			take_events(cfg, item, AGENT_METRIC);
		else if (!strcasecmp(item->key, "Throttle"))
			agent_take_bool(cfg, item, &cfg->throttle);
		else if (!strcasecmp(item->key, "Cores"))
			agent_take_cores(cfg, &cfg->own, item);
		else if (!strcasecmp(item->key, "Interval"))
			agent_take_interval(cfg, item);
		else if (!strcasecmp(item->key, "EventList"))
			agent_take_list(cfg, item);
		else if (!strcasecmp(item->key, "MinRunning"))
			take_min_running(cfg, item);
		else if (!strcasecmp(item->key, "State"))
			take_state(cfg, item);
		else
			agent_warn(cfg, item->line, "%s: unknown option, ignored", item->key);
	}
}

/* ---- all of the file ---- */

/* The plugin that a block or option is for: "intel_pmu" for <Plugin intel_pmu> or LoadPlugin intel_pmu; else "". */
static const char *plugin_of(const struct agent_config *cfg, const struct conf_item *item)
{
	return item->num ? value(cfg, item, 0)->text : "";
}

static void take_loaded(struct agent_config *cfg, size_t first, size_t end)
{
	for (size_t i = first; i < end; i = cfg->conf.items[i].end)
		if (!strcasecmp(cfg->conf.items[i].key, "Interval"))
			agent_take_interval(cfg, &cfg->conf.items[i]);
}

/* Global options of collectd, if the file is collectd's configuration. */
static void take_global(struct agent_config *cfg, const struct conf_item *item)
{
	if (!strcasecmp(item->key, "Interval") && agent_take_interval(cfg, item))
		cfg->collectd_interval_ns = cfg->interval_ns;
	else if (!strcasecmp(item->key, "Timeout"))
		take_timeout(cfg, item);
	else if (!strcasecmp(item->key, "Hostname"))
		take_hostname(cfg, item);
}

/* Three passes, so that the most specific interval wins: the global one, then LoadPlugin's, then the plugin's own. */
static void take_top(struct agent_config *cfg)
{
	const struct conf *c = &cfg->conf;

	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < c->num_items; i = c->items[i].end) {
			const struct conf_item *item = &c->items[i];
			const char *plugin = plugin_of(cfg, item);
			bool ours = !strcmp(plugin, "uncoremsr"), intel = !strcmp(plugin, "intel_pmu");

			if (pass == 0 && !item->block)
				take_global(cfg, item);
			else if (pass == 1 && item->block && !strcasecmp(item->key, "LoadPlugin") &&
				 (ours || intel))
				take_loaded(cfg, i + 1, item->end);
			else if (pass == 2 && item->block && !strcasecmp(item->key, "Plugin") && ours)
				take_own(cfg, i + 1, item->end);
			else if (pass == 2 && item->block && !strcasecmp(item->key, "Plugin") && intel)
				agent_intel_pmu(cfg, i + 1, item->end);
			else if (pass == 2 && !strcasecmp(item->key, "Include"))
				agent_warn(cfg, item->line, "Include: not supported; put all options into one file");
		}
}

int agent_config_read(struct agent_config *cfg)
{
	size_t size;
	int status = tool_file_read(&agent_tool, cfg->path, CONF_SIZE, &cfg->text, &size, NULL), err;

	if (status)
		return status;
	err = conf_parse(&cfg->conf, cfg->text, size);
	if (err == -ENOMEM)
		return tool_no_memory(&agent_tool);
	if (err)
		return tool_say(&agent_tool, TOOL_USAGE, "%s:%u: %s", OUT_QUOTED(cfg->path), cfg->conf.line,
				cfg->conf.why);
	take_top(cfg);
	if (cfg->num_wrong > MOST_ERRORS)
		tool_say(&agent_tool, 0, "%s: %u more error%s", OUT_QUOTED(cfg->path), cfg->num_wrong - MOST_ERRORS,
			 cfg->num_wrong == MOST_ERRORS + 1 ? "" : "s");
	return cfg->num_wrong ? TOOL_USAGE : 0;
}

void agent_group_free(struct agent_group *g)
{
	free(g->events);
	free(g->cores);
	*g = (struct agent_group){ .num_events = 0 };
}

void agent_config_free(struct agent_config *cfg)
{
	agent_group_free(&cfg->own);
	for (size_t i = 0; i < cfg->num_groups; i++)
		agent_group_free(&cfg->groups[i]);
	free(cfg->groups);
	conf_free(&cfg->conf);
	free(cfg->text);
	free(cfg->collectd_text);
}
