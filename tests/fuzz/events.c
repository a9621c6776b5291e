/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language, on every microarchitecture that has events. */
#include "fuzz.h"

#include "uncoremsr/names.h"

#define SIZE_OF(a) (sizeof(a) / sizeof((a)[0]))

static struct uncoremsr *um;

struct words {
	char name[256], text[2048];
	uint64_t group;
};

struct became {
	struct words first, last;
	size_t num;
};

static int keep(void *user, const struct uncoremsr_encoding *e)
{
	struct became *b = user;
	struct words *w = b->num ? &b->last : &b->first;
	/* Bit 17 of an uncore selector always reads as 0, so the event does not include this bit. */
	uint64_t word = strcmp(e->pmu, "core") ? e->word & ~(UINT64_C(1) << 17) : e->word;
	size_t len;

	REQUIRE(*e->name && strlen(e->name) < sizeof(w->name));
	strcpy(w->name, e->name);
	len = (size_t)snprintf(w->text, sizeof(w->text), "%s %llx %d %llx %d %llx %llx", e->pmu,
			       (unsigned long long)word, e->fixed, (unsigned long long)e->counters, e->unit,
			       (unsigned long long)e->selector, (unsigned long long)e->counter);
	for (size_t i = 0; e->registers[i]; i++)
		len += (size_t)snprintf(w->text + len, sizeof(w->text) - len, " %x=%llx/%llx", e->registers[i]->address,
					(unsigned long long)e->registers[i]->value,
					(unsigned long long)e->registers[i]->mask);
	/* The word of an event for general counters may only have selector bits. */
	REQUIRE(e->fixed || (e->counters && !(e->word & ~(e->selector_mask | e->enable))));
	REQUIRE(e->group <= b->num);
	w->group = e->group;
	b->num++;
	return 0;
}

/* The name of an encoding must give the same encoding when a user types it. */
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
