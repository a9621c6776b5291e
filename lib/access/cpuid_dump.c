/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recorded CPUID, as "cpuid -r" prints it. "CPU 0:" begins a CPU ("CPU:" in the output of "cpuid -r -1"), and every
 * other line is one leaf. A file may come from anywhere, so everything in it is checked; messages name the line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/access.h"
#include "common/array.h"
#include "common/file.h"

#define CPU_MAX 65535u         /* more CPUs than any kernel can have (CONFIG_NR_CPUS) */
#define SIZE_LIMIT (64u << 20) /* a dump of 8192 recent CPUs takes about 50 MiB */
#define SHOWN_OF_LINE 60

struct parser {
	struct um_cpuid_dump *d;
	const char *path;
	unsigned line;
	long cpu;            /* CPU of the current block; -1: no block has begun */
	unsigned head;       /* line of the last "CPU N:" if no leaf has followed yet; else 0 */
	struct um_error *e;
};

static int refuse(const struct parser *s, unsigned line, const char *why)
{
	return UM_USAGE(s->e, "%s:%u: %s", UM_QUOTED(s->path), line, why);
}

/* Parse "CPU 12:" or, before the first leaf, "CPU:". If it is neither, s->cpu is unchanged. */
static bool take_cpu(struct parser *s, const char *line, size_t len)
{
	char digits[9] = "0";
	int end = 0;
	long cpu;

	sscanf(line, " CPU %8[0-9]: %n", digits, &end);
	if (!end && s->cpu < 0)
		sscanf(line, " CPU : %n", &end);
	cpu = strtol(digits, NULL, 10);
	if (end != (int)len || cpu > CPU_MAX)
		return false;
	s->cpu = cpu;
	return true;
}

/* Do not use %x: it also accepts a sign, blanks and a second "0x". */
#define HEX "0x%8[0-9a-fA-F]"

static bool take_leaf(struct um_cpuid_leaf *l, const char *line, size_t len)
{
	uint32_t *const numbers[] = { &l->leaf, &l->subleaf, &l->regs[0], &l->regs[1], &l->regs[2], &l->regs[3] };
	char hex[ARRAY_SIZE(numbers)][9];
	int end = 0;

	sscanf(line, " " HEX " " HEX ": eax=" HEX " ebx=" HEX " ecx=" HEX " edx=" HEX " %n", hex[0], hex[1], hex[2],
	       hex[3], hex[4], hex[5], &end);
	for (size_t i = 0; end == (int)len && i < ARRAY_SIZE(numbers); i++)
		*numbers[i] = (uint32_t)strtoul(hex[i], NULL, 16);
	return end == (int)len;
}

/* Processors use basic, Xeon Phi, hypervisor, extended and Centaur leaves. */
static bool leaf_may_be(uint32_t leaf)
{
	return leaf <= 0xffff || leaf >> 16 == 0x2000 || leaf >> 28 == 4 || leaf >> 28 == 8 ||
	       leaf >> 16 == 0xc000;
}

static int not_a_line(const struct parser *s, const char *text, size_t len, bool whole)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\t' && text[i] != '\r' && (text[i] < ' ' || text[i] > '~'))
			return refuse(s, s->line, "binary data, not the text that 'cpuid -r' prints");
	return UM_USAGE(s->e, "%s:%u: %s: '%.*s'", UM_QUOTED(s->path), s->line,
			whole ? "not a line of 'cpuid -r'" : "the file is cut within this line",
			(int)(len < SHOWN_OF_LINE ? len : SHOWN_OF_LINE), text);
}

static int check_head(const struct parser *s)
{
	return s->head ? refuse(s, s->head, "this CPU has no leaf: the file is cut") : 0;
}

