/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages, dies and cores. Uses internal headers, because it makes topologies file by file. */
#include "fake_tree.h"
#include "helpers.h"
#include "machine/machine.h"
#include "suite.h"

#define CPU_DIR "sys/devices/system/cpu"

static struct fake_tree f;
static struct um_topology read_back;
static struct um_error error;

static void start(const char *online)
{
	fake_init(&f);
	memset(&error, 0, sizeof(error));
	if (online)
		fake_add(&f, online, CPU_DIR "/online");
}

static void end(void)
{
	fake_free(&f);
}

FIXTURE(.teardown = end)

static void add_topology(unsigned cpu, const char *name, const char *text)
{
	fake_add(&f, text, CPU_DIR "/cpu%u/topology/%s", cpu, name);
}

static void add_int(unsigned cpu, const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", value);
	add_topology(cpu, name, text);
}

/* Write the package id @id and the mask of siblings @siblings (NULL: no mask) for the CPUs in @list. */
static void add_package(const char *list, int id, const char *siblings)
{
	struct um_cpuset set;

	ck_assert_int_eq(um_cpuset_parse(&set, list, NULL), 0);
	for (size_t i = 0; i < set.num; i++) {
		add_int(set.cpus[i], "physical_package_id", id);
		if (siblings)
			add_topology(set.cpus[i], "core_siblings_list", siblings);
	}
	um_cpuset_free(&set);
}

/*
 * The whole topology as one text: online CPUs, then "id[.die]=cpus@cpu" per package, separated by "; ". Tests that
 * compare the whole text cannot forget a part.
 */
static char *describe(bool per_die)
{
	static char text[4096];
	const struct um_topology *t = &read_back;
	size_t len;

	ck_assert_int_eq(um_topology_read(&read_back, &f.base, per_die, &error), 0);
	for (size_t i = 0; i < t->num_packages && !per_die; i++)
		ck_assert_int_eq(t->packages[i].shown.die, -1);
	len = (size_t)snprintf(text, sizeof(text), "%s", t->online_text);
	for (size_t i = 0; i < t->num_packages; i++) {
		const struct uncoremsr_package *p = &t->packages[i].shown;
		char die[16] = "";

		if (p->die != -1)
			snprintf(die, sizeof(die), ".%d", p->die);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "; %d%s=%s@%d", p->id, die, p->cpus, p->cpu);
	}
	um_topology_free(&read_back);
	return text;
}

static void expect(const char *row, bool per_die, const char *want)
{
	ck_assert_msg(!strcmp(describe(per_die), want), "%s: %s, not %s", row, describe(per_die), want);
}

#define DIES_0_AND_1_BY_TURNS { \
	{ "cpu0/topology/die_id", "0\n" }, { "cpu1/topology/die_id", "1\n" }, \
	{ "cpu2/topology/die_id", "0\n" }, { "cpu3/topology/die_id", "1\n" }, \
	{ "cpu4/topology/die_id", "0\n" }, { "cpu5/topology/die_id", "1\n" }, \
	{ "cpu6/topology/die_id", "0\n" }, { "cpu7/topology/die_id", "1\n" } }

