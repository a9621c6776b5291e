/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CPUID says about the core counters, for each kind of core. */
#include <inttypes.h>

#include "info/info.h"

#define CANNOT_TELL \
	"cannot tell from CPUID: it is in register IA32_PERF_CAPABILITIES (0x345), which needs the driver"

#define NONE_ONLINE "none of its CPUs is online"

typedef const struct uncoremsr_core_kind *kind_ptr;

/* Number of bits set in a mask; -1: unknown. */
static int bits(uint64_t mask)
{
	return mask == UINT64_MAX ? -1 : __builtin_popcountll(mask);
}

/* Is no CPU of this kind online, so that CPUID cannot be read on one? */
static bool is_offline(kind_ptr kind)
{
	return kind->num_cpus == 0;
}

/* "P" or "E"; NULL if CPUID does not say. */
static const char *core_type(kind_ptr kind)
{
	return kind->type == 0x40 ? "P" : kind->type == 0x20 ? "E" : NULL;
}

/* Where the number of counters comes from; NULL: there is no architectural PMU. */
static const char *counters_from(kind_ptr kind)
{
	static const char *const words[] = {
		[UNCOREMSR_COUNTERS_FROM_LEAF_0XA] = "leaf 0xA",
		[UNCOREMSR_COUNTERS_FROM_LEAF_0X23] = "leaf 0x23",
		[UNCOREMSR_COUNTERS_FROM_MODEL] =
			"model: leaf 0xA reports only what both kinds of core have",
	};

	return kind->counters_from < 0 ? NULL : words[kind->counters_from];
}

static const char *level_word(enum uncoremsr_level level)
{
	static const char *const words[] = {
		"unknown", "SMT", "core", "module", "tile", "die", "die group",
	};

	return words[(unsigned)level <= UNCOREMSR_LEVEL_DIE_GROUP ? level : 0];
}

static const char *const event_words[] = {
	[UNCOREMSR_EVENT_PRESENT] = "present",
	[UNCOREMSR_EVENT_ABSENT] = "absent",
	[UNCOREMSR_EVENT_NOT_LISTED] = "not-listed",
};

/* ---- for programs ---- */

struct field {
	const char *name;
	enum record_type type;
	size_t at; /* offset of the number in struct uncoremsr_core_kind */
};

#define AT(member) offsetof(struct uncoremsr_core_kind, member)

static const struct field leaf_0xa[] = {
	{ "version", RECORD_INT, AT(leaf_0xa_version) },
	{ "general_counters", RECORD_INT, AT(leaf_0xa_general_counters) },
	{ "general_width", RECORD_INT, AT(leaf_0xa_general_width) },
	{ "fixed_counters", RECORD_INT, AT(leaf_0xa_fixed_counters) },
	{ "fixed_width", RECORD_INT, AT(leaf_0xa_fixed_width) },
	{ "event_bits", RECORD_INT, AT(leaf_0xa_event_bits) },
	{ "events_absent", RECORD_WORD, AT(leaf_0xa_events_absent) },
	{ "fixed_mask", RECORD_WORD, AT(leaf_0xa_fixed_mask) },
	{ "eax", RECORD_WORD, AT(leaf_0xa_eax) },
	{ "ebx", RECORD_WORD, AT(leaf_0xa_ebx) },
	{ "ecx", RECORD_WORD, AT(leaf_0xa_ecx) },
	{ "edx", RECORD_WORD, AT(leaf_0xa_edx) },
}, leaf_0x23[] = {
	{ "subleaves", RECORD_WORD, AT(leaf_0x23_subleaves) },
	{ "flags", RECORD_WORD, AT(leaf_0x23_flags) },
	{ "slots_per_cycle", RECORD_INT, AT(leaf_0x23_slots) },
	{ "general_mask", RECORD_WORD, AT(leaf_0x23_general) },
	{ "fixed_mask", RECORD_WORD, AT(leaf_0x23_fixed) },
	{ "events", RECORD_WORD, AT(leaf_0x23_events) },
}, sampling[] = {
	{ "perf_capabilities", RECORD_WORD, AT(capabilities) },
	{ "full_width_writes", RECORD_BOOL, AT(full_width) },
	{ "debug_store", RECORD_BOOL, AT(debug_store) },
	{ "pebs_format", RECORD_INT, AT(pebs_format) },
	{ "lbr_format", RECORD_INT, AT(lbr_format) },
	{ "lbr_depth", RECORD_INT, AT(lbr_depth) },
	{ "max_precise", RECORD_INT, AT(max_precise) },
};

