/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The process that a machine was opened in. After fork(2) the child has a copy of everything, and shares the
 * descriptors. It counts nothing: what is programmed and what is locked belongs to its parent.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/machine.h"

/*
 * A sample is one system call per counter: asking for the process id would be one more. A child finds this page
 * empty (MADV_WIPEONFORK, Linux 4.14); where that cannot be had, the id is asked for.
 */
void um_process_remember(struct um_process *p)
{
	void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p->pid = (long)getpid();
	p->here = NULL;
	if (page == MAP_FAILED)
		return;
	if (madvise(page, 1, MADV_WIPEONFORK)) {
		munmap(page, 1);
		return;
	}
	p->here = page;
	*p->here = 1;
}

void um_process_forget(struct um_process *p)
{
	if (p->here)
		munmap(p->here, 1);
	*p = (struct um_process){ .pid = 0 };
}

bool um_in_child(const struct um_machine *m)
{
	const struct um_process *p = &m->process;

	return p->here ? !*p->here : p->pid && p->pid != (long)getpid();
}

int um_check_process(const struct um_machine *m, struct um_error *e)
{
	if (!um_in_child(m))
		return 0;
	um_fail(e, -ECHILD, UNCOREMSR_ERROR_USAGE, "the machine was opened by process %ld, from which this one was "
		"forked", m->process.pid);
	um_hint(e, "make and open a handle in the child, or count in the parent");
	return -ECHILD;
}
