/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/perf_data.h
 * The kernel's records of samples, and files of such records (perf.data). Works on any machine, with files
 * of either byte order, and needs no handle.
 *
 * Rules about errors, threads, ownership and structs: uncoremsr.h. Every function accepts NULL.
 * Link libuncoremsr-sampling.
 */
#ifndef UNCOREMSR_PERF_DATA_H
#define UNCOREMSR_PERF_DATA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ----------------------------------------------------------------- records */

/** Types of records that the library decodes. The numbers are the kernel's, which has more types. */
enum uncoremsr_record_type {
	UNCOREMSR_RECORD_MAP = 1,           /* a file, or the kernel, is mapped at these addresses */
	UNCOREMSR_RECORD_LOST = 2,          /* number of records that were lost because a buffer was full */
	UNCOREMSR_RECORD_COMMAND = 3,       /* new name of a thread */
	UNCOREMSR_RECORD_EXIT = 4,
	UNCOREMSR_RECORD_THROTTLE = 5,      /* the kernel stopped an event that had too many samples, until
					     * the next tick */
	UNCOREMSR_RECORD_UNTHROTTLE = 6,
	UNCOREMSR_RECORD_FORK = 7,
	UNCOREMSR_RECORD_SAMPLE = 9,
	UNCOREMSR_RECORD_MAP2 = 10,         /* as MAP, with the identity of the file */
	UNCOREMSR_RECORD_LOST_SAMPLES = 13, /* number of samples of a counter that the kernel lost */
};

/** What was running: record.misc & UNCOREMSR_RECORD_MODE. */
enum uncoremsr_record_mode {
	UNCOREMSR_RECORD_MODE = 7,
	UNCOREMSR_RECORD_KERNEL = 1,
	UNCOREMSR_RECORD_USER,
	UNCOREMSR_RECORD_HYPERVISOR,
	UNCOREMSR_RECORD_GUEST_KERNEL,
	UNCOREMSR_RECORD_GUEST_USER,
};
/** Bit of record.misc: the thread got its name by exec(2). */
#define UNCOREMSR_RECORD_EXEC 0x2000

/** Values that a record can have: the bits of the kernel's sample_type. */
#define UNCOREMSR_HAS_IP UINT64_C(0x1)
#define UNCOREMSR_HAS_TID UINT64_C(0x2)  /* pid and tid */
#define UNCOREMSR_HAS_TIME UINT64_C(0x4)
#define UNCOREMSR_HAS_ADDR UINT64_C(0x8)
#define UNCOREMSR_HAS_READ UINT64_C(0x10)
#define UNCOREMSR_HAS_CHAIN UINT64_C(0x20)
#define UNCOREMSR_HAS_ID UINT64_C(0x40)
#define UNCOREMSR_HAS_CPU UINT64_C(0x80)
#define UNCOREMSR_HAS_PERIOD UINT64_C(0x100)
#define UNCOREMSR_HAS_STREAM UINT64_C(0x200)

/** Call-chain entries from this value on are not addresses, but marks: they say what was running (kernel or
 * user) in the entries that follow. */
#define UNCOREMSR_CHAIN_MARK ((uint64_t)-4096)
#define UNCOREMSR_CHAIN_KERNEL ((uint64_t)-128)
#define UNCOREMSR_CHAIN_USER ((uint64_t)-512)

/** Largest size of a build id in bytes. */
#define UNCOREMSR_BUILD_ID_SIZE 20

/** A record. A member is 0 or NULL if records of this type do not have it, or if its bit in the member "has" is not
 * set. New members are added at the end. */
struct uncoremsr_record {
	uint32_t type;            /* enum uncoremsr_record_type, or another type of the kernel */
	uint16_t misc;            /* enum uncoremsr_record_mode, and other flags of misc in perf_event_header */
	unsigned event;           /* index of the event; UINT_MAX: unknown */
	uint64_t has;             /* UNCOREMSR_HAS_... */

	uint64_t ip;              /* instruction pointer */
	uint64_t time;            /* nanoseconds on a clock of the recorded machine */
	uint64_t addr;            /* address of the accessed data */
	uint64_t id, stream_id;   /* ids of the counter */
	uint64_t period;          /* number of events that the sample stands for */
	uint32_t cpu;
	uint32_t pid, tid;        /* also known without UNCOREMSR_HAS_TID in MAP, MAP2, COMMAND, EXIT, FORK */
	uint32_t ppid, ptid;      /* EXIT, FORK */
	const uint64_t *chain;    /* callers, the innermost first, with marks between them */
	size_t num_chain;

	uint64_t start, len;      /* MAP, MAP2: addresses */
	uint64_t pgoff;           /* offset in the file of the byte that is mapped at "start" */
	uint32_t prot;            /* MAP2: prot of mmap(2); MAP: 4 (executable), or 0 for a mapping of data */
	const char *name;         /* MAP, MAP2: name of the file; COMMAND: name of the thread */
	const unsigned char *build_id; /* MAP2: build id, if the record has one */
	size_t build_id_size;

