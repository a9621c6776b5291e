/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-events: names and meanings of events and registers. Opens no register device. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "common/properties.h"
#include "events/events.h"

enum { OPT_UARCH = TOOL_LONG, OPT_REGISTER, OPT_EVENT_LIST };

static const struct tool_option options[] = {
	{ OPT_UARCH, "uarch", "NAME",
	  "the tables of this processor (westmere, sandybridge) or of\n"
	  "the core counters (core) instead of this machine's" },
	{ OPT_REGISTER, "register", "NAME",
	  "the register that holds the value, by name or\n"
	  "address; without it a selector" },
	{ TOOL_STORE(events, differences), "differences", NULL,
	  "where the sources of the tables differ" },
	{ TOOL_STORE(events, metrics), "metrics", NULL,
	  "what uncore-read -M can compute from events" },
	{ TOOL_STORE(events, route), "route", "ROUTE",
	  "for registers (msr) or for the kernel (perf). auto\n"
	  "(default): perf if --cpu or --event-list is given, but msr with\n"
	  "--event-list if this kernel cannot count the event; otherwise\n"
	  "msr for events of the tables" },
	{ OPT_EVENT_LIST, "event-list", "FILE|DIR",
	  "JSON event lists, or a folder with those of this processor;\n"
	  "for POWER a catalog (.dtb, .dts, a device tree, a folder of\n"
	  "catalogs); may be repeated; default: the copy that import\n"
	  "made" },
	{ TOOL_STORE(events, lists.cpu), "cpu", "CPU",
	  "look for the lists of this processor instead of this machine's,\n"
	  "as in GenuineIntel-6-55-4, or POWER's PVR: 0x004e1202" },
	{ TOOL_STORE(events, deprecated), "deprecated", NULL,
	  "also show names that event lists keep only for compatibility\n"
	  "(list and search; they can be counted in any case)" },
	{ TOOL_STORE(events, all), "all", NULL,
	  "every event of the event lists; report and leave out\n"
	  "those that the kernel (or registers) cannot count here" },
	{ TOOL_STORE(events, to), "to", "DIR",
	  "where the copy goes (/var/lib/uncoremsr/events)" },
	{ TOOL_STORE(events, width), "width", "BITS", "width of the counter in bits, 1 to 64" },
	{ TOOL_STORE(events, frequency), "frequency", "HZ", "ticks of the counter per second" },
	{ TOOL_STORE(events, preset), "preset", "VALUE", "start value of the counter" },
	{ TOOL_STORE(events, period), "period", "N",
	  "number of ticks until the counter overflows" },
	{ TOOL_STORE(events, interval), "interval", "SECONDS",
	  "time until the counter overflows" },
	{ 0, NULL, NULL, NULL },
};

static const struct command {
	struct tool_command words;
	/* The command needs a processor with known event names (@needs_names) or with known PMUs (@needs_pmus). */
	bool needs_names, needs_pmus;
	int (*run)(struct events *e);
} commands[] = {
	{ { "list", 0, 1, NULL, false, "differences metrics" }, true, true, events_list },
	{ { "search", 1, SIZE_MAX, "WORD is", false, NULL }, true, true, events_search },
	{ { "encode", 0, SIZE_MAX, NULL, false, "route all" }, false, true, events_encode },
	{ { "decode", 1, 1, "VALUE or EVENT is", false, "register" }, false, false, events_decode },
	{ { "explain", 1, 1, "NAME is", false, NULL }, false, false, events_explain },
	{ { "import", 1, 1, "DIR is", false, "to" }, false, false, events_import },
	{ { "period", 0, 0, NULL, false, "width frequency preset period interval" }, false, false, events_period },
	{ .run = NULL },
};

