/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sampling on a simulated kernel whose ring buffers the tests fill: which records are returned in which order,
 * and the contents of a recording. Uses internal headers, because it replaces the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/handle.h"
#include "perf/kernel.h"
#include "helpers.h"
#include "suite.h"
#include "uncoremsr/sampling.h"

enum { MOST = 64, FIRST_FD = 1000 };

/* The simulated kernel. Descriptor FIRST_FD + i is @fds[i]. */
static struct made_up {
	struct um_perf_kernel kernel;
	struct {
		int cpu, output;
		bool tells, open;
		void *map;
		size_t size;
	} fds[MOST];
	int num;
	int refuse_size;         /* larger ring buffers (in bytes) are refused; 0: no maximum */
	bool refuse_id, refuse_kernel;
	bool refuse_lost, refuse_guest; /* attributes that an old kernel or some PMUs refuse */
	int waits, gone;         /* the first @gone descriptors report a hangup (POLLHUP) */
	int closed;              /* a descriptor of the caller that is not open */
	void (*at_first_wait)(void);
	uint64_t lost;           /* lost samples of the first descriptor that no record reports */
} made_up;

static int made_open(struct um_perf_kernel *k, const struct um_perf_attr *attr, pid_t pid, int cpu,
		     int group_fd, unsigned flags)
{
	(void)k, (void)pid, (void)group_fd, (void)flags;
	if (attr->type == PERF_TYPE_HARDWARE)
		return -ENOENT;
	if (made_up.refuse_kernel && !attr->exclude_kernel)
		return -EACCES;
	if ((made_up.refuse_lost && attr->sampling->read_format & PERF_FORMAT_LOST) ||
	    (made_up.refuse_guest && attr->exclude_guest))
		return -EINVAL;
	if (made_up.num == MOST)
		return -EMFILE;
	made_up.fds[made_up.num].cpu = cpu;
	made_up.fds[made_up.num].output = -1;
	made_up.fds[made_up.num].open = true;
	made_up.fds[made_up.num].tells = attr->sampling->tells_tasks;
	return FIRST_FD + made_up.num++;
}

static ssize_t made_read(struct um_perf_kernel *k, int fd, void *buf, size_t size)
{
	uint64_t words[3] = { 0, (uint64_t)fd, fd == FIRST_FD ? made_up.lost : 0 };

	(void)k;
	ck_assert_uint_eq(size, sizeof(words));
	memcpy(buf, words, sizeof(words));
	return sizeof(words);
}

static int made_enable(struct um_perf_kernel *k, int fd, bool on)
{
	(void)k, (void)fd, (void)on;
	return 0;
}

static int made_id(struct um_perf_kernel *k, int fd, uint64_t *id)
{
	(void)k;
	*id = (uint64_t)fd;
	return made_up.refuse_id ? -ENOTTY : 0;
}

static void *made_map(struct um_perf_kernel *k, int fd, size_t size, int *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *map;

	(void)k;
	*err = made_up.refuse_size && size > (size_t)made_up.refuse_size ? -EPERM : 0;
	if (*err)
		return NULL;
	map = calloc(1, page + size);
	map->data_offset = page;
	map->data_size = size;
	made_up.fds[fd - FIRST_FD].map = map;
	made_up.fds[fd - FIRST_FD].size = size;
	return map;
}

static void made_unmap(struct um_perf_kernel *k, void *ring, size_t size)
{
	(void)k, (void)size;
	for (int i = 0; i < made_up.num; i++)
		if (made_up.fds[i].map == ring)
			made_up.fds[i].map = NULL;
	free(ring);
}

static int made_output(struct um_perf_kernel *k, int fd, int to)
{
	(void)k;
	if (made_up.fds[fd - FIRST_FD].cpu != made_up.fds[to - FIRST_FD].cpu)
		return -EINVAL;
	made_up.fds[fd - FIRST_FD].output = to;
	return 0;
}

