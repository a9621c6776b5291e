/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the events of the argument, or page faults and CPU time, while a part of this program runs. Only
 * the calling thread is counted. Build it with the installed library:
 *	cc region.c -o region $(pkg-config --cflags --libs libuncoremsr)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <uncoremsr.h>
#include <uncoremsr/region.h>

/* What is to be measured. */
static void work(void)
{
	static char room[4 << 20];

	for (size_t i = 0; i < sizeof(room); i += 4096)
		room[i] = 1;
}

static void print(struct uncoremsr_region *r)
{
	const struct uncoremsr_region_count *c;

	for (size_t i = 0; (c = uncoremsr_region_count(r, i)); i++) {
		if (c->count == UINT64_MAX)
			printf("%s: not counted\n", c->name);
		else
			printf("%s: %" PRIu64 "\n", c->name, c->count);
	}
}

int main(int argc, char **argv)
{
	const char *events = argc > 1 ? argv[1] : "page-faults:u,task-clock:u";
	struct uncoremsr *um;
	struct uncoremsr_region *r = NULL;
	int status;

	if (uncoremsr_new(&um))
		return 1;
	if (!uncoremsr_open(um) && !uncoremsr_region_new(um, events, &r) &&
	    !uncoremsr_region_begin(r)) {
		work();
		uncoremsr_region_end(r);
		print(r);
	}
	status = (int)uncoremsr_error(um)->error_class;
	if (status)
		fprintf(stderr, "%s\n", uncoremsr_error(um)->message);
	uncoremsr_region_free(r);
	uncoremsr_free(um);
	return status;
}
