/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf's event language, with PMUs and an event list behind it. */
#include <sys/mman.h>
#include <unistd.h>

#include "perf_tree.h"

#include "perf/from_tables.h"
#include "events/json_list.h"

static const char listed[] =
	"[{\"EventName\":\"CORE.A\",\"EventCode\":\"0xB7\",\"UMask\":\"1\",\"MSRIndex\":\"0x1a6\","
	"\"MSRValue\":\"0x10001\"},{\"EventName\":\"UNC_B\",\"Unit\":\"CHA\",\"EventCode\":\"0x35\","
	"\"UMask\":\"0x21\"},{\"EventName\":\"UNC_C\",\"Unit\":\"M2M\",\"EventCode\":\"1\"}]";

static struct um_json_lists *make_lists(void)
{
	struct um_identity id = { .source = NULL };
	struct um_json_lists *l = NULL;
	struct um_error e = { 0 };
	char path[64];
	int fd = memfd_create("list", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && write(fd, listed, sizeof(listed) - 1) == sizeof(listed) - 1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	REQUIRE(um_json_new(&l) == 0 && um_json_add(l, path, &id, &e) == 1);
	close(fd);
	return l;
}

/* Each unit of an event has the PMU that the event says, and groups are numbered from 0. */
static void check(const struct um_perf_events *list)
{
	for (size_t i = 0; i < list->num; i++) {
		const struct um_perf_event *ev = &list->events[i];

		REQUIRE(ev->name && ev->pmu && ev->num_units && ev->group < list->num_groups);
		for (size_t k = 0; k < ev->num_units; k++)
			REQUIRE(ev->units[k].attr.precise <= 3);
	}
}

static void target(const char *text, size_t size)
{
	static struct um_json_lists *lists;
	struct perf_tree tree = PERF_TREE("event=3");
	struct um_kernel_pmus pmus;
	struct um_perf_scope scope = { .pmus = &pmus, .access = &tree.base };
	struct um_perf_events list = { .num = 0 };
	struct um_error e = { 0 };
	int num;

	(void)size;
	if (!lists)
		lists = make_lists();
	scope.lists = lists;
	REQUIRE(um_kernel_pmus_read(&pmus, &tree.base) == 0);
	num = um_perf_parse(&list, &scope, NULL, text, &e);
	fuzz_parsed();
	if (num < 0)
		REQUIRE(list.num == 0 && list.num_groups == 0 && e.msg[0] &&
			e.class != UNCOREMSR_ERROR_NONE);
	else
		REQUIRE(num > 0 && (size_t)num == list.num);
	check(&list);
	um_perf_events_free(&list);
	um_kernel_pmus_free(&pmus);
}
