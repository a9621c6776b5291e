/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <inttypes.h>

#include "info/info.h"

#define CANNOT_TELL \
	"cannot tell from CPUID: it is in register IA32_PERF_CAPABILITIES (0x345), which needs the driver"

#define NONE_ONLINE "none of its CPUs is online"

typedef const struct uncoremsr_core_kind *kind_ptr;

/* Returns -1 if the mask is unknown. */
static int num_bits(uint64_t mask)
{
	return mask == UINT64_MAX ? -1 : __builtin_popcountll(mask);
}

/* The CPUID of a kind is unknown if none of its CPUs is online. */
static bool is_offline(kind_ptr kind)
{
	return kind->num_cpus == 0;
}

/* "P" or "E"; NULL if CPUID does not say. */
static const char *core_type(kind_ptr kind)
{
	return kind->type == UNCOREMSR_CORE_TYPE_P ? "P" : kind->type == UNCOREMSR_CORE_TYPE_E ? "E" : NULL;
}

/* Source of the number of counters; NULL if there is no architectural PMU. */
static const char *counters_from(kind_ptr kind)
{
	static const char *const words[] = {
		[UNCOREMSR_COUNTERS_FROM_LEAF_0XA] = "leaf 0xA",
		[UNCOREMSR_COUNTERS_FROM_LEAF_0X23] = "leaf 0x23",
		[UNCOREMSR_COUNTERS_FROM_MODEL] = "model: leaf 0xA reports only what both kinds of core have",
	};

	return kind->counters_from < 0 ? NULL : words[kind->counters_from];
}

static const char *level_word(enum uncoremsr_level level)
{
	static const char *const words[] = { "unknown", "SMT", "core", "module", "tile", "die", "die group" };

	return words[(unsigned)level <= UNCOREMSR_LEVEL_DIE_GROUP ? level : 0];
}

static const char *const event_words[] = {
	[UNCOREMSR_EVENT_PRESENT] = "present",
	[UNCOREMSR_EVENT_ABSENT] = "absent",
	[UNCOREMSR_EVENT_NOT_LISTED] = "not-listed",
};

static const struct record_column leaf_0xa[] = {
	{ "version", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_version) },
	{ "general_counters", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_general_counters) },
	{ "general_width", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_general_width) },
	{ "fixed_counters", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_fixed_counters) },
	{ "fixed_width", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_fixed_width) },
	{ "event_bits", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0xa_event_bits) },
	{ "events_absent", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_events_absent) },
	{ "fixed_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_fixed_mask) },
	{ "eax", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_eax) },
	{ "ebx", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_ebx) },
	{ "ecx", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_ecx) },
	{ "edx", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0xa_edx) },
}, leaf_0x23[] = {
	{ "subleaves", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0x23_subleaves) },
	{ "flags", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0x23_flags) },
	{ "slots_per_cycle", RECORD_INT, RECORD_AT(uncoremsr_core_kind, leaf_0x23_slots) },
	{ "general_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0x23_general) },
	{ "fixed_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0x23_fixed) },
	{ "events", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, leaf_0x23_events) },
}, sampling[] = {
	{ "perf_capabilities", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, capabilities) },
	{ "full_width_writes", RECORD_BOOL, RECORD_AT(uncoremsr_core_kind, full_width) },
	{ "debug_store", RECORD_BOOL, RECORD_AT(uncoremsr_core_kind, debug_store) },
	{ "pebs_format", RECORD_INT, RECORD_AT(uncoremsr_core_kind, pebs_format) },
	{ "lbr_format", RECORD_INT, RECORD_AT(uncoremsr_core_kind, lbr_format) },
	{ "lbr_depth", RECORD_INT, RECORD_AT(uncoremsr_core_kind, lbr_depth) },
	{ "max_precise", RECORD_INT, RECORD_AT(uncoremsr_core_kind, max_precise) },
};

static enum record_state get_level(const void *level, struct record_value *v)
{
	return value_text(v, level_word(((const struct uncoremsr_core_level *)level)->type));
}

