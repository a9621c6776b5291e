/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which registers and features for heat and power a processor has, derived from its CPUID. Sources: public register
 * dumps of real machines, the tables of Linux turbostat, and the register lists of SDM volume 4. A model that is not in
 * the table has only what CPUID leaves 1 and 6 report.
 */
#include "sim/throttling.h"

#include <errno.h>
#include <stdlib.h>

#define BIT UM_SIM_BIT

#define NEHALEM UM_SIM_TARGET
#define SANDY (NEHALEM | UM_SIM_RATIO_HIGH | UM_SIM_RAPL)
#define TIMES (SANDY | UM_SIM_PKG_TIME | UM_SIM_DRAM_TIME)
#define XEON (TIMES | UM_SIM_6B1_ZERO)
#define CLIENT (TIMES | UM_SIM_6B0 | UM_SIM_6B1)

static const struct family {
	uint8_t models[16]; /* models of family 6; 0 ends the list */
	struct um_sim_processor is;
} families[] = {
	/* Nehalem and Westmere: bit 0 of 0x1fc reads 0. It has another meaning than on later processors. */
	{ { 0x1a, 0x1e, 0x1f, 0x25, 0x2c, 0x2e, 0x2f }, { NEHALEM, 96, 0x4, 0 } },
	{ { 0x2a, 0x3a }, { SANDY, 98, 0x0004005d, 0x0000816000dd8118 } },
	{ { 0x2d, 0x3e }, { TIMES | UM_SIM_PP0_TIME, 90, 0x2904005b, 0x00078330001582a8 } },
	{ { 0x3c, 0x45, 0x46, 0x3d, 0x47 }, { CLIENT | UM_SIM_690_CLIENT, 100, 0x0004005d, 0x00428348001a82a0 } },
	{ { 0x3f, 0x4f, 0x56 }, { XEON | UM_SIM_690_SERVER, 87, 0x2b040059, 0x00078330005b82a8 } },
	{ { 0x55 }, { XEON | UM_SIM_690_LBR | UM_SIM_64F, 95, 0x29240059, 0x000385a0001484b0 } },
	{ { 0x4e, 0x5e, 0x8e, 0x9e, 0x66, 0x7d, 0x7e, 0x8c, 0x8d, 0xa5, 0xa6, 0xa7 },
	  { CLIENT | UM_SIM_690_LBR | UM_SIM_64F, 100, 0x0024005d, 0x00428348001a82f8 } },
	{ { 0x6a, 0x6c },
	  { XEON | UM_SIM_PP0_TIME | UM_SIM_690_LBR | UM_SIM_64F, 93, 0x1a00a4005b,
	    0x0015887000158708 } },
	{ { 0x8f, 0xcf, 0xad, 0xae, 0xaf }, { XEON | UM_SIM_PP0_TIME, 96, 0x1a00a4005b, 0x0015887000158708 } },
	{ { 0x97, 0x9a, 0xbf }, { CLIENT | UM_SIM_64F, 100, 0x0024005d, 0x00428348001a83e8 } },
	{ { 0xb7, 0xba, 0xbe, 0xaa, 0xac, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc },
	  { CLIENT, 100, 0x0024005d, 0x00428348001a83e8 } },
	{ { 0x96, 0x9c }, { TIMES, 105, 0x0024005d, 0x0000804000dd8050 } },
	{ { 0x5c, 0x7a, 0x5f }, { TIMES | UM_SIM_DRAM_CONST, 105, 0x5d, 0x0000804000dd8050 } },
	{ { 0x37, 0x4a, 0x4d, 0x5a, 0x4c, 0x5d }, { NEHALEM | UM_SIM_RATIO_HIGH, 100, 0, 0 } },
	{ { 0x57, 0x85 }, { TIMES, 90, 0x2904005b, 0x00078330001582a8 } },
};

int um_sim_processor_new(struct uncoremsr_sim *sim)
{
	unsigned cpu = um_sim_first_cpu(sim), family, model;
	uint32_t vendor = um_sim_cpuid_register(sim, cpu, 0, 1);
	uint32_t signature = um_sim_cpuid_register(sim, cpu, 1, 0);
	uint32_t ecx = um_sim_cpuid_register(sim, cpu, 1, 2);
	uint32_t edx = um_sim_cpuid_register(sim, cpu, 1, 3);
	uint32_t six = um_sim_cpuid_register(sim, cpu, 6, 0);
	struct um_sim_processor *p = calloc(1, sizeof(*p));

	sim->processor = p;
	if (!p)
		return -ENOMEM;
	family = signature >> 8 & 0xf;
	model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
	p->target = 100;
	if (vendor == 0x68747541 || vendor == 0x6f677948) /* "Auth", "Hygo" */
		p->has = family == 15 && signature >> 20 ? UM_SIM_AMD_PSTATE : 0;
	if (vendor == 0x756e6547) { /* "Genu" */
		for (size_t i = 0; i < ARRAY_SIZE(families) && family == 6; i++)
			for (const uint8_t *m = families[i].models; *m; m++)
				if (*m == model)
					*p = families[i].is;
		p->has |= UM_SIM_INTEL | (edx & BIT(22) ? UM_SIM_DTS : 0) |
			(ecx & BIT(8) ? UM_SIM_TM2 : 0) | (six & BIT(4) ? UM_SIM_PLN : 0) |
			(six & BIT(6) ? UM_SIM_PKG : 0) | (six & BIT(7) ? UM_SIM_HWP : 0) |
			(six & BIT(0) ? UM_SIM_READOUT : 0);
	}
	if (sim->kernel_thermal && p->has & UM_SIM_DTS && !(ecx >> 31))
		p->has |= UM_SIM_COUNTED;
	/* Granite Rapids, Sierra Forest and later servers. */
	if (sim->plr && family == 6 && (model == 0xad || model == 0xae || model == 0xaf))
		p->has |= UM_SIM_PLR;
	if (um_sim_cpuid_register(sim, cpu, 6, 2) & 1)
		p->has |= UM_SIM_APERF;
	return 0;
}