/* Parse the current line. @whole: it ends with a newline, so the file was not cut off in it. */
static int take_line(struct parser *s, const char *text, size_t len, bool whole)
{
	struct um_cpuid_leaf l = { .line = s->line };
	char line[160]; /* no line of 'cpuid -r' is longer */
	size_t blanks;
	bool is_head;
	int err;

	snprintf(line, sizeof(line), "%.*s", (int)len, text);
	blanks = strspn(line, " \t");
	if (blanks == len)
		return 0;
	is_head = line[blanks] == 'C';
	if (!whole || !(is_head ? take_cpu(s, line, len) : s->cpu >= 0 && take_leaf(&l, line, len)))
		return not_a_line(s, text, len, whole);
	if (is_head) {
		err = check_head(s);
		s->head = s->line;
		return err;
	}
	s->head = 0;
	if (!leaf_may_be(l.leaf))
		return UM_USAGE(s->e, "%s:%u: leaf 0x%08x: outside the ranges that processors use", UM_QUOTED(s->path),
				s->line, l.leaf);
	l.cpu = (unsigned)s->cpu;
	return ARRAY_APPEND(s->d->leaves, s->d->num, l);
}

static int take_lines(struct parser *s, const char *text, size_t len)
{
	const char *last = text + len;
	int err = 0;

	while (text < last && !err) {
		const char *eol = memchr(text, '\n', (size_t)(last - text)), *end = eol ? eol : last;

		s->line++;
		if (end > text && end[-1] == '\r')
			end--;
		err = take_line(s, text, (size_t)(end - text), eol != NULL);
		text = eol ? eol + 1 : last;
	}
	return err;
}

static int by_place(const void *a, const void *b)
{
	const struct um_cpuid_leaf *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->leaf != y->leaf)
		return x->leaf < y->leaf ? -1 : 1;
	return (x->subleaf > y->subleaf) - (x->subleaf < y->subleaf);
}

static int by_place_and_line(const void *a, const void *b)
{
	const struct um_cpuid_leaf *x = a, *y = b;
	int order = by_place(a, b);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

const struct um_cpuid_leaf *um_cpuid_dump_find(const struct um_cpuid_dump *d, unsigned cpu,
					       uint32_t leaf, uint32_t subleaf)
{
	struct um_cpuid_leaf key = { .cpu = cpu, .leaf = leaf, .subleaf = subleaf };

	return d->num ? bsearch(&key, d->leaves, d->num, sizeof(key), by_place) : NULL;
}

static int check_once(const struct parser *s)
{
	for (size_t i = 1; i < s->d->num; i++) {
		const struct um_cpuid_leaf *l = &s->d->leaves[i];

		if (by_place(l - 1, l) == 0)
			return UM_USAGE(s->e, "%s:%u: leaf 0x%x/0x%x of CPU %u is already in line %u",
					UM_QUOTED(s->path), l->line, l->leaf, l->subleaf, l->cpu, l[-1].line);
	}
	return 0;
}

static int missing(const struct parser *s, unsigned line, unsigned cpu, uint32_t leaf)
{
	return UM_USAGE(s->e, "%s:%u: CPU %u ends here without leaf 0x%x: the file is cut", UM_QUOTED(s->path), line,
			cpu, leaf);
}

/*
 * IA32_PERF_GLOBAL_CTRL has 32 bits for general counters and 32 for fixed ones, and EBX of leaf 0xa has 32 bits for
 * events (SDM volume 3B, architectural performance monitoring). So larger numbers are impossible.
 */
static int check_leaf_0xa(const struct parser *s, const struct um_cpuid_leaf *l)
{
	uint32_t general = l->regs[0] >> 8 & 0xff, width = l->regs[0] >> 16 & 0xff;
	uint32_t events = l->regs[0] >> 24, fixed_width = l->regs[3] >> 5 & 0xff;

	if (general <= 32 && width <= 64 && events <= 32 && fixed_width <= 64)
		return 0;
	return UM_USAGE(s->e, "%s:%u: impossible leaf 0xa: %u counters of %u bits, %u events, fixed counters of %u "
			"bits", UM_QUOTED(s->path), l->line, general, width, events, fixed_width);
}

/*
 * Check the leaves of one CPU, @l[0] to @l[num - 1]. @like: the first CPU of the file; a CPU must have the leaves 0xa,
 * 0xb and 0x80000000 if @like has them.
 */
static int check_cpu(const struct parser *s, const struct um_cpuid_leaf *l, size_t num, unsigned like)
{
	static const uint32_t wanted[] = { 1, 0xa, 0xb, 0x80000000 };
	const struct um_cpuid_leaf *zero, *found;
	unsigned last = 0;

	for (size_t i = 0; i < num; i++)
		last = l[i].line > last ? l[i].line : last;
	zero = um_cpuid_dump_find(s->d, l->cpu, 0, 0);
	if (!zero)
		return missing(s, last, l->cpu, 0);
	if (!zero->regs[0] || zero->regs[0] > 0xffff || !zero->regs[1])
		return refuse(s, zero->line, "impossible leaf 0: it has no vendor, or its highest leaf is "
			      "out of range");
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!um_cpuid_dump_find(s->d, l->cpu, wanted[i], 0) &&
		    (wanted[i] == 1 || um_cpuid_dump_find(s->d, like, wanted[i], 0)))
			return missing(s, last, l->cpu, wanted[i]);
	if (zero->regs[0] >= 0xa && l[num - 1].leaf < 0xa)
		return missing(s, last, l->cpu, 0xa);
	found = um_cpuid_dump_find(s->d, l->cpu, 0xa, 0);
	return found ? check_leaf_0xa(s, found) : 0;
}

