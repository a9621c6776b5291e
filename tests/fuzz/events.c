/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language, on every microarchitecture that has events. */
#include "fuzz.h"

#include "events/event.h"

/* Bits that do not read back are no part of what is counted, nor of the name. */
static bool same(const struct um_encoding *a, const struct um_encoding *b)
{
	return a->pmu == b->pmu && a->unit == b->unit && a->fixed == b->fixed &&
	       strcmp(a->name, b->name) == 0 && a->extras == b->extras &&
	       a->counters == b->counters && memcmp(a->extra, b->extra, sizeof(a->extra)) == 0 &&
	       !((a->word ^ b->word) & ~a->pmu->selector.ignore_on_compare);
}

/* What is shown as the name of an event must mean that event when a user types it. */
static void check_event(const struct um_encoding *ev, const struct um_event_pmus *pmus)
{
	const struct um_selector *sel = &ev->pmu->selector;
	struct um_encodings again = { 0 };
	struct um_error e = { 0 };

	REQUIRE(ev->pmu && ev->name[0] && ev->pmu->reach == UM_REACH_MSR);
	REQUIRE(ev->unit < (ev->pmu->units.max > 1 ? (int)ev->pmu->units.max : 1));
	REQUIRE(ev->fixed < (int)ev->pmu->num_fixed);
	REQUIRE(ev->fixed >= 0 || ev->counters);
	REQUIRE(ev->fixed >= 0 || !(ev->word & ~(sel->settable | sel->enable)));
	REQUIRE(ev->fixed >= 0 || !(ev->word & sel->pmi));
	REQUIRE(um_events_parse(&again, ev->name, pmus, NULL, &e) == 1);
	REQUIRE(same(ev, &again.events[0]));
	um_events_free(&again);
}

static void parse(const char *text, const char *uarch)
{
	struct um_event_pmus pmus = um_event_pmus_of(um_uarch_find(uarch), um_core_registers.pmus);
	struct um_encodings list = { 0 };
	struct um_error e = { 0 };
	int num = um_events_parse(&list, text, &pmus, NULL, &e);

	if (num < 0) {
		REQUIRE(list.num == 0 && list.num_groups == 0);
		REQUIRE(e.msg[0] && e.class != UNCOREMSR_ERROR_NONE);
	} else {
		REQUIRE(num > 0 && (size_t)num == list.num);
		check_event(&list.events[0], &pmus);
		check_event(&list.events[list.num - 1], &pmus);
		for (size_t i = 0; i < list.num; i++)
			REQUIRE(list.events[i].group < list.num_groups);
	}
	um_events_free(&list);
}

static void target(const char *text, size_t size)
{
	static const char *const uarchs[] = {
		"westmere", "nehalem", "nehalem-ex", "sandybridge", "alderlake", "ivybridge-ep",
		"skylake-sp", "sapphirerapids", "zen2",
	};

	(void)size;
	for (size_t i = 0; i < ARRAY_SIZE(uarchs); i++)
		parse(text, uarchs[i]);
}
