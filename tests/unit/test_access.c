/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices under another root directory, dry runs, and the meaning of each errno of the msr driver. Uses internal
 * headers, because no public function makes a single access.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "access/access.h"
#include "machine/machine.h"
#include "helpers.h"
#include "suite.h"

static char dir[DIR_SIZE];
static struct um_access *a;
static struct um_error error;

static void put(const char *path, const void *data, size_t size)
{
	write_file(dir, path, data, size);
}

static void put_text(const char *path, const char *text)
{
	write_text(dir, path, text);
}

static void setup(void)
{
	memset(&error, 0, sizeof(error));
	make_dir(dir);
	ck_assert_int_eq(um_access_device(&a, dir, &error), 0);
}

static void teardown(void)
{
	a->ops->close(a);
	remove_dir(dir);
}

FIXTURE(.setup = setup, .teardown = teardown)

TEST(a_missing_root_directory_is_a_usage_error)
{
	struct um_access *none;

	ck_assert_int_eq(um_access_device(&none, "/no/such/tree", &error), -ENOENT);
	ck_assert_uint_eq(error.class, UNCOREMSR_ERROR_USAGE);
	ck_assert_ptr_nonnull(strstr(error.msg, "/no/such/tree"));
}

TEST(a_register_is_eight_bytes_at_its_number)
{
	uint64_t words[4] = { 1, 2, 3, UINT64_C(0xfedcba9876543210) }, value = 0;

	put("dev/cpu/7/msr", words, sizeof(words));
	ck_assert_int_eq(a->ops->open_cpu(a, 7, false), 0);
	ck_assert_int_eq(a->ops->read(a, 7, 24, &value), 0);
	ck_assert_uint_eq(value, words[3]);
}

static void put_register(const char *path, uint64_t value)
{
	put(path, &value, sizeof(value));
}

static uint64_t register_0_of_cpu_2(void)
{
	uint64_t value = 0;

	ck_assert_int_eq(a->ops->open_cpu(a, 2, false), 0);
	ck_assert_int_eq(a->ops->read(a, 2, 0, &value), 0);
	return value;
}

TEST(msr_safe_is_used_if_it_exists)
{
	put_register("dev/cpu/2/msr", 1);
	ck_assert_str_eq(um_access_node(a, 2), "msr");
	ck_assert_uint_eq(register_0_of_cpu_2(), 1);
	put_register("dev/cpu/2/msr_safe", 2);
	ck_assert_str_eq(um_access_node(a, 2), "msr_safe");
	ck_assert_uint_eq(register_0_of_cpu_2(), 2);
}

TEST(if_msr_safe_cannot_be_opened_msr_is_used)
{
	char loop[96];

	/* A symbolic link to itself cannot be opened, even by root. */
	put_register("dev/cpu/2/msr", 1);
	snprintf(loop, sizeof(loop), "%s/dev/cpu/2/msr_safe", dir);
	ck_assert_int_eq(symlink("msr_safe", loop), 0);
	ck_assert_uint_eq(register_0_of_cpu_2(), 1);
	snprintf(loop, sizeof(loop), "%s/dev/cpu/2/msr", dir);
	ck_assert_int_eq(unlink(loop), 0);
	ck_assert_int_eq(a->ops->open_cpu(a, 2, false), -ELOOP);
}

TEST(only_with_msr_safe_a_refusal_is_attributed_to_the_allow_list)
{
	put_register("dev/cpu/5/msr", 1);
	um_driver_explain(a, UM_STEP_READ, 5, "X (0x391)", -EACCES, &error);
	ck_assert_ptr_null(strstr(error.msg, "allow list"));
	put_register("dev/cpu/5/msr_safe", 1);
	ck_assert_int_eq(um_driver_explain(a, UM_STEP_READ, 5, "X (0x391)", -EACCES, &error), -EACCES);
	ck_assert_ptr_nonnull(strstr(error.msg, "allow list"));
	ck_assert_ptr_nonnull(strstr(error.hint, "--grant"));
	um_driver_explain(a, UM_STEP_OPEN, 5, NULL, -EACCES, &error);
	ck_assert_ptr_nonnull(strstr(error.msg, "/dev/cpu/5/msr_safe: no permission"));
}

TEST(a_short_read_is_not_a_value)
{
	uint64_t value = 42;

	put_text("dev/cpu/0/msr", "12345");
	ck_assert_int_eq(a->ops->open_cpu(a, 0, false), 0);
	ck_assert_int_eq(a->ops->read(a, 0, 0, &value), -ENODATA);
	um_driver_explain(a, UM_STEP_READ, 0, "X (0x0)", -ENODATA, &error);
	ck_assert_ptr_nonnull(strstr(error.msg, "fewer than 8 bytes"));
}

TEST(a_cpu_that_was_not_opened_cannot_be_read)
{
	uint64_t value;

	ck_assert_int_lt(a->ops->read(a, 3, 0x10, &value), 0);
}