const struct tool this_tool = {
	.name = "uncore-events",
	.synopsis = "[OPTION]... list [PATTERN]\n"
		    "[OPTION]... search WORD...\n"
		    "[OPTION]... encode EVENT...\n"
		    "[OPTION]... encode --all\n"
		    "[OPTION]... decode VALUE|EVENT\n"
		    "[OPTION]... explain NAME|METRIC|REGISTER|ADDRESS|BIT\n"
		    "[OPTION]... period --width=BITS --frequency=HZ --preset=VALUE|--period=N|--interval=SECONDS\n"
		    "[OPTION]... import DIR",
	.about =
		"Names of events, and what codes, registers and bits mean. Needs no rights and\n"
		"no driver, and works on any computer.\n"
		"\n"
		"list     the events of this machine's uncore; a pattern has * or [0-3] in it\n"
		"search   events and metrics with all these words in name or description\n"
		"encode   the selector word, the rdmsr and wrmsr commands that count it by hand,\n"
		"         and what other tools call it\n"
		"decode   every field of a register value, of PMU/raw=WORD/ or of an event, and\n"
		"         the events that it selects\n"
		"explain  an event, metric, register, address, field, bit (bit17, EDGE), unit or\n"
		"         kind (occupancy), and what else the address means on other processors\n"
		"period   the start value with which a counter overflows after N events or\n"
		"         SECONDS, and the reverse\n"
		"import   copy the event lists of the vendor's repository (intel/perfmon), so\n"
		"         that later runs find them without an option; nothing is downloaded\n",
	.options = options,
	.commands = &commands[0].words,
	.command_size = sizeof(commands[0]),
	.statuses = "  0  done\n"
		    "  1  the output failed, or events of --all were left out\n"
		    "  2  usage: an event, register or processor of that name does not exist\n"
		    "  3  there are no tables for this machine (choose others with --uarch), or\n"
		    "     nothing is known about an address, or there is no event list for this\n"
		    "     processor\n"
		    "  4  import: no permission to write the copy\n",
	.examples = "  uncore-events list 'UNC_THERMAL_*' --uarch=westmere\n"
		    "  uncore-events search memory read\n"
		    "  uncore-events encode UNC_PROCHOT_ASSERTION:edge\n"
		    "  uncore-events decode 0x420183\n"
		    "  uncore-events explain 0x391\n"
		    "  uncore-events encode --route=perf cycles,uncore_imc/event=4,umask=3/\n",
};

static int parse_option(void *user, int id, const char *arg)
{
	struct events *e = user;

	if (id == OPT_EVENT_LIST)
		return event_lists_take(&e->lists, arg);
	if (id == OPT_UARCH)
		e->uarch = e->chosen = arg;
	else
		doubt_number("--register", e->reg = arg, true);
	return 0;
}

static int check(struct events *e, const struct command *c)
{
	bool words = e->common.num_words;

	if (words && (e->metrics || e->differences))
		return tool_usage("--%s: takes no pattern", e->metrics ? "metrics" : "differences");
	if (words && e->all)
		return tool_usage("--all: cannot be combined with events");
	if (!words && c->run == events_encode && !e->all)
		return tool_usage("encode: EVENT is missing");
	if (e->route && strcmp(e->route, "auto") == 0)
		e->route = NULL;
	if (e->route && strcmp(e->route, "msr") && strcmp(e->route, "perf"))
		return tool_usage("--route: '%s': must be auto, msr or perf", e->route);
	/* Without --route, encode for the kernel if event lists or --cpu are given but --uarch is not. */
	e->on_perf = c->run == events_encode && (e->route ? !strcmp(e->route, "perf")
						 : (e->lists.num || e->lists.cpu) && !e->chosen);
	return e->uarch && e->on_perf
		       ? tool_usage("--uarch: chooses register tables, which --route=perf does not "
				"use; --cpu chooses event lists") : TOOL_GO_ON;
}

static bool has_pmus(struct events *e, const char *uarch)
{
	return uarch && uncoremsr_pmu(e->um, uarch, 0);
}

/* Do event lists, catalogs or the kernel provide names? Ignore architectural core events, which exist everywhere. */
static bool has_other_names(struct events *e)
{
	const struct uncoremsr_event *ev;

	for (size_t i = 0; (ev = uncoremsr_event(e->um, e->chosen, i)); i++)
		if (!events_is_from(ev, "table") && !events_is_of_core(ev))
			return true;
	return false;
}

int events_no_tables_fail(struct events *e)
{
	const char *uarch = e->chosen ? e->chosen : machine_uarch(e->um);
	char names[1024] = "";

	/* Do not suggest names of another processor: its codes have other meanings here. */
	if (has_pmus(e, uarch))
		return tool_say(TOOL_UNSUPPORTED, "%s: its PMUs are known, but not the "
				"names of their events; load an event list with these names "
				"(--event-list=FILE), or count codes, which need no list",
				uarch);
	for (size_t i = 0; (uarch = events_uarch(e, i)); i++)
		list_add(names, sizeof(names), ", ", uarch);
	/* The search for names has overwritten the error message about tables: repeat the call that sets it. */
	uncoremsr_event_tables(e->um, NULL);
	return tool_say(TOOL_UNSUPPORTED, "%s; --uarch=NAME shows the events of another "
			"processor (%s)", uncoremsr_error(e->um)->message, names);
}