	uint64_t lost;            /* LOST, LOST_SAMPLES */
};

/* ------------------------------------------------------------------- files */

/** State of a file after reading it. */
enum uncoremsr_perf_data_state {
	UNCOREMSR_PERF_DATA_WHOLE,
	UNCOREMSR_PERF_DATA_UNFINISHED, /* the program that wrote the file was killed; the file was read up to its
					 * last complete record */
	UNCOREMSR_PERF_DATA_CUT,        /* the file is shorter than its header says; it was read up to its last
					 * complete record */
	UNCOREMSR_PERF_DATA_DAMAGED,    /* what follows the last complete record is not a record */
	/* The library does not read files in one of the following states. */
	UNCOREMSR_PERF_DATA_FOREIGN,    /* not a perf.data file */
	UNCOREMSR_PERF_DATA_OLD,        /* written by perf before Linux 2.6.34 */
	UNCOREMSR_PERF_DATA_COMPRESSED, /* perf record -z */
	UNCOREMSR_PERF_DATA_DIRECTORY,  /* a directory of perf record --threads, or a file of it */
	UNCOREMSR_PERF_DATA_EVENTLESS,  /* the file has no event that could have samples */
	UNCOREMSR_PERF_DATA_MIXED,      /* samples of the file's events differ in form and do not say which event
					 * they belong to */
};

/** An event of a file. */
struct uncoremsr_perf_data_event {
	size_t size;
	const char *name;        /* name as given for the recording, or "type 3 config 0x..." */
	uint32_t type;           /* type and config of struct perf_event_attr */
	uint64_t config;
	uint64_t period;         /* events per sample; 0: a frequency was given */
	uint64_t frequency;      /* requested samples per second; 0: a period was given */
	uint64_t has;            /* values that the event's samples have: UNCOREMSR_HAS_... */
};

/** Build id of a file that was mapped during the recording, or of the kernel. */
struct uncoremsr_perf_data_build {
	size_t size;
	const char *name;
	int kernel;              /* 1: of the kernel or of a kernel module */
	unsigned char id[UNCOREMSR_BUILD_ID_SIZE];
	size_t id_size;
};

/** A file or a pipe's contents, as written by perf or uncore-record. */
struct uncoremsr_perf_data {
	size_t size;
	enum uncoremsr_perf_data_state state;
	int stream;          /* 1: in the format for pipes */
	int big;             /* 1: written in big-endian order */
	uint64_t end;        /* offset of the end of the last record that was read */
	uint64_t records;    /* records of the file that uncoremsr_perf_data_next() returns */
	uint64_t broken;     /* records that were skipped because their contents are invalid */
	/* What the file says about the machine and the program that recorded it; NULL: not in the file. */
	const char *host;    /* as uname -n; "sim:NAME": a simulated machine */
	const char *release; /* release of the kernel, as uname -r */
	const char *version; /* version of the program that recorded */
	const char *arch;    /* as uname -m */
	const char *cpu;
	const char *command; /* command line of the program that recorded */
	size_t num_events;
	const struct uncoremsr_perf_data_event *const *events; /* by index ("event" of a record); ends with NULL */
	const struct uncoremsr_perf_data_build *const *builds; /* ends with NULL */
};

/**
 * Check a whole file, so that its records can be read in the order of time. The file must not change until it is
 * closed; the content of a pipe is copied into memory.
 * @param fd the file, positioned at its beginning, or a pipe; may be closed afterwards. The library keeps a descriptor
 *   of its own until uncoremsr_perf_data_close().
 * @param data gets the file; close it with uncoremsr_perf_data_close(). After -EBADMSG and -ENOTSUP only
 *   its state has a meaning; after other failures it is NULL.
 * @return 0, also if the file is truncated or a record is damaged: see enum uncoremsr_perf_data_state;
 *   -EBADMSG not a perf.data file; -ENOTSUP a variant that is not supported; -ENOMEM; -EINVAL @p data is NULL; or the
 *   errno of read(2) or dup(2), or for a pipe of memfd_create(2) or write(2).
 */
int uncoremsr_perf_data_open(int fd, struct uncoremsr_perf_data **data);
/** Close a file, and free all its records. NULL is accepted. */
void uncoremsr_perf_data_close(struct uncoremsr_perf_data *data);

/**
 * The next record. If a sample of a group's leader also has the counts of the members, that sample is followed by one
 * for each member whose count has grown since the leader's previous sample.
 * @param record gets the record, which is valid until the next call; NULL past the last one.
 * @return 1; 0 past the last record; -EBADMSG the file has changed since it was opened; -ENOMEM; -EINVAL; or the errno
 *   of read(2).
 */
int uncoremsr_perf_data_next(struct uncoremsr_perf_data *data, const struct uncoremsr_record **record);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
