/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's boot messages about the core PMU, predicted from CPUID or read from a saved log. Examples
 * (Linux arch/x86/events/core.c, init_hw_perf_events() and x86_pmu_show_pmu_cap()):
 *	Performance Events: PEBS fmt1+, IvyBridge events, 16-deep LBR, full-width counters, Intel ...
 *	... version:                3
 */
#include "info/info.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"

enum { MOST_BYTES = 64 << 20 }; /* real logs have some MiB at most */

#define START "Performance Events: "

/* Lines whose number CPUID reports, too. The number is hexadecimal in the log if the type is RECORD_WORD. */
static const struct record_column numbers[] = {
	{ "version", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_version) },
	{ "bit_width", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_width) },
	{ "generic_registers", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_general) },
	{ "value_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_value_mask) },
	{ "max_period", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_max_period) },
	{ "fixed_purpose_events", RECORD_INT, RECORD_AT(uncoremsr_core_kind, boot_fixed) },
	{ "event_mask", RECORD_WORD, RECORD_AT(uncoremsr_core_kind, boot_event_mask) },
};

/* The words before the number of each line. @newer: words in newer kernels; NULL if unchanged. */
static const struct {
	const char *key, *newer;
} words[] = {
	{ "version", NULL }, { "bit width", NULL }, { "generic registers", "generic counters" },
	{ "value mask", NULL }, { "max period", NULL }, { "fixed-purpose events", "fixed-purpose counters" },
	{ "event mask", "global_ctrl mask" },
};

enum { LINES = ARRAY_SIZE(numbers) };

/* The member of @kind that has the number of a line. An unknown number is UINT64_MAX. */
static uint64_t *number_of(const struct uncoremsr_core_kind *kind, unsigned line)
{
	return (uint64_t *)(void *)((const char *)kind + numbers[line].at);
}

static void show_number(struct out *o, unsigned line, uint64_t v)
{
	out_fmt(o, numbers[line].type == RECORD_WORD ? "%016llx" : "%llu", (unsigned long long)v);
}

void info_put_boot_line(struct info *i, const struct uncoremsr_core_kind *kind)
{
	if (kind->boot_version == UINT64_MAX) {
		record_str(&i->w, "boot_line", NULL);
		return;
	}
	record_open(&i->w, "boot_line");
	record_fields(&i->w, RECORD_COLUMNS(numbers), kind);
	record_word(&i->w, "max_period_full_width", kind->boot_value_mask >> 1);
	record_close(&i->w);
}

void info_show_boot_line(struct out *o, const struct uncoremsr_core_kind *kind)
{
	for (unsigned n = 0; n < LINES; n++) {
		uint64_t v = *number_of(kind, n);

		out_fmt(o, "%s%s ", n ? ", " : "", words[n].key);
		if (v != UINT64_MAX) {
			show_number(o, n, v);
			continue;
		}
		show_number(o, n, kind->boot_value_mask >> 1);
		out_fmt(o, " (without full-width writes %016x)", 0x7fffffff);
	}
	out_char(o, '\n');
}

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
		b->said.lbr_depth = strtoul(lbr, NULL, 10) & 0xffff;
	if (pebs && pebs[8] >= '0' && pebs[8] <= '9')
		b->said.pebs_format = (uint64_t)(pebs[8] - '0');
	b->said.full_width = strstr(text, "full-width counters") != NULL;
}

