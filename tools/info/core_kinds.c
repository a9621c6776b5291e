/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What CPUID says about the core counters, for each kind of core. */
#include "info/info.h"

#define CANNOT_TELL \
	"cannot tell from CPUID: it is in register IA32_PERF_CAPABILITIES (0x345), which needs the driver"

#define NONE_ONLINE "none of its CPUs is online"

typedef const struct uncoremsr_core_kind *kind_ptr;

int64_t info_core_number(kind_ptr kind, enum uncoremsr_core_number what)
{
	uint64_t v;

	return uncoremsr_core_number(kind, what, &v) < 0 ? -1 : (int64_t)v;
}

/* Number of bits set in a mask; -1: unknown. */
static int bits(kind_ptr kind, enum uncoremsr_core_number mask)
{
	uint64_t v;

	return uncoremsr_core_number(kind, mask, &v) < 0 ? -1 : __builtin_popcountll(v);
}

/* Is no CPU of this kind online, so that CPUID cannot be read on one? */
static bool is_offline(kind_ptr kind)
{
	return info_core_number(kind, UNCOREMSR_CORE_NUM_CPUS) == 0;
}

/* "P" or "E"; NULL if CPUID does not say. */
static const char *core_type(kind_ptr kind)
{
	int64_t type = info_core_number(kind, UNCOREMSR_CORE_TYPE);

	return type == 0x40 ? "P" : type == 0x20 ? "E" : NULL;
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
	int64_t from = info_core_number(kind, UNCOREMSR_CORE_COUNTERS_FROM);

	return from < 0 ? NULL : words[from];
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
	enum uncoremsr_core_number number;
};

static const struct field leaf_0xa[] = {
	{ "version", RECORD_INT, UNCOREMSR_CORE_0XA_VERSION },
	{ "general_counters", RECORD_INT, UNCOREMSR_CORE_0XA_GENERAL_COUNTERS },
	{ "general_width", RECORD_INT, UNCOREMSR_CORE_0XA_GENERAL_WIDTH },
	{ "fixed_counters", RECORD_INT, UNCOREMSR_CORE_0XA_FIXED_COUNTERS },
	{ "fixed_width", RECORD_INT, UNCOREMSR_CORE_0XA_FIXED_WIDTH },
	{ "event_bits", RECORD_INT, UNCOREMSR_CORE_0XA_EVENT_BITS },
	{ "events_absent", RECORD_WORD, UNCOREMSR_CORE_0XA_EVENTS_ABSENT },
	{ "fixed_mask", RECORD_WORD, UNCOREMSR_CORE_0XA_FIXED_MASK },
	{ "eax", RECORD_WORD, UNCOREMSR_CORE_0XA_EAX },
	{ "ebx", RECORD_WORD, UNCOREMSR_CORE_0XA_EBX },
	{ "ecx", RECORD_WORD, UNCOREMSR_CORE_0XA_ECX },
	{ "edx", RECORD_WORD, UNCOREMSR_CORE_0XA_EDX },
}, leaf_0x23[] = {
	{ "subleaves", RECORD_WORD, UNCOREMSR_CORE_0X23_SUBLEAVES },
	{ "flags", RECORD_WORD, UNCOREMSR_CORE_0X23_FLAGS },
	{ "slots_per_cycle", RECORD_INT, UNCOREMSR_CORE_0X23_SLOTS },
	{ "general_mask", RECORD_WORD, UNCOREMSR_CORE_0X23_GENERAL },
	{ "fixed_mask", RECORD_WORD, UNCOREMSR_CORE_0X23_FIXED },
	{ "events", RECORD_WORD, UNCOREMSR_CORE_0X23_EVENTS },
}, sampling[] = {
	{ "perf_capabilities", RECORD_WORD, UNCOREMSR_CORE_CAPABILITIES },
	{ "full_width_writes", RECORD_BOOL, UNCOREMSR_CORE_FULL_WIDTH },
	{ "debug_store", RECORD_BOOL, UNCOREMSR_CORE_DEBUG_STORE },
	{ "pebs_format", RECORD_INT, UNCOREMSR_CORE_PEBS_FORMAT },
	{ "lbr_format", RECORD_INT, UNCOREMSR_CORE_LBR_FORMAT },
	{ "lbr_depth", RECORD_INT, UNCOREMSR_CORE_LBR_DEPTH },
	{ "max_precise", RECORD_INT, UNCOREMSR_CORE_MAX_PRECISE },
};

static void put_number(struct info *i, kind_ptr kind, const char *name, enum record_type type,
		       enum uncoremsr_core_number number)
{
	struct record_value v;
	uint64_t word;
	bool known = uncoremsr_core_number(kind, number, &word) == 0;

	if (type == RECORD_BOOL)
		v.truth = known && word;
	else
		v.count = word; /* the same bits as v.number */
	record_value(&i->w, name, type, known ? &v : NULL);
}

