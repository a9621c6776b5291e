/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A text that is being composed. Its full length is counted; @buf gets the @size bytes of it that follow @skip bytes. */
#ifndef UM_SIM_TEXT_H
#define UM_SIM_TEXT_H

#include <stddef.h>

#include "common/error.h"

struct um_sim_text {
	char *buf;
	size_t size, skip, len;
};

void um_sim_print(struct um_sim_text *t, const char *fmt, ...) UM_PRINTF(2, 3);
/* Append any bytes. */
void um_sim_put(struct um_sim_text *t, const void *data, size_t len);

#endif
