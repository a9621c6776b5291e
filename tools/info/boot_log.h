/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's boot messages about the core PMU, read from a saved log. */
#ifndef TOOL_BOOT_LOG_H
#define TOOL_BOOT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/records.h"
#include "uncoremsr/machine.h"

#define BOOT_LINES 7

/* The lines of the kernel's boot messages whose number CPUID reports, too. A RECORD_WORD is hexadecimal in the log. */
extern const struct record_column boot_numbers[BOOT_LINES];

/* The words of a line in old and in new kernels; newer NULL: the same words. */
struct boot_words {
	const char *key, *newer;
};
extern const struct boot_words boot_words[BOOT_LINES];

static inline bool boot_is_hex(unsigned line)
{
	return boot_numbers[line].type == RECORD_WORD;
}

/* The number of the line as CPUID reports it; UINT64_MAX: unknown. */
static inline uint64_t boot_number(const struct uncoremsr_core_kind *kind, unsigned line)
{
	return *(const uint64_t *)(const void *)((const char *)kind + boot_numbers[line].at);
}

struct boot_log {
	char features[256]; /* "PEBS fmt1+, IvyBridge events, ..., Intel PMU driver." */
	bool told[BOOT_LINES];
	uint64_t value[BOOT_LINES];
	int lbr_depth, pebs_format; /* -1: not in the log */
	bool full_width;
	bool watchdog;              /* the NMI watchdog took a counter */
};

/*
 * Read the output of dmesg or journalctl -k, or a syslog file, with or without times; "-" is standard input. 0, or the
 * exit status after a message.
 */
int boot_log_read(const char *path, struct boot_log *b);

#endif
