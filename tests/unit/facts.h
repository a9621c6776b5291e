/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare our tables with lists that somebody else made from the sources; prints TAP. */
#ifndef FACTS_H
#define FACTS_H

#include <stdbool.h>
#include <stdio.h>

enum { MOST_COLUMNS = 12 };

/* facts_line(): split the next line of a list, which is kept until the next call, into columns; false: end of file. */
bool facts_line(FILE *file, char *col[MOST_COLUMNS]);
/* facts_open(): the list FOLDER/events-NAME-uncore.tsv; NULL: there is none. */
FILE *facts_open(const char *folder, const char *name);
/* facts_result(): print the result of a test; @file is NULL if it was skipped. Returns 1 if it failed. */
unsigned facts_result(bool wrong, unsigned *test, const FILE *file, const char *name, const char *sentence);
/* check_boxes(): returns the number of failed tests. @test: number of the last test so far; increased by each test. */
unsigned check_boxes(const char *folder, unsigned *test);

#endif
