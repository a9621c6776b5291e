/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packages, dies and cores. Looks inside, because it makes topologies file by file. */
#include "fake_tree.h"
#include "machine/machine.h"
#include "suites.h"

#define CPU_DIR "sys/devices/system/cpu"

/* Add a file of a CPU's topology. */
static void add_topology(struct fake_tree *f, unsigned cpu, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/%s", cpu, name);
	fake_add(f, path, text);
}

static void add_int(struct fake_tree *f, unsigned cpu, const char *name, int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", value);
	add_topology(f, cpu, name, text);
}

/* Give the CPUs of @list the package id @id, and @siblings as their siblings unless it is NULL. */
static void add_package(struct fake_tree *f, const char *list, int id, const char *siblings)
{
	struct um_cpuset set;

	ck_assert_int_eq(um_cpuset_parse(&set, list, NULL), 0);
	for (size_t i = 0; i < set.num; i++) {
		add_int(f, set.cpus[i], "physical_package_id", id);
		if (siblings)
			add_topology(f, set.cpus[i], "core_siblings_list", siblings);
	}
	um_cpuset_free(&set);
}

/*
 * The whole topology as one text: online CPUs, then "id[.die]=cpus@cpu" per package, separated by "; ". With it
 * a test is one comparison and cannot forget a part.
 */
static char *describe(struct fake_tree *f, bool per_die)
{
	static char text[4096];
	struct um_error e = { 0 };
	struct um_topology t;
	size_t len;

	ck_assert_int_eq(um_topology_read(&t, &f->base, per_die, &e), 0);
	for (size_t i = 0; i < t.num_packages && !per_die; i++)
		ck_assert_int_eq(t.packages[i].die, -1);
	len = (size_t)snprintf(text, sizeof(text), "%s", t.online_text);
	for (size_t i = 0; i < t.num_packages; i++) {
		const struct uncoremsr_package *p = &t.packages[i];
		char die[16] = "";

		if (p->die != -1)
			snprintf(die, sizeof(die), ".%d", p->die);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "; %d%s=%s@%d", p->id, die,
					p->cpus_text, p->cpu);
	}
	um_topology_free(&t);
	return text;
}

static void assert_topology(struct fake_tree *f, bool per_die, const char *want)
{
	ck_assert_str_eq(describe(f, per_die), want);
	fake_free(f);
}

static void start(struct fake_tree *f, const char *online)
{
	fake_init(f);
	if (online)
		fake_add(f, CPU_DIR "/online", online);
}

START_TEST(numbers_may_alternate_between_packages)
{
	struct fake_tree f;

	start(&f, "0-7\n");
	add_package(&f, "0,2,4,6", 0, "0,2,4,6\n");
	add_package(&f, "1,3,5,7", 1, "1,3,5,7\n");
	assert_topology(&f, false, "0-7; 0=0,2,4,6@0; 1=1,3,5,7@1");
}
END_TEST

START_TEST(package_ids_may_have_holes_and_cpu_numbers_too)
{
	struct fake_tree f;

	start(&f, "4-5,8-9\n");
	add_package(&f, "4,9", 0, "4,9\n");
	add_package(&f, "5,8", 65536, "5,8\n");
	assert_topology(&f, false, "4-5,8-9; 0=4,9@4; 65536=5,8@5");
}
END_TEST

START_TEST(offline_cpus_are_left_out_even_where_a_mask_names_them)
{
	struct fake_tree f;

	start(&f, "1-3\n");
	add_package(&f, "0-3", 0, "0-3\n");
	fake_add(&f, CPU_DIR "/cpu0/online", "0\n");
	assert_topology(&f, false, "1-3; 0=1-3@1");
}
END_TEST

START_TEST(a_cpus_own_file_wins_over_the_list_of_online_cpus)
{
	struct fake_tree f;

	start(&f, "0-1\n");
	add_package(&f, "0-1", 0, "0-1\n");
	fake_add(&f, CPU_DIR "/cpu1/online", "0\n");
	assert_topology(&f, false, "0; 0=0@0");
}
END_TEST