TEST(cpuid_under_a_root_never_comes_from_this_processor)
{
	uint32_t regs[4];

	ck_assert_int_eq(a->ops->cpuid(a, 0, 0, 0, regs), -ENOENT);
}

static const struct {
	const char *devices, *container;
	enum um_access_step step;
	int err, gives;
	const char *says, *advises;
	enum uncoremsr_error_class class;
} causes[] = {
	{ "1 mem\n", NULL, UM_STEP_OPEN, -ENOENT, -ENODEV, "no msr driver", "modprobe msr", 4 },
	{ "1 mem\n", "docker", UM_STEP_OPEN, -ENOENT, -ENODEV, "no msr driver", "on its host", 4 },
	{ "202 cpu/msr\n", NULL, UM_STEP_OPEN, -ENOENT, -ENOENT, "no device node", "mknod", 4 },
	{ "202 cpu/msr\n", "docker", UM_STEP_OPEN, -ENOENT, -ENOENT, "no device node", "into the container", 4 },
	{ NULL, NULL, UM_STEP_OPEN, -ENOENT, -ENOENT, "no device node", "modprobe", 4 },
	{ NULL, NULL, UM_STEP_OPEN, -EACCES, -EACCES, "no permission", "as root", 4 },
	{ NULL, NULL, UM_STEP_OPEN, -EPERM, -EPERM, "CAP_SYS_RAWIO", "setcap", 4 },
	{ NULL, NULL, UM_STEP_OPEN, -ENXIO, -ENXIO, "offline", "--cpus", 4 },
	{ NULL, NULL, UM_STEP_OPEN, -EIO, -EIO, "no model-specific registers", "", 3 },
	{ NULL, NULL, UM_STEP_OPEN, -EMFILE, -EMFILE, "Too many open files", "ulimit -n", 4 },
	{ NULL, NULL, UM_STEP_READ, -EIO, -EIO, "faults", "hypervisor", 3 },
	{ NULL, NULL, UM_STEP_READ, -ENXIO, -ENXIO, "went offline", "--cpus", 4 },
	{ NULL, NULL, UM_STEP_WRITE, -EIO, -EIO, "faults", "hypervisor", 3 },
	{ NULL, NULL, UM_STEP_WRITE, -EPERM, -EPERM, "forbidden by the kernel", "lockdown", 4 },
};

TEST_EACH(every_errno_of_the_driver_has_its_own_message, ARRAY_SIZE(causes))
{
	int i = _i;

	if (causes[i].devices)
		put_text("proc/devices", causes[i].devices);
	if (causes[i].container)
		put_text("run/systemd/container", causes[i].container);
	ck_assert_int_eq(um_driver_explain(a, causes[i].step, 5, "X (0x391)", causes[i].err,
					   &error), causes[i].gives);
	ck_assert_msg(strstr(error.msg, causes[i].says) != NULL, "%s", error.msg);
	ck_assert_msg(strstr(error.hint, causes[i].advises) != NULL, "%s", error.hint);
	ck_assert_uint_eq(error.class, causes[i].class);
	ck_assert_ptr_nonnull(strchr(error.msg, '5'));
}

TEST(the_write_filter_is_named_when_lockdown_is_off)
{
	put_text("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put_text("sys/module/msr/parameters/allow_writes", "off\n");
	um_driver_explain(a, UM_STEP_WRITE, 0, "X (0x391)", -EPERM, &error);
	ck_assert_ptr_nonnull(strstr(error.msg, "allow_writes=off"));
}

TEST(a_dry_run_writes_nothing_and_reads_back_what_it_would_have_written)
{
	uint64_t words[2] = { 11, 22 }, value = 0;

	put("dev/cpu/0/msr", words, sizeof(words));
	ck_assert_int_eq(um_access_dry_run(a), 0);
	ck_assert_int_eq(a->ops->open_cpu(a, 0, true), 0);
	ck_assert_int_eq(a->ops->read(a, 0, 8, &value), 0);
	ck_assert_uint_eq(value, 22);
	ck_assert_int_eq(a->ops->write(a, 0, 8, 33), 0);
	ck_assert_int_eq(a->ops->read(a, 0, 8, &value), 0);
	ck_assert_uint_eq(value, 33);
	ck_assert_int_eq(a->ops->read(a, 0, 0, &value), 0);
	ck_assert_uint_eq(value, 11);
	ck_assert_int_eq(a->ops->read_at(a, "dev/cpu/0/msr", 8, &value, sizeof(value)), sizeof(value));
	ck_assert_uint_eq(value, 22);
}

TEST(on_a_dry_run_time_passes_only_on_request)
{
	uint64_t before;

	ck_assert_int_eq(um_access_dry_run(a), 0);
	before = a->ops->now(a);
	ck_assert(a->ops->advance(a, UINT64_C(5000000000)));
	ck_assert_uint_ge(a->ops->now(a) - before, UINT64_C(5000000000));
}

SUITE(access)
