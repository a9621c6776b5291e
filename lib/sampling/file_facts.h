/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a perf.data file contains besides records: its events, where it was recorded, build ids. */
#ifndef UM_SAMPLING_FILE_FACTS_H
#define UM_SAMPLING_FILE_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sampling/cursor.h"
#include "sampling/file_format.h"
#include "sampling/record.h"
#include "uncoremsr/perf_data.h"

enum {
	UM_ATTR_LEAST = 64,          /* size of struct perf_event_attr in its first version */
	UM_EVENTS_MOST = 1 << 16,
};

struct um_file_event {
	struct um_perf_layout layout;
	struct uncoremsr_perf_data_event told; /* um_facts_free() frees the name */
};

/* A counter of an event. Records refer to the counter by its id. */
struct um_file_id {
	uint64_t id;
	unsigned event;
	uint64_t last;   /* value of the counter at the previous sample of the group */
};

/* Initialize with zeros. */
struct um_file_facts {
	struct um_file_event *events;
	size_t num_events;
	struct um_file_id *ids; /* sorted by um_facts_sort_ids() */
	size_t num_ids;
	struct uncoremsr_perf_data_build *builds;
	size_t num_builds;
	char **names;           /* names of the events, by index */
	size_t num_names;
	char *texts[UM_FACT_TEXTS]; /* indexed by feature */
};

/* The functions return 0, -ENOMEM, or -EBADMSG if the bytes are not valid. */
/* Add the event of a struct perf_event_attr. */
int um_facts_add_event(struct um_file_facts *f, struct um_cursor attr) UM_MUST_CHECK;
/* Add ids of the event that was added last. */
int um_facts_add_ids(struct um_file_facts *f, struct um_cursor ids) UM_MUST_CHECK;
/* Add the content of a feature section. Features that we do not use are ignored. */
int um_facts_add(struct um_file_facts *f, uint64_t feature, struct um_cursor body) UM_MUST_CHECK;
/* Add the name of an event, from the body of a record UM_RECORD_UPDATE. The ids must be sorted. */
int um_facts_update(struct um_file_facts *f, struct um_cursor body) UM_MUST_CHECK;
int um_facts_add_build(struct um_file_facts *f, uint16_t misc, struct um_cursor body) UM_MUST_CHECK;
/* Call this function when all ids were added: it sorts them for um_facts_find(). */
void um_facts_sort_ids(struct um_file_facts *f);
/* Call this function when everything was added: it assigns names to events. */
int um_facts_finish(struct um_file_facts *f) UM_MUST_CHECK;
void um_facts_free(struct um_file_facts *f);
/* Find a counter by its id. Returns NULL if there is none. */
struct um_file_id *um_facts_find(const struct um_file_facts *f, uint64_t id);

#endif
