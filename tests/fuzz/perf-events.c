/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perf's event language, on a machine with PMUs of the kernel and an event list. */
#include "perf_tree.h"

static const char listed[] =
	"[{\"EventName\":\"CORE.A\",\"EventCode\":\"0xB7\",\"UMask\":\"1\",\"MSRIndex\":\"0x1a6\","
	"\"MSRValue\":\"0x10001\"},{\"EventName\":\"UNC_B\",\"Unit\":\"CHA\",\"EventCode\":\"0x35\","
	"\"UMask\":\"0x21\"},{\"EventName\":\"UNC_C\",\"Unit\":\"M2M\",\"EventCode\":\"1\"}]";

static void add_list(struct uncoremsr *um)
{
	char path[64];
	int fd = fuzz_file(listed, sizeof(listed) - 1);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	REQUIRE(uncoremsr_event_list_add(um, path) == 1);
	close(fd);
}

static void target(const char *text, size_t size)
{
	static struct uncoremsr *um;

	(void)size;
	if (!um)
		add_list(um = tree_open("event=3"));
	tree_encode(um, text);
	fuzz_parsed();
}
