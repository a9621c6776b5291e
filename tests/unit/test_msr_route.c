/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The route `msr`, called through its table: results of its functions, and a run from open to stop.
 *
 * Uses internal headers, because it calls the route directly, as a session does.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "counting/route.h"
#include "names/kernel_pmu.h"
#include "names/scanner.h"
#include "helpers.h"
#include "machine/handle.h"
#include "machine.h"
#include "suite.h"
#include "uncoremsr/sim.h"

static const struct um_route *const r = &um_route_registers;
static struct um_place places[8];
static struct um_choices choices;
static struct um_route_env env;
static void *state;
static struct um_error e;

static int no_names(const struct um_route_env *v, struct um_perf_scope *scope, struct um_error *err)
{
	(void)v;
	(void)err;
	*scope = (struct um_perf_scope){ .lists = NULL };
	return 0;
}

static void open_on(const char *what)
{
	open_machine(what);
	choices = (struct um_choices){ .places = places, .num_places = um->m.topo.num_packages };
	for (size_t i = 0; i < choices.num_places; i++)
		places[i] = (struct um_place){
			.package = uncoremsr_package(um, i),
			.cpu = (unsigned)uncoremsr_package(um, i)->cpu,
		};
	env = (struct um_route_env){ .m = &um->m, .choices = &choices, .names = no_names };
	ck_assert_int_eq(r->open(&state, &env, &e), 0);
}

static void close_all(void)
{
	r->free(state);
	close_machine();
}

static enum um_answer claim(const char *text, bool asked)
{
	enum um_answer answer = UM_CLAIM_FAILED;
	struct um_written w;
	int err;

	ck_assert_int_eq(um_scan_events(&w, text, &e), 0);
	err = r->claim(state, w.events, w.num, asked, &answer, &e);
	ck_assert_msg((answer == UM_CLAIM_YES) == !err, "%s: %d", text, err);
	ck_assert(!err || e.msg[0]);
	um_written_free(&w);
	return answer;
}

TEST(the_answer_says_why_an_event_is_not_claimed)
{
	open_on("westmere-2s");
	ck_assert_int_eq(claim("UNC_L3_MISS.READ", false), UM_CLAIM_YES);
	ck_assert_int_eq(claim("{0x82:0x1,UNC_L3_MISS.READ}", false), UM_CLAIM_YES);
	ck_assert_int_eq(claim("page-faults", false), UM_CLAIM_NOT_MINE);
	ck_assert_int_eq(claim("sched/switch/", false), UM_CLAIM_NOT_MINE);
	ck_assert_int_eq(claim("UNC_L3_MISS.READ:nonsense", false), UM_CLAIM_BAD_VALUE);
	ck_assert_int_eq(claim("core/instructions/", false), UM_CLAIM_ON_REQUEST);
	ck_assert_int_eq(claim("core/instructions/", true), UM_CLAIM_YES);
	choices.target.kind = UM_TARGET_PROCESS;
	ck_assert_int_eq(claim("UNC_L3_MISS.READ", false), UM_CLAIM_YES);
	ck_assert_int_eq(claim("core/instructions/", true), UM_CLAIM_NO_TASKS);
	ck_assert_int_eq(claim("page-faults", false), UM_CLAIM_NOT_MINE);
	close_all();
}

/* A virtual machine has no uncore, whatever the processor, so names of uncore events are refused for that
 * reason. */
TEST(in_a_guest_names_of_uncore_events_are_unsupported)
{
	static const struct { const char *text; enum um_answer answer; } claims[] = {
		{ "0x82:0x1", UM_CLAIM_NOT_SUPPORTED }, { "UNC_L3_HITS.READ", UM_CLAIM_NOT_SUPPORTED },
		{ "unc_no_such", UM_CLAIM_NOT_SUPPORTED },
		{ "cbo/event=0x34,umask=0x1/", UM_CLAIM_NOT_SUPPORTED },
		{ "{cbo/event=0x34,umask=0x1/,pcu/event=0/}", UM_CLAIM_NOT_SUPPORTED },
		{ "cbo/event=0x34,umask=0x1,no_such=1/", UM_CLAIM_NOTHING_HERE },
		{ "page-faults", UM_CLAIM_NOTHING_HERE }, { "core/instructions/", UM_CLAIM_NOTHING_HERE },
	};

	open_on("haswell-ep-2s,hypervisor=yes");
	ck_assert_ptr_null(uarch_of(um));
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		ck_assert_msg(claim(claims[i].text, false) == claims[i].answer, "%s", claims[i].text);
		ck_assert_int_eq(claim(claims[i].text, true), UM_CLAIM_NOT_SUPPORTED);
	}
	close_all();
}

