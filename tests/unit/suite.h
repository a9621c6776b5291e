/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a file of unit tests declares its fixtures, tests and suite:
 *
 *	FIXTURE(.setup = make_folder, .teardown = remove_folder)
 *
 *	TEST(a_name_that_is_a_sentence)
 *	{
 *		ck_assert(...);
 *	}
 *
 *	SUITE(name)
 *
 * A test adds itself to the suite of its file before main() runs, so there is no list of tests to maintain.
 */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <stdbool.h>

#include "suites.h"

/* libcheck would write a record to a file for each assertion that holds; that takes a fifth of the run time. */
#define _mark_point(file, line) ((void)0)

/* A test that runs for each number from 0 to @num - 1, or a fixture for the tests that follow. */
struct unit_test {
	const TTest *test; /* NULL for a fixture */
	int num;
	struct fixture {
		SFun setup, teardown; /* run before and after each test, in its process */
		bool (*only_if)(void); /* prints a reason and returns false if the tests must be skipped */
	} fixture;
	struct unit_test *next;
};

/* make_suite(): make the suite of a file from its tests and fixtures. */
Suite *make_suite(const char *name, const struct unit_test *tests);

static struct unit_test *tests_of_file, **end_of_tests = &tests_of_file;

static inline void add_to_file(struct unit_test *test)
{
	*end_of_tests = test;
	end_of_tests = &test->next;
}

/* TEST_EACH(): a test that runs @count times; _i is the number of the run, from 0. */
#define TEST_EACH(name, count) \
	static void name(int _i); \
	__attribute__((constructor)) static void name##_adds_itself(void) \
	{ \
		static const TTest test = { #name, name, __FILE__, __LINE__ }; \
		static struct unit_test entry = { .test = &test, .num = (int)(count) }; \
		add_to_file(&entry); \
	} \
	static void name(int _i CK_ATTRIBUTE_UNUSED)

#define TEST(name) TEST_EACH(name, 1)

/* TEST_STORIES(): a test for each story of a table; @play plays the story (steps.h and others). */
#define TEST_STORIES(name, play, stories) \
	TEST_EACH(name, ARRAY_SIZE(stories)) \
	{ \
		play(&(stories)[_i]); \
	}

/* FIXTURE(): applies to all following tests, up to the next FIXTURE(). */
#define FIXTURE(...) FIXTURE_AT(__LINE__, __VA_ARGS__)
#define FIXTURE_AT(line, ...) FIXTURE_NAMED(line, __VA_ARGS__)
#define FIXTURE_NAMED(line, ...) \
	__attribute__((constructor)) static void fixture_in_line_##line(void) \
	{ \
		static struct unit_test entry = { .fixture = { __VA_ARGS__ } }; \
		add_to_file(&entry); \
	}

#define SUITE(name) \
	Suite *name##_suite(void) \
	{ \
		return make_suite(#name, tests_of_file); \
	}

#endif
