/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which processor is which. Most rows only give a name, so that a refusal can say what machine it
 * is; a row with a table is one whose uncore can be programmed. A model in no row is unknown, and
 * is refused too: never fall back to a neighbour, the same addresses mean other things there.
 *
 * Models: Linux arch/x86/include/asm/intel-family.h, arch/x86/events/intel/uncore.c and
 * arch/x86/kernel/cpu/amd.c; intel/perfmon mapfile.csv.
 */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "uarch/uarch.h"

#define INTEL(m, n, t) { "GenuineIntel", 6, m, m, n, t, NULL }
#define INTEL_TABLE(m, n, t, u) { "GenuineIntel", 6, m, m, n, t, u }
#define INTEL_RANGE(f, m1, m2, n, t) { "GenuineIntel", f, m1, m2, n, t, NULL }
#define AMD(f, m1, m2, n, t) { "AuthenticAMD", f, m1, m2, n, t, NULL }

const struct um_model um_models[] = {
	/* The uncore as one PMU without boxes: the only ones with a table so far. */
	INTEL_TABLE(0x1a, "nehalem", "Nehalem-EP (Xeon 5500), Bloomfield", &um_uarch_nehalem),
	INTEL_TABLE(0x1e, "nehalem", "Nehalem (Xeon 3400), Lynnfield, Clarksfield, Jasper Forest",
		    &um_uarch_nehalem),
	INTEL_TABLE(0x1f, "nehalem", "Nehalem, Auburndale, Havendale", &um_uarch_nehalem),
	INTEL_TABLE(0x25, "westmere", "Westmere, Clarkdale, Arrandale", &um_uarch_westmere),
	INTEL_TABLE(0x2c, "westmere", "Westmere-EP (Xeon 5600), Gulftown", &um_uarch_westmere),

	/* Boxes at C00 and up. libpfm4 puts 2F beside 2C: wrong, its uncore is that of 2E. */
	INTEL(0x2e, "nehalem-ex", "Nehalem-EX (Xeon 7500), Beckton"),
	INTEL(0x2f, "westmere-ex", "Westmere-EX (Xeon E7)"),

	/* Client parts. */
	INTEL(0x2a, "sandybridge", "Sandy Bridge"),
	INTEL(0x3a, "ivybridge", "Ivy Bridge"),
	INTEL(0x3c, "haswell", "Haswell"),
	INTEL(0x45, "haswell", "Haswell (ULT)"),
	INTEL(0x46, "haswell", "Haswell (GT3e)"),
	INTEL(0x3d, "broadwell", "Broadwell"),
	INTEL(0x47, "broadwell", "Broadwell (GT3e)"),
	INTEL(0x4e, "skylake", "Skylake (mobile)"),
	INTEL(0x5e, "skylake", "Skylake"),
	INTEL(0x8e, "kabylake", "Kaby Lake, Amber Lake, Whiskey Lake (mobile)"),
	INTEL(0x9e, "kabylake", "Kaby Lake, Coffee Lake"),
	INTEL(0xa5, "cometlake", "Comet Lake"),
	INTEL(0xa6, "cometlake", "Comet Lake (mobile)"),
	INTEL(0x66, "cannonlake", "Cannon Lake"),
	INTEL(0x7d, "icelake", "Ice Lake"),
	INTEL(0x7e, "icelake", "Ice Lake (mobile)"),
	INTEL(0x9d, "icelake", "Ice Lake (neural network processor)"),
	INTEL(0x8a, "lakefield", "Lakefield"),
	INTEL(0x8c, "tigerlake", "Tiger Lake (mobile)"),
	INTEL(0x8d, "tigerlake", "Tiger Lake"),
	INTEL(0xa7, "rocketlake", "Rocket Lake"),
	INTEL(0x97, "alderlake", "Alder Lake"),
	INTEL(0x9a, "alderlake", "Alder Lake (mobile)"),
	INTEL(0xbe, "alderlake", "Alder Lake-N, Twin Lake"),
	INTEL(0xb7, "raptorlake", "Raptor Lake"),
	INTEL(0xba, "raptorlake", "Raptor Lake (mobile)"),
	INTEL(0xbf, "raptorlake", "Raptor Lake-S"),
	INTEL(0xd7, "bartlettlake", "Bartlett Lake"),
	INTEL(0xaa, "meteorlake", "Meteor Lake (mobile)"),
	INTEL(0xac, "meteorlake", "Meteor Lake"),
	INTEL(0xc6, "arrowlake", "Arrow Lake-S"),
	INTEL(0xc5, "arrowlake", "Arrow Lake-H"),
	INTEL(0xb5, "arrowlake", "Arrow Lake-U"),
	INTEL(0xbd, "lunarlake", "Lunar Lake"),
	INTEL(0xcc, "pantherlake", "Panther Lake"),
	INTEL(0xd5, "wildcatlake", "Wildcat Lake"),
	INTEL_RANGE(18, 0x01, 0x01, "novalake", "Nova Lake"),
	INTEL_RANGE(18, 0x03, 0x03, "novalake", "Nova Lake (mobile)"),

	/* Servers with boxes. */
	INTEL(0x2d, "sandybridge-ep", "Sandy Bridge-EP, EN (Xeon E5)"),
	INTEL(0x3e, "ivybridge-ep", "Ivy Bridge-EP, EN, EX (Xeon E5 v2, E7 v2)"),
	INTEL(0x3f, "haswell-ep", "Haswell-EP, EX (Xeon E5 v3, E7 v3)"),
	INTEL(0x4f, "broadwell-ep", "Broadwell-EP, EX (Xeon E5 v4, E7 v4)"),
	INTEL(0x56, "broadwell-de", "Broadwell-DE (Xeon D-1500)"),
	INTEL(0x57, "knightslanding", "Knights Landing (Xeon Phi 7200)"),
	INTEL(0x85, "knightsmill", "Knights Mill (Xeon Phi 7200)"),
	INTEL(0x55, "skylake-sp", "Skylake-SP, Cascade Lake-SP, Cooper Lake (Xeon Scalable)"),
	INTEL(0x86, "snowridge", "Snow Ridge (Atom P5900)"),
	INTEL(0x6a, "icelake-sp", "Ice Lake-SP (Xeon Scalable, third generation)"),
	INTEL(0x6c, "icelake-d", "Ice Lake-D (Xeon D-1700, D-2700)"),
	INTEL(0x8f, "sapphirerapids", "Sapphire Rapids"),
	INTEL(0xcf, "emeraldrapids", "Emerald Rapids"),
	INTEL(0xad, "graniterapids", "Granite Rapids"),
	INTEL(0xae, "graniterapids", "Granite Rapids-D"),
	INTEL(0xaf, "sierraforest", "Sierra Forest"),
	INTEL(0xb6, "grandridge", "Grand Ridge"),
	INTEL(0xdd, "clearwaterforest", "Clearwater Forest"),
	INTEL_RANGE(19, 0x01, 0x01, "diamondrapids", "Diamond Rapids"),

	/* Small cores, and everything before Nehalem: no uncore counters behind MSRs. */
	INTEL(0x1c, "bonnell", "Bonnell (Atom)"),
	INTEL(0x26, "bonnell", "Bonnell (Atom), Lincroft"),
	INTEL(0x27, "saltwell", "Saltwell (Atom), Penwell"),
	INTEL(0x35, "saltwell", "Saltwell (Atom), Cloverview"),
	INTEL(0x36, "saltwell", "Saltwell (Atom), Cedarview"),
	INTEL(0x37, "silvermont", "Silvermont (Atom), Bay Trail"),
	INTEL(0x4a, "silvermont", "Silvermont (Atom), Merrifield"),
	INTEL(0x4d, "silvermont", "Silvermont (Atom), Avoton"),
	INTEL(0x5a, "silvermont", "Silvermont (Atom), Moorefield"),
	INTEL(0x5d, "silvermont", "Silvermont (Atom), SoFIA"),
	INTEL(0x4c, "airmont", "Airmont (Atom), Cherry Trail, Braswell"),
	INTEL(0x75, "airmont", "Airmont (Atom), Lightning Mountain"),
	INTEL(0x5c, "goldmont", "Goldmont (Atom), Apollo Lake"),
	INTEL(0x5f, "goldmont", "Goldmont (Atom), Denverton"),
	INTEL(0x7a, "goldmont-plus", "Goldmont Plus (Atom), Gemini Lake"),
	INTEL(0x96, "tremont", "Tremont (Atom), Elkhart Lake"),
	INTEL(0x9c, "tremont", "Tremont (Atom), Jasper Lake"),
	INTEL_RANGE(6, 0x01, 0x01, "p6", "Pentium Pro"),
	INTEL_RANGE(6, 0x03, 0x08, "p6", "Pentium II, Pentium III"),
	INTEL_RANGE(6, 0x0a, 0x0b, "p6", "Pentium III"),
	INTEL(0x09, "pentium-m", "Pentium M, Banias"),
	INTEL(0x0d, "pentium-m", "Pentium M, Dothan"),
	INTEL(0x15, "pentium-m", "Pentium M, Tolapai"),
	INTEL(0x0e, "yonah", "Core Duo, Core Solo (Yonah)"),
	INTEL(0x0f, "core2", "Core 2, 65 nm (Merom, Conroe, Woodcrest)"),
	INTEL(0x16, "core2", "Core 2, 65 nm (Merom-L)"),
	INTEL(0x17, "core2", "Core 2, 45 nm (Penryn, Wolfdale, Harpertown)"),
	INTEL(0x1d, "core2", "Core 2, 45 nm (Dunnington)"),
	INTEL_RANGE(15, 0x00, 0xff, "pentium4", "Pentium 4, Pentium D, Xeon (NetBurst)"),

	/* AMD and its relatives: other registers altogether (C0010230 and up). */
	AMD(0x0f, 0x00, 0xff, "k8", "K8 (Athlon 64, Opteron)"),
	AMD(0x10, 0x00, 0xff, "k10", "K10 (Phenom, Opteron)"),
	AMD(0x11, 0x00, 0xff, "griffin", "Griffin (Turion)"),
	AMD(0x12, 0x00, 0xff, "llano", "Llano"),
	AMD(0x14, 0x00, 0xff, "bobcat", "Bobcat"),
	AMD(0x15, 0x00, 0xff, "bulldozer", "Bulldozer, Piledriver, Steamroller, Excavator"),
	AMD(0x16, 0x00, 0xff, "jaguar", "Jaguar, Puma"),
	AMD(0x17, 0x00, 0x2f, "zen", "Zen, Zen+"),
	AMD(0x17, 0x30, 0x4f, "zen2", "Zen 2"),
	AMD(0x17, 0x50, 0x5f, "zen", "Zen"),
	AMD(0x17, 0x60, 0xff, "zen2", "Zen 2"),
	AMD(0x19, 0x00, 0x0f, "zen3", "Zen 3"),
	AMD(0x19, 0x10, 0x1f, "zen4", "Zen 4"),
	AMD(0x19, 0x20, 0x5f, "zen3", "Zen 3"),
	AMD(0x19, 0x60, 0xaf, "zen4", "Zen 4"),
	AMD(0x1a, 0x00, 0x2f, "zen5", "Zen 5"),
	AMD(0x1a, 0x40, 0x4f, "zen5", "Zen 5"),
	AMD(0x1a, 0x60, 0x7f, "zen5", "Zen 5"),
	{ "HygonGenuine", 0x18, 0x00, 0xff, "dhyana", "Hygon Dhyana", NULL },
	{ "CentaurHauls", 7, 0x00, 0xff, "zhaoxin", "Zhaoxin (Centaur)", NULL },
	{ "  Shanghai  ", 7, 0x00, 0xff, "zhaoxin", "Zhaoxin", NULL },
};

