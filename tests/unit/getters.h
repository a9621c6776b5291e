/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Properties of the objects of the public headers. Tests use these functions, so that a change of the interface changes
 * only one place. Only the suite "states" calls the public functions directly, each in every state.
 */
#ifndef GETTERS_H
#define GETTERS_H

#include <stddef.h>
#include <stdint.h>

#include "uncoremsr/imc.h"
#include "uncoremsr/leases.h"
#include "uncoremsr/machine.h"
#include "uncoremsr/names.h"
#include "uncoremsr/perf_data.h"
#include "uncoremsr/sampling.h"
#include "uncoremsr/throttle.h"

/* get_NAME_text(object, what), get_NAME_number(object, what, &v): as uncoremsr_NAME_text() and its neighbour. */
#define TEXT(name, object, texts) \
	static inline const char *get_##name##_text(const struct uncoremsr_##object *of, enum uncoremsr_##texts what) \
	{ \
		return uncoremsr_##name##_text(of, what); \
	}
#define NUMBER(name, object, numbers) \
	static inline int get_##name##_number(const struct uncoremsr_##object *of, enum uncoremsr_##numbers what, \
					      uint64_t *v) \
	{ \
		return uncoremsr_##name##_number(of, what, v); \
	}
/* The same for things that have an index in their object. */
#define TEXT_AT(name, object, texts) \
	static inline const char *get_##name##_text(const struct uncoremsr_##object *of, size_t index, \
						    enum uncoremsr_##texts what) \
	{ \
		return uncoremsr_##name##_text(of, index, what); \
	}
#define NUMBER_AT(name, object, numbers) \
	static inline int get_##name##_number(const struct uncoremsr_##object *of, size_t index, \
					      enum uncoremsr_##numbers what, uint64_t *v) \
	{ \
		return uncoremsr_##name##_number(of, index, what, v); \
	}

TEXT(lease, lease, lease_property)
NUMBER(lease, lease, lease_property)
TEXT(pmu, pmu, pmu_property)
NUMBER(pmu, pmu, pmu_property)
TEXT(register, register, register_property)
NUMBER(register, register, register_property)
TEXT(event, event, event_property)
NUMBER(event, event, event_property)
TEXT(encoding, encoding, encoding_property)
NUMBER(encoding, encoding, encoding_property)
TEXT(core, core_kind, core_text)
NUMBER(core, core_kind, core_number)
NUMBER(sampling, sampling, sampling_number)
TEXT(perf_data, perf_data, perf_data_text)
NUMBER(perf_data, perf_data, perf_data_number)
NUMBER(imc_trace, imc_trace, imc_trace_number)
NUMBER_AT(imc_record, imc_trace, imc_record_number)
NUMBER(throttle, throttle, throttle_property)
NUMBER(subject, subject, subject_property)
NUMBER(cause, cause, cause_property)
TEXT_AT(evidence, cause, evidence_property)
NUMBER_AT(evidence, cause, evidence_property)
TEXT_AT(policy, subject, policy_property)
NUMBER_AT(policy, subject, policy_property)
TEXT_AT(question, subject, question_property)
NUMBER_AT(question, subject, question_property)

#undef TEXT
#undef NUMBER
#undef TEXT_AT
#undef NUMBER_AT

#endif
