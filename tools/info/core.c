/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A kind of core for programs. */
#include "info/info.h"

#define CANNOT_TELL \
	"cannot tell from CPUID: register IA32_PERF_CAPABILITIES (0x345) tells, which needs the driver"

int64_t info_fact(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number fact)
{
	uint64_t v;

	return uncoremsr_core_number(kind, fact, &v) < 0 ? -1 : (int64_t)v;
}

int info_machine_number(struct uncoremsr *um, enum uncoremsr_machine_number what)
{
	uint64_t v;

	return uncoremsr_machine_number(um, what, &v) < 0 ? -1 : (int)v;
}

int info_fact_bits(const struct uncoremsr_core_kind *kind, enum uncoremsr_core_number fact)
{
	uint64_t v;

	return uncoremsr_core_number(kind, fact, &v) < 0 ? -1 : __builtin_popcountll(v);
}

/* A mask or a register: a word, or null. */
static void write_word(struct fields *f, const char *name, const struct uncoremsr_core_kind *kind,
		       enum uncoremsr_core_number fact)
{
	uint64_t v;

	if (uncoremsr_core_number(kind, fact, &v) < 0)
		fields_str(f, name, NULL);
	else
		fields_word(f, name, v);
}

/* ---- leaf 0xA ---- */

static const struct {
	const char *name;
	enum uncoremsr_core_number field;
	bool word;
} leaf_0xa_rows[] = {
	{ "version", UNCOREMSR_CORE_0XA_VERSION, false },
	{ "general_counters", UNCOREMSR_CORE_0XA_GENERAL_COUNTERS, false },
	{ "general_width", UNCOREMSR_CORE_0XA_GENERAL_WIDTH, false },
	{ "fixed_counters", UNCOREMSR_CORE_0XA_FIXED_COUNTERS, false },
	{ "fixed_width", UNCOREMSR_CORE_0XA_FIXED_WIDTH, false },
	{ "event_bits", UNCOREMSR_CORE_0XA_EVENT_BITS, false },
	{ "events_absent", UNCOREMSR_CORE_0XA_EVENTS_ABSENT, true },
	{ "fixed_mask", UNCOREMSR_CORE_0XA_FIXED_MASK, true },
	{ "eax", UNCOREMSR_CORE_0XA_EAX, true },
	{ "ebx", UNCOREMSR_CORE_0XA_EBX, true },
	{ "ecx", UNCOREMSR_CORE_0XA_ECX, true },
	{ "edx", UNCOREMSR_CORE_0XA_EDX, true },
};

/* By name: what EBX marks, and what is beyond the bits that it has. */
static void write_not_available(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	int64_t num = info_fact(kind, UNCOREMSR_CORE_0XA_EVENT_BITS);
	int64_t absent = info_fact(kind, UNCOREMSR_CORE_0XA_EVENTS_ABSENT);
	unsigned event, umask;
	const char *name;

	fields_open_list(f, "events_not_available");
	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++) {
		if (bit < num && !(absent >> bit & 1))
			continue;
		fields_open(f, NULL);
		fields_int(f, "bit", bit);
		fields_str(f, "name", name);
		fields_close(f);
	}
	fields_close(f);
}

void info_write_leaf_0xa(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	if (!kind || info_fact(kind, UNCOREMSR_CORE_0XA_VERSION) < 0) {
		fields_str(f, "leaf_0xa", NULL);
		return;
	}
	fields_open(f, "leaf_0xa");
	for (size_t i = 0; i < sizeof(leaf_0xa_rows) / sizeof(leaf_0xa_rows[0]); i++) {
		int64_t v = info_fact(kind, leaf_0xa_rows[i].field);

		if (leaf_0xa_rows[i].word)
			fields_word(f, leaf_0xa_rows[i].name, (uint64_t)v);
		else
			fields_int(f, leaf_0xa_rows[i].name, v);
	}
	write_not_available(f, kind);
	/* ECX means something from version 5 on. */
	if (info_fact(kind, UNCOREMSR_CORE_0XA_VERSION) >= 5)
		fields_word(f, "fixed_bitmap",
			    (uint64_t)info_fact(kind, UNCOREMSR_CORE_0XA_ECX));
	else
		fields_str(f, "fixed_bitmap", NULL);
	fields_bool(f, "anythread_deprecated",
		    (int)info_fact(kind, UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED));
	fields_close(f);
}

/* ---- the rest ---- */

static void write_counters(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	fields_open(f, "core_counters");
	fields_int(f, "general", info_fact_bits(kind, UNCOREMSR_CORE_GENERAL_MASK));
	write_word(f, "general_mask", kind, UNCOREMSR_CORE_GENERAL_MASK);
	fields_int(f, "fixed", info_fact_bits(kind, UNCOREMSR_CORE_FIXED_MASK));
	write_word(f, "fixed_mask", kind, UNCOREMSR_CORE_FIXED_MASK);
	fields_str(f, "source", info_counters_from(kind));
	fields_close(f);
}