START_TEST(without_a_list_every_cpu_folder_is_asked)
{
	struct fake_tree f;

	start(&f, NULL);
	add_package(&f, "0-1,3", 0, "0-3\n");
	add_package(&f, "2", 0, "0-3\n");
	fake_add(&f, CPU_DIR "/cpu2/online", "0\n");
	fake_add(&f, CPU_DIR "/cpu3/online", "1\n");
	fake_add(&f, CPU_DIR "/cpu4/crash_notes", "1000\n"); /* offline, so it has no topology */
	fake_add(&f, CPU_DIR "/cpufreq/boost", "1\n");
	fake_add(&f, CPU_DIR "/cpu5x/topology/core_id", "1\n");
	fake_add(&f, CPU_DIR "/cpu99999999999/topology/core_id", "1\n");
	assert_topology(&f, false, "0-1,3; 0=0-1,3@0");
}
END_TEST

START_TEST(where_every_id_is_minus_one_masks_make_the_packages)
{
	struct fake_tree f;

	start(&f, "0-5\n");
	add_package(&f, "0-2", -1, "0-2\n");
	add_package(&f, "3", -1, "3\n");
	add_package(&f, "4-5", -1, "4-5\n");
	assert_topology(&f, false, "0-5; 0=0-2@0; 1=3@3; 2=4-5@4");
}
END_TEST

START_TEST(one_id_over_masks_that_do_not_meet_is_two_packages)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "0,2", 512, "0,2\n");
	add_package(&f, "1,3", 512, "1,3\n");
	assert_topology(&f, false, "0-3; 512=0,2@0; 512=1,3@1");
}
END_TEST

/* Only the mask of the first CPU names the other CPUs. */
START_TEST(masks_that_meet_are_one_package_whoever_names_whom)
{
	struct fake_tree f;

	start(&f, "0-2\n");
	add_package(&f, "0", 0, "0-1\n");
	add_package(&f, "1", 0, "1\n");
	add_package(&f, "2", 0, "1-2\n");
	assert_topology(&f, false, "0-2; 0=0-2@0");
}
END_TEST

START_TEST(without_any_mask_the_id_decides)
{
	struct fake_tree f;

	start(&f, "0-4\n");
	add_package(&f, "0,3", 7, NULL);
	add_package(&f, "1-2,4", 2, NULL);
	assert_topology(&f, false, "0-4; 7=0,3@0; 2=1-2,4@1");
}
END_TEST

/* Wrong masks for one CPU of the two packages 0-3 and 4-7. */
static const struct {
	unsigned cpu;
	const char *mask;
} damage[] = {
	{ 0, "0\n" }, { 0, "0-1\n" }, { 0, "0-7\n" }, { 0, "0-5\n" }, { 0, "1-3\n" },
	{ 0, "4-7\n" }, { 0, "\n" }, { 0, "rubbish\n" }, { 3, "3\n" }, { 3, "3-7\n" },
	{ 4, "0-7\n" }, { 4, "4\n" }, { 4, "3-4\n" }, { 7, "0-7\n" }, { 1, "1\n" }, { 1, "0-7\n" },
};

START_TEST(one_damaged_mask_changes_nothing)
{
	struct fake_tree f;

	start(&f, "0-7\n");
	add_package(&f, "0-3", 0, "0-3\n");
	add_package(&f, "4-7", 1, "4-7\n");
	add_topology(&f, damage[_i].cpu, "core_siblings_list", damage[_i].mask);
	assert_topology(&f, false, "0-7; 0=0-3@0; 1=4-7@4");
}
END_TEST

START_TEST(masks_that_span_packages_do_not_join_different_ids)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "0-1", 0, "0-3\n");
	add_package(&f, "2-3", 1, "0-3\n");
	assert_topology(&f, false, "0-3; 0=0-1@0; 1=2-3@2");
}
END_TEST

