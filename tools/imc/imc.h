/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TOOL_IMC_H
#define TOOL_IMC_H

#include "common/options.h"
#include "common/output.h"
#include "common/records.h"
#include "common/wait.h"
#include "uncoremsr/imc.h"

/* The options. Those that set register fields are in the order of the library's fields. */
enum imc_option {
	IMC_ENABLE, IMC_MODE, IMC_SCOPE, IMC_ADDRESS,
	IMC_SAMPSEL, IMC_LOAD, IMC_CPMC1SEL, IMC_CPMC2SEL, IMC_BUFFERSIZE, IMC_INTERVAL,
	IMC_SIZE, IMC_CPU, IMC_PERF_DATA,
	IMC_LAST,
};

struct imc {
	struct tool_common common;
	struct out out;
	struct records w;
	const char *option[IMC_LAST]; /* values of the options; NULL if not given */
	struct tool_wait wait;
};

/* The sub-commands; each returns the exit status. */
int imc_ldbar(struct imc *i);
int imc_scom(struct imc *i);
int imc_trace(struct imc *i);
int imc_pmi(struct imc *i);
int imc_compare(struct imc *i);

#endif