static void write_events(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	unsigned event, umask;
	const char *name;

	fields_open_list(f, "core_events");
	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++) {
		fields_open(f, NULL);
		fields_int(f, "bit", bit);
		fields_str(f, "name", name);
		fields_word(f, "event_select", event);
		fields_word(f, "unit_mask", umask);
		fields_str(f, "state", info_event_word(uncoremsr_core_event(kind, bit)));
		fields_close(f);
	}
	fields_close(f);
}

static void write_leaf_0x23(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	if (info_fact(kind, UNCOREMSR_CORE_0X23_SUBLEAVES) < 0) {
		fields_str(f, "leaf_0x23", NULL);
		return;
	}
	fields_open(f, "leaf_0x23");
	write_word(f, "subleaves", kind, UNCOREMSR_CORE_0X23_SUBLEAVES);
	write_word(f, "flags", kind, UNCOREMSR_CORE_0X23_FLAGS);
	fields_int(f, "slots_per_cycle", info_fact(kind, UNCOREMSR_CORE_0X23_SLOTS));
	write_word(f, "general_mask", kind, UNCOREMSR_CORE_0X23_GENERAL);
	write_word(f, "fixed_mask", kind, UNCOREMSR_CORE_0X23_FIXED);
	write_word(f, "events", kind, UNCOREMSR_CORE_0X23_EVENTS);
	fields_close(f);
}

static void write_topology(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	unsigned shift, cpus;
	enum uncoremsr_level type;

	if (info_fact(kind, UNCOREMSR_CORE_TOPOLOGY_LEAF) < 0) {
		fields_str(f, "topology", NULL);
		return;
	}
	fields_open(f, "topology");
	write_word(f, "leaf", kind, UNCOREMSR_CORE_TOPOLOGY_LEAF);
	fields_open_list(f, "levels");
	for (size_t i = 0; uncoremsr_core_level(kind, i, &type, &shift, &cpus) == 0; i++) {
		fields_open(f, NULL);
		fields_str(f, "type", info_level_word(type));
		fields_int(f, "shift", shift);
		fields_int(f, "capacity", cpus);
		fields_close(f);
	}
	fields_close(f);
	fields_close(f);
}

static void write_features(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	int64_t full_width = info_fact(kind, UNCOREMSR_CORE_FULL_WIDTH);

	fields_open(f, "sampling");
	write_word(f, "perf_capabilities", kind, UNCOREMSR_CORE_CAPABILITIES);
	fields_bool(f, "full_width_writes", (int)full_width);
	fields_bool(f, "debug_store", (int)info_fact(kind, UNCOREMSR_CORE_DEBUG_STORE));
	fields_int(f, "pebs_format", info_fact(kind, UNCOREMSR_CORE_PEBS_FORMAT));
	fields_int(f, "lbr_format", info_fact(kind, UNCOREMSR_CORE_LBR_FORMAT));
	fields_int(f, "lbr_depth", info_fact(kind, UNCOREMSR_CORE_LBR_DEPTH));
	fields_int(f, "max_precise", info_fact(kind, UNCOREMSR_CORE_MAX_PRECISE));
	fields_str(f, "why", full_width < 0 ? CANNOT_TELL : NULL);
	fields_close(f);
}

static void write_boot_line(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	uint64_t mask;

	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_BOOT_VALUE_MASK, &mask) < 0) {
		fields_str(f, "boot_line", NULL);
		return;
	}
	fields_open(f, "boot_line");
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		if (boot_lines[n].hex)
			write_word(f, boot_lines[n].field, kind, boot_lines[n].fact);
		else
			fields_int(f, boot_lines[n].field, info_fact(kind, boot_lines[n].fact));
	}
	fields_word(f, "max_period_full_width", mask >> 1);
	fields_close(f);
}

void info_write_core(struct fields *f, const struct uncoremsr_core_kind *kind)
{
	fields_str(f, "cpus", uncoremsr_core_text(kind, UNCOREMSR_CORE_CPUS));
	fields_str(f, "brand", uncoremsr_core_text(kind, UNCOREMSR_CORE_BRAND));
	fields_bool(f, "hybrid", (int)info_fact(kind, UNCOREMSR_CORE_HYBRID));
	fields_str(f, "core_type", info_core_type(kind));
	write_word(f, "native_model", kind, UNCOREMSR_CORE_NATIVE_MODEL);
	write_counters(f, kind);
	write_events(f, kind);
	write_leaf_0x23(f, kind);
	write_topology(f, kind);
	write_features(f, kind);
	write_boot_line(f, kind);
}
