/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of processors, one line each. index.c includes this twice: to declare the tables and to list the models. So
 * a new processor needs only a table file and a line here.
 *
 *   TABLE(family, model, table, "name", "title")         Intel, um_uarch_<table>
 *   TABLES("vendor", family, first, last, table, "name", "title")   several models
 *   NAME(family, model, "name", "title")                 Intel, known by name, refused
 *   NAMES("vendor", family, first, last, "name", "title")
 *
 * Rows of one name have the same table, and the table carries that name.
 *
 * Models: Linux arch/x86/include/asm/intel-family.h, arch/x86/events/intel/uncore.c and
 * arch/x86/kernel/cpu/amd.c; intel/perfmon mapfile.csv.
 */

/* The uncore as one PMU without boxes. */
TABLE(6, 0x1a, nehalem, "nehalem", "Nehalem-EP (Xeon 5500), Bloomfield")
TABLE(6, 0x1e, nehalem, "nehalem",
      "Nehalem (Xeon 3400), Lynnfield, Clarksfield, Jasper Forest")
TABLE(6, 0x1f, nehalem, "nehalem", "Nehalem, Auburndale, Havendale")
TABLE(6, 0x25, westmere, "westmere", "Westmere, Clarkdale, Arrandale")
TABLE(6, 0x2c, westmere, "westmere", "Westmere-EP (Xeon 5600), Gulftown")

/* Boxes at C00 and up. libpfm4 treats 2F like 2C, which is wrong: 2F has the uncore of 2E. */
TABLE(6, 0x2e, nehalem_ex, "nehalem-ex", "Nehalem-EX (Xeon 7500), Beckton")
TABLE(6, 0x2f, westmere_ex, "westmere-ex", "Westmere-EX (Xeon E7)")

/* Client parts. */
TABLE(6, 0x2a, sandybridge, "sandybridge", "Sandy Bridge")
TABLE(6, 0x3a, ivybridge, "ivybridge", "Ivy Bridge")
TABLE(6, 0x3c, haswell, "haswell", "Haswell")
TABLE(6, 0x45, haswell, "haswell", "Haswell (ULT)")
TABLE(6, 0x46, haswell, "haswell", "Haswell (GT3e)")
TABLE(6, 0x3d, broadwell, "broadwell", "Broadwell")
TABLE(6, 0x47, broadwell, "broadwell", "Broadwell (GT3e)")
TABLE(6, 0x4e, skylake, "skylake", "Skylake (mobile)")
TABLE(6, 0x5e, skylake, "skylake", "Skylake")
TABLE(6, 0x8e, kabylake, "kabylake", "Kaby Lake, Amber Lake, Whiskey Lake (mobile)")
TABLE(6, 0x9e, kabylake, "kabylake", "Kaby Lake, Coffee Lake")
TABLE(6, 0xa5, cometlake, "cometlake", "Comet Lake")
TABLE(6, 0xa6, cometlake, "cometlake", "Comet Lake (mobile)")
NAME(6, 0x66, "cannonlake", "Cannon Lake")
TABLE(6, 0x7d, icelake, "icelake", "Ice Lake")
TABLE(6, 0x7e, icelake, "icelake", "Ice Lake (mobile)")
TABLE(6, 0x9d, icelake, "icelake", "Ice Lake (neural network processor)")
NAME(6, 0x8a, "lakefield", "Lakefield")
TABLE(6, 0x8c, tigerlake, "tigerlake", "Tiger Lake (mobile)")
TABLE(6, 0x8d, tigerlake, "tigerlake", "Tiger Lake")
TABLE(6, 0xa7, rocketlake, "rocketlake", "Rocket Lake")
TABLE(6, 0x97, alderlake, "alderlake", "Alder Lake")
TABLE(6, 0x9a, alderlake, "alderlake", "Alder Lake (mobile)")
TABLE(6, 0xbe, alderlake, "alderlake", "Alder Lake-N, Twin Lake")
TABLE(6, 0xb7, raptorlake, "raptorlake", "Raptor Lake")
TABLE(6, 0xba, raptorlake, "raptorlake", "Raptor Lake (mobile)")
TABLE(6, 0xbf, raptorlake, "raptorlake", "Raptor Lake-S")
NAME(6, 0xd7, "bartlettlake", "Bartlett Lake")
TABLE(6, 0xaa, meteorlake, "meteorlake", "Meteor Lake (mobile)")
TABLE(6, 0xac, meteorlake, "meteorlake", "Meteor Lake")
TABLE(6, 0xc6, arrowlake, "arrowlake", "Arrow Lake-S")
TABLE(6, 0xc5, arrowlake, "arrowlake", "Arrow Lake-H")
TABLE(6, 0xb5, arrowlake, "arrowlake", "Arrow Lake-U")
TABLE(6, 0xbd, lunarlake, "lunarlake", "Lunar Lake")
TABLE(6, 0xcc, pantherlake, "pantherlake", "Panther Lake")
TABLE(6, 0xd5, wildcatlake, "wildcatlake", "Wildcat Lake")
TABLE(18, 0x01, novalake, "novalake", "Nova Lake")
TABLE(18, 0x03, novalake, "novalake", "Nova Lake (mobile)")