START_TEST(a_cpu_without_a_package_id_is_in_no_package)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "2-3", 0, "2-3\n");
	add_topology(&f, 0, "thread_siblings_list", "0-1\n");
	add_topology(&f, 1, "physical_package_id", "none\n");
	assert_topology(&f, false, "0-3; 0=2-3@2");
}
END_TEST

/* The CPUs are still listed. */
START_TEST(where_no_cpu_has_a_package_id_there_is_no_package)
{
	for (int per_die = 0; per_die < 2; per_die++) {
		struct fake_tree f;

		start(&f, "0-3\n");
		assert_topology(&f, per_die, "0-3");
	}
}
END_TEST

START_TEST(newer_names_of_the_masks_are_preferred)
{
	struct fake_tree f;

	start(&f, "0-1\n");
	add_package(&f, "0-1", 3, "rubbish");
	add_topology(&f, 0, "package_cpus_list", "0-1\n");
	add_topology(&f, 1, "package_cpus_list", "0-1\n");
	assert_topology(&f, false, "0-1; 3=0-1@0");
}
END_TEST

START_TEST(hex_masks_and_files_that_end_in_nul_are_understood)
{
	static const struct {
		unsigned cpu;
		const char *mask;
	} rows[] = {
		{ 0, "00000001,00000001" }, { 32, "00000001,00000001" },
		{ 1, "2,00000002" }, { 33, "2,00000002" },
	};
	struct fake_tree f;
	char path[96];

	start(&f, "0-1,32-33\n");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		add_int(&f, rows[i].cpu, "physical_package_id", -1);
		snprintf(path, sizeof(path), CPU_DIR "/cpu%u/topology/core_siblings", rows[i].cpu);
		fake_add_bytes(&f, path, rows[i].mask, strlen(rows[i].mask) + 1);
	}
	fake_add_bytes(&f, CPU_DIR "/online", "0-1,32-33\n", 11);
	assert_topology(&f, false, "0-1,32-33; 0=0,32@0; 1=1,33@1");
}
END_TEST

static const char *const bad_hex[] = { "", "z", "1,,1", "123456789", "0x1", ",1", "1,", "-1" };

START_TEST(a_mask_that_is_no_hex_number_counts_as_absent)
{
	struct fake_tree f;

	start(&f, "0-1\n");
	add_package(&f, "0-1", 0, NULL);
	add_topology(&f, 0, "core_siblings", bad_hex[_i]);
	add_topology(&f, 1, "core_siblings", bad_hex[_i]);
	assert_topology(&f, false, "0-1; 0=0-1@0");
}
END_TEST

START_TEST(dies_are_told_apart_only_when_asked_for)
{
	struct fake_tree f;

	start(&f, "0-7\n");
	add_package(&f, "0-3", 0, "0-3\n");
	add_package(&f, "4-7", 1, "4-7\n");
	for (unsigned cpu = 0; cpu < 8; cpu++)
		add_int(&f, cpu, "die_id", cpu % 2 ? 1 : 0);
	ck_assert_str_eq(describe(&f, false), "0-7; 0=0-3@0; 1=4-7@4");
	assert_topology(&f, true, "0-7; 0.0=0,2@0; 0.1=1,3@1; 1.0=4,6@4; 1.1=5,7@5");
}
END_TEST

START_TEST(dies_of_nameless_packages_keep_the_number_of_their_package)
{
	struct fake_tree f;

	start(&f, "0-7\n");
	add_package(&f, "0-3", -1, "0-3\n");
	add_package(&f, "4-7", -1, "4-7\n");
	for (unsigned cpu = 0; cpu < 8; cpu++)
		add_int(&f, cpu, "die_id", cpu % 2 ? 1 : 0);
	assert_topology(&f, true, "0-7; 0.0=0,2@0; 0.1=1,3@1; 1.0=4,6@4; 1.1=5,7@5");
}
END_TEST

START_TEST(without_die_ids_a_package_is_one_die)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "0-1", 0, "0-1\n");
	add_package(&f, "2-3", 1, "2-3\n");
	add_int(&f, 2, "die_id", -2);
	assert_topology(&f, true, "0-3; 0=0-1@0; 1=2-3@2");
}
END_TEST