/* Trees of files, and the packages or dies that must be found. Each CPU of @cpus has the sibling mask @siblings. */
static const struct {
	const char *name, *online;
	struct { const char *cpus; int id; const char *siblings; } packages[3];
	struct { const char *path, *text; } files[8]; /* paths are relative to sys/devices/system/cpu */
	const char *as_packages, *as_dies; /* NULL if not tested */
} trees[] = {
	{ "numbers may alternate between packages", "0-7\n",
	  { { "0,2,4,6", 0, "0,2,4,6\n" }, { "1,3,5,7", 1, "1,3,5,7\n" } }, .as_packages = "0-7; 0=0,2,4,6@0; 1=1,3,5,7@1" },
	{ "numbers of packages and CPUs may have holes", "4-5,8-9\n",
	  { { "4,9", 0, "4,9\n" }, { "5,8", 65536, "5,8\n" } }, .as_packages = "4-5,8-9; 0=4,9@4; 65536=5,8@5" },
	{ "an offline CPU is left out even where a mask names it", "1-3\n", { { "0-3", 0, "0-3\n" } },
	  { { "cpu0/online", "0\n" } }, .as_packages = "1-3; 0=1-3@1" },
	{ "a CPU's own file wins over the list of online CPUs", "0-1\n", { { "0-1", 0, "0-1\n" } },
	  { { "cpu1/online", "0\n" } }, .as_packages = "0; 0=0@0" },
	{ "with a list of offline CPUs the files of single CPUs are not needed", "0-1\n", { { "0-2", 0, "0-2\n" } },
	  { { "offline", "2-63\n" }, { "cpu1/online", "0\n" } }, .as_packages = "0-1; 0=0-1@0" },
	{ "each CPU's own file is read where a CPU is in both lists", "0-2\n", { { "0-2", 0, "0-2\n" } },
	  { { "offline", "1-2\n" }, { "cpu1/online", "0\n" } }, .as_packages = "0,2; 0=0,2@0" },
	{ "each CPU's own file is read where no list is valid", "0\n", { { "0-2", 0, "0-2\n" } },
	  { { "offline", "2\n" }, { "cpu1/online", "1\n" }, { "cpu2/online", "0\n" } }, .as_packages = "0-1; 0=0-1@0" },
	{ "the own file of a present CPU that is in no list is read", "0\n", { { "0-2", 0, "0-2\n" } },
	  { { "present", "0-2\n" }, { "offline", "2\n" }, { "cpu1/online", "1\n" }, { "cpu2/online", "1\n" } },
	  .as_packages = "0-1; 0=0-1@0" },
	{ "a folder of a CPU that is not present makes no CPU", "0\n", { { "0-3", 0, "0-3\n" } },
	  { { "present", "0-1\n" }, { "offline", "1\n" }, { "cpu2/online", "1\n" }, { "cpu3/online", "1\n" } },
	  .as_packages = "0; 0=0@0" },
	{ "the own file of a listed CPU that is not present is read only if no list confirms it", "0-2\n",
	  { { "0-2", 0, "0-2\n" } },
	  { { "present", "0\n" }, { "offline", "2\n" }, { "cpu1/online", "0\n" }, { "cpu2/online", "0\n" } },
	  .as_packages = "0-1; 0=0-1@0" },
	{ "without a valid list of present CPUs every folder counts", "0\n", { { "0-1", 0, "0-1\n" } },
	  { { "present", "0-\n" }, { "offline", "\n" }, { "cpu1/online", "1\n" } }, .as_packages = "0-1; 0=0-1@0" },
	{ "an empty list of present CPUs is not believed", "0\n", { { "0-1", 0, "0-1\n" } },
	  { { "present", "\n" }, { "offline", "\n" }, { "cpu1/online", "1\n" } }, .as_packages = "0-1; 0=0-1@0" },
	{ "without a list of online CPUs the files of present CPUs are read", NULL, { { "0-2", 0, "0-2\n" } },
	  { { "present", "0-1\n" }, { "cpu1/online", "0\n" } }, .as_packages = "0; 0=0@0" },
	/* CPU 4 is offline, so the kernel has no topology of CPU 4. */
	{ "without a list the file in every folder of a CPU is read", NULL,
	  { { "0-1,3", 0, "0-3\n" }, { "2", 0, "0-3\n" } },
	  { { "cpu2/online", "0\n" }, { "cpu3/online", "1\n" }, { "cpu4/crash_notes", "1000\n" },
	    { "cpufreq/boost", "1\n" }, { "cpu5x/topology/core_id", "1\n" },
	    { "cpu99999999999/topology/core_id", "1\n" } }, .as_packages = "0-1,3; 0=0-1,3@0" },
	{ "where every id is -1, masks make the packages", "0-5\n",
	  { { "0-2", -1, "0-2\n" }, { "3", -1, "3\n" }, { "4-5", -1, "4-5\n" } },
	  .as_packages = "0-5; 0=0-2@0; 1=3@3; 2=4-5@4" },
	{ "masks without a common CPU are two packages, even with the same id", "0-3\n",
	  { { "0,2", 512, "0,2\n" }, { "1,3", 512, "1,3\n" } }, .as_packages = "0-3; 512=0,2@0; 512=1,3@1" },
	/* CPU 1's mask has no other CPU, but the masks of CPU 0 and CPU 2 have CPU 1. */
	{ "masks with a common CPU are one package", "0-2\n",
	  { { "0", 0, "0-1\n" }, { "1", 0, "1\n" }, { "2", 0, "1-2\n" } }, .as_packages = "0-2; 0=0-2@0" },
	{ "without any mask the id decides", "0-4\n", { { "0,3", 7, NULL }, { "1-2,4", 2, NULL } },
	  .as_packages = "0-4; 7=0,3@0; 2=1-2,4@1" },
	{ "masks that span packages do not join different ids", "0-3\n", { { "0-1", 0, "0-3\n" }, { "2-3", 1, "0-3\n" } },
	  .as_packages = "0-3; 0=0-1@0; 1=2-3@2" },
	{ "a CPU without a package id is in no package", "0-3\n", { { "2-3", 0, "2-3\n" } },
	  { { "cpu0/topology/thread_siblings_list", "0-1\n" }, { "cpu1/topology/physical_package_id", "none\n" } },
	  .as_packages = "0-3; 0=2-3@2" },
	{ "where no CPU has a package id, CPUs are listed without a package", "0-3\n",
	  .as_packages = "0-3", .as_dies = "0-3" },
	{ "newer names of the masks are preferred", "0-1\n", { { "0-1", 3, "rubbish" } },
	  { { "cpu0/topology/package_cpus_list", "0-1\n" }, { "cpu1/topology/package_cpus_list", "0-1\n" } },
	  .as_packages = "0-1; 3=0-1@0" },
	{ "dies are distinguished only on request", "0-7\n", { { "0-3", 0, "0-3\n" }, { "4-7", 1, "4-7\n" } },
	  DIES_0_AND_1_BY_TURNS,
	  .as_packages = "0-7; 0=0-3@0; 1=4-7@4", .as_dies = "0-7; 0.0=0,2@0; 0.1=1,3@1; 1.0=4,6@4; 1.1=5,7@5" },
	{ "with the mask of a die the ids of CPUs within it are not needed", "0-5\n", { { "0-5", 0, "0-5\n" } },
	  { { "cpu0/topology/die_id", "0\n" }, { "cpu0/topology/die_cpus_list", "0-2\n" }, { "cpu2/topology/die_id", "0\n" },
	    { "cpu3/topology/die_id", "1\n" }, { "cpu3/topology/die_cpus_list", "3-9\n" }, { "cpu5/topology/die_id", "1\n" } },
	  .as_dies = "0-5; 0.0=0-2@0; 0.1=3-5@3" },
	{ "the mask of a die that does not fit the ids is not used", "0-3\n", { { "0-3", 0, "0-3\n" } },
	  { { "cpu0/topology/die_id", "0\n" }, { "cpu0/topology/die_cpus_list", "0-3\n" }, { "cpu1/topology/die_id", "0\n" },
	    { "cpu2/topology/die_id", "1\n" }, { "cpu3/topology/die_id", "1\n" } }, .as_dies = "0-3; 0.0=0-1@0; 0.1=2-3@2" },
	{ "dies of packages without an id keep the number of their package", "0-7\n",
	  { { "0-3", -1, "0-3\n" }, { "4-7", -1, "4-7\n" } },
	  DIES_0_AND_1_BY_TURNS, .as_dies = "0-7; 0.0=0,2@0; 0.1=1,3@1; 1.0=4,6@4; 1.1=5,7@5" },
	{ "without die ids a package is one die", "0-3\n", { { "0-1", 0, "0-1\n" }, { "2-3", 1, "2-3\n" } },
	  { { "cpu2/topology/die_id", "-2\n" } }, .as_dies = "0-3; 0=0-1@0; 1=2-3@2" },
	/* The kernel has no package number for CPU 0. The dies of all other CPUs are found without the number. */
	{ "a first CPU without a package makes no die", "0-1\n", { { "1", 0, NULL } },
	  { { "cpu1/topology/die_id", "0\n" } }, .as_dies = "0-1; 0.0=1@1" },
	{ "a package without a number is not package 0", "0-1\n", { { "0", 0, NULL }, { "1", -1, NULL } },
	  .as_packages = "0-1; 0=0@0; 0=1@1" },
};

