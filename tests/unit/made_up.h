/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared by the tests that implement a route of their own. "um" of machine.h is the handle, "s" its session.
 *
 * Uses internal headers, because the interface of a route is internal.
 */
#ifndef MADE_UP_H
#define MADE_UP_H

#include <stdio.h>

#include "session/session.h"
#include "machine.h"

/* made_up_stop() does nothing; it may be used for any function of a route that has nothing to do. */
static inline int made_up_stop(void *state, struct um_error *e)
{
	(void)state, (void)e;
	return 0;
}

static inline int made_up_read(void *state, bool close, struct um_error *e)
{
	(void)state, (void)close, (void)e;
	return 0;
}

static inline void made_up_free(void *state)
{
	(void)state;
}

static inline enum uncoremsr_status made_up_no_units(const void *state, size_t event,
						     const struct uncoremsr_package *package, char *why, size_t size)
{
	(void)state, (void)event;
	snprintf(why, size, package ? "none on this package" : "none anywhere");
	return UNCOREMSR_FAILED;
}

/* Open a machine of two packages with six cores of two threads each; CPUs with even numbers are in package 0. */
static inline void open_on_routes(const struct um_route *const *routes, size_t num)
{
	close_machine();
	ck_assert_int_eq(uncoremsr_new(&um), 0);
	um->routes = routes;
	um->num_routes = num;
	ck_assert_int_eq(uncoremsr_set_machine(um, "sim:westmere-2s,clock=stepped"), 0);
	ck_assert_int_eq(uncoremsr_open(um), 0);
	ck_assert_int_eq(uncoremsr_session_new(um, &s), 0);
}

#endif