static size_t cores_of_first_package(struct fake_tree *f)
{
	struct um_error e = { 0 };
	struct um_topology t;
	size_t num;

	ck_assert_int_eq(um_topology_read(&t, &f->base, false, &e), 0);
	ck_assert_uint_ge(t.num_packages, 1);
	ck_assert_int_eq(um_package_num_cores(&t.packages[0], &num), 0);
	um_topology_free(&t);
	fake_free(f);
	return num;
}

START_TEST(a_core_counts_once_however_many_of_its_threads_are_online)
{
	struct fake_tree f;

	start(&f, "0-2,4\n");
	add_package(&f, "0-2,4", 0, "0-2,4\n");
	add_topology(&f, 0, "thread_siblings_list", "0,4\n");
	add_topology(&f, 4, "thread_siblings_list", "0,4\n");
	add_topology(&f, 1, "thread_siblings_list", "1\n");
	add_topology(&f, 2, "thread_siblings_list", "2\n");
	ck_assert_uint_eq(cores_of_first_package(&f), 3);
}
END_TEST

START_TEST(without_thread_siblings_core_ids_are_counted)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "0-3", 0, "0-3\n");
	for (unsigned cpu = 0; cpu < 4; cpu++)
		add_int(&f, cpu, "core_id", cpu % 2 ? 8 : 0);
	ck_assert_uint_eq(cores_of_first_package(&f), 2);
}
END_TEST

START_TEST(without_any_word_on_cores_every_cpu_is_one)
{
	struct fake_tree f;

	start(&f, "0-3\n");
	add_package(&f, "0-3", 0, "0-3\n");
	ck_assert_uint_eq(cores_of_first_package(&f), 4);
}
END_TEST

static const struct { const char *list, *why; } no_online[] = {
	{ "", "no online CPU is shown" }, { "\n", "no online CPU is shown" },
	{ "0-\n", "/online: this is not a list of CPUs" }, { "zero\n", "/online: this is not a list of CPUs" },
	{ "4-1\n", "/online: this is not a list of CPUs" }, { "0x3\n", "/online: this is not a list of CPUs" },
};

START_TEST(no_online_cpu_is_an_error_that_names_the_place)
{
	struct um_error e = { 0 };
	struct um_topology t;
	struct fake_tree f;

	start(&f, no_online[_i].list);
	f.base.root = "/tree";
	ck_assert_int_eq(um_topology_read(&t, &f.base, false, &e), -ENODATA);
	ck_assert_int_eq(e.class, UNCOREMSR_ERROR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(e.msg, "/tree/" CPU_DIR));
	ck_assert_msg(strstr(e.msg, no_online[_i].why), "%s", e.msg);
	ck_assert_str_ne(e.hint, "");
	ck_assert_ptr_null(t.packages);
	um_topology_free(&t);
	fake_free(&f);
}
END_TEST

START_TEST(a_tree_without_anything_has_no_cpu)
{
	struct um_error e = { 0 };
	struct um_topology t;
	struct fake_tree f;

	fake_init(&f);
	ck_assert_int_eq(um_topology_read(&t, &f.base, false, &e), -ENODATA);
	fake_free(&f);
}
END_TEST

START_TEST(a_thousand_cpus_take_a_handful_of_files)
{
	enum { CPUS = 1024 };
	static char lists[2][CPUS * 5];
	struct um_error e = { 0 };
	struct um_topology t;
	struct fake_tree f;

	start(&f, "0-1023\n");
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		sprintf(lists[cpu % 2] + strlen(lists[cpu % 2]), "%s%u", cpu > 1 ? "," : "", cpu);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		add_int(&f, cpu, "physical_package_id", (int)(cpu % 2));
		add_topology(&f, cpu, "package_cpus_list", lists[cpu % 2]);
	}
	ck_assert_int_eq(um_topology_read(&t, &f.base, false, &e), 0);
	ck_assert_uint_eq(t.num_packages, 2);
	ck_assert_uint_eq(t.packages[1].cpus.num, CPUS / 2);
	ck_assert_uint_eq(f.reads, 1 + 2 * 3);
	um_topology_free(&t);
	fake_free(&f);
}
END_TEST