static void put_number(struct info *i, const char *name, enum record_type type, uint64_t number)
{
	struct record_value v = { .count = number }; /* sets v.number, too: both have 64 bits */

	record_value(&i->w, name, type, number == UINT64_MAX ? NULL : &v);
}

static void put_numbers(struct info *i, kind_ptr kind, const struct field *fields, size_t num)
{
	for (size_t n = 0; n < num; n++) {
		const void *number = (const char *)kind + fields[n].at;

		if (fields[n].type == RECORD_BOOL)
			record_bool(&i->w, fields[n].name, *(const int *)number);
		else
			put_number(i, fields[n].name, fields[n].type, *(const uint64_t *)number);
	}
}

/* Begin an object of numbers. If the first number is unknown, write null instead and return false. */
static bool open_numbers(struct info *i, kind_ptr kind, const char *name,
			 const struct field *fields, size_t num)
{
	if (!kind || *(const uint64_t *)(const void *)((const char *)kind + fields[0].at) == UINT64_MAX) {
		record_str(&i->w, name, NULL);
		return false;
	}
	record_open(&i->w, name);
	put_numbers(i, kind, fields, num);
	return true;
}

#define OPEN_NUMBERS(i, kind, fields) \
	open_numbers(i, kind, #fields, fields, sizeof(fields) / sizeof((fields)[0]))

void info_put_leaf_0xa(struct info *i, kind_ptr kind)
{
	const struct uncoremsr_core_event *e;

	if (!OPEN_NUMBERS(i, kind, leaf_0xa))
		return;
	/* Write names of absent events: those marked in EBX, and those beyond its length. */
	record_open_list(&i->w, "events_not_available");
	for (size_t n = 0; (e = kind->events[n]); n++) {
		if (e->bit < kind->leaf_0xa_event_bits && !(kind->leaf_0xa_events_absent >> e->bit & 1))
			continue;
		record_open(&i->w, NULL);
		record_int(&i->w, "bit", e->bit);
		record_str(&i->w, "name", e->name);
		record_close(&i->w);
	}
	record_close(&i->w);
	/* CPUID leaf 0xA: ECX is valid from version 5 on. */
	if (kind->leaf_0xa_version >= 5)
		record_word(&i->w, "fixed_bitmap", kind->leaf_0xa_ecx);
	else
		record_str(&i->w, "fixed_bitmap", NULL);
	record_bool(&i->w, "anythread_deprecated", kind->leaf_0xa_anythread_deprecated);
	record_close(&i->w);
}

static void put_counters(struct info *i, kind_ptr kind)
{
	record_open(&i->w, "core_counters");
	record_int(&i->w, "general", bits(kind->general_mask));
	put_number(i, "general_mask", RECORD_WORD, kind->general_mask);
	record_int(&i->w, "fixed", bits(kind->fixed_mask));
	put_number(i, "fixed_mask", RECORD_WORD, kind->fixed_mask);
	record_str(&i->w, "source", counters_from(kind));
	record_close(&i->w);
}

static void put_events(struct info *i, kind_ptr kind)
{
	const struct uncoremsr_core_event *e;

	if (is_offline(kind)) {
		record_str(&i->w, "core_events", NULL);
		return;
	}
	record_open_list(&i->w, "core_events");
	for (size_t n = 0; (e = kind->events[n]); n++) {
		record_open(&i->w, NULL);
		record_int(&i->w, "bit", e->bit);
		record_str(&i->w, "name", e->name);
		record_word(&i->w, "event_select", e->event_select);
		record_word(&i->w, "unit_mask", e->unit_mask);
		record_str(&i->w, "state", event_words[e->state]);
		record_close(&i->w);
	}
	record_close(&i->w);
}

static void put_topology(struct info *i, kind_ptr kind)
{
	static const struct field topology[] = {
		{ "leaf", RECORD_WORD, AT(topology_leaf) },
	};
	const struct uncoremsr_core_level *l;

	if (!OPEN_NUMBERS(i, kind, topology))
		return;
	record_open_list(&i->w, "levels");
	for (size_t n = 0; (l = kind->levels[n]); n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "type", level_word(l->type));
		record_int(&i->w, "shift", l->shift);
		record_int(&i->w, "capacity", l->cpus);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_close(&i->w);
}

static void put_boot_line(struct info *i, kind_ptr kind)
{
	if (kind->boot_version == UINT64_MAX) {
		record_str(&i->w, "boot_line", NULL);
		return;
	}
	record_open(&i->w, "boot_line");
	for (unsigned n = 0; n < BOOT_LINES; n++)
		put_number(i, boot_lines[n].field, boot_lines[n].hex ? RECORD_WORD : RECORD_INT,
			   boot_number(kind, n));
	record_word(&i->w, "max_period_full_width", kind->boot_value_mask >> 1);
	record_close(&i->w);
}

void info_put_kind(struct info *i, kind_ptr kind)
{
	record_str(&i->w, "cpus", kind->cpus);
	record_str(&i->w, "brand", kind->brand);
	record_bool(&i->w, "hybrid", kind->hybrid);
	record_str(&i->w, "core_type", core_type(kind));
	put_number(i, "native_model", RECORD_WORD, kind->native_model);
	put_counters(i, kind);
	put_events(i, kind);
	if (OPEN_NUMBERS(i, kind, leaf_0x23))
		record_close(&i->w);
	put_topology(i, kind);
	record_open(&i->w, "sampling");
	put_numbers(i, kind, sampling, sizeof(sampling) / sizeof(sampling[0]));
	record_str(&i->w, "why", is_offline(kind) ? NONE_ONLINE
		   : kind->full_width < 0 ? CANNOT_TELL : NULL);
	record_close(&i->w);
	put_boot_line(i, kind);
}

/* ---- for people ---- */

static void show_leaf_0xa(struct info *i, kind_ptr kind)
{
	bool known = kind && kind->leaf_0xa_version != UINT64_MAX;

	if (!known || !kind->leaf_0xa_version) {
		out_fmt(i->o, INFO_LABEL "%s\n", "core PMU", known
			? "none (CPUID leaf 0xA: version 0)" : "unknown: no CPUID leaf 0xA");
		return;
	}
	out_fmt(i->o, INFO_LABEL "version %" PRIu64 ": %" PRIu64 " general counters of %" PRIu64 " bits, %" PRIu64 " fixed of %" PRIu64 " "
		"bits%s (CPUID leaf 0xA, per logical CPU; says nothing about the uncore)\n",
		"core PMU", kind->leaf_0xa_version, kind->leaf_0xa_general_counters,
		kind->leaf_0xa_general_width,
		kind->leaf_0xa_fixed_counters,
		kind->leaf_0xa_fixed_width,
		kind->leaf_0xa_anythread_deprecated ? ", AnyThread deprecated"
								      : "");
	if (i->verbose)
		out_fmt(i->o, INFO_LABEL "eax 0x%08" PRIx64 " ebx 0x%08" PRIx64 " ecx 0x%08" PRIx64 " edx 0x%08" PRIx64 "; fixed "
			"counters 0x%" PRIx64 "\n", "leaf 0xA", kind->leaf_0xa_eax,
			kind->leaf_0xa_ebx, kind->leaf_0xa_ecx,
			kind->leaf_0xa_edx,
			kind->leaf_0xa_fixed_mask);
}

/* Begin a line with its label: @one if there is only one kind of core, else the kind's type and @each. */
static void show_label(struct out *o, kind_ptr kind, const char *one, const char *each,
		       bool several)
{
	const char *type = core_type(kind);
	size_t start = o->len;

	if (several)
		out_fmt(o, "%s-core ", type ? type : "other");
	out_str(o, several ? each : one);
	out_column(o, start, 13);
}

/* Show the counters of a kind, if it has more than leaf 0xA reports for both kinds. */
static void show_counters(struct out *o, kind_ptr kind, bool several)
{
	const char *type = core_type(kind);

	if (!several && kind->native_model == UINT64_MAX && kind->leaf_0x23_subleaves == UINT64_MAX)
		return;
	show_label(o, kind, "core kind", "kind", several);
	if (is_offline(kind)) {
		out_str(o, NONE_ONLINE "\n");
		return;
	}
	out_fmt(o, "%s%sCPUs %s", type ? type : "", type ? "-core, " : "",
		kind->cpus);
	if (kind->native_model != UINT64_MAX)
		out_fmt(o, ", native model 0x%" PRIx64, kind->native_model);
	if (counters_from(kind))
		out_fmt(o, ": %d general and %d fixed counters (fixed 0x%" PRIx64 "; from %s)",
			bits(kind->general_mask),
			bits(kind->fixed_mask),
			kind->fixed_mask, counters_from(kind));
	out_char(o, '\n');
}

static void show_absent(struct out *o, kind_ptr kind, bool several)
{
	const struct uncoremsr_core_event *e;
	unsigned num = 0;

	for (size_t n = 0; (e = kind->events[n]); n++) {
		if (e->state != UNCOREMSR_EVENT_ABSENT)
			continue;
		if (!num++)
			show_label(o, kind, "lacks event", "lacks", several);
		else
			out_str(o, ", ");
		out_fmt(o, "%u %s", e->bit, e->name);
	}
	if (num)
		out_char(o, '\n');
}

static void show_sampling(struct out *o, kind_ptr kind, bool several)
{
	bool lbr = kind->lbr_depth != UINT64_MAX;
	int wide = kind->full_width;

	if (!counters_from(kind))
		return;
	show_label(o, kind, "sampling", "LBR", several);
	if (!lbr && wide < 0) {
		out_str(o, "LBR depth, precise sampling format, full-width writes: cannot tell from "
			"CPUID (register 0x345 and the kernel's boot log tell)\n");
		return;
	}
	if (!lbr)
		out_str(o, "LBR depth unknown");
	else
		out_fmt(o, "LBR %" PRIu64 " deep", kind->lbr_depth);
	if (kind->debug_store == 0)
		out_str(o, ", no precise sampling");
	else if (kind->pebs_format == UINT64_MAX)
		out_str(o, ", precise sampling format unknown");
	else
		out_fmt(o, ", precise sampling format %" PRIu64, kind->pebs_format);
	out_fmt(o, ", full-width writes %s\n", wide > 0 ? "yes" : wide == 0 ? "no"
		: "unknown (CPUID cannot tell; register 0x345 does)");
}

/* Show the values in the words and digits of the kernel's boot log. */
static void show_boot_line(struct out *o, kind_ptr kind, bool several)
{
	if (kind->boot_version == UINT64_MAX)
		return;
	show_label(o, kind, "boot line", "boot", several);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		uint64_t v = boot_number(kind, n);

		out_fmt(o, "%s%s ", n ? ", " : "", boot_lines[n].key);
		if (v == UINT64_MAX)
			out_fmt(o, "%016llx (without full-width writes %016x)",
				(unsigned long long)kind->boot_value_mask >> 1, 0x7fffffff);
		else
			out_fmt(o, boot_lines[n].hex ? "%016llx" : "%llu", (unsigned long long)v);
	}
	out_char(o, '\n');
}

