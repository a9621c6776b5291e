/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc: POWER's in-memory counters: register words, trace buffers, interrupts. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/wait.h"
#include "imc/imc.h"

static const struct tool_option options[] = {
	{ IMC_ENABLE, "enable", "0|1", "ldbar: 1 if counting is enabled" },
	{ IMC_MODE, "mode", "MODE", "ldbar: accumulate or trace" },
	{ IMC_SCOPE, "scope", "N", "ldbar: scope on the processor bus, 0 to 7" },
	{ IMC_ADDRESS, "address", "ADDR", "ldbar: address of the memory, a multiple of 8 KiB" },
	{ IMC_SAMPSEL, "sampsel", "N", "scom: which counter makes a record (0: CPMC1, 1: CPMC2)" },
	{ IMC_LOAD, "load", "N", "scom: start value of that counter" },
	{ IMC_INTERVAL, "interval", "SECONDS", "scom: instead of --load: time between records, at 32 MHz" },
	{ IMC_CPMC1SEL, "cpmc1sel", "N", "scom: event of CPMC1, 0 to 127" },
	{ IMC_CPMC2SEL, "cpmc2sel", "N", "scom: event of CPMC2, 0 to 127" },
	{ IMC_BUFFERSIZE, "buffersize", "N", "scom: 256 KiB times 2^N, N from 0 to 4" },
	{ IMC_SIZE, "size", "BYTES", "trace: read only the first BYTES of FILE" },
	{ IMC_CPU, "cpu", "PVR",
	  "processor version register. compare: chooses among catalogs of a folder; trace: chooses how kernel and\n"
	  "user are told apart (default 0x004e1200: POWER9)" },
	{ IMC_PERF_DATA, "perf-data", "OUT", "trace: write the records as samples into OUT, for perf report" },
	{ 0, NULL, NULL, NULL },
};

const struct tool this_tool = {
	.name = "uncore-imc",
	.synopsis = "[OPTION]... ldbar VALUE\n"
		    "[OPTION]... scom VALUE\n"
		    "ldbar|scom FIELD...\n"
		    "[OPTION]... trace FILE\n"
		    "[OPTION]... compare A B\n"
		    "[OPTION]... pmi [-- COMMAND [ARG...]]",
	.about =
		"POWER's in-memory collection counters (IMC), on any computer. Reads no register.\n"
		"\n"
		"ldbar    the register that says where a hardware thread's counters are written\n"
		"scom     TRACE_IMC_SCOM, which says what trace mode records and how often\n"
		"trace    the records of an image of a trace buffer, of either byte order\n"
		"compare  the events of two catalogs, device trees, or of the kernel (\"kernel\":\n"
		"         the sysfs of --machine)\n"
		"pmi      performance monitor interrupts of each CPU, before and after COMMAND\n"
		"         (or one second)\n"
		"\n"
		"VALUE is decoded. FIELD... are the options of ldbar or scom, from which a value\n"
		"is encoded: all of them are needed.\n"
		"Names of events are in catalogs: uncore-events --event-list=FILE.dtb.\n",
	.options = options,
	.statuses = "  0  done (pmi: the exit status of COMMAND; 126, 127 when it cannot be started)\n"
		    "  1  something is missing in the result; compare: there are differences;\n"
		    "     trace: all records are damaged\n"
		    "  2  usage: no such field, a value that does not fit, a file that cannot be read\n"
		    "  3  this machine does not count these interrupts\n"
		    "  4  no permission to read the file\n",
	.examples = "  uncore-imc ldbar 0x8000000033230000\n"
		    "  uncore-imc scom 0x7fffffc142020000\n"
		    "  uncore-imc pmi -- make\n",
};

static const struct command {
	const char *name;
	size_t min_words, max_words;
	bool rest;
	enum imc_option first, last;   /* range of the options that this sub-command takes */
	int (*run)(struct imc *i);
} commands[] = {
	{ "ldbar", 0, 1, false, IMC_ENABLE, IMC_ADDRESS, imc_ldbar },
	{ "scom", 0, 1, false, IMC_SAMPSEL, IMC_INTERVAL, imc_scom },
	{ "trace", 1, 1, false, IMC_SIZE, IMC_PERF_DATA, imc_trace },
	{ "compare", 2, 2, false, IMC_CPU, IMC_CPU, imc_compare },
	{ "pmi", 0, 0, true, IMC_LAST, IMC_LAST, imc_pmi },
};

static int parse_option(void *user, int id, const char *arg)
{
	struct imc *i = user;

	if (id >= TOOL_LONG) {
		i->option[id - TOOL_LONG] = arg;
		return 0;
	}
	if (!i->command)
		i->command = arg;
	else if (i->num_words < IMC_WORDS)
		i->words[i->num_words++] = arg;
	return 0;
}

static const char *name_of(int id)
{
	for (size_t k = 0; options[k].id; k++)
		if (options[k].id == id)
			return options[k].name;
	return NULL;
}

static int check(const struct imc *i, const struct command *c)
{
	for (int id = IMC_ENABLE; id < IMC_LAST; id++)
		if (i->option[id - TOOL_LONG] && (id < (int)c->first || id > (int)c->last))
			return tool_usage("--%s: cannot be used with %s", name_of(id), c->name);
	if (i->num_words < c->min_words)
		return tool_usage("%s: %s missing", c->name,
				  c->min_words > 1 ? "A and B, two sources of events, are" : "FILE is");
	if (i->num_words > c->max_words)
		return tool_usage("%s: '%s': one argument too many", c->name, i->words[c->max_words]);
	if (i->common.has_rest && !c->rest)
		return tool_usage("%s: takes no command after \"--\"", c->name);
	if (i->common.has_rest && !i->common.rest[0])
		return tool_usage("%s: the command after \"--\" is missing", c->name);
	return TOOL_GO_ON;
}

static int parse(struct imc *i, int argc, char **argv, const struct command **found)
{
	int status = tool_parse(argc, argv, &i->common, parse_option, i);

	if (status != TOOL_GO_ON)
		return status;
	if (!i->command)
		return tool_usage("a sub-command is required: ldbar, scom, trace, compare or pmi");
	for (size_t k = 0; k < ARRAY_SIZE(commands); k++)
		if (strcmp(commands[k].name, i->command) == 0) {
			*found = &commands[k];
			return check(i, *found);
		}
	return tool_usage("'%s': unknown sub-command; must be ldbar, scom, trace, compare or pmi", i->command);
}

int main(int argc, char **argv)
{
	const struct command *c = NULL;
	struct imc i = { .command = NULL };
	int status = parse(&i, argc, argv, &c);

	if (status != TOOL_GO_ON)
		return status;
	/* Do not ignore SIGPIPE in sub-commands that start COMMAND, because COMMAND would inherit that. */
	if (!c->rest)
		signal(SIGPIPE, SIG_IGN);
	out_init(&i.out, STDOUT_FILENO);
	records_init(&i.w, &i.common, &i.out, &i);
	status = c->run(&i);
	records_free(&i.w);
	status = out_finish(&i.out, status);
	if (i.die_of)
		wait_die(i.die_of);
	return status;
}
