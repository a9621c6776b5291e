/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language, on every microarchitecture that has events. */
#include "fuzz.h"

#include "uncoremsr/names.h"

#define SIZE_OF(a) (sizeof(a) / sizeof((a)[0]))

static struct uncoremsr *um;

/* Words and name of one encoding, as texts to compare. */
struct words {
	char name[256], text[2048];
	uint64_t group;
};

/* Encodings of a text: the first event and the last one. */
struct became {
	struct words first, last;
	size_t num;
};

static int keep(void *user, const struct uncoremsr_encoding *e)
{
	static const enum uncoremsr_encoding_property numbers[] = {
		UNCOREMSR_ENCODING_WORD, UNCOREMSR_ENCODING_FIXED, UNCOREMSR_ENCODING_COUNTERS, UNCOREMSR_ENCODING_UNIT,
		UNCOREMSR_ENCODING_SELECTOR, UNCOREMSR_ENCODING_COUNTER,
	};
	struct became *b = user;
	struct words *w = b->num ? &b->last : &b->first;
	const char *name = uncoremsr_encoding_text(e, UNCOREMSR_ENCODING_NAME);
	const char *pmu = uncoremsr_encoding_text(e, UNCOREMSR_ENCODING_PMU);
	enum uncoremsr_register_use use;
	uint64_t mask, value, enable = 0, valid;
	uint32_t msr;
	size_t len;

	REQUIRE(name && *name && pmu && strlen(name) < sizeof(w->name));
	strcpy(w->name, name);
	len = (size_t)snprintf(w->text, sizeof(w->text), "%s", pmu);
	for (size_t i = 0; i < SIZE_OF(numbers); i++) {
		value = UINT64_MAX;
		uncoremsr_encoding_number(e, numbers[i], &value);
		/* Bit 17 of an uncore selector is not part of the event: it always reads as 0. */
		if (!i && strcmp(pmu, "core"))
			value &= ~(UINT64_C(1) << 17);
		len += (size_t)snprintf(w->text + len, sizeof(w->text) - len, " %llx", (unsigned long long)value);
	}
	for (size_t i = 0; (msr = uncoremsr_encoding_register(e, i, &use, &mask, &value)); i++)
		len += (size_t)snprintf(w->text + len, sizeof(w->text) - len, " %x=%llx/%llx", msr,
					(unsigned long long)value, (unsigned long long)mask);
	/* If a general counter can count it, the word has only bits of the selector. */
	if (!uncoremsr_encoding_number(e, UNCOREMSR_ENCODING_COUNTERS, &value))
		REQUIRE(value && !uncoremsr_encoding_number(e, UNCOREMSR_ENCODING_WORD, &value) &&
			!uncoremsr_encoding_number(e, UNCOREMSR_ENCODING_SELECTOR_MASK, &valid) &&
			(uncoremsr_encoding_number(e, UNCOREMSR_ENCODING_ENABLE, &enable) || 1) &&
			!(value & ~(valid | enable)));
	REQUIRE(!uncoremsr_encoding_number(e, UNCOREMSR_ENCODING_GROUP, &value) && value <= b->num);
	w->group = value;
	b->num++;
	return 0;
}

/* What is shown as the name of an event must mean that event when a user types it. */
static void check_name(const struct words *w, const char *uarch)
{
	static struct became again;

	again.num = 0;
	REQUIRE(uncoremsr_encode(um, UNCOREMSR_ROUTE_MSR, uarch, w->name, keep, &again) == 1);
	REQUIRE(!strcmp(w->text, again.first.text) && !strcmp(w->name, again.first.name));
}

static void parse(const char *text, const char *uarch)
{
	static struct became b;
	int num;

	b.num = 0;
	num = uncoremsr_encode(um, UNCOREMSR_ROUTE_MSR, uarch, text, keep, &b);
	if (num < 0) {
		REQUIRE(!b.num && *uncoremsr_error(um)->message && uncoremsr_error(um)->error_class != UNCOREMSR_ERROR_NONE);
		return;
	}
	REQUIRE(num > 0 && (size_t)num == b.num);
	check_name(&b.first, uarch);
	if (b.num > 1)
		check_name(&b.last, uarch);
}

static void target(const char *text, size_t size)
{
	static const char *const uarchs[] = {
		"westmere", "nehalem", "nehalem-ex", "sandybridge", "alderlake", "ivybridge-ep",
		"skylake-sp", "sapphirerapids", "zen2",
	};

	(void)size;
	REQUIRE(um || !uncoremsr_new(&um));
	for (size_t i = 0; i < SIZE_OF(uarchs); i++)
		parse(text, uarchs[i]);
}
