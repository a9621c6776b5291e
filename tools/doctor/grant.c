/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uncore-doctor --grant: print a script for the administrator, whose text is in grant.text. Nothing is executed. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"

/* Core registers of this processor, which members of the group may write only with --core. */
struct of_cores {
	/* A bit for each counter of any kind of core, fixed ones from bit UNCOREMSR_FIXED_COUNTERS; 0: no core PMU. */
	uint64_t counters;
	bool full_width; /* some kind of core has, or may have, full-width addresses of counters */
	bool logs;       /* the processor has log bits of throttling */
};

static struct of_cores of_cores(struct doctor *d)
{
	struct of_cores here = { .counters = 0 };
	const struct uncoremsr_core_kind *kind;
	const struct uncoremsr_register *reg;
	const struct uncoremsr_cores *cores;

	for (size_t i = 0; (reg = uncoremsr_register(d->um, "thermal", i)); i++)
		here.logs |= reg->write_mask != 0;
	cores = uncoremsr_cores(d->um, NULL);
	if (!cores)
		return here;
	for (size_t i = 0; (kind = cores->kinds[i]); i++) {
		if (kind->counters_from >= 0)
			here.counters |= kind->general_mask | kind->fixed_mask << UNCOREMSR_FIXED_COUNTERS;
		here.full_width |= kind->full_width != 0; /* true for -1 (unknown), too */
	}
	return here;
}

/* Write the path of a tool beside this program, quoted for the shell. Returns whether there is such a tool. */
static bool write_tool(struct out *o, const char *name, size_t len)
{
	char path[PATH_MAX + 32];
	ssize_t own = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	path[own > 0 ? own : 0] = '\0';
	slash = strrchr(path, '/');
	slash = slash ? slash : path;
	snprintf(slash, sizeof(path) - (size_t)(slash - path), "/%.*s", (int)len, name);
	if (access(path, X_OK) < 0)
		return false;
	out_shell_str(o, path);
	return true;
}

/* Find the first core PMU register at or after *index that this processor has. *index becomes its index. */
static const struct uncoremsr_register *core_register(struct doctor *d, size_t *index, const struct of_cores *here)
{
	const struct uncoremsr_register *reg;

	for (; here->counters && (reg = uncoremsr_register(d->um, "core", *index)); ++*index)
		if (reg->counter < 0 ||
		    (here->counters >> reg->counter & 1 && (here->full_width || !reg->full_width)))
			return reg;
	return NULL;
}

/* The bits of a core register that belong to counters of this processor. */
static uint64_t bits_here(const struct uncoremsr_register *reg, uint64_t counters)
{
	unsigned each = (unsigned)reg->counter_bits;
	uint64_t bits = 0;

	if (!each)
		return ~UINT64_C(0);
	if (each == 1)
		return counters;
	for (unsigned n = 0; n * each < 64; n++)
		if (counters >> UNCOREMSR_FIXED_COUNTERS >> n & 1)
			bits |= ((UINT64_C(1) << each) - 1) << n * each;
	return bits;
}

/* In the order of addresses. If an uncore and a core register have the same address, write the uncore register. */
static void write_registers(struct doctor *d, struct out *o, const struct of_cores *here)
{
	size_t at[] = { 0, 0, 0 };

	for (;;) {
		const struct uncoremsr_register *regs[] = {
			uncoremsr_register(d->um, NULL, at[0]), core_register(d, &at[1], here),
			uncoremsr_register(d->um, "thermal", at[2]),
		};
		const struct uncoremsr_register *next = NULL;
		uint64_t mask, allowed;

		for (size_t i = 0; i < 3; i++)
			if (regs[i] && (!next || regs[i]->address < next->address))
				next = regs[i];
		if (!next)
			return;
		mask = allowed = next->write_mask;
		if (next != regs[0])
			allowed &= d->core ? ~next->interrupts : 0;
		if (next == regs[1])
			allowed &= bits_here(next, here->counters);
		/* Core registers and write-only registers are of no use to members who may not write them. */
		if ((d->core || next != regs[1] || !mask) && (allowed || strcmp(next->access, "write only") != 0))
			out_fmt(o, "0x%08X 0x%016llX # %s\n", next->address, (unsigned long long)allowed, next->name);
		for (size_t i = 0; i < 3; i++)
			at[i] += regs[i] && regs[i]->address == next->address;
	}
}

