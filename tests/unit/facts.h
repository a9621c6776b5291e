/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare our tables with independent lists that were made from the same manuals. Prints TAP. */
#ifndef FACTS_H
#define FACTS_H

#include <stdbool.h>
#include <stdio.h>

enum { MOST_COLUMNS = 12 };

/*
 * facts_line(): read the next line and split it into columns (valid until the next call); false at the end of the file.
 */
bool facts_line(FILE *file, char *col[MOST_COLUMNS]);
/* facts_open(): open the list FOLDER/events-NAME-uncore.tsv; NULL if the list does not exist. */
FILE *facts_open(const char *folder, const char *name);
/* facts_result(): print the result of a test; @file is NULL if the test was skipped. Returns 1 if the test failed. */
unsigned facts_result(bool wrong, unsigned *test, const FILE *file, const char *name, const char *sentence);
/* check_boxes(): returns the number of failed tests. Every test increments @test, the number of the last test. */
unsigned check_boxes(const char *folder, unsigned *test);

#endif
