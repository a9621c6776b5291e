/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file uncoremsr/perf_data.h
 * What the kernel tells about samples, one record after the other, and files of them (perf.data).
 * Works on any machine, with files of either byte order, and needs no handle.
 *
 * Rules about errors, threads and ownership: uncoremsr.h. Every function accepts NULL.
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

/** Kinds of records that have a meaning here; the numbers are the kernel's, and there are others. */
enum uncoremsr_record_type {
	UNCOREMSR_RECORD_MAP = 1,           /* a file, or the kernel, stands at some addresses */
	UNCOREMSR_RECORD_LOST = 2,          /* there was no room for so many records */
	UNCOREMSR_RECORD_COMMAND = 3,       /* a thread has this name now */
	UNCOREMSR_RECORD_EXIT = 4,
	UNCOREMSR_RECORD_THROTTLE = 5,      /* too many samples: none until the next tick */
	UNCOREMSR_RECORD_UNTHROTTLE = 6,
	UNCOREMSR_RECORD_FORK = 7,
	UNCOREMSR_RECORD_SAMPLE = 9,
	UNCOREMSR_RECORD_MAP2 = 10,         /* a map with the identity of its file */
	UNCOREMSR_RECORD_LOST_SAMPLES = 13, /* the sum of what was lost, as the counter knows it */
};

/** Who ran: record.misc & UNCOREMSR_RECORD_MODE. */
enum uncoremsr_record_mode {
	UNCOREMSR_RECORD_MODE = 7,
	UNCOREMSR_RECORD_KERNEL = 1,
	UNCOREMSR_RECORD_USER,
	UNCOREMSR_RECORD_HYPERVISOR,
	UNCOREMSR_RECORD_GUEST_KERNEL,
	UNCOREMSR_RECORD_GUEST_USER,
};
/** record.misc: a name came with exec(2). */
#define UNCOREMSR_RECORD_EXEC 0x2000

/** Which numbers a record has; the bits of the kernel's sample_type. */
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

/** Entries of a call chain from here on are no addresses: who ran in the entries that follow. */
#define UNCOREMSR_CHAIN_MARK ((uint64_t)-4096)
#define UNCOREMSR_CHAIN_KERNEL ((uint64_t)-128)
#define UNCOREMSR_CHAIN_USER ((uint64_t)-512)

/** Bytes of the longest build id. */
#define UNCOREMSR_BUILD_ID_SIZE 20

/** A record. What its type or @ref has does not tell is 0 or NULL. New members are added at the end. */
struct uncoremsr_record {
	uint32_t type;            /* enum uncoremsr_record_type, or another one of the kernel's */
	uint16_t misc;            /* enum uncoremsr_record_mode and other bits of the kernel's */
	unsigned event;           /* whose it is, an index; UINT_MAX: unknown */
	uint64_t has;             /* UNCOREMSR_HAS_... */

	uint64_t ip;              /* where the program was */
	uint64_t time;            /* ns of a clock of the machine */
	uint64_t addr;            /* of the data */
	uint64_t id, stream_id;   /* of the counter */
	uint64_t period;          /* for how many events the sample stands */
	uint32_t cpu;
	uint32_t pid, tid;        /* also of other records, whatever @ref has says */
	uint32_t ppid, ptid;      /* EXIT, FORK */
	const uint64_t *chain;    /* callers, the innermost first, with marks between them */
	size_t num_chain;

	uint64_t start, len;      /* MAP, MAP2: addresses */
	uint64_t pgoff;           /* what stands at start: so many bytes from the beginning of the file */
	uint32_t prot;            /* MAP2: of mmap(2); MAP: 4 (executable) unless it is data */
	const char *name;         /* MAP, MAP2: the file; COMMAND: of the thread */
	const unsigned char *build_id; /* MAP2, where it tells one */
	size_t build_id_size;

	uint64_t lost;            /* LOST, LOST_SAMPLES */
};

/* ------------------------------------------------------------------- files */

struct uncoremsr_perf_data; /* a file, or what came through a pipe, as perf and uncore-record write it */

/**
 * Read all of a file into memory: its records are then told in the order of time.
 * @param fd where it begins, or a pipe; not needed any more afterwards.
 * @param data is closed with uncoremsr_perf_data_close(). After -EBADMSG and -ENOTSUP it can only be
 *   asked for UNCOREMSR_PERF_DATA_STATE; after other failures it is NULL.
 * @return 0, also where the file is cut or a record is damaged: see enum uncoremsr_perf_data_state;
 *   -EBADMSG it is no such file; -ENOTSUP it has a form that is not read; -ENOMEM; -EINVAL NULL; or what
 *   read(2) failed with.
 */