const size_t um_num_models = ARRAY_SIZE(um_models);

const struct um_model *um_model_find(const char *vendor, int family, int model)
{
	for (size_t i = 0; i < um_num_models; i++) {
		const struct um_model *m = &um_models[i];

		if (family == m->family && model >= m->model_first && model <= m->model_last &&
		    strcmp(vendor, m->vendor) == 0)
			return m;
	}
	return NULL;
}

const struct um_uarch *um_uarch_find(const char *name)
{
	for (size_t i = 0; i < um_num_models; i++)
		if (um_models[i].uarch && strcmp(um_models[i].name, name) == 0)
			return um_models[i].uarch;
	return NULL;
}

const struct um_reg *um_reg_find(const struct um_uarch *u, uint32_t msr, unsigned *index)
{
	for (size_t i = 0; i < u->num_regs; i++) {
		const struct um_reg *reg = &u->regs[i];

		if (msr < reg->msr || msr - reg->msr >= reg->count)
			continue;
		if (index)
			*index = msr - reg->msr;
		return reg;
	}
	return NULL;
}

/* A name in the tables is printf-like at one place only: "%u" stands for the index. */
static int format_name(const char *name, unsigned index, char *buf, size_t size)
{
	const char *mark = strstr(name, "%u");

	if (!mark)
		return snprintf(buf, size, "%s", name);
	return snprintf(buf, size, "%.*s%u%s", (int)(mark - name), name, index, mark + 2);
}

const char *um_reg_format(const struct um_uarch *u, uint32_t msr, char *buf, size_t size)
{
	unsigned index;
	const struct um_reg *reg = u ? um_reg_find(u, msr, &index) : NULL;
	int len;

	if (!reg) {
		snprintf(buf, size, "MSR 0x%x", msr);
		return buf;
	}
	len = format_name(reg->name, index, buf, size);
	if (len >= 0 && (size_t)len < size)
		snprintf(buf + len, size - (size_t)len, " (0x%x)", msr);
	return buf;
}
