/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf.data files, each also read in the other byte order: results must be consistent, and no text or call chain may
 * extend beyond its record.
 */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "fuzz.h"

#include "uncoremsr/perf_data.h"

static void check_facts(const struct uncoremsr_perf_data *d, size_t size, size_t *num_events)
{
	const struct uncoremsr_perf_data_event *e;
	const struct uncoremsr_perf_data_build *b;
	const char *const texts[] = { d->host, d->release, d->version, d->arch, d->cpu, d->command };

	for (*num_events = 0; (e = d->events[*num_events]); ++*num_events) {
		REQUIRE(e->name && strlen(e->name) <= size + 64);
		REQUIRE(!e->period || !e->frequency);
	}
	REQUIRE(*num_events);
	for (size_t i = 0; (b = d->builds[i]); i++)
		REQUIRE(b->name && strlen(b->name) <= size && b->id_size <= UNCOREMSR_BUILD_ID_SIZE);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		REQUIRE(!texts[i] || strlen(texts[i]) <= size);
	REQUIRE(d->state <= UNCOREMSR_PERF_DATA_DAMAGED);
}

static void check_records(struct uncoremsr_perf_data *d, size_t size, size_t num_events)
{
	uint64_t records = 0, sum = 0, last = 0;
	const struct uncoremsr_record *r;

	while (uncoremsr_perf_data_next(d, &r) == 1) {
		records++;
		REQUIRE(r->event < num_events || r->event == UINT_MAX);
		REQUIRE(!r->name || strlen(r->name) <= size);
		REQUIRE(r->num_chain <= size / 8);
		for (size_t i = 0; i < r->num_chain; i++)
			sum += r->chain[i];
		for (size_t i = 0; i < r->build_id_size; i++)
			sum += r->build_id[i];
		if (r->has & UNCOREMSR_HAS_TIME) {
			REQUIRE(r->time >= last);
			last = r->time;
		}
	}
	REQUIRE(records == d->records);
	REQUIRE(records <= size / 8);
	/* The sum is used, so the compiler cannot remove the reads. */
	REQUIRE(sum != 1 || records);
}

static void check(const char *text, size_t size)
{
	struct uncoremsr_perf_data *d;
	int fd = fuzz_file(text, size), err;
	size_t num_events;

	err = uncoremsr_perf_data_open(fd, &d);
	close(fd);
	REQUIRE(err == 0 || err == -EBADMSG || err == -ENOTSUP || err == -ENOMEM);
	if (!err) {
		check_facts(d, size, &num_events);
		check_records(d, size, num_events);
	} else if (d) {
		REQUIRE(d->state >= UNCOREMSR_PERF_DATA_CUT);
	}
	uncoremsr_perf_data_close(d);
}

static void target(const char *text, size_t size)
{
	char *turned = malloc(size + 1);

	check(text, size);
	REQUIRE(turned);
	memcpy(turned, text, size);
	for (size_t i = 0; size >= 16 && i < 8; i++) {
		turned[i] = text[7 - i];
		turned[8 + i] = text[15 - i];
	}
	check(turned, size);
	free(turned);
}
