/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The route `msr`: counts with registers. It implements the table of session/route.h. */
#ifndef UM_COUNTING_ROUTE_H
#define UM_COUNTING_ROUTE_H

#include "session/route.h"

extern const struct um_route um_route_registers;

#endif
