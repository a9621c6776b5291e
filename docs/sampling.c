/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples itself: in which instruction is this program most often? It samples the event of the
 * argument, or the CPU's clock. Build it with the installed library:
 *	cc sampling.c -o sampling $(pkg-config --cflags --libs libuncoremsr-sampling)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uncoremsr.h>
#include <uncoremsr/sampling.h>

enum { MOST = 4096 };

/* What is to be sampled. */
static void work(void)
{
	static volatile unsigned sum;

	for (unsigned i = 0; i < 100000000; i++)
		sum += i;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void print(uint64_t *ips, size_t num)
{
	uint64_t hottest = 0;
	size_t most = 0, run = 0;

	qsort(ips, num, sizeof(*ips), compare);
	for (size_t i = 0; i < num; i++) {
		run = i && ips[i] == ips[i - 1] ? run + 1 : 1;
		if (run > most) {
			most = run;
			hottest = ips[i];
		}
	}
	printf("%zu samples, %zu of them at 0x%" PRIx64 "\n", num, most, hottest);
}

static void look(struct uncoremsr_sampling *s)
{
	static uint64_t ips[MOST];
	struct uncoremsr_record r;
	size_t num = 0;

	while (uncoremsr_sampling_next(s, 1000, &r) == 1) {
		if (r.type == UNCOREMSR_RECORD_SAMPLE && num < MOST)
			ips[num++] = r.ip;
		else if (r.type == UNCOREMSR_RECORD_LOST)
			printf("%" PRIu64 " samples were lost\n", r.lost);
	}
	print(ips, num);
}

int main(int argc, char **argv)
{
	long self = getpid();
	struct uncoremsr_sampling_options options = {
		.events = argc > 1 ? argv[1] : "cpu-clock:u", .frequency = 1000,
		.target = UNCOREMSR_TARGET_THREAD, .ids = &self, .num_ids = 1,
	};
	struct uncoremsr_sampling *s = NULL;
	struct uncoremsr *um;
	int status;

	if (uncoremsr_new(&um))
		return 1;
	if (!uncoremsr_open(um) && !uncoremsr_sampling_open(um, &options, &s) &&
	    !uncoremsr_sampling_enable(s, 1)) {
		work();
		uncoremsr_sampling_enable(s, 0);
		look(s);
	}
	status = (int)uncoremsr_error(um)->error_class;
	if (status)
		fprintf(stderr, "%s\n", uncoremsr_error(um)->message);
	uncoremsr_sampling_close(s);
	uncoremsr_free(um);
	return status;
}