static int made_wait(struct um_perf_kernel *k, struct pollfd *fds, size_t num, int timeout_ms)
{
	int ready = 0;

	(void)k, (void)timeout_ms;
	if (!made_up.waits++ && made_up.at_first_wait)
		made_up.at_first_wait();
	for (size_t i = 0; i < num; i++)
		if (fds[i].fd >= FIRST_FD && fds[i].fd < FIRST_FD + made_up.gone) {
			fds[i].revents = POLLHUP;
			ready++;
		} else if (fds[i].fd == made_up.closed) {
			fds[i].revents = POLLNVAL;
			ready++;
		}
	return ready;
}

static void made_close(struct um_perf_kernel *k, int fd)
{
	(void)k;
	made_up.fds[fd - FIRST_FD].open = false;
}

static int made_limit(struct um_perf_kernel *k, uint64_t need, uint64_t *soft, uint64_t *hard)
{
	(void)k;
	(void)need;
	*soft = *hard = 1024;
	return 0;
}

static void made_destroy(struct um_perf_kernel *k)
{
	(void)k;
}

static const struct um_perf_kernel_ops made_ops = {
	.open = made_open, .read = made_read, .enable = made_enable, .id = made_id,
	.map_ring = made_map, .unmap_ring = made_unmap, .set_output = made_output, .wait = made_wait,
	.close = made_close, .raise_limit = made_limit, .destroy = made_destroy,
};

/* Add a sample with the members that the options below request: IDENTIFIER (if @id), IP, TID, TIME, CPU. */
static void add_sample(int fd, uint64_t id, uint64_t time)
{
	struct perf_event_mmap_page *map = made_up.fds[fd].map;
	struct {
		struct perf_event_header h;
		uint64_t words[5];
	} r = { .words = { id, 0x400000 + time, 0, time, (uint64_t)fd } };
	unsigned char *data = (unsigned char *)map + map->data_offset;
	size_t skip = id ? 0 : 1, len = sizeof(r) - skip * 8;

	memcpy(&r.words[2], (const uint32_t[]){ 7, 8 }, 8);
	r.h = (struct perf_event_header){ PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, (uint16_t)len };
	for (size_t i = 0; i < len; i++) {
		const unsigned char *from = i < 8 ? (unsigned char *)&r : (unsigned char *)&r + skip * 8;

		data[(map->data_head + i) % map->data_size] = from[i];
	}
	map->data_head += len;
}

static struct uncoremsr *um;

static void setup(void)
{
	made_up = (struct made_up){ .kernel.ops = &made_ops };
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	um->kernel = &made_up.kernel;
}

static void teardown(void)
{
	um->kernel = NULL;
	uncoremsr_free(um);
}

static struct uncoremsr_sampling *open_on(const char *events, const char *cpus)
{
	struct uncoremsr_sampling_options o = { .events = events, .period = 100000, .cpus = cpus };
	struct uncoremsr_sampling *s;

	ck_assert_msg(uncoremsr_sampling_open(um, &o, &s) == 0, "%s", uncoremsr_error(um)->message);
	ck_assert_int_eq(uncoremsr_sampling_enable(s, 1), 0);
	return s;
}

/*
 * Called between two passes over the ring buffers. The first pass has read the sample with time 60 from ring buffer 2.
 * A sample with time 45 comes into ring buffer 1 after the first pass, and must be returned before the sample with time
 * 60.
 */
