/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that shows a long text page by page: PAGER, or less. */
#ifndef TOOL_REPORT_PAGER_H
#define TOOL_REPORT_PAGER_H

#include <sys/types.h>

struct pager {
	pid_t pid;
	int fd; /* write the text here */
};

/* Start the pager. 0, or a negative errno. */
int pager_start(struct pager *p);
/* Call this when everything has been written: waits until the user quits the pager. */
void pager_wait(const struct pager *p);

#endif
