/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts event 0x82, unit mask 0x1 for one second on every package of the machine named by the
 * argument ("sim:westmere-2s"), or of this machine. Build it with the installed library:
 *	cc example.c -o example $(pkg-config --cflags --libs libuncoremsr)
 */
#include <inttypes.h>
#include <stdio.h>
#include <uncoremsr.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct uncoremsr *um;
	struct uncoremsr_session *s = NULL;
	const struct uncoremsr_reading *r;
	int status;

	if (uncoremsr_new(&um))
		return 1;
	if (uncoremsr_set_machine(um, argc > 1 ? argv[1] : NULL) || uncoremsr_open(um) ||
	    uncoremsr_session_new(um, &s) || uncoremsr_session_add(s, "0x82:0x1") < 0 ||
	    uncoremsr_session_start(s))
		goto out;
	if (!uncoremsr_advance(um, 1000000000)) /* only a stepped clock can be advanced; else sleep */
		sleep(1);
	uncoremsr_session_read(s);
	for (size_t i = 0; (r = uncoremsr_session_reading(s, 0, UNCOREMSR_PLACE_PACKAGE, i, UNCOREMSR_INTERVAL)); i++)
		if (r->status == UNCOREMSR_OK)
			printf("package %zu: %" PRIu64 "\n", i, r->value);
		else
			printf("package %zu: unknown: %s\n", i, r->detail);
out:
	status = (int)uncoremsr_error(um)->error_class;
	if (status)
		fprintf(stderr, "%s\n", uncoremsr_error(um)->message);
	uncoremsr_session_free(s);
	uncoremsr_free(um);
	return status;
}
