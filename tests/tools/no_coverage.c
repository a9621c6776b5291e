/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Empty functions, linked into every library and program with sanitizers. With -fsanitize-coverage the compiler inserts
 * calls of these functions, which only the fuzzers need. libasan defines the other inserted functions.
 */
#define NOTHING __attribute__((weak, visibility("hidden")))

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpd(double a, double b);

NOTHING void __sanitizer_cov_trace_pc(void)
{
}

NOTHING void __sanitizer_cov_trace_cmpf(float a, float b)
{
	(void)a;
	(void)b;
}

NOTHING void __sanitizer_cov_trace_cmpd(double a, double b)
{
	(void)a;
	(void)b;
}