/* End of the sentence "Registers that show throttling are read-only...". */
static const char *left_out(const struct of_cores *here, bool core)
{
	if (here->counters || here->logs)
		return core ? NULL : here->counters ? "; core counters are left out (--core)." : " (--core).";
	return core ? ". On this processor --core adds nothing." : ".";
}

/* What the tools can do with core and thermal registers; NULL: nothing. */
static const char *also(const struct of_cores *here)
{
	if (here->counters && here->logs)
		return "count in cores and clear the logs of throttling";
	return here->counters ? "count in cores" : here->logs ? "clear the logs of throttling" : NULL;
}

/* A placeholder @NAME@ of grant.text and its value. If the value is NULL, lines with the placeholder are left out. */
struct word {
	const char *name, *value;
};

static const char *value_of(const struct word *words, const char *name, size_t len)
{
	while (words->name && (strlen(words->name) != len || strncmp(words->name, name, len) != 0))
		words++;
	return words->value;
}

/* @name is a placeholder or a tool, whose path is written. False: no value, or no such tool. */
static bool write_word(struct out *o, const struct word *words, const char *name, size_t len)
{
	const char *value;

	if (strncmp(name, "uncore-", 7) == 0)
		return write_tool(o, name, len);
	value = value_of(words, name, len);
	if (value)
		out_str(o, value);
	return value;
}

static void write_line(struct out *o, const struct word *words, const char *line, const char *end)
{
	const size_t start = o->len;
	const char *at, *behind;

	for (; (at = memchr(line, '@', (size_t)(end - line))); line = behind + 1) {
		behind = strchr(at + 1, '@');
		out_mem(o, line, (size_t)(at - line));
		if (!write_word(o, words, at + 1, (size_t)(behind - at) - 1)) {
			o->len = start;
			return;
		}
	}
	out_mem(o, line, (size_t)(end - line));
}

int doctor_grant(struct doctor *d)
{
	const bool registers = uncoremsr_machine(d->um)->tables;
	const struct of_cores here = registers ? of_cores(d) : (struct of_cores){ .counters = 0 };
	const struct word words[] = {
		{ "GROUP", d->group }, { "VERSION", uncoremsr_version() },
		{ "PROCESSOR", uncoremsr_machine(d->um)->uarch_title },
		{ "WHY", registers ? NULL : doctor_why_unsupported(d) },
		{ "ALSO", also(&here) }, { "EXAMPLE", here.logs ? "0x19c" : here.counters ? "0x186" : NULL },
		{ "LEFT", left_out(&here, d->core) },
		{ "CORE", d->core && (here.counters || here.logs) ? "" : NULL },
		{ "CORE_COUNTERS", d->core && here.counters ? "" : NULL },
		{ "CORE_LOGS", d->core && here.logs ? "" : NULL },
		{ "CAPABILITIES", registers ? "CAP_SYS_RAWIO CAP_PERFMON" : "CAP_PERFMON" },
		/* uncore-read needs both capabilities: a metric can use registers and perf events. */
		{ "READ_CAPABILITIES", registers ? "cap_sys_rawio,cap_perfmon+ep" : "cap_perfmon+ep" },
		{ "LEASES", registers ? "/run/uncoremsr" : NULL },
		{ "REGISTERS", registers ? "" : NULL }, { "KERNEL_ONLY", registers ? NULL : "" },
		{ NULL, "@?@" }, /* shown in place of an unknown placeholder */
	};
	struct out *o = d->records.out;
	bool shown = false;

	for (const char *line = doctor_grant_text, *end; *line; line = end) {
		end = strchr(line, '\n') + 1;
		if (strncmp(line, "@ ", 2) == 0)
			shown = value_of(words, line + 2, (size_t)(end - line) - 3);
		else if (shown && strncmp(line, "@ALLOW_LIST@", 12) == 0)
			write_registers(d, o, &here);
		else if (shown)
			write_line(o, words, line, end);
	}
	return TOOL_DONE;
}
