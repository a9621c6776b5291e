/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For libuncoremsr.so: loads libuncoremsr-sim.so from the folder of this library. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "handle/simulated.h"

#define FILE_NAME "libuncoremsr-sim.so." UM_SOVERSION

/* The folder of this library, absolute even if it was found by a relative path. */
static bool own_folder(char folder[2 * PATH_MAX])
{
	struct link_map *map = NULL;
	Dl_info info;

	return dladdr1((void *)(uintptr_t)um_simulator_find, &info, (void **)&map, RTLD_DL_LINKMAP) && map &&
	       dlinfo(map, RTLD_DI_ORIGIN, folder) == 0;
}

/*
 * Load by absolute path only: in the library search path anybody could have put a file of that name. The library is
 * never unloaded, because one of its machines may be open.
 */
int um_simulator_find(const struct um_simulator **found, struct um_error *e)
{
	char path[2 * PATH_MAX + sizeof("/" FILE_NAME)] = "", why[UM_MESSAGE_SIZE / 2] = "";
	void *library = NULL;

	*found = NULL;
	if (getauxval(AT_SECURE)) {
		um_fail(e, -EPERM, UNCOREMSR_ERROR_ACCESS, "no simulated machines in a program with raised privileges");
		um_hint(e, "use a copy of the program without capabilities");
		return -EPERM;
	}
	if (own_folder(path)) {
		strcat(path, "/" FILE_NAME);
		errno = 0;
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	}
	if (library)
		*found = dlvsym(library, "um_simulator", "UNCOREMSR_PRIVATE_" UM_VERSION);
	/* dlerror() does not always mention the lack of memory. */
	if (!library && errno == ENOMEM)
		return um_no_memory(e);
	if (!*found)
		um_message(why, sizeof(why), "%s", dlerror() ?: "");
	if (library)
		dlclose(library);
	if (*found)
		return 0;
	if (*path && access(path, F_OK) == 0) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "simulated machines cannot be loaded: %s", why);
		um_hint(e, "libuncoremsr-sim and libuncoremsr have to be of one release");
	} else {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED,
			"simulated machines are in a library that is not installed, %s",
			*path ? UM_QUOTED(path) : FILE_NAME);
		um_hint(e, "install the package libuncoremsr-sim0, or build without SIM=no");
	}
	return -ENOTSUP;
}