/* Begin an object of numbers. If the first number is unknown, write null instead and return false. */
static bool open_numbers(struct info *i, kind_ptr kind, const char *name,
			 const struct field *fields, size_t num)
{
	if (info_core_number(kind, fields[0].number) < 0) {
		record_str(&i->w, name, NULL);
		return false;
	}
	record_open(&i->w, name);
	for (size_t n = 0; n < num; n++)
		put_number(i, kind, fields[n].name, fields[n].type, fields[n].number);
	return true;
}

#define OPEN_NUMBERS(i, kind, fields) \
	open_numbers(i, kind, #fields, fields, sizeof(fields) / sizeof((fields)[0]))

void info_put_leaf_0xa(struct info *i, kind_ptr kind)
{
	int64_t num = info_core_number(kind, UNCOREMSR_CORE_0XA_EVENT_BITS);
	int64_t absent = info_core_number(kind, UNCOREMSR_CORE_0XA_EVENTS_ABSENT);
	const char *name;

	if (!OPEN_NUMBERS(i, kind, leaf_0xa))
		return;
	/* Write names of absent events: those marked in EBX, and those beyond its length. */
	record_open_list(&i->w, "events_not_available");
	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, NULL, NULL)); bit++) {
		if (bit < num && !(absent >> bit & 1))
			continue;
		record_open(&i->w, NULL);
		record_int(&i->w, "bit", bit);
		record_str(&i->w, "name", name);
		record_close(&i->w);
	}
	record_close(&i->w);
	/* ECX is valid from version 5 on. */
	if (info_core_number(kind, UNCOREMSR_CORE_0XA_VERSION) >= 5)
		put_number(i, kind, "fixed_bitmap", RECORD_WORD, UNCOREMSR_CORE_0XA_ECX);
	else
		record_str(&i->w, "fixed_bitmap", NULL);
	put_number(i, kind, "anythread_deprecated", RECORD_BOOL,
		   UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED);
	record_close(&i->w);
}

static void put_counters(struct info *i, kind_ptr kind)
{
	record_open(&i->w, "core_counters");
	record_int(&i->w, "general", bits(kind, UNCOREMSR_CORE_GENERAL_MASK));
	put_number(i, kind, "general_mask", RECORD_WORD, UNCOREMSR_CORE_GENERAL_MASK);
	record_int(&i->w, "fixed", bits(kind, UNCOREMSR_CORE_FIXED_MASK));
	put_number(i, kind, "fixed_mask", RECORD_WORD, UNCOREMSR_CORE_FIXED_MASK);
	record_str(&i->w, "source", counters_from(kind));
	record_close(&i->w);
}

static void put_events(struct info *i, kind_ptr kind)
{
	unsigned event, umask;
	const char *name;

	if (is_offline(kind)) {
		record_str(&i->w, "core_events", NULL);
		return;
	}
	record_open_list(&i->w, "core_events");
	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++) {
		record_open(&i->w, NULL);
		record_int(&i->w, "bit", bit);
		record_str(&i->w, "name", name);
		record_word(&i->w, "event_select", event);
		record_word(&i->w, "unit_mask", umask);
		record_str(&i->w, "state", event_words[uncoremsr_core_event(kind, bit)]);
		record_close(&i->w);
	}
	record_close(&i->w);
}

static void put_topology(struct info *i, kind_ptr kind)
{
	static const struct field topology[] = {
		{ "leaf", RECORD_WORD, UNCOREMSR_CORE_TOPOLOGY_LEAF },
	};
	enum uncoremsr_level type;
	unsigned shift, cpus;

	if (!OPEN_NUMBERS(i, kind, topology))
		return;
	record_open_list(&i->w, "levels");
	for (size_t n = 0; uncoremsr_core_level(kind, n, &type, &shift, &cpus) == 0; n++) {
		record_open(&i->w, NULL);
		record_str(&i->w, "type", level_word(type));
		record_int(&i->w, "shift", shift);
		record_int(&i->w, "capacity", cpus);
		record_close(&i->w);
	}
	record_close(&i->w);
	record_close(&i->w);
}

static void put_boot_line(struct info *i, kind_ptr kind)
{
	uint64_t mask;

	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_BOOT_VALUE_MASK, &mask) < 0) {
		record_str(&i->w, "boot_line", NULL);
		return;
	}
	record_open(&i->w, "boot_line");
	for (unsigned n = 0; n < BOOT_LINES; n++)
		put_number(i, kind, boot_lines[n].field,
			   boot_lines[n].hex ? RECORD_WORD : RECORD_INT, boot_lines[n].number);
	record_word(&i->w, "max_period_full_width", mask >> 1);
	record_close(&i->w);
}

