/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Load shared libraries that belong to libuncoremsr.so (simulator, list readers) when they are first needed.
 * libuncoremsr.a does not need this: it contains these parts or is linked with them.
 */
#ifndef UM_LIBRARY_H
#define UM_LIBRARY_H

#include "common/error.h"

struct um_library {
	const char *name;    /* "sim" for libuncoremsr-sim */
	const char *what;    /* for messages, as in "simulated machines" */
	const char *install; /* advice for messages */
};

/*
 * Find @symbol of a library of the same release, which is loaded from the folder of this library and never unloaded.
 * Returns 0; or, with a message in @e, -ENOTSUP: the library is missing, of another release, or cannot be loaded (also
 * if there is no memory to map a library that it needs); -ENOMEM.
 */
int um_library_find(const struct um_library *library, const char *symbol, void **found,
		    struct um_error *e) UM_MUST_CHECK;
/* um_library_find() for libuncoremsr-lists. */
int um_lists_find(const char *symbol, void **found, struct um_error *e) UM_MUST_CHECK;

#endif