static int check_uarch(struct events *e, const struct command *c)
{
	bool tables = e->differences || e->metrics, lists = e->lists.num && !tables;

	if (uncoremsr_event_tables(e->um, e->uarch) == 0)
		return 0;
	if (has_pmus(e, e->uarch) && (lists || e->metrics || !c->needs_names || (!tables && has_other_names(e))))
		return 0;
	/* Codes work for more processors than names do: the error about an empty event lists these processors. */
	if (!c->needs_names || e->metrics)
		uncoremsr_encode(e->um, UNCOREMSR_ROUTE_MSR, e->uarch, "", NULL, NULL);
	return tool_fail(e->um);
}

static bool is_own_cpu(struct events *e)
{
	const struct uncoremsr_machine *m = uncoremsr_machine(e->um);
	char own[64];
	int len;

	if (m->pvr != UINT64_MAX)
		return strtoull(e->lists.cpu, NULL, 16) == m->pvr;
	if (!m->vendor)
		return false;
	len = snprintf(own, sizeof(own), "%s-%d-%X", m->vendor, m->family, (unsigned)m->model);
	return !strncasecmp(own, e->lists.cpu, (size_t)len) && strchr("-", e->lists.cpu[len]);
}

/* If the user named no processor, use this machine's tables. A machine without tables is not always an error. */
static int choose_uarch(struct events *e, const struct command *c)
{
	bool lists = e->lists.num || e->lists.cpu, lenient = e->on_perf || lists;
	bool tables = e->differences || e->metrics;
	const char *uarch, *cpu;
	int status, err;

	if (e->uarch) {
		/* Event lists can be read without an opened machine. */
		status = check_uarch(e, c);
		return status || !lists ? status : event_lists_load(&e->lists, e->um, e->common.verbose);
	}
	err = uncoremsr_open(e->um);
	/* A command that works without tables also works without a machine. */
	if (err == -ENOMEM || (err < 0 && !lenient && (c->needs_pmus || e->common.machine) && !has_other_names(e)))
		return tool_machine_fail(&e->common, e->um);
	status = event_lists_load(&e->lists, e->um, e->common.verbose);
	if (status)
		return status;
	uarch = machine_uarch(e->um);
	cpu = uncoremsr_event_list_uarch(e->um);
	/* Nothing is known about the processor of --cpu. Names and registers of this machine would be wrong for it. */
	if (e->lists.cpu && !cpu && !e->on_perf && !uncoremsr_event_list(e->um, 0) && !is_own_cpu(e))
		return tool_say(TOOL_UNSUPPORTED, "--cpu=%s: no registers and no event names are "
				"known for this processor; load a list of its events (--event-list=FILE)",
				e->lists.cpu);
	/* --cpu names a processor other than this machine's: use the tables of that processor. */
	if (has_pmus(e, cpu) && !e->on_perf && (!uarch || strcmp(cpu, uarch) != 0)) {
		e->uarch = cpu;
		e->chosen = uarch ? cpu : NULL;
		return check_uarch(e, c);
	}
	if (uncoremsr_event_tables(e->um, NULL) == 0 || ((!c->needs_names || e->metrics) && has_pmus(e, uarch))) {
		e->uarch = uarch;
		return 0;
	}
	if (!c->needs_pmus || e->on_perf || (!tables && has_other_names(e)))
		return 0;
	/* encode works without tables, too: perf's names exist on every machine. */
	return c->run == events_encode ? 0 : events_no_tables_fail(e);
}

static int run(struct events *e, const struct command *c)
{
	int status;

	if (c->run == events_import || c->run == events_period)
		return c->run(e);
	status = tool_machine(&e->common, &e->um);
	if (!status)
		status = choose_uarch(e, c);
	if (status)
		return status;
	if (records_for_people(&e->w))
		put_simulated(&e->out, machine_simulated_name(e->um));
	return c->run(e);
}

int main(int argc, char **argv)
{
	struct events e = { .um = NULL };
	int status = tool_parse(argc, argv, &e.common, parse_option, &e);
	const struct command *c = (const struct command *)e.common.command;

	if (status == TOOL_GO_ON)
		status = check(&e, c);
	if (status == TOOL_GO_ON) {
		tool_output(&e.common, &e.out, &e.w, &e);
		status = run(&e, c);
		records_free(&e.w);
		status = out_finish(&e.out, tool_complete(e.um, &e.out, status));
	}
	uncoremsr_free(e.um);
	return status;
}
