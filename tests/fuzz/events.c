/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event language, on every microarchitecture that has events. */
#include "fuzz.h"

#include "events/event.h"

/* Bits that do not read back are no part of what is counted, nor of the name. */
static bool same(const struct um_event *a, const struct um_event *b)
{
	return a->pmu == b->pmu && a->fixed == b->fixed && strcmp(a->name, b->name) == 0 &&
	       !((a->word ^ b->word) & ~a->pmu->selector.ignore_on_compare);
}

/* What is shown as the name of an event must mean that event when somebody types it. */
static void check_event(const struct um_event *ev, const struct um_uarch *uarch)
{
	struct um_event_list again = { 0 };
	struct um_error e = { 0 };

	REQUIRE(ev->pmu && ev->name[0]);
	REQUIRE(ev->fixed || !(ev->word & ~(ev->pmu->selector.settable | ev->pmu->selector.enable |
					    ev->pmu->selector.occ_reset)));
	REQUIRE(um_events_parse(&again, ev->name, uarch, &e) == 1);
	REQUIRE(same(ev, &again.events[0]));
	um_events_free(&again);
}

static void parse(const char *text, const struct um_uarch *uarch)
{
	struct um_event_list list = { 0 };
	struct um_error e = { 0 };
	int num = um_events_parse(&list, text, uarch, &e);

	if (num < 0) {
		REQUIRE(list.num == 0 && list.num_groups == 0);
		REQUIRE(e.msg[0] && e.class != UNCOREMSR_ERROR_NONE);
	} else {
		REQUIRE(num > 0 && (size_t)num == list.num);
		check_event(&list.events[0], uarch);
		check_event(&list.events[list.num - 1], uarch);
		for (size_t i = 0; i < list.num; i++)
			REQUIRE(list.events[i].group < list.num_groups);
	}
	um_events_free(&list);
}

static void target(const char *text, size_t size)
{
	(void)size;
	parse(text, &um_uarch_westmere);
	parse(text, &um_uarch_nehalem);
}