int uncoremsr_perf_data_open(int fd, struct uncoremsr_perf_data **data);
void uncoremsr_perf_data_close(struct uncoremsr_perf_data *data);

/**
 * The next record. Behind a sample of a group's leader that holds what its members counted, each member
 * that has counted since has a sample of its own.
 * @param record lives until the next call; NULL behind the last one.
 * @return 1; 0 there is none; -EINVAL.
 */
int uncoremsr_perf_data_next(struct uncoremsr_perf_data *data, const struct uncoremsr_record **record);

/** What became of a file. */
enum uncoremsr_perf_data_state {
	UNCOREMSR_PERF_DATA_WHOLE,
	UNCOREMSR_PERF_DATA_UNFINISHED, /* whoever wrote it was killed: read up to its last whole record */
	UNCOREMSR_PERF_DATA_CUT,        /* it ends before what it announces: the same */
	UNCOREMSR_PERF_DATA_DAMAGED,    /* what follows the last record that was read cannot be one */
	/* and what is not read */
	UNCOREMSR_PERF_DATA_FOREIGN,    /* no perf.data */
	UNCOREMSR_PERF_DATA_OLD,        /* of perf before Linux 2.6.34 */
	UNCOREMSR_PERF_DATA_COMPRESSED, /* perf record -z */
	UNCOREMSR_PERF_DATA_DIRECTORY,  /* perf record --threads, or one of its files */
	UNCOREMSR_PERF_DATA_EVENTLESS,  /* it names no event that could have samples */
	UNCOREMSR_PERF_DATA_MIXED,      /* the events' samples differ, and do not say whose they are */
};

/** Numbers about a file. */
enum uncoremsr_perf_data_number {
	UNCOREMSR_PERF_DATA_STATE,   /* enum uncoremsr_perf_data_state */
	UNCOREMSR_PERF_DATA_END,     /* bytes up to the end of the last record that was read */
	UNCOREMSR_PERF_DATA_RECORDS, /* in the file that uncoremsr_perf_data_next() tells */
	UNCOREMSR_PERF_DATA_BROKEN,  /* records left out because of what they hold */
	UNCOREMSR_PERF_DATA_STREAM,  /* 1: the form that goes through pipes */
	UNCOREMSR_PERF_DATA_BIG,     /* 1: written in big-endian order */
};
/** @return 0; -EINVAL, and @p v is left alone. */
int uncoremsr_perf_data_number(const struct uncoremsr_perf_data *data,
			       enum uncoremsr_perf_data_number what, uint64_t *v);

/** What a file tells about where it was made. */
enum uncoremsr_perf_data_text {
	UNCOREMSR_PERF_DATA_HOST,
	UNCOREMSR_PERF_DATA_RELEASE, /* the kernel's, as uname -r */
	UNCOREMSR_PERF_DATA_VERSION, /* of the recorder */
	UNCOREMSR_PERF_DATA_ARCH,    /* as uname -m */
	UNCOREMSR_PERF_DATA_CPU,
	UNCOREMSR_PERF_DATA_COMMAND, /* the recorder's command line */
};
/** @return NULL: it does not tell. */
const char *uncoremsr_perf_data_text(const struct uncoremsr_perf_data *data,
				     enum uncoremsr_perf_data_text what);

/** An event of a file. */
struct uncoremsr_perf_data_event {
	const char *name;        /* as it was written on the recorder's command line, or "type 3 config 0x..." */
	uint32_t type;           /* of struct perf_event_attr */
	uint64_t config;
	uint64_t period;         /* 0: frequency tells */
	uint64_t frequency;      /* samples per second that were asked for; 0: period tells */
	uint64_t has;            /* UNCOREMSR_HAS_... of its samples */
};
/** @return NULL past the last one. */
const struct uncoremsr_perf_data_event *uncoremsr_perf_data_event(const struct uncoremsr_perf_data *data,
								  size_t index);

/** A file that was mapped while it was recorded, or the kernel, and what tells this build from another. */
struct uncoremsr_perf_data_build {
	const char *name;
	int kernel;              /* 1: the kernel or a module */
	unsigned char id[UNCOREMSR_BUILD_ID_SIZE];
	size_t id_size;
};
/** @return NULL past the last one. */
const struct uncoremsr_perf_data_build *uncoremsr_perf_data_build(const struct uncoremsr_perf_data *data,
								  size_t index);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