static void add_between_passes(void)
{
	add_sample(1, 0, 45);
	add_sample(0, 0, 70);
	add_sample(2, 0, 65);
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(records_of_all_rings_come_in_the_order_of_time)
{
	static const uint64_t order[] = { 5, 10, 20, 40, 45, 60, 65, 70 };
	struct uncoremsr_sampling *s = open_on("cpu-clock", "0-2");
	struct uncoremsr_record r;

	add_sample(0, 0, 10);
	add_sample(0, 0, 40);
	add_sample(1, 0, 5);
	add_sample(1, 0, 20);
	add_sample(2, 0, 60);
	made_up.at_first_wait = add_between_passes;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		ck_assert_int_eq(uncoremsr_sampling_next(s, 1000, &r), 1);
		ck_assert_uint_eq(r.time, order[i]);
		ck_assert_uint_eq(r.ip, 0x400000 + order[i]);
		ck_assert_uint_eq(r.pid, 7);
		ck_assert_uint_eq(r.tid, 8);
		ck_assert_uint_eq(r.period, 100000);
		ck_assert_uint_eq(r.event, 0);
		if (order[i] == 65)
			uncoremsr_sampling_enable(s, 0);
	}
	ck_assert_int_eq(uncoremsr_sampling_next(s, 1000, &r), -ENODATA);
	ck_assert_uint_eq(uncoremsr_sampling_state(s)->samples, ARRAY_SIZE(order));
	uncoremsr_sampling_close(s);
}

TEST(samples_of_several_events_go_to_one_ring_and_keep_their_event)
{
	struct uncoremsr_sampling *s = open_on("cpu-clock,page-faults", "0,1");
	struct uncoremsr_record r;

	ck_assert_int_eq(made_up.num, 4);
	ck_assert_int_eq(made_up.fds[1].output, FIRST_FD);
	ck_assert_int_eq(made_up.fds[3].output, FIRST_FD + 2);
	ck_assert(made_up.fds[0].tells && !made_up.fds[1].tells && made_up.fds[2].tells);
	add_sample(0, FIRST_FD + 1, 1);
	add_sample(0, FIRST_FD, 2);
	add_sample(2, FIRST_FD + 3, 3);
	uncoremsr_sampling_enable(s, 0);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(uncoremsr_sampling_next(s, 0, &r), 1);
		ck_assert_uint_eq(r.time, i + 1);
		ck_assert_str_eq(uncoremsr_sampling_state(s)->events[r.event], i == 1 ? "cpu-clock" : "page-faults");
	}
	ck_assert_ptr_null(uncoremsr_sampling_state(s)->events[2]);
	uncoremsr_sampling_close(s);
}

TEST(a_ring_too_large_for_the_user_is_halved)
{
	struct uncoremsr_sampling_options o = { .events = "cpu-clock", .period = 100000 };
	struct uncoremsr_sampling *s;

	made_up.refuse_size = 64 * 1024;
	s = open_on("cpu-clock", "0,1");
	ck_assert_uint_eq(made_up.fds[0].size, 64 * 1024);
	uncoremsr_sampling_close(s);
	made_up.refuse_size = 1;
	ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), -EPERM);
	ck_assert_ptr_null(s);
	for (int i = 0; i < made_up.num; i++)
		ck_assert(!made_up.fds[i].open && !made_up.fds[i].map);
}

TEST(a_kernel_without_event_ids_is_not_reported_as_out_of_memory)
{
	struct uncoremsr_sampling_options o = { .events = "cpu-clock", .period = 100000, .cpus = "0" };
	struct uncoremsr_sampling *s;

	made_up.refuse_id = true;
	ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), -ENOTTY);
	ck_assert_str_eq(uncoremsr_error(um)->message, "event 'cpu-clock': the kernel does not return its id "
			 "(PERF_EVENT_IOC_ID): Inappropriate ioctl for device");
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	for (int i = 0; i < made_up.num; i++)
		ck_assert(!made_up.fds[i].open && !made_up.fds[i].map);
}

