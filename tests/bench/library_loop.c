/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples through the library, without waiting in between.
 * usage: library_loop MACHINE EVENTS PACKAGE ROUNDS sample|read|verify
 * sample: uncoremsr_session_sample(); read: uncoremsr_session_read(); verify: read and verify.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uncoremsr.h>

static int complain(struct uncoremsr *um)
{
	fprintf(stderr, "library_loop: %s\n", uncoremsr_errmsg(um));
	return (int)uncoremsr_error_class(um);
}

static int one_round(struct uncoremsr_session *s, const char *what)
{
	int err;

	if (!strcmp(what, "sample"))
		return uncoremsr_session_sample(s);
	err = uncoremsr_session_read(s);
	return err || strcmp(what, "verify") ? err : uncoremsr_session_verify(s);
}

int main(int argc, char **argv)
{
	struct uncoremsr_session *s = NULL;
	struct uncoremsr *um;
	int err = 0;

	if (argc != 6 || uncoremsr_new(&um))
		return 2;
	if (uncoremsr_set_machine(um, argv[1]) || uncoremsr_open(um) ||
	    uncoremsr_session_new(um, &s) || uncoremsr_session_add(s, argv[2]) < 0 ||
	    uncoremsr_session_set_packages(s, argv[3]) || uncoremsr_session_start(s))
		return complain(um);
	for (long rounds = strtol(argv[4], NULL, 10); rounds > 0 && !err; rounds--)
		err = one_round(s, argv[5]);
	if (err)
		return complain(um);
	uncoremsr_session_free(s);
	uncoremsr_free(um);
	return 0;
}
