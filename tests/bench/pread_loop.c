/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The least time that reading counters can take: only preads of FILE, at the registers from 0x3b0 on.
 * usage: pread_loop FILE COUNTERS ROUNDS
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_COUNTER 0x3b0 /* MSR_UNCORE_PMC0, Intel SDM volume 3 */

int main(int argc, char **argv)
{
	long counters, rounds;
	uint64_t value;
	int fd;

	if (argc != 4)
		return 2;
	counters = strtol(argv[2], NULL, 10);
	rounds = strtol(argv[3], NULL, 10);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		perror(argv[1]);
		return 4;
	}
	for (long r = 0; r < rounds; r++)
		for (long c = 0; c < counters; c++)
			if (pread(fd, &value, sizeof(value), FIRST_COUNTER + c) != sizeof(value)) {
				perror("pread");
				return 1;
			}
	return 0;
}