TEST_EACH(packages_and_dies_are_read_from_the_files, ARRAY_SIZE(trees))
{
	start(trees[_i].online);
	for (size_t i = 0; i < ARRAY_SIZE(trees[_i].packages) && trees[_i].packages[i].cpus; i++)
		add_package(trees[_i].packages[i].cpus, trees[_i].packages[i].id, trees[_i].packages[i].siblings);
	for (size_t i = 0; i < ARRAY_SIZE(trees[_i].files) && trees[_i].files[i].path; i++)
		fake_add(&f, trees[_i].files[i].text, CPU_DIR "/%s", trees[_i].files[i].path);
	if (trees[_i].as_packages)
		expect(trees[_i].name, false, trees[_i].as_packages);
	if (trees[_i].as_dies)
		expect(trees[_i].name, true, trees[_i].as_dies);
}

/* Wrong masks of a single CPU; the packages are 0-3 and 4-7. */
static const struct {
	unsigned cpu;
	const char *mask;
} damage[] = {
	{ 0, "0\n" }, { 0, "0-1\n" }, { 0, "0-7\n" }, { 0, "0-5\n" }, { 0, "1-3\n" },
	{ 0, "4-7\n" }, { 0, "\n" }, { 0, "rubbish\n" }, { 3, "3\n" }, { 3, "3-7\n" },
	{ 4, "0-7\n" }, { 4, "4\n" }, { 4, "3-4\n" }, { 7, "0-7\n" }, { 1, "1\n" }, { 1, "0-7\n" },
};