void info_put_kind(struct info *i, kind_ptr kind)
{
	record_str(&i->w, "cpus", uncoremsr_core_text(kind, UNCOREMSR_CORE_CPUS));
	record_str(&i->w, "brand", uncoremsr_core_text(kind, UNCOREMSR_CORE_BRAND));
	put_number(i, kind, "hybrid", RECORD_BOOL, UNCOREMSR_CORE_HYBRID);
	record_str(&i->w, "core_type", core_type(kind));
	put_number(i, kind, "native_model", RECORD_WORD, UNCOREMSR_CORE_NATIVE_MODEL);
	put_counters(i, kind);
	put_events(i, kind);
	if (OPEN_NUMBERS(i, kind, leaf_0x23))
		record_close(&i->w);
	put_topology(i, kind);
	record_open(&i->w, "sampling");
	for (size_t n = 0; n < sizeof(sampling) / sizeof(sampling[0]); n++)
		put_number(i, kind, sampling[n].name, sampling[n].type, sampling[n].number);
	record_str(&i->w, "why", is_offline(kind) ? NONE_ONLINE
		   : info_core_number(kind, UNCOREMSR_CORE_FULL_WIDTH) < 0 ? CANNOT_TELL : NULL);
	record_close(&i->w);
	put_boot_line(i, kind);
}

/* ---- for people ---- */

static long long number(kind_ptr kind, enum uncoremsr_core_number what)
{
	return info_core_number(kind, what);
}

static void show_leaf_0xa(struct info *i, kind_ptr kind)
{
	long long version = number(kind, UNCOREMSR_CORE_0XA_VERSION);

	if (version <= 0) {
		out_fmt(i->o, INFO_LABEL "%s\n", "core PMU", version
			? "unknown: no CPUID leaf 0xA" : "none (CPUID leaf 0xA: version 0)");
		return;
	}
	out_fmt(i->o, INFO_LABEL "version %lld: %lld general counters of %lld bits, %lld fixed of %lld "
		"bits%s (CPUID leaf 0xA, per logical CPU; says nothing about the uncore)\n",
		"core PMU", version, number(kind, UNCOREMSR_CORE_0XA_GENERAL_COUNTERS),
		number(kind, UNCOREMSR_CORE_0XA_GENERAL_WIDTH),
		number(kind, UNCOREMSR_CORE_0XA_FIXED_COUNTERS),
		number(kind, UNCOREMSR_CORE_0XA_FIXED_WIDTH),
		number(kind, UNCOREMSR_CORE_0XA_ANYTHREAD_DEPRECATED) ? ", AnyThread deprecated"
								      : "");
	if (i->verbose)
		out_fmt(i->o, INFO_LABEL "eax 0x%08llx ebx 0x%08llx ecx 0x%08llx edx 0x%08llx; fixed "
			"counters 0x%llx\n", "leaf 0xA", number(kind, UNCOREMSR_CORE_0XA_EAX),
			number(kind, UNCOREMSR_CORE_0XA_EBX), number(kind, UNCOREMSR_CORE_0XA_ECX),
			number(kind, UNCOREMSR_CORE_0XA_EDX),
			number(kind, UNCOREMSR_CORE_0XA_FIXED_MASK));
}

/* The label of a line: @one if there is only one kind of core, else its type and @each. */
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

/* Show the counters of a kind, if it has more than leaf 0xA reports for all kinds. */
static void show_counters(struct out *o, kind_ptr kind, bool several)
{
	long long native = number(kind, UNCOREMSR_CORE_NATIVE_MODEL);
	const char *type = core_type(kind);

	if (!several && native < 0 && number(kind, UNCOREMSR_CORE_0X23_SUBLEAVES) < 0)
		return;
	show_label(o, kind, "core kind", "kind", several);
	if (is_offline(kind)) {
		out_str(o, NONE_ONLINE "\n");
		return;
	}
	out_fmt(o, "%s%sCPUs %s", type ? type : "", type ? "-core, " : "",
		uncoremsr_core_text(kind, UNCOREMSR_CORE_CPUS));
	if (native >= 0)
		out_fmt(o, ", native model 0x%llx", native);
	if (counters_from(kind))
		out_fmt(o, ": %d general and %d fixed counters (fixed 0x%llx; from %s)",
			bits(kind, UNCOREMSR_CORE_GENERAL_MASK),
			bits(kind, UNCOREMSR_CORE_FIXED_MASK),
			number(kind, UNCOREMSR_CORE_FIXED_MASK), counters_from(kind));
	out_char(o, '\n');
}

static void show_absent(struct out *o, kind_ptr kind, bool several)
{
	const char *name;
	unsigned num = 0;

	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, NULL, NULL)); bit++) {
		if (uncoremsr_core_event(kind, bit) != UNCOREMSR_EVENT_ABSENT)
			continue;
		if (!num++)
			show_label(o, kind, "lacks event", "lacks", several);
		else
			out_str(o, ", ");
		out_fmt(o, "%u %s", bit, name);
	}
	if (num)
		out_char(o, '\n');
}

