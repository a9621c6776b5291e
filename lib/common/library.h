/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of this library that are in libraries of their own, loaded when they are needed. Only libuncoremsr.so loads. */
#ifndef UM_LIBRARY_H
#define UM_LIBRARY_H

#include "common/error.h"

struct um_library {
	const char *name;    /* "sim" for libuncoremsr-sim */
	const char *what;    /* what is in it, for messages: "simulated machines" */
	const char *install; /* how to get it, for messages */
};

/*
 * Find @symbol of a library of the same release, which is loaded from the folder of this library and never unloaded.
 * 0; with the message in @e: -ENOTSUP it is not there, of another release, or cannot be loaded (also if there is no
 * memory to map a library that it needs); -ENOMEM.
 */
int um_library_find(const struct um_library *library, const char *symbol, void **found,
		    struct um_error *e) UM_MUST_CHECK;
/* The same for libuncoremsr-lists. */
int um_lists_find(const char *symbol, void **found, struct um_error *e) UM_MUST_CHECK;

#endif