/* With --verbose: every event, leaf 0x23, and the levels of the topology leaf. */
static void show_details(struct out *o, kind_ptr kind)
{
	const struct uncoremsr_core_event *e;
	const struct uncoremsr_core_level *l;

	for (size_t n = 0; (e = kind->events[n]); n++)
		out_fmt(o, "  event %-2u  0x%02x:0x%02x  %-10s  %s\n", e->bit, e->event_select, e->unit_mask,
			event_words[e->state], e->name);
	if (kind->leaf_0x23_subleaves != UINT64_MAX) {
		out_fmt(o, "  leaf 0x23 sub-leaves 0x%" PRIx64 ", slots per cycle %" PRIu64,
			kind->leaf_0x23_subleaves,
			kind->leaf_0x23_slots);
		if (kind->leaf_0x23_general != UINT64_MAX)
			out_fmt(o, ", general 0x%" PRIx64 ", fixed 0x%" PRIx64,
				kind->leaf_0x23_general,
				kind->leaf_0x23_fixed);
		if (kind->leaf_0x23_events != UINT64_MAX)
			out_fmt(o, ", events 0x%" PRIx64, kind->leaf_0x23_events);
		out_char(o, '\n');
	}
	for (size_t n = 0; (l = kind->levels[n]); n++)
		out_fmt(o, "  leaf 0x%" PRIx64 " level %zu: %s, room for %u CPUs, x2APIC id shift %u\n",
			kind->topology_leaf, n, level_word(l->type), l->cpus,
			l->shift);
}

void info_show_kinds(struct info *i)
{
	bool several = i->cores->kinds[0] && i->cores->kinds[1];
	kind_ptr kind;

	show_leaf_0xa(i, i->cores->kinds[0]);
	for (size_t k = 0; (kind = i->cores->kinds[k]); k++) {
		show_counters(i->o, kind, several);
		show_absent(i->o, kind, several);
		show_sampling(i->o, kind, several);
		show_boot_line(i->o, kind, several);
		if (i->verbose && !is_offline(kind))
			show_details(i->o, kind);
	}
}
