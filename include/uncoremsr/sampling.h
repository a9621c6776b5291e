/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/sampling.h
 * Sampling: where events happen. Each time an event has happened so often, or so often per second, the
 * kernel writes down which instruction of which thread it was. The samples are taken one by one, or
 * copied into a perf.data file, which uncore-report(1) and perf(1) read.
 *
 * uncoremsr_sampling_open(), uncoremsr_sampling_enable(); then uncoremsr_sampling_next() until it has
 * no more, or a recording; then uncoremsr_sampling_close(), before the handle is freed.
 *
 * Rules about errors, threads and ownership: uncoremsr.h.
 */
#ifndef UNCOREMSR_SAMPLING_H
#define UNCOREMSR_SAMPLING_H

#include "uncoremsr.h"
#include "uncoremsr/perf_data.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

struct uncoremsr_sampling; /* events that sample, and the rings that they write into */

/** Samples per second where neither a period nor a frequency is given; as perf record. */
#define UNCOREMSR_SAMPLING_FREQUENCY 4000

/** What a sample holds besides instruction, thread, time and CPU. */
enum uncoremsr_sampling_flag {
	UNCOREMSR_SAMPLING_CALLCHAIN = 1, /* who called whom, by frame pointers */
	UNCOREMSR_SAMPLING_ADDRESS = 2,   /* the address of the data, where the processor tells it */
};

/** What to sample. All zeros: cycles (else the CPU's clock) of everything on all CPUs. */
struct uncoremsr_sampling_options {
	/* As uncoremsr_session_add() takes them. NULL: cycles, where they are not counted cpu-clock. */
	const char *events;
	uint64_t period;     /* a sample each time so much has happened (ns of a clock); or 0 */
	uint64_t frequency;  /* so many samples per second; both 0: UNCOREMSR_SAMPLING_FREQUENCY */
	unsigned flags;      /* enum uncoremsr_sampling_flag, or'ed */
	enum uncoremsr_target target;
	const long *ids;     /* of processes or threads, or of the child that is the command */
	size_t num_ids;
	const char *cpus;    /* only what happens on these ("0-3,8"); NULL: on all */
};

/**
 * Open the events, switched off. Without the right to see the kernel they sample user code alone, which
 * is a warning (uncoremsr_set_log()); so is a frequency that is lowered to the kernel's limit.
 * @return 0; -EINVAL, -ENOENT a text or number is wrong; -ENOTSUP the event cannot sample, because it
 *   counts for a whole package and not for what runs on a CPU; -EACCES not permitted; -ESRCH there is no
 *   such process; another errno of perf_event_open(2) or mmap(2); -ENOMEM. *s is NULL then.
 */
int uncoremsr_sampling_open(struct uncoremsr *um, const struct uncoremsr_sampling_options *options,
			    struct uncoremsr_sampling **s);
/** Stop and close everything. NULL is accepted. */
void uncoremsr_sampling_close(struct uncoremsr_sampling *s);
/** Switch on (@p on not 0) or off. A command's exec(2) switches it on by itself. @return 0 or an errno. */
int uncoremsr_sampling_enable(struct uncoremsr_sampling *s, int on);
/**
 * Wait until a ring is half full, @p fd (-1: none) can be read, or @p timeout_ms have passed (-1: never).
 * @return 0; 1 @p fd can be read; -ENODATA (without waiting) everything that was sampled has ended, and
 *   only what stands in the rings is left; -EINTR; or another errno of poll(2).
 */
int uncoremsr_sampling_wait(struct uncoremsr_sampling *s, int fd, int timeout_ms);

/**
 * The next record in the order of time: samples, and between them what was lost or throttled, names of threads
 * and files that they map.
 * @param record what it points at is valid until the next call. Its event is an index for
 *   uncoremsr_sampling_event().
 * @return 1; 0 none came within @p timeout_ms (-1: wait forever); -ENODATA everything has ended, or was
 *   switched off, and none is left; -EBUSY there is a recording; or as uncoremsr_sampling_wait().
 */
int uncoremsr_sampling_next(struct uncoremsr_sampling *s, int timeout_ms, struct uncoremsr_record *record);

/** Name of an event; NULL past the last one. */
const char *uncoremsr_sampling_event(const struct uncoremsr_sampling *s, size_t event);

/** What can be asked about a sampling. Counts are of what was taken out of the rings so far. */
enum uncoremsr_sampling_number {
	UNCOREMSR_SAMPLING_SAMPLES,
	UNCOREMSR_SAMPLING_LOST,      /* records for which a ring had no room */
	UNCOREMSR_SAMPLING_THROTTLED, /* how often the kernel stopped an event until its next tick */
	UNCOREMSR_SAMPLING_BYTES,     /* of the recording */
	/* Samples per second of a CPU that is busy, of all events; unknown with a period of what is no clock. */
	UNCOREMSR_SAMPLING_RATE,
	UNCOREMSR_SAMPLING_RINGS,     /* one for each CPU, or for each thread where threads alone are sampled */
	UNCOREMSR_SAMPLING_SAMPLE_BYTES, /* of a sample, without the entries of its call chain */
	/*
	 * What a sample costs its CPU, in nanoseconds: no measurement, an order of magnitude. Clock events
	 * 14000 (measured on a virtual machine, Linux 6.1: 10000 to 18000), hardware events 2000.
	 */
	UNCOREMSR_SAMPLING_COST_NS,
};
/** @return 0; -ENODATA unknown, and @p v is left alone; -EINVAL. */
int uncoremsr_sampling_number(const struct uncoremsr_sampling *s, enum uncoremsr_sampling_number what,
			      uint64_t *v);

/* -------------------------------------------------------------- recording */

/** How a recording is written. */
struct uncoremsr_recording_options {
	int fd;                     /* an empty file, which is read again at the end; or, with @p stream, anything that can be written */
	int stream;                 /* not 0: as a stream, which is what perf reads from a pipe */
	const char *const *command; /* what the file says made it; NULL-terminated, or NULL */
};

/**
 * Begin a perf.data file with what stands before the first sample, processes that run already
 * included. The caller closes the file.
 * @return 0; -EBUSY there is one already; -E2BIG too many descriptors for a stream; -ENOMEM; or the errno
 *   of write(2).
 */
int uncoremsr_sampling_record(struct uncoremsr_sampling *s,
			      const struct uncoremsr_recording_options *options);
/**
 * Copy what stands in the rings into the file. What was copied before can be read even if the program is
 * killed. @return 0; -EBADMSG what a ring holds cannot be right, and was left out; -EINVAL there is no
 * recording; or the errno of write(2), after which the recording has ended.
 */
int uncoremsr_sampling_copy(struct uncoremsr_sampling *s);
/** Copy the rest, and write what stands at the end of the file. @return as uncoremsr_sampling_copy(). */
int uncoremsr_sampling_finish(struct uncoremsr_sampling *s);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