/* Servers with boxes. */
TABLE(6, 0x2d, sandybridge_ep, "sandybridge-ep", "Sandy Bridge-EP, EN (Xeon E5)")
TABLE(6, 0x3e, ivybridge_ep, "ivybridge-ep", "Ivy Bridge-EP, EN, EX (Xeon E5 v2, E7 v2)")
TABLE(6, 0x3f, haswell_ep, "haswell-ep", "Haswell-EP, EX (Xeon E5 v3, E7 v3)")
TABLE(6, 0x4f, broadwell_ep, "broadwell-ep", "Broadwell-EP, EX (Xeon E5 v4, E7 v4)")
TABLE(6, 0x56, broadwell_de, "broadwell-de", "Broadwell-DE (Xeon D-1500)")
TABLE(6, 0x57, knightslanding, "knightslanding", "Knights Landing (Xeon Phi 7200)")
TABLE(6, 0x85, knightsmill, "knightsmill", "Knights Mill (Xeon Phi 7200)")
TABLE(6, 0x55, skylake_sp, "skylake-sp", "Skylake-SP, Cascade Lake-SP, Cooper Lake (Xeon Scalable)")
TABLE(6, 0x86, snowridge, "snowridge", "Snow Ridge (Atom P5900)")
TABLE(6, 0x6a, icelake_sp, "icelake-sp", "Ice Lake-SP (Xeon Scalable, third generation)")
TABLE(6, 0x6c, icelake_d, "icelake-d", "Ice Lake-D (Xeon D-1700, D-2700)")
TABLE(6, 0x8f, sapphirerapids, "sapphirerapids", "Sapphire Rapids")
TABLE(6, 0xcf, emeraldrapids, "emeraldrapids", "Emerald Rapids")
TABLE(6, 0xad, graniterapids, "graniterapids", "Granite Rapids")
TABLE(6, 0xae, graniterapids, "graniterapids", "Granite Rapids-D")
TABLE(6, 0xaf, sierraforest, "sierraforest", "Sierra Forest")
TABLE(6, 0xb6, grandridge, "grandridge", "Grand Ridge")
TABLE(6, 0xdd, clearwaterforest, "clearwaterforest", "Clearwater Forest")
NAME(19, 0x01, "diamondrapids", "Diamond Rapids")

