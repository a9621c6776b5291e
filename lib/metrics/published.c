/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The meaning of words in published metrics, as tables. */
#include "metrics/published.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "common/text.h"
#include "names/json_list.h"
#include "names/synonyms.h"

/*
 * The meaning of words that are not events. Energy: perf counts 2^-32 J, while the formulas use units of 61 and
 * 15.3 microjoule (2^-14 and 2^-16 J).
 */
static const struct {
	char name[56];
	enum um_input_kind kind;
	double factor;
	char event[20];
} words[] = {
	{ "dt", UM_INPUT_TIME, 1, "msr/tsc/" },
	{ "duration_time", UM_INPUT_TIME, 1, "msr/tsc/" },
	{ "DURATIONTIMEINSECONDS", UM_INPUT_TIME, 1, "msr/tsc/" },
	{ "DURATIONTIMEINMILLISECONDS", UM_INPUT_TIME, 1000, "msr/tsc/" },
	{ "TSC", UM_INPUT_COUNT, 1, "msr/tsc/" },
	{ "SYSTEM_TSC_FREQ", UM_INPUT_HZ, 1, "msr/tsc/" },
	{ "#SYSTEM_TSC_FREQ", UM_INPUT_HZ, 1, "msr/tsc/" },
	{ "SOCKET_COUNT", UM_INPUT_PACKAGES, 1, "" },
	{ "#num_packages", UM_INPUT_PACKAGES, 1, "" },
	{ "#num_dies", UM_INPUT_DIES, 1, "" },
	{ "#core_wide", UM_INPUT_NUMBER, 1, "" },
	{ "CORES_PER_SOCKET", UM_INPUT_CORES, 1, "" },
	{ "#num_cores", UM_INPUT_CORES, 1, "" },
	{ "CHAS_PER_SOCKET", UM_INPUT_SLICES, 1, "" },
	{ "#num_cpus_online", UM_INPUT_CPUS, 1, "" },
	{ "system.sockets[0].cpus.count * system.socket_count", UM_INPUT_CPUS, 1, "" },
	{ "HYPERTHREADING_ON", UM_INPUT_SMT, 1, "" },
	{ "#SMT_on", UM_INPUT_SMT, 1, "" },
	{ "THREADS_PER_CORE", UM_INPUT_THREADS, 1, "" },
	{ "UNC_PKG_ENERGY_STATUS", UM_INPUT_COUNT, 1.0 / (1 << 18), "power/energy-pkg/" },
	{ "FREERUN_PKG_ENERGY_STATUS", UM_INPUT_COUNT, 1.0 / (1 << 18), "power/energy-pkg/" },
	{ "FREERUN_DRAM_ENERGY_STATUS", UM_INPUT_COUNT, 1.0 / (1 << 16), "power/energy-ram/" },
};

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len > n && strcasecmp(text + len - n, end) == 0;
}

static bool is_known(const char *text, const struct um_metric *m, struct um_input_meaning *meaning)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(text, words[i].name) != 0)
			continue;
		meaning->kind = words[i].kind;
		meaning->factor = words[i].factor;
		meaning->per_package = ends_with(text, "_PER_SOCKET");
		snprintf(meaning->event, sizeof(meaning->event), "%s", words[i].event);
		if (meaning->kind == UM_INPUT_HZ && m->ticks)
			meaning->kind = UM_INPUT_TICKS;
		return true;
	}
	return false;
}

/* ---- events: NAME:c1:e1, NAME[0] ---- */

#define PUT(m, ...) um_append((m)->event, sizeof((m)->event), __VA_ARGS__)

