/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU lists as the kernel writes them (Documentation/admin-guide/cputopology.rst: "0-3,5").
 * A list is read into ranges first and expanded after these are merged, so that a hostile text
 * ("0-131071,0-131071,...") cannot ask for more than one number per CPU.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "machine/machine.h"

/* Far above CONFIG_NR_CPUS of any kernel (8192), and small enough for a list of all numbers. */
#define CPU_MAX 131071u

struct range {
	unsigned first, last;
};

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Parse a decimal number at *p, and advance *p; on failure *p stays where the number starts. */
static int parse_cpu(const char **p, unsigned *cpu)
{
	const char *q = *p;
	unsigned v = 0;

	if (!isdigit((unsigned char)*q))
		return -EINVAL;
	for (; isdigit((unsigned char)*q); q++) {
		v = v * 10 + (unsigned)(*q - '0');
		if (v > CPU_MAX)
			return -EINVAL;
	}
	*p = q;
	*cpu = v;
	return 0;
}

/* Parse "3" or "0-3". */
static int parse_range(const char **p, struct range *r)
{
	const char *start = *p;

	if (parse_cpu(p, &r->first) < 0)
		return -EINVAL;
	r->last = r->first;
	if (**p != '-')
		return 0;
	(*p)++;
	if (parse_cpu(p, &r->last) < 0)
		return -EINVAL;
	if (r->last < r->first) {
		*p = start;
		return -EINVAL;
	}
	return 0;
}

static bool at_end(const char *p)
{
	return *p == '\0' || (p[0] == '\n' && p[1] == '\0');
}

/* Parse all of @text into @ranges, which has room; on failure *text is where the error is. */
static int parse_ranges(const char **text, struct range *ranges, size_t *num)
{
	const char *p = skip_blanks(*text);

	*num = 0;
	if (at_end(p))
		return 0;
	for (;; p = skip_blanks(p + 1)) {
		*text = p;
		if (parse_range(text, &ranges[*num]) < 0)
			return -EINVAL;
		(*num)++;
		p = skip_blanks(*text);
		*text = p;
		if (at_end(p))
			return 0;
		if (*p != ',')
			return -EINVAL;
	}
}

static int by_first(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Sort, and join what touches or overlaps. Returns how many are left, and the CPUs in them. */
static size_t merge_ranges(struct range *r, size_t num, size_t *cpus)
{
	size_t kept = 0;

	qsort(r, num, sizeof(*r), by_first);
	for (size_t i = 0; i < num; i++) {
		if (kept && r[i].first <= r[kept - 1].last + 1) {
			if (r[i].last > r[kept - 1].last)
				r[kept - 1].last = r[i].last;
		} else {
			r[kept++] = r[i];
		}
	}
	*cpus = 0;
	for (size_t i = 0; i < kept; i++)
		*cpus += r[i].last - r[i].first + 1;
	return kept;
}

static int expand(struct um_cpuset *set, struct range *ranges, size_t num)
{
	size_t cpus;

	num = merge_ranges(ranges, num, &cpus);
	if (ARRAY_ROOM(set->cpus, 0, cpus))
		return -ENOMEM;
	for (size_t i = 0; i < num; i++)
		for (unsigned cpu = ranges[i].first; cpu <= ranges[i].last; cpu++)
			set->cpus[set->num++] = cpu;
	return 0;
}

static size_t count_items(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == ',';
	return n;
}

int um_cpuset_parse(struct um_cpuset *set, const char *text, const char **bad)
{
	struct range *ranges;
	size_t num;
	int ret;

	set->cpus = NULL;
	set->num = 0;
	ranges = calloc(count_items(text), sizeof(*ranges));
	if (!ranges)
		return -ENOMEM;
	ret = parse_ranges(&text, ranges, &num);
	if (ret < 0 && bad)
		*bad = text;
	if (ret == 0 && num > 0)
		ret = expand(set, ranges, num);
	free(ranges);
	return ret;
}

/* Index of the first member that is not below @cpu. */
static size_t lower_bound(const struct um_cpuset *set, unsigned cpu)
{
	size_t lo = 0, hi = set->num;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (set->cpus[mid] < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t um_cpuset_index(const struct um_cpuset *set, unsigned cpu)
{
	size_t i = lower_bound(set, cpu);

	return i < set->num && set->cpus[i] == cpu ? i : set->num;
}

bool um_cpuset_has(const struct um_cpuset *set, unsigned cpu)
{
	return um_cpuset_index(set, cpu) < set->num;
}

int um_cpuset_add(struct um_cpuset *set, unsigned cpu)
{
	size_t i = lower_bound(set, cpu);

	if (i < set->num && set->cpus[i] == cpu)
		return 0;
	if (ARRAY_ROOM(set->cpus, set->num, 1))
		return -ENOMEM;
	memmove(set->cpus + i + 1, set->cpus + i, (set->num - i) * sizeof(*set->cpus));
	set->cpus[i] = cpu;
	set->num++;
	return 0;
}

static char *put_number(char *p, unsigned v)
{
	char digits[sizeof("4294967295")], *first = digits + sizeof(digits);

	do
		*--first = (char)('0' + v % 10);
	while (v /= 10);
	return mempcpy(p, first, (size_t)(digits + sizeof(digits) - first));
}

char *um_cpuset_format(const struct um_cpuset *set)
{
	char *text = malloc(set->num * sizeof("131071,") + 1), *p = text;

	if (!text)
		return NULL;
	for (size_t i = 0, last; i < set->num; i = last + 1) {
		for (last = i; last + 1 < set->num; last++)
			if (set->cpus[last + 1] != set->cpus[last] + 1)
				break;
		if (i)
			*p++ = ',';
		p = put_number(p, set->cpus[i]);
		if (last > i) {
			*p++ = '-';
			p = put_number(p, set->cpus[last]);
		}
	}
	*p = '\0';
	return text;
}

void um_cpuset_free(struct um_cpuset *set)
{
	free(set->cpus);
	set->cpus = NULL;
	set->num = 0;
}
