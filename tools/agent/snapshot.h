/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The values of one interval as bytes, to send them to another process. A series of the format series_snapshot writes
 * them; snapshot_say() reads them and writes them to any other series, as often as needed. Both processes are from one
 * build, so the format can change.
 */
#ifndef AGENT_SNAPSHOT_H
#define AGENT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/series.h"

/* Larger ones are refused by the reader. */
#define SNAPSHOT_SIZE ((size_t)64 << 20)

extern const struct series_format series_snapshot;

/* Write all values to @s. False: the bytes are no valid snapshot; some values may have been written. */
bool snapshot_say(struct series *s, const char *bytes, size_t size);

/* The interval of these values; 0: the bytes are no snapshot. */
uint64_t snapshot_interval_ns(const char *bytes, size_t size);

/*
 * How late an interval may be read and still be sent as if it had been read at its end: a second, which busy machines
 * need, or a twentieth of the interval. A rate over two minutes, or over six long intervals, is then wrong by at most
 * 1 %.
 */
uint64_t snapshot_most_late_ns(uint64_t interval_ns);

#endif