/* Translate qualifiers that have another name here; copy all others unchanged. */
static bool put_qualifier(struct um_input_meaning *m, const char *at, size_t len, bool uncore)
{
	static const struct {
		char theirs[16], core[28], uncore[28];
		bool number;           /* a number follows */
	} table[] = {
		{ "c", ":cmask=", ":thresh=", true }, { "e", ":edge=", ":edge=", true },
		{ "i", ":inv=", ":inv=", true }, { "u", ":umask=", ":umask=", true },
		{ "SUP", ":k", ":k", false }, { "USER", ":u", ":u", false },
		{ "percore", "", "", false }, { "perf_metrics", "", "", false },
		{ "opc=", ":filter_opc=", ":filter_opc=", true },
		{ "tid=", ":tid_en=1:filter_tid=", ":tid_en=1:filter_tid=", true },
		{ "ocr_msr_val=", ":offcore_rsp=", ":offcore_rsp=", true },
	};
	uint64_t number;

	/* The kernel expects this filter of a caching agent in the upper half of config1. */
	if (len > 8 && !strncasecmp(at, "filter1=", 8))
		return um_perf_number(at + 8, len - 8, &number) && !(number >> 32) &&
		       PUT(m, ":config1=0x%llx", (unsigned long long)number << 32);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		size_t known = strlen(table[i].theirs);

		if (len >= known && !strncasecmp(at, table[i].theirs, known) &&
		    (table[i].number ? isdigit((unsigned char)at[known]) : len == known))
			return PUT(m, "%s%.*s", uncore ? table[i].uncore : table[i].core, (int)(len - known),
				   at + known);
	}
	return PUT(m, ":%.*s", (int)len, at);
}

static bool put_first_unit(struct um_input_meaning *m, const char *name, size_t len, const struct um_json_lists *lists)
{
	const struct um_json_event *ev = lists ? um_json_find(lists, name, len, 0) : NULL;

	return ev && PUT(m, "%s_0/%.*s/", ev->pmu, (int)len, name);
}

/* Metric files have the filter in the lower half of config1 ("cha/NAME,config1=0x40433/"), where Linux ignores it. */
static bool put_terms(struct um_input_meaning *m, const char *text)
{
	static const char config1[] = "config1=";
	const char *at = um_starts_with(text, "cha/") ? strstr(text, config1) : NULL;
	size_t len;
	uint64_t number;

	at = at ? at + sizeof(config1) - 1 : text;
	len = strcspn(at, ",/");
	if (at == text || !um_perf_number(at, len, &number) || number >> 32)
		return PUT(m, "%s", text);
	return PUT(m, "%.*s0x%llx%s", (int)(at - text), text, (unsigned long long)number << 32, at + len);
}

/* Write codes if the offcore response differs from the list's: "cpu/event=0x2a,offcore_rsp=0x103b800002/". */
static bool put_event(struct um_input_meaning *m, const char *text, const struct um_json_lists *lists)
{
	static const char response[] = ":ocr_msr_val=", term[] = "offcore_rsp=";
	bool uncore = strncasecmp(text, "UNC_", 4) == 0, fits;
	size_t len = strcspn(text, ":[");
	const char *behind = text + len, *at = NULL, *value;
	const struct um_json_event *ev = NULL;

	if (strchr(text, '/'))
		return put_terms(m, text);
	if (!strcmp(behind, "[0]") || !strcasecmp(behind, ":one_unit"))
		return put_first_unit(m, text, len, lists);
	if (lists && !strncasecmp(behind, response, sizeof(response) - 1))
		ev = um_json_find(lists, text, len, 0);
	if (ev)
		at = strstr(ev->terms, term);
	if (at) {
		at += sizeof(term) - 1;
		value = behind + sizeof(response) - 1;
		behind = value + strcspn(value, ":");
		fits = PUT(m, "%s/%.*s%.*s%s/", um_json_pmu(ev), (int)(at - ev->terms), ev->terms,
			   (int)(behind - value), value, at + strcspn(at, ","));
	} else {
		fits = PUT(m, "%.*s", (int)len, text);
	}
	while (fits && *behind == ':') {
		len = strcspn(behind + 1, ":");
		fits = put_qualifier(m, behind + 1, len, uncore);
		behind += len + 1;
	}
	return fits && !*behind;
}

