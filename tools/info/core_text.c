/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kinds of cores for people: a few lines, and with --verbose all of it. */
#include <string.h>

#include "info/info.h"

static long long leaf(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number field)
{
	return info_fact(kind, field);
}

static void write_leaf_0xa(const struct info *i, struct out *o,
			   const struct uncoremsr_core_kind *kind)
{
	long long version = kind ? leaf(kind, UNCOREMSR_CORE_0XA_VERSION) : -1;

	if (version < 0) {
		out_fmt(o, INFO_LABEL "unknown: no CPUID leaf 0xA\n", "core PMU");
		return;
	}
	if (version == 0) {
		out_fmt(o, INFO_LABEL "none (CPUID leaf 0xA: version 0)\n", "core PMU");
		return;
	}
	out_fmt(o, INFO_LABEL "version %lld: %lld general counters of %lld bits, %lld fixed of %lld "
		"bits%s (CPUID leaf 0xA, per logical CPU; says nothing about the uncore)\n",
		"core PMU", version, leaf(kind, UNCOREMSR_CORE_0XA_GENERAL_COUNTERS),
		leaf(kind, UNCOREMSR_CORE_0XA_GENERAL_WIDTH), leaf(kind, UNCOREMSR_CORE_0XA_FIXED_COUNTERS),
		leaf(kind, UNCOREMSR_CORE_0XA_FIXED_WIDTH),
		leaf(kind, UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED) ? ", AnyThread deprecated" : "");
	if (i->verbose)
		out_fmt(o, INFO_LABEL "eax 0x%08llx ebx 0x%08llx ecx 0x%08llx edx 0x%08llx; fixed "
			"counters 0x%llx\n", "leaf 0xA", leaf(kind, UNCOREMSR_CORE_0XA_EAX),
			leaf(kind, UNCOREMSR_CORE_0XA_EBX), leaf(kind, UNCOREMSR_CORE_0XA_ECX),
			leaf(kind, UNCOREMSR_CORE_0XA_EDX), leaf(kind, UNCOREMSR_CORE_0XA_FIXED_MASK));
}

static void write_label(struct out *o, const struct uncoremsr_core_kind *kind, const char *what,
			bool several)
{
	const char *type = info_core_type(kind);
	size_t start = o->len;

	if (several)
		out_fmt(o, "%s-core ", type ? type : "other");
	out_str(o, what);
	out_pad(o, start, 13, true);
}

/* Its own counters, where that is more than leaf 0xA says for all. */
static void write_kind(struct out *o, const struct uncoremsr_core_kind *kind, bool several)
{
	int64_t native = info_fact(kind, UNCOREMSR_CORE_NATIVE_MODEL);
	const char *from = info_counters_from(kind);
	uint64_t fixed;

	if (!several && native < 0 && info_fact(kind, UNCOREMSR_CORE_0X23_SUBLEAVES) < 0)
		return;
	write_label(o, kind, several ? "kind" : "core kind", several);
	out_fmt(o, "%s%sCPUs %s", info_core_type(kind) ? info_core_type(kind) : "",
		info_core_type(kind) ? "-core, " : "", uncoremsr_core_text(kind, UNCOREMSR_CORE_CPUS));
	if (native >= 0)
		out_fmt(o, ", native model 0x%llx", (unsigned long long)native);
	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_FIXED_MASK, &fixed) == 0)
		out_fmt(o, ": %d general and %d fixed counters (fixed 0x%llx; from %s)",
			info_fact_bits(kind, UNCOREMSR_CORE_GENERAL_MASK),
			info_fact_bits(kind, UNCOREMSR_CORE_FIXED_MASK),
			(unsigned long long)fixed, from);
	out_char(o, '\n');
}

static void write_absent(struct out *o, const struct uncoremsr_core_kind *kind, bool several)
{
	unsigned event, umask, num = 0;
	const char *name;

	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++) {
		if (uncoremsr_core_event(kind, bit) != UNCOREMSR_EVENT_ABSENT)
			continue;
		if (!num++)
			write_label(o, kind, several ? "lacks" : "lacks event", several);
		else
			out_str(o, ", ");
		out_fmt(o, "%u %s", bit, name);
	}
	if (num)
		out_char(o, '\n');
}