static const struct record_column level[] = {
	{ "type", RECORD_STR, .get = get_level },
	{ "shift", RECORD_INT, RECORD_AT(uncoremsr_core_level, shift) },
	{ "capacity", RECORD_INT, RECORD_AT(uncoremsr_core_level, cpus) },
}, topology[] = {
	{ "leaf", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, topology_leaf) },
	{ "levels", RECORD_LIST, RECORD_AT(uncoremsr_core_kind, levels), RECORD_OF(level) },
}, core_event[] = {
	{ "bit", RECORD_INT, RECORD_AT(uncoremsr_core_event, bit) },
	{ "name", RECORD_STR, RECORD_AT(uncoremsr_core_event, name) },
	{ "event_select", RECORD_WORD, RECORD_AT(uncoremsr_core_event, event_select) },
	{ "unit_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_event, unit_mask) },
	{ "state", RECORD_STR, RECORD_AT(uncoremsr_core_event, state), .words = event_words },
};

void info_put_leaf_0xa(struct info *i, kind_ptr kind)
{
	const struct uncoremsr_core_event *e;

	if (!kind || kind->leaf_0xa_version == UINT64_MAX) {
		record_str(&i->w, "leaf_0xa", NULL);
		return;
	}
	record_open(&i->w, "leaf_0xa");
	record_fields(&i->w, RECORD_COLUMNS(leaf_0xa), kind);
	/* An event is absent if its bit is set in EBX, or if the number of the bit is at least EAX 31:24. */
	record_open_list(&i->w, "events_not_available");
	for (size_t n = 0; (e = kind->events[n]); n++)
		if (e->bit >= kind->leaf_0xa_event_bits || kind->leaf_0xa_events_absent >> e->bit & 1)
			record_object(&i->w, NULL, core_event, 2, e);
	record_close(&i->w);
	/* ECX is valid only in version 5 and later. */
	record_if_known(&i->w, "fixed_bitmap", RECORD_WORD,
			kind->leaf_0xa_version >= 5 ? kind->leaf_0xa_ecx : UINT64_MAX);
	record_bool(&i->w, "anythread_deprecated", kind->leaf_0xa_anythread_deprecated);
	record_close(&i->w);
}

static void put_counters(struct info *i, kind_ptr kind)
{
	record_open(&i->w, "core_counters");
	record_int(&i->w, "general", num_bits(kind->general_mask));
	record_if_known(&i->w, "general_mask", RECORD_WORD, kind->general_mask);
	record_int(&i->w, "fixed", num_bits(kind->fixed_mask));
	record_if_known(&i->w, "fixed_mask", RECORD_WORD, kind->fixed_mask);
	record_str(&i->w, "source", counters_from(kind));
	record_close(&i->w);
}

void info_put_kind(struct info *i, kind_ptr kind)
{
	record_str(&i->w, "cpus", kind->cpus);
	record_str(&i->w, "brand", kind->brand);
	record_bool(&i->w, "hybrid", kind->hybrid);
	record_str(&i->w, "core_type", core_type(kind));
	record_if_known(&i->w, "native_model", RECORD_WORD, kind->native_model);
	put_counters(i, kind);
	if (is_offline(kind))
		record_str(&i->w, "core_events", NULL);
	else
		record_objects(&i->w, "core_events", RECORD_COLUMNS(core_event), kind->events);
	record_object(&i->w, "leaf_0x23", RECORD_COLUMNS(leaf_0x23),
		      kind->leaf_0x23_subleaves == UINT64_MAX ? NULL : kind);
	record_object(&i->w, "topology", RECORD_COLUMNS(topology), kind->topology_leaf == UINT64_MAX ? NULL : kind);
	record_open(&i->w, "sampling");
	record_fields(&i->w, RECORD_COLUMNS(sampling), kind);
	record_str(&i->w, "why", is_offline(kind) ? NONE_ONLINE : kind->full_width < 0 ? CANNOT_TELL : NULL);
	record_close(&i->w);
	info_put_boot_line(i, kind);
}

static void show_leaf_0xa(struct info *i, kind_ptr kind)
{
	bool known = kind && kind->leaf_0xa_version != UINT64_MAX;

	if (!known || !kind->leaf_0xa_version) {
		out_fmt(i->o, INFO_LABEL "%s\n", "core PMU", known
			? "none (CPUID leaf 0xA: version 0)" : "unknown: no CPUID leaf 0xA");
		return;
	}
	out_fmt(i->o, INFO_LABEL "version %" PRIu64 ": %" PRIu64 " general counters of %" PRIu64 " bits, %" PRIu64
		" fixed of %" PRIu64 " bits%s (CPUID leaf 0xA, per logical CPU; says nothing about the uncore)\n",
		"core PMU", kind->leaf_0xa_version, kind->leaf_0xa_general_counters, kind->leaf_0xa_general_width,
		kind->leaf_0xa_fixed_counters, kind->leaf_0xa_fixed_width,
		kind->leaf_0xa_anythread_deprecated ? ", AnyThread deprecated" : "");
	if (i->common.verbose)
		out_fmt(i->o, INFO_LABEL "eax 0x%08" PRIx64 " ebx 0x%08" PRIx64 " ecx 0x%08" PRIx64 " edx 0x%08" PRIx64
			"; fixed counters 0x%" PRIx64 "\n", "leaf 0xA", kind->leaf_0xa_eax, kind->leaf_0xa_ebx,
			kind->leaf_0xa_ecx, kind->leaf_0xa_edx, kind->leaf_0xa_fixed_mask);
}

/* Write the label of a line: @one or, on a machine with several kinds of core, the type of this kind and @each. */
static void show_label(struct out *o, kind_ptr kind, const char *one, const char *each, bool several)
{
	const char *type = core_type(kind);
	size_t start = o->len;

	if (several)
		out_fmt(o, "%s-core ", type ? type : "other");
	out_str(o, several ? each : one);
	out_column(o, start, 13);
}

/* Show the counters of a kind. Show nothing if there is only one kind and leaf 0xA says all about it. */
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
	out_fmt(o, "%s%sCPUs %s", type ? type : "", type ? "-core, " : "", kind->cpus);
	if (kind->native_model != UINT64_MAX)
		out_fmt(o, ", native model 0x%" PRIx64, kind->native_model);
	if (counters_from(kind))
		out_fmt(o, ": %d general and %d fixed counters (fixed 0x%" PRIx64 "; from %s)",
			num_bits(kind->general_mask), num_bits(kind->fixed_mask), kind->fixed_mask,
			counters_from(kind));
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

static void show_verbose(struct out *o, kind_ptr kind)
{
	const struct uncoremsr_core_event *e;
	const struct uncoremsr_core_level *l;

	for (size_t n = 0; (e = kind->events[n]); n++)
		out_fmt(o, "  event %-2u  0x%02x:0x%02x  %-10s  %s\n", e->bit, e->event_select, e->unit_mask,
			event_words[e->state], e->name);
	if (kind->leaf_0x23_subleaves != UINT64_MAX) {
		out_fmt(o, "  leaf 0x23 sub-leaves 0x%" PRIx64 ", slots per cycle %" PRIu64, kind->leaf_0x23_subleaves,
			kind->leaf_0x23_slots);
		if (kind->leaf_0x23_general != UINT64_MAX)
			out_fmt(o, ", general 0x%" PRIx64 ", fixed 0x%" PRIx64, kind->leaf_0x23_general,
				kind->leaf_0x23_fixed);
		if (kind->leaf_0x23_events != UINT64_MAX)
			out_fmt(o, ", events 0x%" PRIx64, kind->leaf_0x23_events);
		out_char(o, '\n');
	}
	for (size_t n = 0; (l = kind->levels[n]); n++)
		out_fmt(o, "  leaf 0x%" PRIx64 " level %zu: %s, room for %u CPUs, x2APIC id shift %u\n",
			kind->topology_leaf, n, level_word(l->type), l->cpus, l->shift);
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
		if (kind->boot_version != UINT64_MAX) {
			show_label(i->o, kind, "boot line", "boot", several);
			info_show_boot_line(i->o, kind);
		}
		if (i->common.verbose && !is_offline(kind))
			show_verbose(i->o, kind);
	}
}
