/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Convert the fields of a list's entry into the kernel's PMU and terms, by the rules of perf's own converters
 * (Linux tools/perf/pmu-events/jevents.py, intel/perfmon scripts/create_perf_json.py).
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

#include "common/error.h"
#include "common/number.h"
#include "names/json_list_load.h"
#include "names/synonyms.h"

enum { TERMS = 256 };

struct terms {
	const char *name;
	char pmu[64], terms[TERMS], occ_terms[TERMS];
	const char *impossible;
};

/* Returns "" for a missing field. */
static const char *get(const json_t *entry, const char *field)
{
	const char *text = json_string_value(json_object_get(entry, field));

	return text ? text : "";
}

/*
 * The first number of "0xB7, 0xBB", or a number without quotes; 0 for the many ways of writing none. Entries with
 * anything else in place of a number are left out earlier (json_list_text.c).
 */
static uint64_t number(const json_t *f, const char *field)
{
	const json_t *value = json_object_get(f, field);
	const char *text = get(f, field);
	char *end;
	unsigned long long v = strtoull(text, &end, tolower(text[strspn(text, " 0")]) == 'x' ? 16 : 10);

	if (json_is_integer(value))
		return json_integer_value(value) < 0 ? 0 : (uint64_t)json_integer_value(value);
	if (json_is_true(value))
		return 1;
	return end == text ? 0 : v;
}

static bool has_word(const json_t *f, const char *field, const char *word)
{
	return strcasestr(get(f, field), word) != NULL;
}

static void add(char text[TERMS], const char *term, uint64_t value)
{
	size_t len = strlen(text);

	if (len && len + 1 < TERMS) {
		text[len++] = ',';
		text[len] = '\0';
	}
	snprintf(text + len, TERMS - len, "%s=0x%" PRIx64, term, value);
}

static void add_if(char text[TERMS], const char *term, uint64_t value)
{
	if (value)
		add(text, term, value);
}

/* ---- which PMU ---- */

static bool is_freerun(const json_t *f)
{
	return has_word(f, "CounterType", "FREERUN");
}

/* The memory controller in a name like UNC_MC1_RDCAS_COUNT_FREERUN; on clients each has its own PMU. -1: none. */
static int controller(const char *name)
{
	const char *mc = strcasestr(name, "_MC");

	return mc && isdigit((unsigned char)mc[3]) && mc[4] == '_' ? mc[3] - '0' : -1;
}

static void convert_pmu(struct terms *t, const json_t *f)
{
	const char *unit = get(f, "Unit"), *name = unit;
	char lower[24] = "", suffix[16] = "";
	int mc = is_freerun(f) ? controller(t->name) : -1;
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
	snprintf(t->pmu, sizeof(t->pmu), "uncore_%s%s%s", lower,
		 is_freerun(f) ? "_free_running" : "", suffix);
}

/* ---- what is counted ---- */

static bool convert_fixed_core(struct terms *t, const json_t *f)
{
	const struct um_synonym *known = um_synonym_find(UM_LIST_FIXED, t->name, strlen(t->name));

	if (!known || number(f, "EventCode") || *get(f, "Unit"))
		return false;
	snprintf(t->terms, sizeof(t->terms), "%s", known->ours);
	return true;
}

/*
 * The unit mask of a free-running counter: its type and index; the event select is 0xff (uncore_snbep.c,
 * uncore_snb.c).
 */
static uint64_t freerun_mask(const char *name)
{
	static const struct {
		char word[16];
		unsigned type;
	} client[] = { { "TOTAL", 1 }, { "RDCAS", 2 }, { "WRCAS", 3 } },
	  server[] = { { "CLOCKTICKS", 1 }, { "BANDWIDTH_IN", 2 }, { "BANDWIDTH_OUT", 3 } };
	const char *part = strcasestr(name, "PART");
	unsigned index = part && isdigit((unsigned char)part[4]) ? (unsigned)(part[4] - '0') : 0;

	for (size_t i = 0; i < ARRAY_SIZE(client); i++)
		if (controller(name) >= 0 && strcasestr(name, client[i].word))
			return client[i].type << 4;
	for (size_t i = 0; i < ARRAY_SIZE(server); i++)
		if (strcasestr(name, server[i].word))
			return server[i].type << 4 | index;
	return 0;
}

/* The masks of an event, one for each term that takes one. */
struct masks {
	uint64_t umask, ports, completions;
};

/*
 * UMaskExt holds the bits above bit 31 of the selector. For IIO these are PortMask and FCMask, which the lists
 * usually also have as fields; otherwise they are bits 36 to 47 and 48 to 50 (uncore_snbep.c,
 * snr_uncore_iio_formats_attr; lists of older processors have no such entry).
 */
static struct masks masks_of(const json_t *f, const char *pmu)
{
	struct masks m = { number(f, "UMask"), number(f, "PortMask"), number(f, "FCMask") };
	uint64_t ext = number(f, "UMaskExt");

	if (m.ports || m.completions)
		return m;
	if (strcmp(pmu, "uncore_iio")) {
		m.umask |= ext << 8;
	} else {
		m.ports = ext >> 4 & 0xfff;
		m.completions = ext >> 16 & 7;
	}
	return m;
}

/* Add the term for the second register of a core event, by the register's number. */
static void convert_msr(struct terms *t, const json_t *f)
{
	uint64_t value = number(f, "MSRValue");

	switch (number(f, "MSRIndex")) {
	case 0x3f6:
		add_if(t->terms, "ldlat", value);
		break;
	case 0x3f7:
		add_if(t->terms, "frontend", value);
		break;
	case 0x1a6:
	case 0x1a7:
		add_if(t->terms, "offcore_rsp", value);
		break;
	}
}

