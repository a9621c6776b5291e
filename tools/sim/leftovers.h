/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Temporary directories of mounts that were killed. */
#ifndef TOOL_SIM_LEFTOVERS_H
#define TOOL_SIM_LEFTOVERS_H

#define SIM_TEMPORARY "uncore-sim-mount."

/* Say that the directory behind @fd is in use, as long as it is open. 0 or negative errno. */
int leftovers_hold(int fd);
/* Remove those of this user in @tmp that no process holds and that have @served in them. */
void leftovers_remove(const char *tmp, const char *served);
/* Remove what is in the directory behind @dir. */
void leftovers_empty(int dir);

#endif
