/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sampling events: opening them (open.c), and reading their rings (merge.c, recording.c). */
#ifndef UM_SAMPLING_SAMPLING_H
#define UM_SAMPLING_SAMPLING_H

#include "machine/handle.h"
#include "encode/perf_event.h"
#include "perf/kernel.h"
#include "sampling/file_writer.h"
#include "sampling/mapped_files.h"
#include "sampling/ring.h"
#include "uncoremsr/perf_data.h"
#include "uncoremsr/sampling.h"

/* A unit of an event. On hybrid processors an event has a unit for each kind of core. */
struct um_sampled {
	size_t event;
	unsigned unit;
};

/* One descriptor of perf_event_open(2). */
struct um_stream {
	size_t sampled;              /* index in @sampled of struct uncoremsr_sampling */
	pid_t pid;
	int cpu;                     /* -1: the CPU on which the thread runs */
	int fd;
	uint64_t id;
};

/* A ring and the streams that write into it; the first one owns the mapping. */
struct um_sampling_ring {
	size_t first, num;           /* the ring's streams, which are consecutive */
	void *map;
	struct um_ring ring;
	size_t taken;                /* bytes copied or written from the ring in the current pass */
	bool damaged;                /* head or a record is invalid, so the ring is no longer read */
	size_t polled;               /* index of the stream that is polled; first + num if all tasks have ended */
};

struct uncoremsr_sampling {
	struct uncoremsr_sampling_state state;
	struct uncoremsr *um;
	struct um_perf_kernel *kernel;
	struct um_perf_events events;
	struct um_perf_sampling settings; /* equal for all events, except that @tells_tasks differs */
	bool asked_frequency;        /* false: the frequency is the default */
	enum uncoremsr_target target;
	long *ids;
	size_t num_ids;
	struct um_cpuset cpus;
	struct um_sampled *sampled;
	struct um_perf_data_event *file_events; /* one for each of @sampled; only a recording sets @attr */
	size_t num_sampled;
	char **names;                /* the names of @sampled, ended by NULL */
	struct um_stream *streams;
	size_t num_streams;
	struct um_sampling_ring *rings;
	size_t num_rings, ring_size;
	struct pollfd *polled;
	struct um_record_tally tally;
	bool ended, off;             /* @ended: all tasks have ended; @off: the caller switched sampling off */
	/* for merge.c */
	struct um_queued **queue;    /* records that were read from the rings and not returned yet, the oldest last */
	size_t num_queued;
	struct um_queued *taken;     /* the record that was returned last */
	uint64_t num_read;
	uint64_t seen, limit;        /* latest time of records from all passes, and from all but the last pass */
	/* for recording.c */
	bool records;
	struct um_perf_data file;
	struct iovec *pieces;
	struct um_bytes command;     /* the command line, in the format of the file */
	struct um_mapped_files files;
};

/* open.c: open the events. After a failure no event remains open. */
int um_sampling_open_events(struct uncoremsr_sampling *s, const char *text) UM_MUST_CHECK;
void um_sampling_close_events(struct uncoremsr_sampling *s);
/* open.c: samples per second on a CPU (UINT64_MAX: unknown), and nanoseconds that a sample costs. */
uint64_t um_sampling_rate(const struct uncoremsr_sampling *s);
uint64_t um_sampling_cost(const struct uncoremsr_sampling *s);
/* recording.c: free the memory of a recording; the written file remains. */
void um_recording_drop(struct uncoremsr_sampling *s);
/* recording.c: count the unread records of a ring. Returns the size of the complete ones, with which *p begins. */
size_t um_sampling_look(struct uncoremsr_sampling *s, struct um_sampling_ring *r, struct um_ring_pieces *p);
/* start_records.c: write records of what existed before the first sample: kernel mapping and running processes. */
void um_sampling_start_records(const struct uncoremsr_sampling *s, struct um_bytes *b);

#endif
