/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptions of simulated machines. The first line of the input has the parameters, which users append to the name of
 * a description file; the rest is the contents of this file. An accepted machine must also work.
 */
#include <unistd.h>

#include "fuzz.h"

#include "uncoremsr.h"
#include "uncoremsr/sim.h"

static void count(struct uncoremsr *um, const char *events)
{
	struct uncoremsr_session *s = NULL;

	if (uncoremsr_session_new(um, &s) < 0)
		return;
	if (uncoremsr_session_add(s, events) > 0 && uncoremsr_session_start(s) >= 0) {
		uncoremsr_advance(um, 1000000000);
		uncoremsr_session_read(s);
		uncoremsr_session_stop(s);
	}
	uncoremsr_session_free(s);
}

static void use(struct uncoremsr_sim *sim)
{
	static const char *const events[] = {
		"0x82:0x1,UNC_CLK_UNHALTED", "cbo/event=0x35,umask=0x1,filter_opc=0x182/",
		"cha/event=0x50,umask=0x1/", "l3/event=0x4,umask=0x1/", "ubox/clockticks/",
		"core/event=0xc0,umask=0x0/", NULL,
	};
	struct uncoremsr *um;

	REQUIRE(uncoremsr_new(&um) == 0 && uncoremsr_set_sim(um, sim) == 0);
	if (uncoremsr_open(um) == 0)
		for (size_t i = 0; events[i]; i++)
			count(um, events[i]);
	else
		REQUIRE(uncoremsr_error(um)->message[0]);
	uncoremsr_free(um);
}

static void target(const char *text, size_t size)
{
	const char *line = memchr(text, '\n', size);
	size_t parameters = line ? (size_t)(line - text) : size;
	const char *file = line ? line + 1 : text + size;
	int fd = fuzz_file(file, (size_t)(text + size - file));
	char *what = NULL, error[512] = "";
	struct uncoremsr_sim *sim;
	int err;

	REQUIRE(asprintf(&what, "/proc/self/fd/%d%s%.*s", fd, parameters ? "," : "", (int)parameters,
			 text) > 0);
	err = uncoremsr_sim_new(&sim, what, error, sizeof(error));
	fuzz_parsed();
	REQUIRE(err ? !sim && error[0] : sim && !error[0]);
	if (!err)
		use(sim);
	uncoremsr_sim_free(sim);
	free(what);
	close(fd);
}
