/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cost of reading a register device of this CPU and of another one.
 * usage: remote_read FILE POSITION SIZE CPU...
 * Pins itself to each CPU in turn and prints one line each: CPU and median nanoseconds per pread.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { READS = 20001, LARGEST = 16 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static int measure(int fd, off_t position, size_t size, uint64_t *took)
{
	char value[LARGEST];

	for (int i = 0; i < READS; i++) {
		uint64_t begin = now();

		if (pread(fd, value, size, position) != (ssize_t)size)
			return -1;
		took[i] = now() - begin;
	}
	qsort(took, READS, sizeof(*took), compare);
	return 0;
}

int main(int argc, char **argv)
{
	static uint64_t took[READS];
	size_t size = argc > 4 ? strtoul(argv[3], NULL, 10) : 0;
	int fd;

	if (!size || size > LARGEST)
		return 2;
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		perror(argv[1]);
		return 4;
	}
	for (int i = 4; i < argc; i++) {
		int cpu = atoi(argv[i]);

		if (pin(cpu) < 0 || measure(fd, strtol(argv[2], NULL, 0), size, took) < 0) {
			perror(argv[1]);
			return 1;
		}
		printf("%d %llu\n", cpu, (unsigned long long)took[READS / 2]);
	}
	return 0;
}