/* Small Atoms, and everything before Nehalem: they have no uncore counters that MSRs reach. */
NAME(6, 0x1c, "bonnell", "Bonnell (Atom)")
NAME(6, 0x26, "bonnell", "Bonnell (Atom), Lincroft")
NAME(6, 0x27, "saltwell", "Saltwell (Atom), Penwell")
NAME(6, 0x35, "saltwell", "Saltwell (Atom), Cloverview")
NAME(6, 0x36, "saltwell", "Saltwell (Atom), Cedarview")
NAME(6, 0x37, "silvermont", "Silvermont (Atom), Bay Trail")
NAME(6, 0x4a, "silvermont", "Silvermont (Atom), Merrifield")
NAME(6, 0x4d, "silvermont", "Silvermont (Atom), Avoton")
NAME(6, 0x5a, "silvermont", "Silvermont (Atom), Moorefield")
NAME(6, 0x5d, "silvermont", "Silvermont (Atom), SoFIA")
NAME(6, 0x4c, "airmont", "Airmont (Atom), Cherry Trail, Braswell")
NAME(6, 0x75, "airmont", "Airmont (Atom), Lightning Mountain")
NAME(6, 0x5c, "goldmont", "Goldmont (Atom), Apollo Lake")
NAME(6, 0x5f, "goldmont", "Goldmont (Atom), Denverton")
NAME(6, 0x7a, "goldmont-plus", "Goldmont Plus (Atom), Gemini Lake")
NAME(6, 0x96, "tremont", "Tremont (Atom), Elkhart Lake")
NAME(6, 0x9c, "tremont", "Tremont (Atom), Jasper Lake")
NAME(6, 0x01, "p6", "Pentium Pro")
NAMES("GenuineIntel", 6, 0x03, 0x08, "p6", "Pentium II, Pentium III")
NAMES("GenuineIntel", 6, 0x0a, 0x0b, "p6", "Pentium III")
NAME(6, 0x09, "pentium-m", "Pentium M, Banias")
NAME(6, 0x0d, "pentium-m", "Pentium M, Dothan")
NAME(6, 0x15, "pentium-m", "Pentium M, Tolapai")
NAME(6, 0x0e, "yonah", "Core Duo, Core Solo (Yonah)")
NAME(6, 0x0f, "core2", "Core 2, 65 nm (Merom, Conroe, Woodcrest)")
NAME(6, 0x16, "core2", "Core 2, 65 nm (Merom-L)")
NAME(6, 0x17, "core2", "Core 2, 45 nm (Penryn, Wolfdale, Harpertown)")
NAME(6, 0x1d, "core2", "Core 2, 45 nm (Dunnington)")
NAMES("GenuineIntel", 15, 0x00, 0xff, "pentium4", "Pentium 4, Pentium D, Xeon (NetBurst)")

/* AMD and Hygon, with entirely different registers (C0010230 and up). */
NAMES("AuthenticAMD", 0x0f, 0x00, 0xff, "k8", "K8 (Athlon 64, Opteron)")
NAMES("AuthenticAMD", 0x10, 0x00, 0xff, "k10", "K10 (Phenom, Opteron)")
NAMES("AuthenticAMD", 0x11, 0x00, 0xff, "griffin", "Griffin (Turion)")
NAMES("AuthenticAMD", 0x12, 0x00, 0xff, "llano", "Llano")
NAMES("AuthenticAMD", 0x14, 0x00, 0xff, "bobcat", "Bobcat")
TABLES("AuthenticAMD", 0x15, 0x00, 0xff, bulldozer, "bulldozer",
      "Bulldozer, Piledriver, Steamroller, Excavator")
TABLES("AuthenticAMD", 0x16, 0x00, 0xff, jaguar, "jaguar", "Jaguar, Puma")
TABLES("AuthenticAMD", 0x17, 0x00, 0x2f, zen, "zen", "Zen, Zen+")
TABLES("AuthenticAMD", 0x17, 0x30, 0x4f, zen2, "zen2", "Zen 2")
TABLES("AuthenticAMD", 0x17, 0x50, 0x5f, zen, "zen", "Zen")
TABLES("AuthenticAMD", 0x17, 0x60, 0xff, zen2, "zen2", "Zen 2")
TABLES("AuthenticAMD", 0x19, 0x00, 0x0f, zen3, "zen3", "Zen 3")
TABLES("AuthenticAMD", 0x19, 0x10, 0x1f, zen4, "zen4", "Zen 4")
TABLES("AuthenticAMD", 0x19, 0x20, 0x5f, zen3, "zen3", "Zen 3")
TABLES("AuthenticAMD", 0x19, 0x60, 0xaf, zen4, "zen4", "Zen 4")
TABLES("AuthenticAMD", 0x1a, 0x00, 0x2f, zen5, "zen5", "Zen 5")
TABLES("AuthenticAMD", 0x1a, 0x40, 0x4f, zen5, "zen5", "Zen 5")
TABLES("AuthenticAMD", 0x1a, 0x60, 0x7f, zen5, "zen5", "Zen 5")
TABLES("HygonGenuine", 0x18, 0x00, 0xff, dhyana, "dhyana", "Hygon Dhyana")
NAMES("CentaurHauls", 7, 0x00, 0xff, "zhaoxin", "Zhaoxin (Centaur)")
NAMES("  Shanghai  ", 7, 0x00, 0xff, "zhaoxin", "Zhaoxin")
