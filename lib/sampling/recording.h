/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rings into a perf.data file. */
#ifndef UM_SAMPLING_RECORDING_H
#define UM_SAMPLING_RECORDING_H

#include "sampling/sampling.h"

/* Bits of sample_type for enum uncoremsr_sampling_flag. */
uint64_t um_sampling_type_of(unsigned flags);
/* What there is of a recording is given back; the file stays as it is. */
void um_recording_drop(struct uncoremsr_sampling *s);

#endif
