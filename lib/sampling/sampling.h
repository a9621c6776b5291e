/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that sample: which are opened where (open.c), and what becomes of their rings. */
#ifndef UM_SAMPLING_SAMPLING_H
#define UM_SAMPLING_SAMPLING_H

#include "machine/handle.h"
#include "perf/event.h"
#include "perf/kernel.h"
#include "sampling/file_writer.h"
#include "sampling/ring.h"
#include "uncoremsr/perf_data.h"
#include "uncoremsr/sampling.h"

/* One unit of an event, which is an event of the file: the two kinds of cores of a hybrid are two. */
struct um_sampled {
	size_t event;
	unsigned unit;
	char *name;
	uint64_t *ids;
	size_t num_ids;
};

/* A descriptor. */
struct um_stream {
	size_t sampled;              /* of which event */
	size_t ring;                 /* into which it writes */
	pid_t pid;
	int fd;
	uint64_t id;
	bool over;                   /* its task is gone */
};

/* A ring and those who write into it, the owner first. */
struct um_sampling_ring {
	int cpu;                     /* -1: wherever the thread runs */
	size_t first, num;           /* of its streams, in one run */
	void *map;
	struct um_ring ring;
	size_t taken;                /* bytes of the pass that is being made */
	bool damaged;                /* its head or a record cannot be right: nothing more is read */
	/* One by one: records that wait, what is read of them, and the first of the rest, in @copy. */
	struct um_bytes queue, copy;
	size_t read;
	struct uncoremsr_record head;
	bool has_head;
	size_t polled;               /* the stream that is waited for; first + num: all are over */
};

/* Whose id it is. */
struct um_sampling_id {
	uint64_t id;
	size_t sampled;
};

struct uncoremsr_sampling {
	struct uncoremsr *um;
	struct um_perf_kernel *kernel;
	struct um_perf_events events;
	struct um_perf_sampling first, others; /* the first stream of a CPU tells of tasks */
	bool asked_frequency;        /* and not only because nothing was asked for */
	enum uncoremsr_target target;
	long *ids;
	size_t num_ids;
	struct um_cpuset cpus;
	struct um_sampled *sampled;
	size_t num_sampled;
	struct um_stream *streams;
	size_t num_streams;
	struct um_sampling_ring *rings;
	size_t num_rings, ring_size;
	struct pollfd *polled;
	struct um_record_tally tally;
	bool ended, off;             /* @ended: all tasks are gone; @off: it was switched off */
	/* one by one */
	struct um_sampling_id *by_id; /* in their order */
	size_t num_by_id;
	uint64_t seen, limit;        /* the latest time of all passes, and of those before the last one */
	struct um_bytes scratch;
	/* of the recording */
	bool records;
	struct um_perf_data file;
	struct um_perf_data_event *file_events;
	struct iovec *pieces;
	const char *const *command;
	uint64_t bytes;              /* of the file so far, and when it is finished */
};

/* open.c: 0, or a negative errno with a sentence in the handle; nothing is left open then. */
int um_sampling_open_events(struct uncoremsr_sampling *s, const char *text) UM_MUST_CHECK;
void um_sampling_close_events(struct uncoremsr_sampling *s);
/* open.c: as uncoremsr_sampling_number() answers; of several events the cost is that of the dearest. */
int um_sampling_rate(const struct uncoremsr_sampling *s, uint64_t *v);
uint64_t um_sampling_cost(const struct uncoremsr_sampling *s);
/* start_records.c: what is known before the first sample: the kernel's place, and with it processes that run. */
int um_sampling_start_records(const struct uncoremsr_sampling *s, struct um_bytes *b) UM_MUST_CHECK;

#endif
