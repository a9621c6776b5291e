/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compare our tables with lists that somebody else made from the sources; prints TAP. */
#ifndef FACTS_H
#define FACTS_H

/* Number of failed tests; @test is the number of the last one, and is advanced. */
unsigned check_registers(const char *folder, unsigned *test);
unsigned check_boxes(const char *folder, unsigned *test);

#endif