/* Does the text name one unit only: "NAME[0]", "NAME:one_unit", or in perf's form "cha_0/NAME/"? */
static bool is_one_unit(const struct um_formula_input *input)
{
	size_t pmu = strcspn(input->text, "/");

	return input->unit == 0 || ends_with(input->text, "[0]") ||
	       ends_with(input->text, ":one_unit") ||
	       (input->text[pmu] && pmu > 2 && !memcmp(input->text + pmu - 2, "_0", 2));
}

/* ---- topdown events: how the slots of a core are spent ---- */

const char *um_share_of_slots(size_t index)
{
	return index < um_synonyms[UM_TOPDOWN].num ? um_synonyms[UM_TOPDOWN].rows[index].ours : NULL;
}

bool um_is_slots(const char *text)
{
	return !strcasecmp(text, "TOPDOWN.SLOTS") || !strcasecmp(text, "TOPDOWN.SLOTS:perf_metrics");
}

/* Translate a topdown field. On hybrid processors only the cores of one type have slots. */
static bool is_share(const char *text, const struct um_json_lists *lists, struct um_input_meaning *meaning)
{
	static const char prefix[] = "PERF_METRICS.", slots[] = "TOPDOWN.SLOTS";
	const struct um_json_event *ev = lists ? um_json_find(lists, slots, sizeof(slots) - 1, 0) : NULL;
	const struct um_synonym *share;

	if (strncasecmp(text, prefix, sizeof(prefix) - 1) != 0)
		return false;
	text += sizeof(prefix) - 1;
	share = um_synonym_find(UM_TOPDOWN, text, strlen(text));
	if (!share)
		return false;
	meaning->kind = UM_INPUT_COUNT;
	meaning->of_slots = true;
	snprintf(meaning->event, sizeof(meaning->event), "%s/%s/",
		 ev && ev->core_type ? um_core_type_pmu(ev->core_type) : "cpu", share->ours);
	return true;
}

/* ---- all inputs ---- */

static const struct {
	char start[16];
	enum um_input_kind kind;
} functions[] = {
	{ "source_count(", UM_INPUT_UNITS }, { "has_event(", UM_INPUT_HAS_EVENT },
};

static void of_function(const char *text, const struct um_json_lists *lists, struct um_input_meaning *meaning)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		char name[160];

		if (!um_starts_with(text, functions[i].start))
			continue;
		snprintf(name, sizeof(name), "%s", text + strlen(functions[i].start));
		name[strcspn(name, ")")] = '\0';
		if (put_event(meaning, name, lists))
			meaning->kind = functions[i].kind;
		meaning->per_package = meaning->kind == UM_INPUT_UNITS;
		return;
	}
}

void um_published_input(const struct um_formula_input *input, const struct um_metric *m,
			const struct um_json_lists *lists, struct um_input_meaning *meaning)
{
	const char *end;
	double number;
	bool written;

	*meaning = (struct um_input_meaning){ .kind = UM_INPUT_UNKNOWN, .factor = 1 };
	/* Some constants have a number in place of a name. */
	if (um_real_number(input->text, &end, &number) && !*end) {
		*meaning = (struct um_input_meaning){ .kind = UM_INPUT_NUMBER, .factor = number };
		return;
	}
	if (is_known(input->text, m, meaning) || is_share(input->text, lists, meaning))
		return;
	if (input->kind == UM_INPUT_FUNCTION) {
		of_function(input->text, lists, meaning);
		return;
	}
	if (input->kind == UM_INPUT_LITERAL)
		return;
	/* Only sampling can measure this latency. Set -1, for which the formulas use a constant. */
	if (ends_with(input->text, ":retire_latency") || ends_with(input->text, ":R")) {
		meaning->kind = UM_INPUT_NUMBER;
		meaning->factor = -1;
		return;
	}
	written = m->ours ? PUT(meaning, "%s", input->text)
		  : input->unit == 0 ? put_first_unit(meaning, input->text, strlen(input->text), lists)
				     : put_event(meaning, input->text, lists);
	if (written)
		meaning->kind = !m->ours && is_one_unit(input) ? UM_INPUT_ONE_UNIT : UM_INPUT_COUNT;
}