TEST(a_task_that_is_gone_is_not_waited_for_again)
{
	long id = 1;
	struct uncoremsr_sampling_options o = {
		.events = "cpu-clock,page-faults", .period = 100000, .cpus = "0",
		.target = UNCOREMSR_TARGET_PROCESS, .ids = &id, .num_ids = 1,
	};
	struct uncoremsr_sampling *s;

	ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), 0);
	made_up.gone = 1;
	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 0), 0);
	/* Another event of the ring buffer has not ended yet. */
	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 0), 0);
	made_up.gone = 2;
	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 0), 0);
	ck_assert_int_eq(made_up.waits, 3);
	ck_assert_int_eq(uncoremsr_sampling_wait(s, -1, 0), -ENODATA);
	ck_assert_int_eq(made_up.waits, 3);
	uncoremsr_sampling_close(s);
}

/* Check the sizes and counts in the file at the offsets from the description of the file format. */
TEST(a_recording_is_readable_after_each_copy_and_ends_with_lost_samples)
{
	char path[] = "/tmp/uncoremsr-test-XXXXXX";
	char word[] = "the-command";
	const char *command[] = { word, NULL };
	struct uncoremsr_recording_options o = { .fd = mkstemp(path), .command = command };
	struct uncoremsr_sampling *s = open_on("cpu-clock", "0,1");
	uint64_t head[13], words[3], kernel;
	static char bytes[65536];

	unlink(path);
	ck_assert_int_eq(uncoremsr_sampling_record(s, &o), 0);
	memset(word, 'x', sizeof(word) - 1);
	command[0] = NULL;
	ck_assert_int_eq(pread(o.fd, head, sizeof(head), 0), sizeof(head));
	kernel = head[6];
	ck_assert_int_eq(uncoremsr_sampling_record(s, &o), -EBUSY);
	add_sample(0, 0, 1);
	add_sample(1, 0, 2);
	ck_assert_int_eq(uncoremsr_sampling_copy(s), 0);
	ck_assert_int_eq(pread(o.fd, head, sizeof(head), 0), sizeof(head));
	ck_assert_uint_eq(head[0], UINT64_C(0x32454c4946524550));
	ck_assert_uint_eq(head[1], sizeof(head));
	ck_assert_uint_eq(head[2], 128 + 16);
	ck_assert_uint_eq(head[6], kernel + 2 * 40 + 8); /* the size includes a FINISHED_ROUND record of 8 bytes */
	ck_assert_uint_eq(head[9], 0);
	add_sample(0, 0, 3);
	made_up.lost = 5;
	ck_assert_int_eq(uncoremsr_sampling_finish(s), 0);
	ck_assert_uint_eq(uncoremsr_sampling_state(s)->samples, 3);
	ck_assert_uint_eq(uncoremsr_sampling_state(s)->lost, 5);
	ck_assert_int_eq((off_t)uncoremsr_sampling_state(s)->bytes, lseek(o.fd, 0, SEEK_END));
	ck_assert_int_eq(pread(o.fd, head, sizeof(head), 0), sizeof(head));
	/* sizes: header, id and number of lost samples; then TID, TIME and CPU */
	ck_assert_uint_eq(head[6], kernel + 3 * 40 + 2 * 8 + 24 + 24);
	ck_assert_int_eq(pread(o.fd, words, sizeof(words), (off_t)(head[5] + head[6] - 48)), sizeof(words));
	ck_assert_uint_eq(words[1], FIRST_FD);
	ck_assert_uint_eq(words[2], 5);
	ck_assert_uint_eq(head[9] >> 12 & 1, 1); /* feature bit 12 is EVENT_DESC */
	ck_assert_int_gt(pread(o.fd, bytes, sizeof(bytes), 0), 0);
	ck_assert_ptr_nonnull(memmem(bytes, sizeof(bytes), "the-command", sizeof(word)));
	ck_assert_int_eq(uncoremsr_sampling_copy(s), -EINVAL);
	close(o.fd);
	uncoremsr_sampling_close(s);
}

static void ck_failed(int err, int wanted, const char *message)
{
	ck_assert_int_eq(err, wanted);
	ck_assert_int_eq(uncoremsr_error(um)->code, wanted);
	ck_assert_str_eq(uncoremsr_error(um)->message, message);
}