static const struct um_access_ops *real;
static unsigned num_opened, num_closed;
static int open_error;

static int open_cpu(struct um_access *a, unsigned cpu, bool for_writing)
{
	(void)a;
	ck_assert(for_writing);
	for (size_t i = 0; i < um->m.topo.num_packages; i++)
		if ((int)cpu == uncoremsr_package(um, i)->cpu)
			return num_opened++ ? open_error : 0;
	ck_abort_msg("CPU %u", cpu);
}

static void close_cpu(struct um_access *a, unsigned cpu)
{
	(void)a;
	(void)cpu;
	num_closed++;
}

/* If the kernel could count instead, the route tries to open one device of each package, and closes it
 * again. */
TEST(the_route_is_blocked_if_a_device_cannot_be_opened)
{
	struct um_access_ops ops;

	for (int live = 0; live < 2; live++)
		for (int fails = 0; fails < 2; fails++) {
			open_on("nehalem-ex-4s");
			real = access_of(um)->ops;
			ops = *real;
			ops.open_cpu = open_cpu;
			ops.close_cpu = close_cpu;
			access_of(um)->ops = &ops;
			access_of(um)->live = live;
			num_opened = num_closed = 0;
			open_error = fails ? -EACCES : 0;
			um->m.dry_run = true;
			ck_assert_int_eq(r->blocked(state, &e), 0);
			ck_assert_uint_eq(num_opened, 0);
			um->m.dry_run = false;
			if (live) {
				ck_assert_int_eq(r->blocked(state, &e), open_error);
				ck_assert_uint_eq(num_opened, fails ? 2 : 4);
				ck_assert_uint_eq(num_closed, fails ? 1 : 4);
			}
			access_of(um)->live = false;
			access_of(um)->ops = real;
			close_all();
		}
}

TEST(the_route_counts_what_it_claimed)
{
	const struct um_front *u;
	struct uncoremsr_counted facts;
	size_t num, where[2];

	open_on("westmere-2s,clock=stepped");
	ck_assert_int_eq(claim("UNC_L3_MISS.READ", false), UM_CLAIM_YES);
	ck_assert_int_eq(r->add(state, &e), 1);
	ck_assert_int_eq(claim("{UNC_L3_MISS.READ,UNC_L3_HITS.READ}", false), UM_CLAIM_YES);
	ck_assert_int_eq(r->join(state, where, &e), 1);
	ck_assert_uint_eq(where[0], 0);
	ck_assert_uint_eq(where[1], 1);
	r->facts(state, 1, &facts);
	ck_assert_str_eq(facts.name, "UNC_L3_HITS.READ");
	ck_assert(facts.uncore);
	ck_assert_double_eq(facts.scale, 1);
	ck_assert_int_eq(r->start(state, &e), 0);
	uncoremsr_sim_advance(sim, 1000000000);
	ck_assert_int_eq(r->read(state, true, &e), 0);
	ck_assert_int_eq(r->verify(state, &e), 0);
	u = r->units(state, 1, &num);
	ck_assert_uint_eq(num, 2);
	ck_assert_ptr_eq(u[0].shown.package, uncoremsr_package(um, 0));
	ck_assert_ptr_eq(u[1].shown.package, uncoremsr_package(um, 1));
	ck_assert_int_eq(u[1].reading->status, UNCOREMSR_OK);
	ck_assert_uint_eq(u[1].reading->enabled_ns, 1000000000);
	ck_assert_uint_eq(r->turns(state), 1);
	ck_assert_int_eq(r->stop(state, &e), 0);
	ck_assert_uint_eq(r->units(state, 0, &num)->total->counted,
			  r->units(state, 0, &num)->reading->counted);
	/* Start again, with fewer events. */
	r->cut(state, 1);
	ck_assert_int_eq(r->start(state, &e), 0);
	for (int again = 0; again < 2; again++) {
		ck_assert_int_eq(r->pause(state, &e), 0);
		ck_assert_uint_eq(peek(0, 0x391), 0);
		ck_assert_int_eq(r->verify(state, &e), 0); /* a paused session is not disturbed */
		ck_assert_int_eq(r->rotate(state, &e), 0);
	}
	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(r->stop(state, &e), 0);
	close_all();
}

SUITE(msr_route)