/* The kernel has no package id for the first CPU; the other packages are found without it. */
START_TEST(a_first_cpu_without_a_package_makes_no_die)
{
	struct fake_tree f;

	start(&f, "0-1\n");
	add_int(&f, 1, "physical_package_id", 0);
	add_int(&f, 1, "die_id", 0);
	assert_topology(&f, true, "0-1; 0.0=1@1");
}
END_TEST

/* The id -1 means unknown; it must not be taken for package 0. */
START_TEST(a_package_without_a_number_is_not_package_0)
{
	struct fake_tree f;

	start(&f, "0-1\n");
	add_int(&f, 0, "physical_package_id", 0);
	add_int(&f, 1, "physical_package_id", -1);
	assert_topology(&f, false, "0-1; 0=0@0; 0=1@1");
}
END_TEST

static TCase *package_tests(void)
{
	TCase *tc = tcase_create("packages");

	tcase_add_test(tc, numbers_may_alternate_between_packages);
	tcase_add_test(tc, package_ids_may_have_holes_and_cpu_numbers_too);
	tcase_add_test(tc, where_every_id_is_minus_one_masks_make_the_packages);
	tcase_add_test(tc, one_id_over_masks_that_do_not_meet_is_two_packages);
	tcase_add_test(tc, masks_that_meet_are_one_package_whoever_names_whom);
	tcase_add_test(tc, without_any_mask_the_id_decides);
	tcase_add_loop_test(tc, one_damaged_mask_changes_nothing, 0, (int)ARRAY_SIZE(damage));
	tcase_add_test(tc, masks_that_span_packages_do_not_join_different_ids);
	tcase_add_test(tc, a_cpu_without_a_package_id_is_in_no_package);
	tcase_add_test(tc, where_no_cpu_has_a_package_id_there_is_no_package);
	tcase_add_test(tc, a_first_cpu_without_a_package_makes_no_die);
	tcase_add_test(tc, a_package_without_a_number_is_not_package_0);
	tcase_add_test(tc, newer_names_of_the_masks_are_preferred);
	tcase_add_test(tc, hex_masks_and_files_that_end_in_nul_are_understood);
	tcase_add_loop_test(tc, a_mask_that_is_no_hex_number_counts_as_absent, 0,
			    (int)ARRAY_SIZE(bad_hex));
	tcase_add_test(tc, a_thousand_cpus_take_a_handful_of_files);
	return tc;
}

Suite *topology_suite(void)
{
	Suite *s = suite_create("topology");
	TCase *tc = tcase_create("online");

	tcase_add_test(tc, offline_cpus_are_left_out_even_where_a_mask_names_them);
	tcase_add_test(tc, a_cpus_own_file_wins_over_the_list_of_online_cpus);
	tcase_add_test(tc, without_a_list_every_cpu_folder_is_asked);
	tcase_add_loop_test(tc, no_online_cpu_is_an_error_that_names_the_place, 0,
			    (int)ARRAY_SIZE(no_online));
	tcase_add_test(tc, a_tree_without_anything_has_no_cpu);
	suite_add_tcase(s, tc);
	suite_add_tcase(s, package_tests());

	tc = tcase_create("dies and cores");
	tcase_add_test(tc, dies_are_told_apart_only_when_asked_for);
	tcase_add_test(tc, dies_of_nameless_packages_keep_the_number_of_their_package);
	tcase_add_test(tc, without_die_ids_a_package_is_one_die);
	tcase_add_test(tc, a_core_counts_once_however_many_of_its_threads_are_online);
	tcase_add_test(tc, without_thread_siblings_core_ids_are_counted);
	tcase_add_test(tc, without_any_word_on_cores_every_cpu_is_one);
	suite_add_tcase(s, tc);
	return s;
}
