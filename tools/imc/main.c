/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-imc: POWER's in-memory counters: register words, trace buffers, interrupts. */
#include <signal.h>
#include <unistd.h>

#include "imc/imc.h"

#define TO(which) TOOL_STORE(imc, option[which])
static const struct tool_option options[] = {
	{ TO(IMC_ENABLE), "enable", "0|1", "1 if counting is enabled" },
	{ TO(IMC_MODE), "mode", "MODE", "accumulate or trace" },
	{ TO(IMC_SCOPE), "scope", "N", "scope on the processor bus, 0 to 7" },
	{ TO(IMC_ADDRESS), "address", "ADDR", "address of the memory, a multiple of 8 KiB" },
	{ TO(IMC_SAMPSEL), "sampsel", "N", "which counter makes a record (0: CPMC1, 1: CPMC2)" },
	{ TO(IMC_LOAD), "load", "N", "start value of that counter" },
	{ TO(IMC_INTERVAL), "interval", "SECONDS", "instead of --load: time between records, at 32 MHz" },
	{ TO(IMC_CPMC1SEL), "cpmc1sel", "N", "event of CPMC1, 0 to 127" },
	{ TO(IMC_CPMC2SEL), "cpmc2sel", "N", "event of CPMC2, 0 to 127" },
	{ TO(IMC_BUFFERSIZE), "buffersize", "N", "256 KiB times 2^N, N from 0 to 4" },
	{ TO(IMC_SIZE), "size", "BYTES", "read only the first BYTES of FILE" },
	{ TO(IMC_CPU), "cpu", "PVR",
	  "processor version register, which chooses the rule for user mode (trace) or the catalog\n"
	  "in a folder (compare); default: 0x004e1200 (POWER9)" },
	{ TO(IMC_PERF_DATA), "perf-data", "OUT", "write the records as samples into OUT, for perf report" },
	{ 0, NULL, NULL, NULL },
};

static const struct command {
	struct tool_command words;
	int (*run)(struct imc *i);
} commands[] = {
	{ { "ldbar", 0, 1, NULL, false, "enable mode scope address" }, imc_ldbar },
	{ { "scom", 0, 1, NULL, false, "sampsel load interval cpmc1sel cpmc2sel buffersize" }, imc_scom },
	{ { "trace", 1, 1, "FILE is", false, "size perf-data cpu" }, imc_trace },
	{ { "compare", 2, 2, "A and B, two sources of events, are", false, "cpu" }, imc_compare },
	{ { "pmi", 0, 0, NULL, true, NULL }, imc_pmi },
	{ .run = NULL },
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
	.commands = &commands[0].words,
	.command_size = sizeof(commands[0]),
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

int main(int argc, char **argv)
{
	struct imc i = { .option = { NULL } };
	int status = tool_parse(argc, argv, &i.common, NULL, &i);
	const struct command *c = (const struct command *)i.common.command;

	if (status != TOOL_GO_ON)
		return status;
	/* Ignore SIGPIPE, except in sub-commands that start COMMAND: COMMAND would inherit this. */
	if (!c->words.rest)
		signal(SIGPIPE, SIG_IGN);
	out_init(&i.out, STDOUT_FILENO);
	records_init(&i.w, &i.common, &i.out, &i);
	status = c->run(&i);
	records_free(&i.w);
	status = out_finish(&i.out, status);
	if (i.wait.die_of)
		wait_die(i.wait.die_of);
	return status;
}
