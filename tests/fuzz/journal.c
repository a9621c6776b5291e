/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Journals of dead sessions. The input has the records of one journal, separated by empty lines. put_record() adds the
 * first line and the checksum if a record lacks them, because the library rejects a mutated record with its old
 * checksum. For any input, another program's counter must not change, and a second repair must find nothing to do.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#include "counting/lease.h"
#include "machine/handle.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/sim.h"

/* On package 0, counter 3 belongs to a dead session, counter 5 to another program. */
enum { GATE = 0x391, OURS = 0x3c3, OUR_COUNTER = 0x3b3, OTHER = 0x3c5, OTHER_COUNTER = 0x3b5 };

static struct uncoremsr_sim *sim;
static struct uncoremsr *um;
static char dir[64], journal[128], head[UM_RECORD_HEAD + 1];

static void put(uint32_t msr, uint64_t value)
{
	REQUIRE(!uncoremsr_sim_wrmsr(sim, 0, msr, value));
}

static uint64_t get(uint32_t msr)
{
	uint64_t value;

	REQUIRE(!uncoremsr_sim_rdmsr(sim, 0, msr, &value));
	return value;
}

static void remove_dir(void)
{
	static const char *const names[] = { "/run/uncoremsr/1-1.journal", "/run/uncoremsr/lock", "/run/uncoremsr", "/run", "" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, names[i]);
		if (unlink(path) < 0)
			rmdir(path);
	}
}

static void set_registers(void)
{
	put(GATE, 0);
	put(OURS, 0x400182);
	put(OTHER, 0x400101);
	put(OUR_COUNTER, 123);
	put(OTHER_COUNTER, 77);
	put(GATE, 1 << 3 | 1 << 5);
}

/* *num is the number of repaired counters. Each listed lease must name its file. */
static void write_and_repair(const char *text, size_t size, int *num)
{
	int fd = open(journal, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const struct uncoremsr_leases *leases;

	REQUIRE(fd >= 0 && write(fd, text, size) == (ssize_t)size);
	close(fd);
	leases = uncoremsr_leases(um);
	REQUIRE(leases);
	for (size_t i = 0; leases->list[i]; i++)
		REQUIRE(leases->list[i]->file);
	*num = uncoremsr_repair(um, NULL, NULL);
	REQUIRE(*num >= 0);
}

static void start(void)
{
	struct um_record r = {
		.boot = "-", .pid = 42, .since = 1600000000, .command = "uncore-read", .event = "0x82:0x1",
		.words = { 0x400182 }, .num_words = 1,
		.id = { .package = 0, .die = -1, .kind = UM_LEASE_COUNTER, .number = 3, .unit = "uncore" },
	};
	char text[2048], path[100], why[256];
	int len, num;

	snprintf(dir, sizeof(dir), "%s/fuzz-journal-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	REQUIRE(mkdtemp(dir));
	atexit(remove_dir);
	snprintf(path, sizeof(path), "%s/run", dir);
	REQUIRE(!mkdir(path, 0755));
	snprintf(path, sizeof(path), "%s/run/uncoremsr", dir);
	REQUIRE(!mkdir(path, 0755));
	snprintf(journal, sizeof(journal), "%s/1-1.journal", path);
	REQUIRE(!uncoremsr_sim_new(&sim, "westmere-2s,clock=stepped", why, sizeof(why)));
	REQUIRE(!uncoremsr_new(&um) && !uncoremsr_set_sim(um, sim) && !uncoremsr_open(um));
	/*
	 * A simulated machine in memory has no files, but leases and journals need a directory, so the library uses the
	 * files in dir.
	 */
	um->m.access->has_files = true;
	um->m.access->root = dir;
	snprintf(r.uarch, sizeof(r.uarch), "%s", um_processor_name(&um->m));
	len = um_record_format(&r, text, sizeof(text));
	REQUIRE(len > UM_RECORD_HEAD);
	memcpy(head, text, UM_RECORD_HEAD);
	set_registers();
	write_and_repair(text, (size_t)len, &num);
	REQUIRE(num == 1 && !get(OURS) && access(journal, F_OK) < 0);
}

/* FNV-1a, as in the journal. */
static uint64_t checksum(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Copy a record of @len bytes to @to, and add first line and checksum if they are missing. Returns the new length. */
static size_t put_record(char *to, const char *text, size_t len)
{
	char number[24];
	int sum;

	if (len >= UM_RECORD_MARK && !memcmp(text, head, UM_RECORD_MARK)) {
		memcpy(to, text, len);
		return len;
	}
	memcpy(to, head, UM_RECORD_HEAD);
	for (unsigned i = 0; i <= UM_MARK_DONE; i++)
		if (len > UM_MARK_SIZE && !memcmp(text, um_mark_texts[i], UM_MARK_SIZE) && text[UM_MARK_SIZE] == '\n') {
			memcpy(to + UM_RECORD_MARK, text, UM_MARK_SIZE);
			text += UM_MARK_SIZE + 1;
			len -= UM_MARK_SIZE + 1;
			break;
		}
	memcpy(to + UM_RECORD_HEAD, text, len);
	sum = sprintf(to + UM_RECORD_HEAD + len, "sum 0x%016llx\n",
		      (unsigned long long)checksum(to + UM_RECORD_HEAD, len));
	len += UM_RECORD_HEAD + (size_t)sum;
	snprintf(number, sizeof(number), "%05zu", len);
	memcpy(to + UM_RECORD_MARK + UM_MARK_SIZE + 1, number, 5);
	return len;
}

/* If the journal has the other program's selector value, a repair may rightly change that program's counter. */
static bool names_other(const char *text, size_t size)
{
	return memmem(text, size, "00101", 5) || memmem(text, size, "20101", 5);
}

static void target(const char *text, size_t size)
{
	const char *at = text, *end = text + size, *next;
	char *all = malloc(size + (size / 2 + 2) * (UM_RECORD_HEAD + 32));
	size_t len = 0;
	int num;

	if (!um)
		start();
	REQUIRE(all);
	for (; at < end; at = next) {
		const char *stop = memmem(at, (size_t)(end - at), "\n\n", 2);

		next = stop ? stop + 2 : end;
		len += put_record(all + len, at, stop ? (size_t)(stop + 1 - at) : (size_t)(end - at));
	}
	set_registers();
	write_and_repair(all, len, &num);
	fuzz_parsed();
	if (!names_other(text, size))
		REQUIRE((get(OTHER) & ~UINT64_C(0x20000)) == 0x400101 && get(OTHER_COUNTER) >= 77 && get(GATE) & 1 << 5);
	if (!access(journal, F_OK))
		REQUIRE(uncoremsr_repair(um, NULL, NULL) == 0);
	unlink(journal);
	free(all);
}