TEST_EACH(one_damaged_mask_changes_nothing, ARRAY_SIZE(damage))
{
	start("0-7\n");
	add_package("0-3", 0, "0-3\n");
	add_package("4-7", 1, "4-7\n");
	add_topology(damage[_i].cpu, "core_siblings_list", damage[_i].mask);
	expect(damage[_i].mask, false, "0-7; 0=0-3@0; 1=4-7@4");
}

TEST(masks_that_contradict_each_other_without_an_id_are_an_error)
{
	start("0-3\n");
	add_package("0-1", -1, "0-1\n");
	add_package("2-3", -1, "1-3\n");
	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), -ENODATA);
	ck_assert_int_eq(error.class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(error.msg, "contradict"));
}

TEST(hex_masks_and_files_that_end_in_nul_are_understood)
{
	static const struct {
		unsigned cpu;
		const char *mask;
	} rows[] = {
		{ 0, "00000001,00000001" }, { 32, "00000001,00000001" },
		{ 1, "2,00000002" }, { 33, "2,00000002" },
	};
	char path[96];

	start("0-1,32-33\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		add_int(rows[i].cpu, "physical_package_id", -1);
		snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/core_siblings", rows[i].cpu);
		fake_add_bytes(&f, path, rows[i].mask, strlen(rows[i].mask) + 1);
	}
	fake_add_bytes(&f, CPU_DIR "/online", "0-1,32-33\n", 11);
	expect("hex masks", false, "0-1,32-33; 0=0,32@0; 1=1,33@1");
}

static const char *const bad_hex[] = { "", "z", "1,,1", "123456789", "0x1", ",1", "1,", "-1" };

TEST_EACH(a_mask_that_is_no_hex_number_counts_as_absent, ARRAY_SIZE(bad_hex))
{
	start("0-1\n");
	add_package("0-1", 0, NULL);
	add_topology(0, "core_siblings", bad_hex[_i]);
	add_topology(1, "core_siblings", bad_hex[_i]);
	expect(bad_hex[_i], false, "0-1; 0=0-1@0");
}

static size_t cores_of_first_package(void)
{
	size_t num;

	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), 0);
	ck_assert_uint_ge(read_back.num_packages, 1);
	ck_assert_int_eq(um_package_num_cores(&read_back.packages[0].shown, &num), 0);
	um_topology_free(&read_back);
	return num;
}

TEST(a_core_counts_once_however_many_of_its_threads_are_online)
{
	start("0-2,4\n");
	add_package("0-2,4", 0, "0-2,4\n");
	add_topology(0, "thread_siblings_list", "0,4\n");
	add_topology(4, "thread_siblings_list", "0,4\n");
	add_topology(1, "thread_siblings_list", "1\n");
	add_topology(2, "thread_siblings_list", "2\n");
	ck_assert_uint_eq(cores_of_first_package(), 3);
}

TEST(without_thread_siblings_core_ids_are_counted)
{
	start("0-3\n");
	add_package("0-3", 0, "0-3\n");
	for (unsigned cpu = 0; cpu < 4; cpu++)
		add_int(cpu, "core_id", cpu % 2 ? 8 : 0);
	ck_assert_uint_eq(cores_of_first_package(), 2);
}

TEST(without_any_core_information_every_cpu_is_a_core)
{
	start("0-3\n");
	add_package("0-3", 0, "0-3\n");
	ck_assert_uint_eq(cores_of_first_package(), 4);
}

TEST(the_threads_of_a_core_need_one_file)
{
	enum { CORES = 16 };
	char list[16];
	unsigned before;
	size_t num;

	start("0-31\n");
	add_package("0-31", 0, "0-31\n");
	for (unsigned cpu = 0; cpu < 2 * CORES; cpu++) {
		snprintf(list, sizeof(list), "%u,%u\n", cpu % CORES, cpu % CORES + CORES);
		add_topology(cpu, "core_cpus_list", list);
		add_int(cpu, "core_id", cpu % CORES);
	}
	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), 0);
	before = f.reads;
	ck_assert_int_eq(um_package_num_cores(&read_back.packages[0].shown, &num), 0);
	ck_assert_uint_eq(num, CORES);
	ck_assert_uint_eq(f.reads - before, CORES);
	um_topology_free(&read_back);
}

