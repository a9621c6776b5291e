/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing rings into a perf.data file. */
#ifndef UM_SAMPLING_RECORDING_H
#define UM_SAMPLING_RECORDING_H

#include "sampling/sampling.h"

/* Bits of sample_type for enum uncoremsr_sampling_flag. */
uint64_t um_sampling_type_of(unsigned flags);
/* Free the memory of a recording; its file stays. */
void um_recording_drop(struct uncoremsr_sampling *s);

#endif