static void convert_general(struct terms *t, const json_t *f)
{
	struct masks m = masks_of(f, t->pmu);

	add(t->terms, "event", number(f, "ExtSel") << 8 | number(f, "EventCode"));
	/*
	 * The PCU of the first Xeons E5 has no unit mask: bits 7:6 of the selector, which the list gives as unit mask,
	 * select the occupancy.
	 */
	if (m.umask && !strcmp(t->pmu, "uncore_pcu") && !(m.umask & 0x3f)) {
		memcpy(t->occ_terms, t->terms, sizeof(t->occ_terms));
		add(t->occ_terms, "occ_sel", m.umask >> 6);
	}
	add_if(t->terms, "umask", m.umask);
	add_if(t->terms, "ch_mask", m.ports);
	add_if(t->terms, "fc_mask", m.completions);
	add_if(t->terms, "cmask", number(f, "CounterMask"));
	add_if(t->terms, "inv", number(f, "Invert"));
	add_if(t->terms, "edge", number(f, "EdgeDetect"));
	add_if(t->terms, "any", number(f, "AnyThread"));
	/* The second filter register is the upper half of Linux's config1 (skx_cha_filter_mask()). */
	if (!strcasecmp(get(f, "Filter"), "Filter1"))
		add_if(t->terms, "config1", number(f, "FILTER_VALUE") << 32);
	convert_msr(t, f);
}

static void convert(struct terms *t, const json_t *f, const char *name)
{
	*t = (struct terms){ .name = name, .impossible = "" };
	convert_pmu(t, f);
	if (is_freerun(f)) {
		add(t->terms, "event", 0xff);
		add_if(t->terms, "umask", freerun_mask(t->name));
	} else if (*get(f, "Unit") && (has_word(f, "Counter", "FIXED") ||
				       !strcasecmp(get(f, "Unit"), "NCU"))) {
		add(t->terms, "event", 0xff);
	} else if (!convert_fixed_core(t, f)) {
		convert_general(t, f);
	}
	if (has_word(f, "Filter", "HA_AddrMatch") || has_word(f, "Filter", "HA_OpcodeMatch") ||
	    has_word(f, "Filter", "IRPFilter"))
		t->impossible = "the kernel has no format for the match register that it needs";
}

/* ---- on which counters ---- */

/* Parse "0,1,2,3". "Fixed counter 1", or 32 and up in newer lists, is no general counter. */
static uint32_t general_counters(const json_t *f)
{
	const char *at = get(f, "Counter");
	uint32_t mask = 0;
	unsigned n;

	while (!is_freerun(f) && um_read_decimal(&at, UINT_MAX, &n)) {
		mask |= n < 32 ? UINT32_C(1) << n : 0;
		at += strspn(at, ", ");
	}
	return mask;
}

/*
 * The fixed counter, from the unit mask of the pseudo code. The oldest lists have no unit mask there and count from
 * 1. Events of both threads of a core (AnyThread) use a general counter.
 */
static int fixed_counter(const json_t *f)
{
	const char *text = get(f, "Counter"), *digits = text + strcspn(text, "0123456789");
	unsigned long n = strtoul(digits, NULL, 10);
	uint64_t umask = number(f, "UMask");

	if (*get(f, "Unit") || number(f, "AnyThread") || general_counters(f) ||
	    (!has_word(f, "Counter", "fixed") && n < 32))
		return -1;
	if (n >= 32)
		return (int)(n - 32) & 31;
	return umask ? (int)(umask - 1) & 31 : n ? (int)(n - 1) & 31 : -1;
}

/* ---- the event ---- */

/* The event and its texts, in one allocation. */
struct made {
	struct um_json_event event;
	struct terms terms;
	char texts[];
};

/* Fields that are copied unchanged. */
static const char taken[][20] = { "Unit", "Counter", "BriefDescription" };

static struct made *make(const json_t *json, const char *name)
{
	const char *texts[ARRAY_SIZE(taken)];
	struct made *m;
	size_t len[ARRAY_SIZE(taken)], all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		texts[i] = get(json, taken[i]);
		len[i] = strlen(texts[i]) + 1;
		all += len[i];
	}
	m = calloc(1, sizeof(*m) + all);
	if (!m)
		return NULL;
	for (size_t i = 0, at = 0; i < ARRAY_SIZE(taken); at += len[i++])
		texts[i] = memcpy(m->texts + at, texts[i], len[i]);
	convert(&m->terms, json, name);
	m->event = (struct um_json_event){
		.name = name, .pmu = m->terms.pmu, .terms = m->terms.terms,
		.occ_terms = m->terms.occ_terms, .impossible = m->terms.impossible,
		.unit = texts[0], .counters = texts[1], .description = texts[2],
		.general = general_counters(json), .fixed = (int8_t)fixed_counter(json),
		.deprecated = number(json, "Deprecated") == 1 || !strcasecmp(get(json, "Deprecated"), "true"),
		/*
		 * The field Filter names a register ("CBoFilter0[23:17]", "Filter1"), or masks ("fc, chnl"), which are
		 * fields of the entry.
		 */
		.wants_filter = has_word(json, "Filter", "Filter"),
	};
	return m;
}

struct um_json_event *um_list_event(const char *text, size_t len, const char *name,
				    uint8_t core_type)
{
	char *needed = malloc(len);
	json_t *json = needed ? um_json_load(needed, um_list_needed(text, len, needed), 0, NULL) : NULL;
	struct made *m = json ? make(json, name) : NULL;

	free(needed);
	json_decref(json);
	if (!m)
		return NULL;
	m->event.core_type = core_type;
	return &m->event;
}
