/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H

void fail_alloc_prepare(void);
void fail_alloc_begin(void);

#endif
