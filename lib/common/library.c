/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"

/* The folder of this library, absolute even if it was found by a relative path. */
static bool own_folder(char folder[2 * PATH_MAX])
{
	struct link_map *map;
	Dl_info info;

	return dladdr1((void *)(uintptr_t)um_library_find, &info, (void **)&map, RTLD_DL_LINKMAP) &&
	       dlinfo(map, RTLD_DI_ORIGIN, folder) == 0;
}

/*
 * Load by absolute path only: the library search path may contain a file of that name that is not ours. The library is
 * never unloaded, because its functions and data may still be in use.
 */
int um_library_find(const struct um_library *library, const char *symbol, void **found, struct um_error *e)
{
	char file[64], path[2 * PATH_MAX + sizeof(file)] = "", why[UM_MESSAGE_SIZE / 2] = "";
	void *loaded = NULL;
	bool is_other;
	int fd;

	*found = NULL;
	snprintf(file, sizeof(file), "/libuncoremsr-%s.so." UM_SOVERSION, library->name);
	errno = 0;
	if (own_folder(path)) {
		strcat(path, file);
		loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	}
	if (loaded)
		*found = dlvsym(loaded, symbol, "UNCOREMSR_PRIVATE_" UM_VERSION);
	/* dlerror() does not always mention the lack of memory. */
	if (!loaded && errno == ENOMEM)
		return um_no_memory(e);
	if (!*found)
		um_message(why, sizeof(why), "%s", dlerror() ?: "");
	is_other = loaded && !*found;
	if (loaded)
		dlclose(loaded);
	if (*found)
		return 0;
	/* dlopen() leaves ENOMEM in errno, but not EMFILE or ENFILE: find these by opening the file. */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && um_lacks_descriptors(-errno))
		return um_file_fail(e, library->what, path, -errno);
	if (fd >= 0)
		close(fd);
	if (*path && access(path, F_OK) == 0) {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s cannot be loaded: %s", library->what, why);
		if (is_other)
			um_hint(e, "libuncoremsr-%s and libuncoremsr must be of the same release", library->name);
		else
			um_hint(e, "%s", library->install);
	} else {
		um_fail(e, -ENOTSUP, UNCOREMSR_ERROR_UNSUPPORTED, "%s are in a library that is not installed, %s",
			library->what, *path ? UM_QUOTED(path) : file + 1);
		um_hint(e, "%s", library->install);
	}
	return -ENOTSUP;
}

int um_lists_find(const char *symbol, void **found, struct um_error *e)
{
	static const struct um_library lists = {
		"lists", "readers of JSON event lists and flat device trees",
		"install the package libuncoremsr" UM_SOVERSION " again",
	};

	return um_library_find(&lists, symbol, found, e);
}