static void show_sampling(struct out *o, kind_ptr kind, bool several)
{
	long long lbr = number(kind, UNCOREMSR_CORE_LBR_DEPTH);
	long long pebs = number(kind, UNCOREMSR_CORE_PEBS_FORMAT);
	long long wide = number(kind, UNCOREMSR_CORE_FULL_WIDTH);

	if (!counters_from(kind))
		return;
	show_label(o, kind, "sampling", "LBR", several);
	if (lbr < 0 && wide < 0) {
		out_str(o, "LBR depth, precise sampling format, full-width writes: cannot tell from "
			"CPUID (register 0x345 and the kernel's boot log tell)\n");
		return;
	}
	if (lbr < 0)
		out_str(o, "LBR depth unknown");
	else
		out_fmt(o, "LBR %lld deep", lbr);
	if (number(kind, UNCOREMSR_CORE_DEBUG_STORE) == 0)
		out_str(o, ", no precise sampling");
	else if (pebs < 0)
		out_str(o, ", precise sampling format unknown");
	else
		out_fmt(o, ", precise sampling format %lld", pebs);
	out_fmt(o, ", full-width writes %s\n", wide > 0 ? "yes" : wide == 0 ? "no"
		: "unknown (CPUID cannot tell; register 0x345 does)");
}

/* Show the values in the words and digits of the kernel's boot log. */
static void show_boot_line(struct out *o, kind_ptr kind, bool several)
{
	uint64_t v, mask;

	if (uncoremsr_core_number(kind, UNCOREMSR_CORE_BOOT_VALUE_MASK, &mask) < 0)
		return;
	show_label(o, kind, "boot line", "boot", several);
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		out_fmt(o, "%s%s ", n ? ", " : "", boot_lines[n].key);
		if (uncoremsr_core_number(kind, boot_lines[n].number, &v) < 0)
			out_fmt(o, "%016llx (without full-width writes %016x)",
				(unsigned long long)mask >> 1, 0x7fffffff);
		else
			out_fmt(o, boot_lines[n].hex ? "%016llx" : "%llu", (unsigned long long)v);
	}
	out_char(o, '\n');
}

/* With --verbose: every event, leaf 0x23, and the levels of the topology leaf. */
static void show_details(struct out *o, kind_ptr kind)
{
	unsigned event, umask, shift, cpus;
	enum uncoremsr_level type;
	const char *name;

	for (unsigned bit = 0; (name = uncoremsr_arch_event(bit, &event, &umask)); bit++)
		out_fmt(o, "  event %-2u  0x%02x:0x%02x  %-10s  %s\n", bit, event, umask,
			event_words[uncoremsr_core_event(kind, bit)], name);
	if (number(kind, UNCOREMSR_CORE_0X23_SUBLEAVES) >= 0) {
		out_fmt(o, "  leaf 0x23 sub-leaves 0x%llx, slots per cycle %lld",
			number(kind, UNCOREMSR_CORE_0X23_SUBLEAVES),
			number(kind, UNCOREMSR_CORE_0X23_SLOTS));
		if (number(kind, UNCOREMSR_CORE_0X23_GENERAL) >= 0)
			out_fmt(o, ", general 0x%llx, fixed 0x%llx",
				number(kind, UNCOREMSR_CORE_0X23_GENERAL),
				number(kind, UNCOREMSR_CORE_0X23_FIXED));
		if (number(kind, UNCOREMSR_CORE_0X23_EVENTS) >= 0)
			out_fmt(o, ", events 0x%llx", number(kind, UNCOREMSR_CORE_0X23_EVENTS));
		out_char(o, '\n');
	}
	for (size_t n = 0; uncoremsr_core_level(kind, n, &type, &shift, &cpus) == 0; n++)
		out_fmt(o, "  leaf 0x%llx level %zu: %s, room for %u CPUs, x2APIC id shift %u\n",
			number(kind, UNCOREMSR_CORE_TOPOLOGY_LEAF), n, level_word(type), cpus,
			shift);
}

void info_show_kinds(struct info *i)
{
	bool several = uncoremsr_core_kind(i->cores, 1) != NULL;
	kind_ptr kind;

	show_leaf_0xa(i, uncoremsr_core_kind(i->cores, 0));
	for (size_t k = 0; (kind = uncoremsr_core_kind(i->cores, k)); k++) {
		show_counters(i->o, kind, several);
		show_absent(i->o, kind, several);
		show_sampling(i->o, kind, several);
		show_boot_line(i->o, kind, several);
		if (i->verbose && !is_offline(kind))
			show_details(i->o, kind);
	}
}