struct listing {
	int (*fn)(void *user, const char *name);
	void *user;
};

static int hide_others(void *user, const char *name)
{
	struct listing *to = user;

	return strncmp(name, "cpu", 3) || name[3] < '2' || name[3] > '9' ? to->fn(to->user, name) : 0;
}

static int list_for_container(struct um_access *a, const char *path, int (*fn)(void *user, const char *name),
			      void *user)
{
	struct listing to = { fn, user };

	return strcmp(path, CPU_DIR) ? fake_list(a, path, fn, user) : fake_list(a, path, hide_others, &to);
}

/*
 * In a container, lxcfs may provide the folder cpu: "online" and the list of folders show the container's CPUs, and all
 * other files show the machine's CPUs.
 */
TEST(a_cpu_that_is_present_but_not_shown_to_a_container_is_not_online)
{
	start("0-1\n");
	f.ops.list = list_for_container;
	add_package("0-5", 0, "0-5\n");
	fake_add(&f, "0-5\n", CPU_DIR "/present");
	fake_add(&f, "\n", CPU_DIR "/offline");
	for (unsigned cpu = 1; cpu < 6; cpu++)
		fake_add(&f, "1\n", CPU_DIR "/cpu%u/online", cpu);
	expect("those shown", false, "0-1; 0=0-1@0");
	f.ops.list = fake_list;
	expect("all", false, "0-5; 0=0-5@0");
}

TEST(folders_of_cpus_that_are_not_present_are_not_read)
{
	unsigned reads;

	start("0-1\n");
	add_package("0-1", 0, "0-1\n");
	fake_add(&f, "0-1\n", CPU_DIR "/present");
	fake_add(&f, "\n", CPU_DIR "/offline");
	expect("only those present", false, "0-1; 0=0-1@0");
	reads = f.reads;
	add_package("2-99", 0, "0-99\n");
	for (unsigned cpu = 2; cpu < 100; cpu++)
		fake_add(&f, "1\n", CPU_DIR "/cpu%u/online", cpu);
	f.reads = 0;
	expect("and folders beside them", false, "0-1; 0=0-1@0");
	ck_assert_uint_eq(f.reads, reads);
}

static const struct { const char *list, *why; } no_online[] = {
	{ "", "no online CPU is shown" }, { "\n", "no online CPU is shown" },
	{ "0-\n", "/online: this is not a list of CPUs" }, { "zero\n", "/online: this is not a list of CPUs" },
	{ "4-1\n", "/online: this is not a list of CPUs" }, { "0x3\n", "/online: this is not a list of CPUs" },
};

TEST_EACH(without_an_online_cpu_the_error_names_the_directory, ARRAY_SIZE(no_online))
{
	start(no_online[_i].list);
	f.base.root = "/tree";
	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), -ENODATA);
	ck_assert_int_eq(error.class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(error.msg, "/tree/" CPU_DIR));
	ck_assert_msg(strstr(error.msg, no_online[_i].why), "%s", error.msg);
	ck_assert_str_ne(error.hint, "");
	ck_assert_ptr_null(read_back.packages);
	um_topology_free(&read_back);
}

TEST(a_tree_without_anything_has_no_cpu)
{
	start(NULL);
	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), -ENODATA);
}

TEST(a_thousand_cpus_need_only_a_few_files)
{
	enum { CPUS = 1024 };
	static char lists[2][CPUS * 5];

	start("0-1023\n");
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		sprintf(lists[cpu % 2] + strlen(lists[cpu % 2]), "%s%u", cpu > 1 ? "," : "", cpu);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		add_int(cpu, "physical_package_id", (int)(cpu % 2));
		add_topology(cpu, "package_cpus_list", lists[cpu % 2]);
	}
	ck_assert_int_eq(um_topology_read(&read_back, &f.base, false, &error), 0);
	ck_assert_uint_eq(read_back.num_packages, 2);
	ck_assert_uint_eq(read_back.packages[1].cpus.num, CPUS / 2);
	ck_assert_uint_eq(f.reads, 1 + 2 * 3);
	um_topology_free(&read_back);
}

SUITE(topology)
