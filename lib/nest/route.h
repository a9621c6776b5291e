/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The route "memory": reads POWER's nest counters from the memory to which the microcode of the on-chip controller
 * writes them. It needs no permission for perf, only to read one file of each chip
 * (sys/firmware/opal/exports/imc_nest_chip_ID; Linux arch/powerpc/platforms/powernv/opal.c). The counters are free
 * running: nothing is started, stopped or written.
 */
#ifndef UM_MEMORY_ROUTE_H
#define UM_MEMORY_ROUTE_H

#include "session/route.h"

extern const struct um_route um_route_memory;

#endif