/* Only blanks may follow the number. */
static int take_value(const struct reader *r, unsigned n, const char *text)
{
	char *end;

	text += strspn(text, " \t");
	errno = 0;
	*number_of(&r->b->said, n) = strtoull(text, &end, numbers[n].type == RECORD_WORD ? 16 : 10);
	if (errno || *text == '-' || *text == '+' || end == text || end[strspn(end, " \t\r\n")])
		return tool_say(TOOL_USAGE, "%s:%u: %s: '%.*s': not a number", r->path, r->line, words[n].key,
				(int)strcspn(text, "\r\n"), text);
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
	for (unsigned n = 0; n < LINES; n++) {
		const char *value = behind(dots + 4, words[n].key);

		if (!value)
			value = behind(dots + 4, words[n].newer);
		/* On a hybrid machine the line is logged for each kind of core; use the first line. */
		if (value && *number_of(&r->b->said, n) == UINT64_MAX)
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

int info_read_boot_log(const char *path, struct boot_log *b)
{
	bool standard = strcmp(path, "-") == 0;
	char shown[OUT_QUOTED_SIZE];
	struct reader r = { .path = standard ? "standard input" : out_quoted(shown, path), .b = b };
	char *text;
	size_t len;
	int status = tool_file_read(standard ? NULL : path, MOST_BYTES, &text, &len, NULL);

	*b = (struct boot_log){ .said = { .lbr_depth = UINT64_MAX, .pebs_format = UINT64_MAX } };
	for (unsigned n = 0; n < LINES; n++)
		*number_of(&b->said, n) = UINT64_MAX;
	if (status)
		return status;
	status = take_lines(&r, text, len);
	free(text);
	if (!status && !r.started)
		return tool_say(TOOL_USAGE, "%s:%u: ends without a line \"Performance Events:\"; save the log of the "
				"whole boot (journalctl -k -b, or dmesg soon after it)", r.path, r.line);
	return status;
}

/* The maximum period depends on register 0x345. If it was not read, use what the log says about full-width counters. */
static bool is_same(const struct boot_log *b, const struct uncoremsr_core_kind *kind, unsigned n)
{
	uint64_t said = *number_of(&b->said, n), v = *number_of(kind, n), mask = kind->boot_value_mask;

	if (said == UINT64_MAX || v != UINT64_MAX)
		return said == UINT64_MAX || said == v;
	if (numbers[n].at != offsetof(struct uncoremsr_core_kind, boot_max_period) || mask == UINT64_MAX)
		return false;
	return said == (b->said.full_width ? mask >> 1 : 0x7fffffff);
}

static bool agrees_with_a_kind(const struct info *i)
{
	const struct uncoremsr_core_kind *kind;

	for (size_t k = 0; (kind = i->cores->kinds[k]); k++) {
		unsigned n = 0;

		while (n < LINES && is_same(i->boot, kind, n))
			n++;
		if (n == LINES)
			return true;
	}
	return false;
}

void info_put_boot_log(struct info *i)
{
	const struct uncoremsr_core_kind *first = i->cores->kinds[0];
	const struct boot_log *b = i->boot;
	bool fits;

	if (!b) {
		record_str(&i->w, "boot_log", NULL);
		return;
	}
	fits = agrees_with_a_kind(i);
	record_open(&i->w, "boot_log");
	record_str(&i->w, "file", i->boot_file);
	record_str(&i->w, "features", b->features);
	record_fields(&i->w, RECORD_COLUMNS(numbers), &b->said);
	record_bool(&i->w, "full_width_writes", b->said.full_width);
	record_if_known(&i->w, "pebs_format", RECORD_INT, b->said.pebs_format);
	record_if_known(&i->w, "lbr_depth", RECORD_INT, b->said.lbr_depth);
	record_bool(&i->w, "nmi_watchdog", b->watchdog ? 1 : -1);
	record_bool(&i->w, "agrees", first ? fits : -1);
	record_open_list(&i->w, "differs");
	for (unsigned n = 0; n < LINES && first && !fits; n++)
		if (!is_same(b, first, n))
			record_str(&i->w, NULL, numbers[n].name);
	record_close(&i->w);
	record_close(&i->w);
}

static void show_difference(const struct info *i, const struct uncoremsr_core_kind *first, unsigned n)
{
	uint64_t v = *number_of(first, n);

	out_fmt(i->o, INFO_LABEL "DIFFERS in %s: the kernel said ", "", words[n].key);
	show_number(i->o, n, *number_of(&i->boot->said, n));
	out_str(i->o, ", CPUID gives ");
	if (v == UINT64_MAX)
		out_str(i->o, "no such number");
	else
		show_number(i->o, n, v);
	out_char(i->o, '\n');
}

void info_show_boot_log(struct info *i)
{
	const struct uncoremsr_core_kind *first = i->cores->kinds[0];
	bool fits = first && agrees_with_a_kind(i), any = false;

	out_fmt(i->o, INFO_LABEL "%s\n", "boot log", i->boot->features);
	for (unsigned n = 0; n < LINES; n++) {
		any = any || *number_of(&i->boot->said, n) != UINT64_MAX;
		if (first && !fits && !is_same(i->boot, first, n))
			show_difference(i, first, n);
	}
	if (!any)
		out_fmt(i->o, INFO_LABEL "it has no numbers to compare\n", "");
	else if (fits)
		out_fmt(i->o, INFO_LABEL "its numbers agree with CPUID\n", "");
	if (i->boot->watchdog)
		out_fmt(i->o, INFO_LABEL "the NMI watchdog took one core counter of every CPU\n", "");
}
