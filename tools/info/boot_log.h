/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel's boot messages about the core PMU, read from a saved log. */
#ifndef TOOL_BOOT_LOG_H
#define TOOL_BOOT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/options.h"
#include "uncoremsr/machine.h"

#define BOOT_LINES 7

/* A line of the boot messages that has a number. */
struct boot_line {
	const char *field;  /* name in JSON */
	const char *key, *newer; /* the line's words in old and new kernels; newer NULL: they have not changed */
	size_t number;      /* offset in struct uncoremsr_core_kind */
	bool hex;
};
extern const struct boot_line boot_lines[BOOT_LINES];

/* The value of that number as CPUID reports it; UINT64_MAX: unknown. */
static inline uint64_t boot_number(const struct uncoremsr_core_kind *kind, unsigned line)
{
	return *(const uint64_t *)(const void *)((const char *)kind + boot_lines[line].number);
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
int boot_log_read(const struct tool *tool, const char *path, struct boot_log *b);

#endif
