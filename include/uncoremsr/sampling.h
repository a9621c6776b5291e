/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/sampling.h
 * Sampling: where in a program events happen. After every so many events (a period), or so many times per
 * second (a frequency), the kernel records the current instruction and thread. The program reads the
 * samples one by one, or copies them into a perf.data file for uncore-report(1) and perf(1).
 *
 * Order of calls: uncoremsr_sampling_open(), uncoremsr_sampling_enable(); then uncoremsr_sampling_next()
 * until no record is left, or a recording; then uncoremsr_sampling_close(), before the handle is freed.
 *
 * Rules about errors, threads, ownership and structs: uncoremsr.h. These functions, and those of uncoremsr/perf_data.h,
 * are in a library of their own, libuncoremsr-sampling (pkg-config --libs libuncoremsr-sampling).
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

struct uncoremsr_sampling; /* sampled events, and the ring buffers for their samples */

/** Default frequency: samples per second if neither a period nor a frequency is given. The same as perf
 * record's. */
#define UNCOREMSR_SAMPLING_FREQUENCY 4000

/** What a sample holds besides instruction, thread, time and CPU. */
enum uncoremsr_sampling_flag {
	UNCOREMSR_SAMPLING_CALLCHAIN = 1, /* call chain, by frame pointers */
	UNCOREMSR_SAMPLING_ADDRESS = 2,   /* address of the accessed data, if the processor provides it */
};

/** What to sample. All zeros: cycles (or cpu-clock, if cycles cannot be counted) of everything on all
 * CPUs. */
struct uncoremsr_sampling_options {
	/* Events, as for uncoremsr_session_add(). NULL: cycles, or cpu-clock if cycles cannot be counted. */
	const char *events;
	uint64_t period;     /* number of events between samples (for a clock: ns); 0: see frequency */
	uint64_t frequency;  /* samples per second; if this and the period are 0, UNCOREMSR_SAMPLING_FREQUENCY */
	unsigned flags;      /* enum uncoremsr_sampling_flag, or'ed */
	enum uncoremsr_target target;
	const long *ids;     /* ids of processes or threads, or of the command's process */
	size_t num_ids;
	const char *cpus;    /* sample only on these CPUs ("0-3,8"); NULL: on all */
};

/**
 * Open the events without starting them. If the user may not sample the kernel, only user code is sampled;
 * the log then has a warning (uncoremsr_set_log()). There is also a warning if the frequency is lowered to
 * the kernel's limit.
 * @return 0; -EINVAL, -ENOENT a text or number is wrong; -ENOTSUP the event cannot be sampled, because it
 *   counts a whole package and not what runs on one CPU; -EACCES not permitted; -ESRCH no such process;
 *   another errno of perf_event_open(2) or mmap(2); -ENOMEM. *s is NULL after a failure.
 */
int uncoremsr_sampling_open(struct uncoremsr *um, const struct uncoremsr_sampling_options *options,
			    struct uncoremsr_sampling **s);
/** Stop and close everything. NULL is accepted. */
void uncoremsr_sampling_close(struct uncoremsr_sampling *s);
/** Start (@p on not 0) or stop sampling. Sampling of a command starts at its exec(2). @return 0 or a negative errno. */
int uncoremsr_sampling_enable(struct uncoremsr_sampling *s, int on);
/**
 * Wait until a ring buffer is half full, or @p fd is readable (-1: no descriptor), or @p timeout_ms have
 * passed (-1: no timeout).
 * @return 0; 1 if @p fd is readable; -ENODATA, without waiting, if all sampled processes have ended: only
 *   records in the ring buffers are left; -EBADF @p fd is not open; -EINTR; or another errno of poll(2).
 */
int uncoremsr_sampling_wait(struct uncoremsr_sampling *s, int fd, int timeout_ms);

/**
 * The next record in the order of time: a sample, lost samples, a throttled event, a thread's name or a mapped file.
 * @param record gets the record; its pointers are valid until the next call. Its member event is an index into the
 *   events of uncoremsr_sampling_state().
 * @return 1; 0 if none came within @p timeout_ms (-1: wait forever); -ENODATA if sampling has ended or was
 *   stopped and no record is left; -EBUSY there is a recording; or as uncoremsr_sampling_wait().
 */
int uncoremsr_sampling_next(struct uncoremsr_sampling *s, int timeout_ms, struct uncoremsr_record *record);

/** What was sampled so far. Counts cover the records that were read from the ring buffers. */
struct uncoremsr_sampling_state {
	size_t size;
	const char *const *events; /* names by index ("event" of a record); ends with NULL */
	uint64_t samples;
	uint64_t lost;         /* records lost because a ring buffer was full */
	uint64_t throttled;    /* number of times that the kernel paused an event until the next timer tick */
	uint64_t bytes;        /* bytes written to the recording */
	uint64_t rate;         /* expected samples per second on a busy CPU, all events together; unknown if a period
				* was given for an event that is not a clock */
	uint64_t rings;        /* ring buffers: one per CPU, or one per thread if single threads are sampled */
	uint64_t sample_bytes; /* size of a sample without its call chain */
	uint64_t cost_ns;      /* CPU time that a sample costs, in nanoseconds. Only an order of magnitude: 14000 for
				* clock events (10000 to 18000 were measured on a virtual machine with Linux 6.1), 2000
				* for hardware events. */
};
/** @return the state, valid until the next call; NULL if @p s is NULL. */
const struct uncoremsr_sampling_state *uncoremsr_sampling_state(struct uncoremsr_sampling *s);

/* -------------------------------------------------------------- recording */

/** How a recording is written. */
struct uncoremsr_recording_options {
	int fd;                     /* an empty file; for a stream, any writable descriptor */
	int stream;                 /* not 0: write the form that perf reads from a pipe */
	const char *const *command; /* command line to note in the file; NULL-terminated, or NULL */
};

/**
 * Begin a perf.data file: write everything that comes before the first sample, also records about processes
 * that already run. The caller closes the file.
 * @return 0; -EINVAL no descriptor; -EBUSY a recording exists already; -E2BIG too many descriptors for a stream;
 *   -ENOMEM; or the errno of write(2).
 */
int uncoremsr_sampling_record(struct uncoremsr_sampling *s,
			      const struct uncoremsr_recording_options *options);
/**
 * Copy the records in the ring buffers to the file. Copied records are readable even if the program is
 * killed later. @return 0; -EBADMSG a ring buffer held invalid data, which was skipped; -EINVAL no
 * recording; or the errno of write(2), which ends the recording.
 */
int uncoremsr_sampling_copy(struct uncoremsr_sampling *s);
/** Copy the remaining records and write the end of the file. @return as uncoremsr_sampling_copy(). */
int uncoremsr_sampling_finish(struct uncoremsr_sampling *s);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
