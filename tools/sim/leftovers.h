/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Temporary directories of mounts that were killed. */
#ifndef TOOL_SIM_LEFTOVERS_H
#define TOOL_SIM_LEFTOVERS_H

#define SIM_TEMPORARY "uncore-sim-mount."

/* Mark the directory with descriptor @fd as in use for as long as @fd is open. 0 or a negative errno. */
int leftovers_hold(int fd);
/* Remove this user's directories in @tmp that no process uses and that contain @served. */
void leftovers_remove(const char *tmp, const char *served);
/* Remove everything in the directory of descriptor @dir. */
void leftovers_empty(int dir);

#endif