TEST(a_recording_that_fails_ends_with_a_message_and_another_may_begin)
{
	struct uncoremsr_recording_options o = { .fd = -1, .stream = 1 };
	struct uncoremsr_sampling *s = open_on("cpu-clock", "0");
	struct uncoremsr_record r;
	int ends[2], status;
	pid_t child;

	ck_failed(uncoremsr_sampling_record(s, &o), -EINVAL, "recording: a descriptor is required");
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	signal(SIGPIPE, SIG_IGN);
	o.fd = ends[1];
	ck_assert_int_eq(uncoremsr_sampling_record(s, &o), 0);
	ck_failed(uncoremsr_sampling_record(s, &o), -EBUSY, "recording: finish the previous recording first");
	ck_failed(uncoremsr_sampling_next(s, 0, &r), -EBUSY, "the samples go to a recording; finish it first");
	close(ends[0]);
	add_sample(0, 0, 1);
	ck_failed(uncoremsr_sampling_copy(s), -EPIPE, "recording: Broken pipe");
	ck_failed(uncoremsr_sampling_finish(s), -EINVAL, "recording: no recording was begun, or it has ended");
	o.fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	/* qemu's emulation of MADV_WIPEONFORK succeeds without effect, so a child is not noticed under qemu. */
	if (!getenv("EMULATED")) {
		child = fork();
		if (!child)
			_exit(uncoremsr_sampling_record(s, &o) != -ECHILD);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_int_eq(uncoremsr_sampling_record(s, &o), 0);
	ck_assert_int_eq(uncoremsr_sampling_finish(s), 0);
	signal(SIGPIPE, SIG_DFL);
	close(o.fd);
	close(ends[1]);
	uncoremsr_sampling_close(s);
}

/* Both attempts fail, because the event cycles does not exist and sampling of the kernel is refused. */
TEST(opening_after_failed_attempts_leaves_the_earlier_error)
{
	struct uncoremsr_sampling_options o = { .cpus = "0" };
	struct uncoremsr_sampling *s;

	made_up.refuse_kernel = true;
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), 0);
		ck_assert_str_eq(uncoremsr_sampling_state(s)->events[0], "cpu-clock:u");
		ck_assert_str_eq(uncoremsr_error(um)->message, i ? "no options" : "");
		ck_assert_int_eq(uncoremsr_error(um)->code, i ? -EINVAL : 0);
		uncoremsr_sampling_close(s);
		ck_assert_int_eq(uncoremsr_sampling_open(um, NULL, &s), -EINVAL);
	}
}

TEST(a_closed_descriptor_is_not_readable)
{
	struct uncoremsr_sampling *s = open_on("cpu-clock", "0");

	made_up.closed = 7;
	ck_failed(uncoremsr_sampling_wait(s, 7, 0), -EBADF, "descriptor 7 is not open");
	uncoremsr_sampling_close(s);
}

static const struct um_access_ops *machine_ops;

/* The address in the second line is hidden, as for users without permission to see addresses. */
static ssize_t read_modules(struct um_access *a, const char *path, char *buf, size_t size)
{
	if (strcmp(path, "proc/modules"))
		return machine_ops->read_text(a, path, buf, size);
	return snprintf(buf, size, "nfs_common 40960 2 nfs,nfsd, Live 0xffffffffc0300000 (OE)\n"
				   "hidden 4096 0 - Live 0x0000000000000000\n"
				   "x 8192 0 - Live 0xffffffffc0500000\n");
}

