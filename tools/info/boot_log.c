/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Read the core PMU's lines of a boot log, as Linux prints them (arch/x86/events/core.c, init_hw_perf_events() and
 * x86_pmu_show_pmu_cap()):
 *	Performance Events: PEBS fmt1+, IvyBridge events, 16-deep LBR, full-width counters, Intel ...
 *	... version:                3
 */
#include "info/info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

/* Largest log; even a talkative kernel writes only some MiB. */
enum { MOST_BYTES = 64 << 20 };

#define START "Performance Events: "

const struct record_column boot_numbers[BOOT_LINES] = {
	{ "version", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_version) },
	{ "bit_width", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_width) },
	{ "generic_registers", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_general) },
	{ "value_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_value_mask) },
	{ "max_period", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_max_period) },
	{ "fixed_purpose_events", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_fixed) },
	{ "event_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_event_mask) },
};

const struct boot_words boot_words[BOOT_LINES] = {
	{ "version", NULL }, { "bit width", NULL }, { "generic registers", "generic counters" },
	{ "value mask", NULL }, { "max period", NULL }, { "fixed-purpose events", "fixed-purpose counters" },
	{ "event mask", "global_ctrl mask" },
};

struct reader {
	const char *path;
	unsigned line;
	bool started;
	struct boot_log *b;
};

static void copy_features(struct boot_log *b, const char *text)
{
	const char *lbr = strstr(text, "-deep LBR"), *pebs = strstr(text, "PEBS fmt");
	size_t len = strcspn(text, "\r\n");

	if (len >= sizeof(b->features))
		len = sizeof(b->features) - 1;
	memcpy(b->features, text, len);
	b->features[len] = '\0';
	for (char *c = b->features; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	while (lbr && lbr > text && lbr[-1] >= '0' && lbr[-1] <= '9')
		lbr--;
	if (lbr && *lbr >= '0' && *lbr <= '9')
		b->lbr_depth = (int)strtol(lbr, NULL, 10) & 0xffff;
	if (pebs && pebs[8] >= '0' && pebs[8] <= '9')
		b->pebs_format = pebs[8] - '0';
	b->full_width = strstr(text, "full-width counters") != NULL;
}

/* Read the number after "KEY:"; only blanks may follow it. */
static int take_value(const struct reader *r, unsigned n, const char *text)
{
	char *end;

	text += strspn(text, " \t");
	errno = 0;
	r->b->value[n] = strtoull(text, &end, boot_is_hex(n) ? 16 : 10);
	if (errno || *text == '-' || *text == '+' || end == text || end[strspn(end, " \t\r\n")])
		return tool_say(TOOL_USAGE, "%s:%u: %s: '%.*s': not a number", r->path,
				r->line, boot_words[n].key, (int)strcspn(text, "\r\n"), text);
	r->b->told[n] = true;
	return 0;
}

static const char *behind(const char *text, const char *key)
{
	size_t len = key ? strlen(key) : 0;

	return len && strncmp(text, key, len) == 0 && text[len] == ':' ? text + len + 1 : NULL;
}

static int take_line(struct reader *r, const char *line)
{
	const char *start = strstr(line, START), *dots = strstr(line, "... ");

	if (strstr(line, "ermanently consumes one hw-PMU counter"))
		r->b->watchdog = true;
	if (start && !r->started) {
		r->started = true;
		copy_features(r->b, start + strlen(START));
	}
	if (!dots || !r->started)
		return 0;
	for (unsigned n = 0; n < BOOT_LINES; n++) {
		const char *value = behind(dots + 4, boot_words[n].key);

		if (!value)
			value = behind(dots + 4, boot_words[n].newer);
		/* A hybrid machine repeats the line for its other kind of cores; use the first one. */
		if (value && !r->b->told[n])
			return take_value(r, n, value);
	}
	return 0;
}

static int take_lines(struct reader *r, char *text, size_t len)
{
	int status = 0;

	for (char *line, *next = text; !status && next && next < text + len; ) {
		line = strsep(&next, "\n");
		r->line++;
		if (line + strlen(line) != (next ? next - 1 : text + len))
			return tool_say(TOOL_USAGE, "%s:%u: binary data, not a boot log", r->path, r->line);
		status = take_line(r, line);
	}
	return status;
}

int boot_log_read(const char *path, struct boot_log *b)
{
	bool standard = strcmp(path, "-") == 0;
	char shown[OUT_QUOTED_SIZE];
	struct reader r = { .path = standard ? "standard input" : out_quoted(shown, path), .b = b };
	char *text;
	size_t len;
	int status = tool_file_read(standard ? NULL : path, MOST_BYTES, &text, &len, NULL);

	*b = (struct boot_log){ .lbr_depth = -1, .pebs_format = -1 };
	if (status)
		return status;
	status = take_lines(&r, text, len);
	free(text);
	if (!status && !r.started)
		return tool_say(TOOL_USAGE, "%s:%u: ends without a line \"Performance "
				"Events:\"; save the log of the whole boot (journalctl -k -b, or "
				"dmesg soon after it)", r.path, r.line);
	return status;
}
