/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Convert the fields of a list entry into a PMU of the kernel and terms, by the rules of perf's converters (Linux
 * tools/perf/pmu-events/jevents.py, intel/perfmon scripts/create_perf_json.py).
 */
#include "names/json_list.h"
#include "names/json_list_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "names/scanner.h"
#include "names/synonyms.h"

struct terms {
	const char *of[UM_LIST_FIELDS]; /* texts of the fields; "": the entry has no such field */
	char pmu[64], terms[UM_JSON_TERMS], occ_terms[UM_JSON_TERMS];
	char texts[];
};

/*
 * The first number of "0xB7, 0xBB"; 0 if the field is empty, "na", "null" or the like. json_list_text.c has refused all
 * other text.
 */
static uint64_t number(const struct terms *t, enum um_list_field field)
{
	const char *text = t->of[field];
	struct um_event_term first;
	uint64_t value = 0;

	um_next_term(&text, text + strlen(text), ',', &first);
	um_perf_number(first.name, (size_t)(first.end - first.name), &value);
	return value;
}

static bool has_word(const struct terms *t, enum um_list_field field, const char *word)
{
	return strcasestr(t->of[field], word) != NULL;
}

static void append_term(char text[UM_JSON_TERMS], const char *term, uint64_t value)
{
	size_t len = strlen(text);

	snprintf(text + len, UM_JSON_TERMS - len, "%s%s=0x%" PRIx64, len ? "," : "", term, value);
}

static void append_term_if(char text[UM_JSON_TERMS], const char *term, uint64_t value)
{
	if (value)
		append_term(text, term, value);
}

static bool is_freerun(const struct terms *t)
{
	return has_word(t, UM_LIST_COUNTER_TYPE, "FREERUN");
}

/* The memory controller's number in a name like UNC_MC1_RDCAS_COUNT_FREERUN; -1: none. On clients each has a PMU. */
static int controller(const char *name)
{
	const char *mc = strcasestr(name, "_MC");

	return mc && isdigit((unsigned char)mc[3]) && mc[4] == '_' ? mc[3] - '0' : -1;
}

static void convert_pmu(struct terms *t)
{
	const char *unit = t->of[UM_LIST_BOX], *name = unit;
	char lower[24] = "", suffix[16] = "";
	int mc = is_freerun(t) ? controller(t->of[UM_LIST_NAME]) : -1;
	const struct um_synonym *known;

	if (!*unit || !strcasecmp(unit, "cpu") || !strncasecmp(unit, "cpu_", 4)) {
		snprintf(t->pmu, sizeof(t->pmu), "%s", *unit ? unit : "cpu");
		return;
	}
	known = um_synonym_find(UM_LIST_UNIT, unit, strlen(unit));
	if (known)
		name = known->ours;
	for (size_t i = 0; name[i] && i + 1 < sizeof(lower); i++)
		lower[i] = (char)(name[i] == ' ' ? '_' : tolower((unsigned char)name[i]));
	if (mc >= 0)
		snprintf(suffix, sizeof(suffix), "_%u", (unsigned)mc % 10);
	snprintf(t->pmu, sizeof(t->pmu), "uncore_%s%s%s", lower, is_freerun(t) ? "_free_running" : "", suffix);
}

/*
 * The unit mask that the kernel uses for a free-running counter: type and index of the counter (uncore_snbep.c,
 * uncore_snb.c). The event select is 0xff.
 */
static uint64_t freerun_mask(const char *name)
{
	static const struct {
		char word[16];
		unsigned type;
		bool client;
	} rows[] = {
		{ "TOTAL", 1, true }, { "RDCAS", 2, true }, { "WRCAS", 3, true },
		{ "CLOCKTICKS", 1, false }, { "BANDWIDTH_IN", 2, false }, { "BANDWIDTH_OUT", 3, false },
	};
	const char *part = strcasestr(name, "PART");
	unsigned index = part && isdigit((unsigned char)part[4]) ? (unsigned)(part[4] - '0') : 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if ((!rows[i].client || controller(name) >= 0) && strcasestr(name, rows[i].word))
			return rows[i].type << 4 | (rows[i].client ? 0 : index);
	return 0;
}

static void convert_general(struct terms *t)
{
	/* Registers that a core event may need besides its selector, and Linux's terms for them. */
	static const struct {
		uint64_t msr;
		char term[12];
	} registers[] = {
		{ 0x3f6, "ldlat" }, { 0x3f7, "frontend" }, { 0x1a6, "offcore_rsp" }, { 0x1a7, "offcore_rsp" },
	};
	uint64_t umask = number(t, UM_LIST_UMASK), ext = number(t, UM_LIST_UMASK_EXT);
	uint64_t ports = number(t, UM_LIST_PORT_MASK), completions = number(t, UM_LIST_FCMASK);

	/*
	 * UMaskExt holds the selector bits above bit 31. On IIO PMUs they are the port mask (bits 36 to 47) and the FC
	 * mask (bits 48 to 50); the fields PortMask and FCMask take precedence if the entry has them (uncore_snbep.c,
	 * snr_uncore_iio_formats_attr). Lists of older processors have no UMaskExt.
	 */
	if (!ports && !completions && strcmp(t->pmu, "uncore_iio")) {
		umask |= ext << 8;
	} else if (!ports && !completions) {
		ports = ext >> 4 & 0xfff;
		completions = ext >> 16 & 7;
	}
	append_term(t->terms, "event", number(t, UM_LIST_EXT_SEL) << 8 | number(t, UM_LIST_CODE));
	/*
	 * The PCU of the first Xeons E5 has no unit mask. There the list's unit mask is bits 7:6 of the selector, which
	 * select the occupancy.
	 */
	if (umask && !strcmp(t->pmu, "uncore_pcu") && !(umask & 0x3f)) {
		memcpy(t->occ_terms, t->terms, sizeof(t->occ_terms));
		append_term(t->occ_terms, "occ_sel", umask >> 6);
	}
	append_term_if(t->terms, "umask", umask);
	append_term_if(t->terms, "ch_mask", ports);
	append_term_if(t->terms, "fc_mask", completions);
	append_term_if(t->terms, "cmask", number(t, UM_LIST_COUNTER_MASK));
	append_term_if(t->terms, "inv", number(t, UM_LIST_INVERT));
	append_term_if(t->terms, "edge", number(t, UM_LIST_EDGE));
	append_term_if(t->terms, "any", number(t, UM_LIST_ANY_THREAD));
	/* The second filter register is the upper half of Linux's config1 (skx_cha_filter_mask()). */
	if (!strcasecmp(t->of[UM_LIST_FILTER], "Filter1"))
		append_term_if(t->terms, "config1", number(t, UM_LIST_FILTER_VALUE) << 32);
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		if (number(t, UM_LIST_MSR_INDEX) == registers[i].msr)
			append_term_if(t->terms, registers[i].term, number(t, UM_LIST_MSR_VALUE));
}

