/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples through the library, without waiting in between.
 * usage: library_loop MACHINE EVENTS PACKAGE ROUNDS sample|read|verify
 * sample: uncoremsr_session_sample(); verify: uncoremsr_session_read(); read: uncoremsr_session_read()
 * without the check whether another program has changed registers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uncoremsr.h>

static int complain(struct uncoremsr *um)
{
	fprintf(stderr, "library_loop: %s\n", uncoremsr_error(um)->message);
	return (int)uncoremsr_error(um)->error_class;
}

int main(int argc, char **argv)
{
	struct uncoremsr_session *s = NULL;
	struct uncoremsr *um;
	int (*one_round)(struct uncoremsr_session *) = uncoremsr_session_read;
	int err = 0;

	if (argc != 6 || uncoremsr_new(&um))
		return 2;
	if (uncoremsr_set_machine(um, argv[1]) || uncoremsr_open(um) ||
	    uncoremsr_session_new(um, &s) || uncoremsr_session_add(s, argv[2]) < 0 ||
	    uncoremsr_session_only(s, UNCOREMSR_ONLY_PACKAGES, argv[3]) ||
	    uncoremsr_session_set(s, UNCOREMSR_SESSION_VERIFY, !strcmp(argv[5], "verify")) ||
	    uncoremsr_session_start(s))
		return complain(um);
	if (!strcmp(argv[5], "sample"))
		one_round = uncoremsr_session_sample;
	for (long rounds = strtol(argv[4], NULL, 10); rounds > 0 && !err; rounds--)
		err = one_round(s);
	if (err)
		return complain(um);
	uncoremsr_session_free(s);
	uncoremsr_free(um);
	return 0;
}