static void write_sampling(struct out *o, const struct uncoremsr_core_kind *kind, bool several)
{
	int64_t lbr = info_fact(kind, UNCOREMSR_CORE_LBR_DEPTH);
	int64_t pebs = info_fact(kind, UNCOREMSR_CORE_PEBS_FORMAT);
	int64_t wide = info_fact(kind, UNCOREMSR_CORE_FULL_WIDTH);

	if (!info_counters_from(kind))
		return;
	write_label(o, kind, several ? "LBR" : "sampling", several);
	if (lbr < 0 && wide < 0) {
		out_str(o, "LBR depth, precise sampling format, full-width writes: cannot tell from "
			"CPUID (register 0x345 and the kernel's boot log tell)\n");
		return;
	}
	if (lbr < 0)
		out_str(o, "LBR depth unknown");
	else
		out_fmt(o, "LBR %lld deep", (long long)lbr);
	if (info_fact(kind, UNCOREMSR_CORE_DEBUG_STORE) == 0)
		out_str(o, ", no precise sampling");
	else if (pebs < 0)
		out_str(o, ", precise sampling format unknown");
	else
		out_fmt(o, ", precise sampling format %lld", (long long)pebs);
	out_fmt(o, ", full-width writes %s\n", wide > 0 ? "yes" : wide == 0 ? "no"
		: "unknown (CPUID cannot tell; register 0x345 does)");
}

/* In the kernel's own words and digits. */
static void write_boot_line(struct out *o, const struct uncoremsr_core_kind *kind, bool several)
{
	uint64_t v, mask;

	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_BOOT_VALUE_MASK, &mask) < 0)
		return;
	write_label(o, kind, several ? "boot" : "boot line", several);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		out_fmt(o, "%s%s ", n ? ", " : "", boot_lines[n].key);
		if (uncoremsr_core_number(kind, boot_lines[n].fact, &v) < 0)
			out_fmt(o, "%016llx (without full-width writes %016x)",
				(unsigned long long)mask >> 1, 0x7fffffff);
		else
			out_fmt(o, boot_lines[n].hex ? "%016llx" : "%llu", (unsigned long long)v);
	}
	out_char(o, '\n');
}

/* ---- --verbose ---- */

static void write_event_table(struct out *o, const struct uncoremsr_core_kind *kind)
{
	unsigned event, umask;
	const char *name;

	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++)
		out_fmt(o, "  event %-2u  0x%02x:0x%02x  %-10s  %s\n", bit, event, umask,
			info_event_word(uncoremsr_core_event(kind, bit)), name);
}

static void write_leaf_0x23(struct out *o, const struct uncoremsr_core_kind *kind)
{
	if (info_fact(kind, UNCOREMSR_CORE_0X23_SUBLEAVES) < 0)
		return;
	out_fmt(o, "  leaf 0x23 sub-leaves 0x%llx, slots per cycle %lld",
		(unsigned long long)info_fact(kind, UNCOREMSR_CORE_0X23_SUBLEAVES),
		(long long)info_fact(kind, UNCOREMSR_CORE_0X23_SLOTS));
	if (info_fact(kind, UNCOREMSR_CORE_0X23_GENERAL) >= 0)
		out_fmt(o, ", general 0x%llx, fixed 0x%llx",
			(unsigned long long)info_fact(kind, UNCOREMSR_CORE_0X23_GENERAL),
			(unsigned long long)info_fact(kind, UNCOREMSR_CORE_0X23_FIXED));
	if (info_fact(kind, UNCOREMSR_CORE_0X23_EVENTS) >= 0)
		out_fmt(o, ", events 0x%llx",
			(unsigned long long)info_fact(kind, UNCOREMSR_CORE_0X23_EVENTS));
	out_char(o, '\n');
}

static void write_levels(struct out *o, const struct uncoremsr_core_kind *kind)
{
	unsigned shift, cpus;
	enum uncoremsr_level type;

	for (size_t i = 0; uncoremsr_core_level(kind, i, &type, &shift, &cpus) == 0; i++)
		out_fmt(o, "  leaf 0x%llx level %zu: %s, room for %u CPUs, x2APIC id shift %u\n",
			(unsigned long long)info_fact(kind, UNCOREMSR_CORE_TOPOLOGY_LEAF), i,
			info_level_word(type),
			cpus, shift);
}

void info_write_core_text(const struct info *i, struct out *o)
{
	const struct uncoremsr_core_kind *kind;
	bool several = uncoremsr_core_kind(i->cores, 1) != NULL;

	write_leaf_0xa(i, o, uncoremsr_core_kind(i->cores, 0));
	for (size_t k = 0; (kind = uncoremsr_core_kind(i->cores, k)); k++) {
		write_kind(o, kind, several);
		write_absent(o, kind, several);
		write_sampling(o, kind, several);
		write_boot_line(o, kind, several);
		if (!i->verbose)
			continue;
		write_event_table(o, kind);
		write_leaf_0x23(o, kind);
		write_levels(o, kind);
	}
}
