/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU lists as the kernel writes them (Documentation/admin-guide/cputopology.rst: "0-3,5"). A list is first read into a
 * bitmap, so that a hostile text ("0-131071,0-131071,...") cannot make it longer than one number per CPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/number.h"
#include "machine/machine.h"

struct bits {
	size_t num; /* words in use, up to the highest CPU; the words after them are not initialised */
	uint64_t words[UM_CPU_MAX / 64 + 1];
};

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static void add_range(struct bits *bits, unsigned first, unsigned last)
{
	while (bits->num <= last / 64)
		bits->words[bits->num++] = 0;
	for (size_t w = first / 64; w <= last / 64; w++)
		bits->words[w] |= (w == first / 64 ? UINT64_MAX << first % 64 : UINT64_MAX) &
				  (w == last / 64 ? UINT64_MAX >> (63 - last % 64) : UINT64_MAX);
}

static bool at_end(const char *p)
{
	return *p == '\0' || (p[0] == '\n' && p[1] == '\0');
}

/* On failure *text is where the error is. */
static int parse_ranges(const char **text, struct bits *bits)
{
	const char *p = skip_blanks(*text);
	unsigned first, last;

	if (at_end(p))
		return 0;
	for (;; p = skip_blanks(p + 1)) {
		*text = p;
		if (!um_read_range(text, UM_CPU_MAX, &first, &last))
			return -EINVAL;
		add_range(bits, first, last);
		p = skip_blanks(*text);
		*text = p;
		if (at_end(p))
			return 0;
		if (*p != ',')
			return -EINVAL;
	}
}

static int expand(struct um_cpuset *set, const struct bits *bits)
{
	size_t cpus = 0;

	for (size_t w = 0; w < bits->num; w++)
		cpus += (size_t)__builtin_popcountll(bits->words[w]);
	if (ARRAY_ROOM(set->cpus, 0, cpus))
		return -ENOMEM;
	for (size_t w = 0; w < bits->num; w++)
		for (uint64_t word = bits->words[w]; word; word &= word - 1)
			set->cpus[set->num++] = (unsigned)(64 * w) + (unsigned)__builtin_ctzll(word);
	return 0;
}

int um_cpuset_parse(struct um_cpuset *set, const char *text, const char **bad)
{
	struct bits *bits = malloc(sizeof(*bits)); /* not cleared: these are 16 KiB, more than most lists take to read */
	int ret;

	set->cpus = NULL;
	set->num = 0;
	if (!bits)
		return -ENOMEM;
	bits->num = 0;
	ret = parse_ranges(&text, bits);
	if (ret < 0 && bad)
		*bad = text;
	if (ret == 0)
		ret = expand(set, bits);
	free(bits);
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

bool um_cpuset_has(const struct um_cpuset *set, unsigned cpu)
{
	size_t i = lower_bound(set, cpu);

	return i < set->num && set->cpus[i] == cpu;
}

bool um_cpuset_overlap(const struct um_cpuset *a, const struct um_cpuset *b)
{
	for (size_t i = 0; i < a->num; i++)
		if (um_cpuset_has(b, a->cpus[i]))
			return true;
	return false;
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

int um_cpuset_add_all(struct um_cpuset *set, const struct um_cpuset *more)
{
	int err = 0;

	for (size_t i = 0; i < more->num && !err; i++)
		err = um_cpuset_add(set, more->cpus[i]);
	return err;
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
		p += sprintf(p, i ? ",%u" : "%u", set->cpus[i]);
		if (last > i)
			p += sprintf(p, "-%u", set->cpus[last]);
	}
	*p = '\0';
	return text;
}

void um_cpuset_free(struct um_cpuset *set)
{
	FREE_AND_NULL(set->cpus);
	set->num = 0;
}
