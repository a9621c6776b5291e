/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The route memory: POWER's nest counters, read from the memory that microcode of the on-chip controller
 * writes them to. No rights to perf are needed, only to the file of each chip
 * (sys/firmware/opal/exports/imc_nest_chip_ID; Linux arch/powerpc/platforms/powernv/opal.c). They run freely:
 * nothing is started, stopped or written.
 */
#ifndef UM_MEMORY_ROUTE_H
#define UM_MEMORY_ROUTE_H

#include "session/route.h"

extern const struct um_route um_route_memory;

#endif