static void convert(struct terms *t)
{
	const char *name = t->of[UM_LIST_NAME], *box = t->of[UM_LIST_BOX];
	const struct um_synonym *fixed = um_synonym_find(UM_LIST_FIXED, name, strlen(name));

	convert_pmu(t);
	if (is_freerun(t)) {
		append_term(t->terms, "event", 0xff);
		append_term_if(t->terms, "umask", freerun_mask(name));
	} else if (*box && (has_word(t, UM_LIST_COUNTER, "FIXED") || !strcasecmp(box, "NCU"))) {
		append_term(t->terms, "event", 0xff);
	} else if (fixed && !*box && !number(t, UM_LIST_CODE)) {
		snprintf(t->terms, sizeof(t->terms), "%s", fixed->ours);
	} else {
		convert_general(t);
	}
}

/* Parse the numbers of general counters, "0,1,2,3". Numbers from 32 on are fixed counters in newer lists. */
static uint32_t general_counters(const struct terms *t)
{
	const char *at = t->of[UM_LIST_COUNTER];
	uint32_t mask = 0;
	unsigned n;

	while (!is_freerun(t) && um_read_decimal(&at, UINT_MAX, &n)) {
		mask |= n < 32 ? UINT32_C(1) << n : 0;
		at += strspn(at, ", ");
	}
	return mask;
}

/*
 * The fixed counter of an entry; -1: none. It follows from the unit mask, or in the oldest lists from the field
 * Counter, which numbers fixed counters from 1. Events of both threads of a core (AnyThread) use a general counter.
 */
static int fixed_counter(const struct terms *t)
{
	const char *text = t->of[UM_LIST_COUNTER], *digits = text + strcspn(text, "0123456789");
	unsigned long n = strtoul(digits, NULL, 10);
	uint64_t umask = number(t, UM_LIST_UMASK);

	if (*t->of[UM_LIST_BOX] || number(t, UM_LIST_ANY_THREAD) || general_counters(t) ||
	    (!has_word(t, UM_LIST_COUNTER, "fixed") && n < 32))
		return -1;
	if (n >= 32)
		return (int)(n - 32) & 31;
	return umask ? (int)(umask - 1) & 31 : n ? (int)(n - 1) & 31 : -1;
}

bool um_list_convert(const struct um_list_texts *texts, struct um_json_event *ev)
{
	struct uncoremsr_event *pub = &ev->base.pub;
	size_t all = 0;
	struct terms *t;
	char *to;

	for (size_t i = 0; i < UM_LIST_FIELDS; i++)
		all += texts->of[i].len + 1;
	ev->storage = t = calloc(1, sizeof(*t) + all);
	if (!t)
		return false;
	to = t->texts;
	for (size_t i = 0; i < UM_LIST_FIELDS; i++) {
		t->of[i] = to;
		if (texts->of[i].len)
			to = mempcpy(to, texts->of[i].at, texts->of[i].len);
		to++;
	}
	convert(t);
	ev->pmu = t->pmu;
	ev->terms = t->terms;
	ev->occ_terms = t->occ_terms;
	um_name_make(&ev->base, UM_FROM_LIST, ev->name);
	ev->base.described = false; /* source_list.c sets the members that depend on the machine */
	if (has_word(t, UM_LIST_FILTER, "HA_AddrMatch") || has_word(t, UM_LIST_FILTER, "HA_OpcodeMatch") ||
	    has_word(t, UM_LIST_FILTER, "IRPFilter"))
		pub->impossible = "the kernel has no format for the match register that the event needs";
	pub->unit = um_or_null(t->of[UM_LIST_BOX]);
	pub->counters = um_or_null(t->of[UM_LIST_COUNTER]);
	pub->description = um_or_null(t->of[UM_LIST_DESCRIPTION]);
	pub->deprecated = number(t, UM_LIST_DEPRECATED) == 1 || !strcasecmp(t->of[UM_LIST_DEPRECATED], "true");
	pub->hidden = ev->hidden;
	ev->general = general_counters(t);
	ev->fixed = (int8_t)fixed_counter(t);
	/*
	 * The field Filter may name a register ("CBoFilter0[23:17]", "Filter1"): the user may have to choose its value.
	 * Or it names masks ("fc, chnl"): their values are in other fields of the entry.
	 */
	ev->wants_filter = has_word(t, UM_LIST_FILTER, "Filter");
	return true;
}
