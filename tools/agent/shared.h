/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory that the sampler shares with its outputs: their settings, and the values of the latest interval. The
 * sampler writes it. The outputs can only map it read-only: their descriptor and a seal (Linux 5.1) allow no more.
 * Both sides are from one build, so the layout of the struct may differ between releases.
 *
 * There are two slots, which are written in turn. So a reader always finds a complete interval, even if the sampler
 * stands still in the middle of writing the next one.
 */
#ifndef AGENT_SHARED_H
#define AGENT_SHARED_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/series.h"

/* ---- settings, which the configuration fills in ---- */

struct agent_collectd {
	char where[113];      /* "unix:PATH", "exec" (standard output), or "" for no output to collectd */
	char hostname[HOST_NAME_MAX + 1]; /* if "", COLLECTD_HOSTNAME or gethostname(2) is used */
	unsigned values;      /* enum series_values; 0 for the default */
	uint64_t run;         /* number of the agent's run */
	/* collectd forgets a value that is not renewed after @timeout intervals plus @timeout_ns. */
	double timeout;
	uint64_t timeout_ns;  /* collectd's own interval */
};

#define SNMP_BASE ".1.3.6.1.4.1.8072.9999.9999.2010"

enum { SNMP_MOST_PARTS = 64 };

struct agent_snmp {
	char address[128];    /* "tcp:HOST:PORT", "unix:PATH", or "" for no SNMP */
	unsigned long base[SNMP_MOST_PARTS];
	size_t num_base;
	bool intel_pmu_mib;   /* serve the columns of INTEL-PMU-MIB, too */
	uint64_t started_ns;  /* Unix time */
};

/* ---- values ---- */

enum agent_output { AGENT_HTTP, AGENT_COLLECTD, AGENT_SNMP, AGENT_OUTPUTS };

/* Maximum size of an interval's rows in bytes; enough for a million rows. Only written pages take memory. */
enum { SHARED_ROWS = 256 << 20 };

struct shared_interval {
	unsigned number;      /* number of the interval, from 1 */
	uint64_t wall_ns;     /* Unix time of the interval's end */
	uint64_t made_ns;     /* when the interval was published, on the monotonic clock */
	uint64_t interval_ns; /* nominal length of the interval */
	struct series_interval series;
	size_t size;          /* size of the interval's rows in bytes */
};

struct shared {
	char version[16];
	bool other_user; /* the outputs run as another user than the sampler */
	/* Data for each output when it starts. */
	struct {
		size_t num_fds;       /* number of inherited descriptors: listening sockets, or a state file */
		/* Number of the last change before this process started; only later ones are reported. */
		uint64_t num_changes;
	} outputs[AGENT_OUTPUTS];
	struct agent_collectd collectd;
	struct agent_snmp snmp;
	atomic_uint number;      /* number of the latest interval; 0: there is none yet */
	struct shared_slot {
		struct shared_interval interval;
		char rows[SHARED_ROWS];
	} slots[2];              /* interval @number is in slot @number % 2 */
};

/* ---- the sampler ---- */

struct shared_writer {
	struct series series;  /* must be first: the format gets a pointer to this member */
	struct shared *memory; /* NULL: not created */
	int fd;
	int readable;          /* descriptor of the same memory for the outputs, which cannot write through it */
	size_t room[2];        /* bytes of each slot that are allocated */
	struct shared_interval interval; /* the interval that is being written; @size is that of its rows so far */
	int error;             /* errno if rows of the interval are missing, else 0 */
	/* Changes of this interval and earlier ones: a slow output may not see every interval. */
	char changes[1 << 16];
	size_t changes_size;
	uint64_t num_changes;
};

/* 0 or a negative errno. */
int shared_create(struct shared_writer *w);
/* Begin an interval; @i has wall_ns, interval_ns and series. Returns the series into which rows are to be written. */
struct series *shared_begin(struct shared_writer *w, const struct shared_interval *i);
/* Make the interval that was written the latest one. On failure returns an errno; the previous one stays the latest. */
int shared_publish(struct shared_writer *w);
void shared_free(struct shared_writer *w);

/* ---- the outputs ---- */

/* Map the memory. Returns NULL on failure, or if another release wrote it. */
const struct shared *shared_map(int fd);
/* Get the latest interval and, in @rows (unless NULL), a copy of its rows to free. 0: none yet; -1: out of memory. */
int shared_read(const struct shared *m, struct shared_interval *i, char **rows);
/* Get the row at @rows + *at, and move on. Its texts point into @rows. False: there are no more. */
bool shared_next(const char *rows, size_t size, size_t *at, struct series_row *row);
/* Are the values that should follow this interval overdue? */
bool shared_is_late(const struct shared_interval *i);

/*
 * How late an interval may be before the sampler withholds it, or before an output regards the next one as overdue: a
 * second, which busy machines need, or a twentieth of the interval, whichever is longer. With this limit, a rate over
 * two minutes or over six long intervals is wrong by at most 1 %.
 */
uint64_t shared_most_late_ns(uint64_t interval_ns);

#endif