TEST(a_recording_has_the_addresses_of_modules)
{
	static const struct {
		uint64_t start, len;
		const char *name;
	} modules[] = { { 0xffffffffc0300000, 40960, "[nfs_common]" }, { 0xffffffffc0500000, 8192, "[x]" } };
	char path[] = "/tmp/uncoremsr-test-XXXXXX";
	struct uncoremsr_recording_options o = { .fd = mkstemp(path) };
	struct uncoremsr_sampling *s = open_on("cpu-clock", "0");
	struct um_access_ops ops = *access_of(um)->ops;
	static unsigned char bytes[65536];
	ssize_t len;

	unlink(path);
	machine_ops = access_of(um)->ops;
	ops.read_text = read_modules;
	access_of(um)->ops = &ops;
	ck_assert_int_eq(uncoremsr_sampling_record(s, &o), 0);
	access_of(um)->ops = machine_ops;
	len = pread(o.fd, bytes, sizeof(bytes), 0);
	ck_assert_int_gt(len, 0);
	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		const unsigned char *name = memmem(bytes, (size_t)len, modules[i].name, strlen(modules[i].name) + 1);
		struct perf_event_header h;
		uint64_t words[3];

		ck_assert_ptr_nonnull(name);
		memcpy(words, name - sizeof(words), sizeof(words));
		memcpy(&h, name - sizeof(words) - 8 - sizeof(h), sizeof(h));
		ck_assert_int_eq(h.type, PERF_RECORD_MMAP);
		ck_assert_int_eq(h.misc, PERF_RECORD_MISC_KERNEL);
		ck_assert_uint_eq(words[0], modules[i].start);
		ck_assert_uint_eq(words[1], modules[i].len);
		ck_assert_uint_eq(words[2], 0);
	}
	ck_assert_ptr_null(memmem(bytes, (size_t)len, "hidden", 6));
	close(o.fd);
	uncoremsr_sampling_close(s);
}

TEST(events_of_a_package_cannot_sample)
{
	struct uncoremsr_sampling_options o = { .events = "UNC_CLK_UNHALTED", .period = 1000 };
	struct uncoremsr_sampling *s;

	ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), -ENOTSUP);
	ck_assert_int_eq(uncoremsr_error(um)->error_class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(uncoremsr_error(um)->hint, "uncore-read -e 'UNC_CLK_UNHALTED' -i 1"));
	o.events = "cpu-clock";
	o.frequency = 10;
	ck_assert_int_eq(uncoremsr_sampling_open(um, &o, &s), -EINVAL);
}

TEST(targets_and_flags_that_do_not_exist_are_refused)
{
	static const struct { enum uncoremsr_target target; long id; const char *message; } cases[] = {
		{ UNCOREMSR_TARGET_PROCESS, 0, "there is no process 0" },
		{ UNCOREMSR_TARGET_COMMAND, -1, "there is no process -1" },
		{ UNCOREMSR_TARGET_THREAD, -5, "there is no thread -5" },
		{ UNCOREMSR_TARGET_PROCESS, (long)INT_MAX + 2, "there is no process 2147483649" },
	};
	struct uncoremsr_sampling_options o = { .events = "cpu-clock", .num_ids = 1 };
	struct uncoremsr_sampling *s;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		o.ids = &cases[i].id;
		o.target = cases[i].target;
		ck_failed(uncoremsr_sampling_open(um, &o, &s), -ESRCH, cases[i].message);
	}
	o.flags = 4;
	ck_failed(uncoremsr_sampling_open(um, &o, &s), -EINVAL, "no such flag");
}

/*
 * If Linux before 6.0 refuses PERF_FORMAT_LOST, or a PMU refuses exclude_guest, the event is opened without these
 * attributes.
 */
TEST(an_old_kernel_samples_what_it_can)
{
	struct uncoremsr_sampling *s;

	for (unsigned i = 1; i <= 3; i++) {
		made_up.num = 0;
		made_up.refuse_lost = i & 1;
		made_up.refuse_guest = i & 2;
		s = open_on("r1a1", "0,1");
		ck_assert_int_eq(made_up.num, 2);
		uncoremsr_sampling_close(s);
	}
}

SUITE(sampling)
