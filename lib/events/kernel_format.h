/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files "format/TERM" of the kernel's PMUs: which bits of which config word a term occupies. */
#ifndef UM_KERNEL_FORMAT_H
#define UM_KERNEL_FORMAT_H

#include <stdint.h>

#include "common/error.h"

enum { UM_CONFIGS = 4 }; /* config, config1, config2, config3 */

/* The bits of a term: the lowest bit of the value goes to the lowest bit of the mask, and so on. */
struct um_kernel_format {
	char *name;
	unsigned config;       /* 0 to UM_CONFIGS - 1 */
	uint64_t mask;
};

/* Parse "config1:0-7,32-35". 0; -EINVAL. */
int um_format_parse(struct um_kernel_format *f, const char *text) UM_MUST_CHECK;
/* Put the bits of @value where the format wants them. 0; -ERANGE: too wide, and *max is the highest value allowed. */
int um_format_fill(const struct um_kernel_format *f, uint64_t value, uint64_t configs[UM_CONFIGS],
		   uint64_t *max) UM_MUST_CHECK;

#endif