static size_t leaves_of_cpu(const struct um_cpuid_dump *d, size_t from)
{
	size_t n = 1;

	while (from + n < d->num && d->leaves[from + n].cpu == d->leaves[from].cpu)
		n++;
	return n;
}

int um_cpuid_dump_check(struct um_cpuid_dump *d, const char *path, struct um_error *e)
{
	const struct parser s = { .d = d, .path = path, .e = e };
	int err = 0;

	for (size_t i = 0, n; i < d->num && !err; i += n) {
		n = leaves_of_cpu(d, i);
		err = check_cpu(&s, &d->leaves[i], n, d->leaves[0].cpu);
	}
	return err;
}

int um_cpuid_dump_parse(struct um_cpuid_dump *d, const char *path, const char *text, size_t len, struct um_error *e)
{
	struct parser s = { .d = d, .path = path, .cpu = -1, .e = e };
	int err;

	memset(d, 0, sizeof(*d));
	err = take_lines(&s, text, len);
	if (!err && !d->num)
		err = refuse(&s, s.line ? s.line : 1, "no CPUID leaf: the file is empty or cut");
	if (!err)
		err = check_head(&s);
	if (!err) {
		qsort(d->leaves, d->num, sizeof(*d->leaves), by_place_and_line);
		/* Leaves that other CPUs lack are taken from the first CPU, so the first CPU must be complete. */
		err = check_once(&s) ?: check_cpu(&s, d->leaves, leaves_of_cpu(d, 0), d->leaves[0].cpu);
	}
	if (err == -ENOMEM)
		um_no_memory(e);
	if (err)
		um_cpuid_dump_free(d);
	return err;
}

void um_cpuid_dump_free(struct um_cpuid_dump *d)
{
	free(d->leaves);
	memset(d, 0, sizeof(*d));
}

int um_cpuid_dump_load(struct um_cpuid_dump *d, const char *path, struct um_error *e)
{
	char *text;
	size_t len;
	int err = um_file_read("CPUID file", path, SIZE_LIMIT, 0, &text, &len, e);

	memset(d, 0, sizeof(*d));
	if (err)
		return err == -ENOENT || err == -ENOMEM || um_lacks_permission(err) ? err : -EINVAL;
	err = um_cpuid_dump_parse(d, path, text, len, e);
	free(text);
	return err;
}
