# SPDX-License-Identifier: LGPL-2.1-or-later
# Knobs: PREFIX DESTDIR CFLAGS LDFLAGS CC, V=1 (show commands), O=DIR (build elsewhere),
# SAN=1 (address and undefined-behaviour sanitizers), SIM=no (no simulated machines, no uncore-sim),
# FUSE=no (uncore-sim without mount), JSON=no (library without JSON event lists), FDT=no (library
# without flat device trees), DW=no (uncore-report without names from ELF files).
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/libuncoremsr
# With PREFIX=/usr this is where net-snmp's programs search for MIBs.
MIBDIR ?= $(PREFIX)/share/snmp/mibs
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
UNITDIR ?= $(PREFIX)/lib/systemd/system
# Not configurable: uncore-agent finds its output programs relative to its own folder.
LIBEXECDIR := $(abspath $(BINDIR)/..)/libexec/uncoremsr
CC ?= cc
PKG_CONFIG ?= pkg-config
O ?= build
SIM ?= yes

# The version is defined once, in the public header.
VERSION := $(shell sed -nE "s/^.define UNCOREMSR_VERSION_(MAJOR|MINOR|PATCH) //p" include/uncoremsr.h | paste -sd .)
SOVERSION := 0

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
# Tests with sanitizers spend more time on compiling than on running, so do not optimise.
CFLAGS ?= $(if $(filter 1,$(SAN)),-O0 -g1,-O2 -g)
# A memory error must end the program instead of being exploitable. The user's flags come later, so they win.
HARDEN_CFLAGS := -fstack-protector-strong
HARDEN_LDFLAGS := -Wl,-z,relro
# _FORTIFY_SOURCE has no effect without optimisation, and hides errors from sanitizers. If the compiler or the user has
# already defined a level, keep it.
PREDEFINED := $(if $(findstring -fsanitize,$(CFLAGS))$(filter 1,$(SAN)),,$(shell $(CC) $(CFLAGS) -dM -E -xc /dev/null 2>/dev/null | \
	sed -nE 's/^.define (__OPTIMIZE__|_FORTIFY_SOURCE) .*/\1/p'))
ifeq ($(PREDEFINED),__OPTIMIZE__)
HARDEN_CFLAGS += -D_FORTIFY_SOURCE=2
endif
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -Iinclude $(WARN) -DUM_VERSION='"$(VERSION)"' \
  -fvisibility=hidden -fPIC -MMD -MP $(HARDEN_CFLAGS) $(CFLAGS)
ALL_LDFLAGS := $(HARDEN_LDFLAGS) $(LDFLAGS)
PROGRAM_LDFLAGS = -pie -Wl,-z,now $(ALL_LDFLAGS)
ifeq ($(SAN),1)
# Undefined behaviour ends a program by SIGILL; with ASAN_OPTIONS=handle_sigill=1 the program prints a stack trace. Code
# that prints messages about undefined behaviour would make programs three times as large, and three times as slow to
# start.
ALL_CFLAGS += -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer
# The fuzzers (tests/fuzz) are linked with the same objects and need a function call in each basic block.
COVERAGE := -fsanitize-coverage=trace-pc,trace-cmp
ALL_CFLAGS += $(COVERAGE)
NO_COVERAGE := $(O)/obj/tests/tools/no_coverage.o
ALL_LDFLAGS += -fsanitize=address $(NO_COVERAGE)
$(NO_COVERAGE) $(O)/obj/tests/fuzz/main.o: private ALL_CFLAGS := $(filter-out $(COVERAGE),$(ALL_CFLAGS))
endif

comma := ,
# $(call has,PACKAGE,HEADER,EXPRESSION,LIBS): yes if $(CC) can link a program that uses the library. pkg-config is not
# enough: it knows this machine's libraries, not those of a cross compiler. Without PACKAGE, pkg-config is not called.
# -fsanitize flags are left out, because some of them need functions that only the final program has.
has = $(shell flags='$(4)'; [ -z '$(1)' ] || flags="$$($(PKG_CONFIG) --cflags --libs $(1) 2>/dev/null) $$flags" && \
	echo 'int main(void) { return $(3); }' | $(CC) $(filter-out -fsanitize%,$(CFLAGS)) $(LDFLAGS) -DFUSE_USE_VERSION=31 -include $(2) -xc - \
	-o /dev/null $$flags 2>/dev/null && echo yes || echo no)

# elfutils is used by uncore-report only; the library never links it.
ifndef DW
DW := $(call has,libdw zlib,elfutils/libdwfl.h -include zlib.h,!dwfl_begin(0) || !zlibVersion(),-lelf)
endif
ifndef HTTP
HTTP := $(call has,libmicrohttpd,microhttpd.h,!MHD_get_version(),)
endif
# net-snmp is linked only into the agent's program for SNMP.
ifndef SNMP
SNMP := $(call has,netsnmp-agent,net-snmp/net-snmp-config.h,0,-lnetsnmpagent -lnetsnmp)
endif
ifndef FUSE
FUSE := $(call has,fuse3,fuse.h,fuse_version(),)
endif

# pkg-config names of the packages that the library is linked with.
PKG := jansson zlib
ifndef JSON
JSON := $(call has,$(PKG),jansson.h,!json_null())
endif

# Separate libraries, which only a few programs need: the simulator and sampling.
EXTRA := $(if $(filter-out no,$(SIM)),sim) sampling
LIB_SRC := $(filter-out lib/sim/% lib/sampling/%,$(wildcard lib/*/*.c))
ifeq ($(JSON),no)
PKG :=
LIB_SRC := $(filter-out lib/names/json_list_%.c lib/metrics/json_metrics%.c,$(LIB_SRC))
else
LIB_SRC := $(filter-out lib/%/json_disabled.c,$(LIB_SRC))
ALL_CFLAGS += $(shell $(PKG_CONFIG) --cflags $(PKG))
PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKG))
endif
# On some systems libfdt has no pkg-config file.
ifndef FDT
FDT := $(call has,,libfdt.h,fdt_check_full(0,0),-lfdt)
endif
ifeq ($(FDT),no)
LIB_SRC := $(filter-out lib/imc/tree_flat.c lib/imc/tree_parse.c lib/imc/tree_parse_load.c,$(LIB_SRC))
else
LIB_SRC := $(filter-out lib/imc/tree_parse_disabled.c,$(LIB_SRC))
PRIVATE_LIBS := -lfdt
PKG_LIBS += $(PRIVATE_LIBS)
endif
LIB_OBJ := $(LIB_SRC:%.c=$(O)/obj/%.o) $(O)/obj/lib/names/tables.o $(O)/obj/lib/metrics/tables.o
OBJ_sim := $(patsubst %.c,$(O)/obj/%.o,$(wildcard lib/sim/*.c)) $(O)/obj/lib/sim/texts.o
OBJ_sampling := $(patsubst %.c,$(O)/obj/%.o,$(wildcard lib/sampling/*.c))
# Code that needs other libraries (libjansson, libfdt) is in libuncoremsr-lists.so. libuncoremsr.so loads it only to
# read JSON files or device trees, and libuncoremsr-sim.so only for a simulated machine. libuncoremsr.a contains the
# code of libuncoremsr-lists.so; static programs are linked with libuncoremsr-sim.a.
OBJ_lists := $(filter %/tree_flat.o %/tree_parse.o %/json_metrics.o $(O)/obj/lib/names/json_list_%.o,$(LIB_OBJ))
LIBS_lists := $(PKG_LIBS)
LISTS := $(if $(OBJ_lists),lists)
$(OBJ_lists): private ALL_CFLAGS += -DUM_OUTSIDE
$(filter %_load.o %/library.o,$(LIB_OBJ)): private ALL_CFLAGS += -DUM_SOVERSION='"$(SOVERSION)"'
A_OBJ := $(filter-out %_load.o,$(LIB_OBJ)) $(NO_COVERAGE)
SO_OBJ := $(filter-out %_linked.o $(OBJ_lists),$(LIB_OBJ))

# Each folder of tools/ except common is one tool: tools/read/*.c become uncore-read.
TOOLS := $(patsubst tools/%/main.c,uncore-%,$(wildcard tools/*/main.c))
# The agent's HTTP server needs libmicrohttpd; without it the agent is not built.
ifeq ($(HTTP),no)
TOOLS := $(filter-out uncore-agent,$(TOOLS))
endif
ifeq ($(SIM),no)
TOOLS := $(filter-out uncore-sim,$(TOOLS))
endif
TOOL_BIN := $(TOOLS:%=$(O)/bin/%)
MOUNT_SRC := tools/sim/mount.c tools/sim/dev.c tools/sim/fs.c tools/sim/run.c tools/sim/leftovers.c
TOOL_SRC := $(wildcard tools/*/*.c)
ifeq ($(HTTP),no)
TOOL_SRC := $(filter-out tools/agent/%,$(TOOL_SRC))
endif
ifneq ($(FUSE),yes)
TOOL_SRC := $(filter-out $(MOUNT_SRC),$(TOOL_SRC))
endif
ifeq ($(DW),no)
TOOL_SRC := $(filter-out tools/report/elf_dwfl.c tools/report/jump_table.c,$(TOOL_SRC))
else
TOOL_SRC := $(filter-out tools/report/elf_disabled.c,$(TOOL_SRC))
endif

# Programs that uncore-agent runs for its outputs, as another user. Each is linked with the library of its protocol,
# but not with libuncoremsr.
PROGRAMS := $(if $(filter uncore-agent,$(TOOLS)),http collectd $(if $(filter-out no,$(SNMP)),snmp))
PROGRAM_SRC := $(addprefix tools/agent/,program_main.c program.c http.c collectd.c totals.c snmp.c row_numbers.c)
ifeq ($(SNMP),no)
TOOL_SRC := $(filter-out tools/agent/snmp.c tools/agent/row_numbers.c,$(TOOL_SRC))
endif
PROGRAM_BIN := $(PROGRAMS:%=$(O)/libexec/uncoremsr/uncore-agent-%)

TOOL_SHARED_OBJ := $(patsubst %.c,$(O)/obj/%.o,$(filter tools/common/%,$(TOOL_SRC)))
# $(call tool_obj,uncore-read): the objects of the tool's own folder.
tool_obj = $(filter $(O)/obj/tools/$(1:uncore-%=%)/%,$(MADE:=.o)) $(patsubst %.c,$(O)/obj/%.o,$(filter tools/$(1:uncore-%=%)/%,$(filter-out $(PROGRAM_SRC),$(TOOL_SRC))))
SCRIPTS := scripts/uncore-article scripts/uncore-throttle-check
UNITS := uncore-throttle.service $(filter uncore-agent.service,$(TOOLS:%=%.service))

# Code shared by tools goes into an archive, so that each tool links only the objects that it uses.
TOOL_SHARED := $(O)/obj/tools/shared.a

A := $(O)/lib/libuncoremsr.a
SO := $(O)/lib/libuncoremsr.so.$(VERSION)
EXTRA_A := $(EXTRA:%=$(O)/lib/libuncoremsr-%.a)
EXTRA_SO := $(patsubst %,$(O)/lib/libuncoremsr-%.so.$(VERSION),$(EXTRA) $(LISTS))
PC := $(patsubst %,$(O)/lib/%.pc,libuncoremsr $(EXTRA:%=libuncoremsr-%))
# Libraries that a tool links in addition to libuncoremsr.
EXTRA_uncore-sim := sim
EXTRA_uncore-record := sampling
EXTRA_uncore-report := sampling
EXTRA_uncore-imc := sampling

MAN_SRC := $(wildcard docs/man/*.[1-9])

# $(call say,CC,FILE): print what is built, with $(info): starting a shell for each object would double the time of a
# build with cached objects.
ifeq ($(V),1)
Q :=
else
Q := @
say = $(info $(empty)  $(1)    $(2))
endif

.PHONY: all lib tools check check-unit check-san check-ppc kept mutate sweep stress bench lint install uninstall clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: lib tools
# With SIM=no, remove the simulator of an earlier build, because programs would find it.
lib: $(A) $(SO) $(EXTRA_A) $(EXTRA_SO) $(PC)
ifeq ($(SIM),no)
	@rm -f $(O)/lib/libuncoremsr-sim.* $(O)/bin/uncore-sim
endif
tools: $(TOOL_BIN) $(PROGRAM_BIN)
	@rm -f $(filter-out $(PROGRAM_BIN),$(wildcard $(O)/libexec/uncoremsr/*))
ifeq ($(HTTP),no)
	@echo 'uncore-agent is left out: libmicrohttpd is missing (Debian: libmicrohttpd-dev)'
endif

# The tables of events are made from text files with one line per event.
EVENT_TABLES := lib/names/tables.tsv $(filter-out lib/names/tables.tsv,$(wildcard lib/names/*.tsv))
$(O)/obj/lib/names/tables.c: lib/names/tables.awk $(EVENT_TABLES)

# The table of metrics is made from a text file.
$(O)/obj/lib/metrics/tables.c: lib/metrics/tables.awk lib/metrics/metrics.tsv

# Each simulated machine is a text file. uncore-sim lists these machines first, in this order, then all others by name.
SIM_TEXTS := $(patsubst %,lib/sim/machines/%.sim,westmere-2s nehalem-1s westmere-2s-holes sandybridge-1s throttled-hour skylake-sp-perf \
	power9-2s power10-2s generic nehalem-ex-4s ivybridge-ep-2s haswell-ep-2s broadwell-ep-2s knights-landing-1s skylake-sp-2s \
	cascadelake-ap-1s icelake-sp-2s sapphire-rapids-2s granite-rapids-2s alderlake-hybrid meteorlake zen-1s naples-1s genoa-1s)
SIM_TEXTS += $(filter-out $(SIM_TEXTS),$(sort $(wildcard lib/sim/machines/*.sim lib/sim/parts/*.sim)))
$(O)/obj/lib/sim/texts.c: lib/sim/texts.awk $(SIM_TEXTS)

# The script that uncore-doctor --grant prints is made from a text file.
$(O)/obj/tools/doctor/grant_text.c: tools/doctor/grant.awk tools/doctor/grant.text

# The glossary of uncore-events is made from a text file: bits and units that its tables do not explain.
$(O)/obj/tools/events/glossary_text.c: tools/events/glossary.awk tools/events/glossary.tsv

# An awk program makes each C file of MADE. The first prerequisite in the rules above is this program; the others are
# the text files that it reads.
MADE := $(addprefix $(O)/obj/,lib/names/tables lib/metrics/tables lib/sim/texts tools/doctor/grant_text tools/events/glossary_text)
$(MADE:=.c): $(O)/parts
	$(call say,AWK,$@)
	$(Q)awk -f $(filter-out $(O)/parts,$^) >$@.new && mv $@.new $@

$(MADE:=.o): %.o: %.c $(O)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(INC_$(firstword $(subst /, ,$(@:$(O)/obj/%=%)))) -c -o $@ $<

$(O)/obj/%.o: %.c $(O)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(INC_$(firstword $(subst /, ,$<))) $(CFLAGS_$(patsubst tools/%/,%,$(dir $<))) -c -o $@ $<

# Include paths of each top folder, besides include/.
INC_lib := -Ilib
INC_tools := -Itools
INC_tests := -Ilib -Itests
CFLAGS_lib/sim/ := -DUM_OUTSIDE
CFLAGS_lib/sampling/ := -DUM_OUTSIDE
# Optimising the unit tests takes longer than it saves.
ifeq ($(origin CFLAGS),file)
CFLAGS_tests/unit/ := -O0 -U_FORTIFY_SOURCE
endif

# Objects depend on the compiler and its flags ($(O)/flags); libraries and tools also on the other knobs ($(O)/parts).
FLAGS_NOW := $(CC) $(ALL_CFLAGS)
FOLDERS := $(addprefix $(O)/,bin lib libexec/uncoremsr install tests $(addprefix obj/,$(sort $(dir $(wildcard lib/*/*.c tools/*/*.c tests/*/*.c)))))
PARTS_NOW = $(filter-out $(NO_COVERAGE),$(ALL_LDFLAGS)) HTTP=$(HTTP) FUSE=$(FUSE) SIM=$(SIM) JSON=$(JSON) FDT=$(FDT) DW=$(DW) $(CFLAGS_report) SNMP=$(SNMP) $(EVENT_TABLES) $(SIM_TEXTS)
quoted = '$(subst ','\'',$(1))'
$(O)/flags: FORCE
	@mkdir -p $(FOLDERS)
	@printf '%s\n' $(call quoted,$(FLAGS_NOW)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(FLAGS_NOW)) > $@
$(O)/parts: FORCE | $(O)/flags $(NO_COVERAGE)
	@printf '%s\n' $(call quoted,$(PARTS_NOW)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(PARTS_NOW)) > $@
FORCE:

# The objects of these two tools have #ifdefs for fuse3 and libiberty, so they depend on the knobs, too.
$(patsubst %.c,$(O)/obj/%.o,$(filter tools/sim/% tools/report/%,$(TOOL_SRC))): $(O)/parts

$(A): $(A_OBJ) $(O)/parts
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(A_OBJ)

# $(call shared,NAME,OBJECTS AND LIBRARIES): link a shared library. The symbol version of its private symbols contains
# our version number, so that our libraries and tools of different versions cannot be mixed. -Bsymbolic-functions: the
# linker, not the dynamic loader, resolves the library's calls of its own public functions. -z lazy: looking up every
# libc function would take two thirds of the time that loading takes; with LDFLAGS=-Wl,-z,now it is done nevertheless.
define shared
	$(call say,LD,$@)
	$(Q)sed 's/@VERSION@/$(VERSION)/' lib/$(1).map >$(O)/lib/$(1).map
	$(Q)$(CC) -shared -Wl,-z,lazy $(ALL_LDFLAGS) -Wl,-soname,$(1).so.$(SOVERSION) -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,--version-script=$(O)/lib/$(1).map -o $@ $(2)
	$(Q)ln -sf $(notdir $@) $(O)/lib/$(1).so.$(SOVERSION)
	$(Q)ln -sf $(1).so.$(SOVERSION) $(O)/lib/$(1).so
endef

# In old versions of glibc dlopen() is in a separate library.
$(SO): $(SO_OBJ) lib/libuncoremsr.map $(O)/parts
	$(call shared,libuncoremsr,$(SO_OBJ) -ldl)

$(PC): $(O)/lib/%.pc: lib/%.pc.in Makefile FORCE | $(O)/flags
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' -e 's|@REQUIRES@|$(PKG)|' \
	  -e 's|@PRIVATE_LIBS@|$(PRIVATE_LIBS)|' $< > $@

ifeq ($(FUSE),yes)
CFLAGS_sim := -DHAVE_FUSE $(shell $(PKG_CONFIG) --cflags fuse3)
LIBS_uncore-sim := $(shell $(PKG_CONFIG) --libs fuse3)
endif
program_obj = $(patsubst %,$(O)/obj/tools/agent/%.o,program_main program shared $(PARTS_$(1)))
PARTS_http := http
LIBS_http := $(shell $(PKG_CONFIG) --libs libmicrohttpd 2>/dev/null)
PARTS_collectd := collectd totals
PARTS_snmp := snmp row_numbers pmu_table
# Of net-snmp's libraries link only these two. The one with the MIBs of its daemon would need many others.
LIBS_snmp := -lnetsnmpagent -lnetsnmp
ifneq ($(DW),no)
LIBS_uncore-report := $(shell $(PKG_CONFIG) --libs libdw zlib) -lelf
# Without libiberty, names of C++ and Rust are shown mangled.
ifeq ($(call has,,libiberty/demangle.h,cplus_demangle(""$(comma) 0) != 0,-liberty),yes)
CFLAGS_report := -DHAVE_LIBIBERTY
LIBS_uncore-report += -liberty
endif
endif

$(TOOL_SHARED): $(TOOL_SHARED_OBJ) $(O)/parts
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(TOOL_SHARED_OBJ)

# Prerequisites that depend on the name of the target need a second expansion.
.SECONDEXPANSION:

$(EXTRA_A): $(O)/lib/libuncoremsr-%.a: $$(OBJ_$$*) $(O)/parts
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJ_$*)

$(EXTRA_SO): $(O)/lib/libuncoremsr-%.so.$(VERSION): $$(OBJ_$$*) $(SO) lib/libuncoremsr-%.map
	$(call shared,libuncoremsr-$*,$(OBJ_$*) -L$(O)/lib -luncoremsr $(LIBS_$*))

# The shared libraries that a tool is linked with, as files and as options; our own come first.
tool_so = $(SO) $(patsubst %,$(O)/lib/libuncoremsr-%.so.$(VERSION),$(EXTRA_$(1)))
tool_libs = -L$(O)/lib $(patsubst %,-luncoremsr-%,$(EXTRA_$(1))) -luncoremsr $(LIBS_$(1))

# In the build tree, tools search for the library relative to their own folder; installed tools are linked without an
# rpath.
$(O)/bin/%: $$(call tool_obj,$$*) $(TOOL_SHARED) $$(call tool_so,$$*)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -Wl,-rpath,'$$ORIGIN/../lib' -o $@ $(filter %.o,$^) $(TOOL_SHARED) $(call tool_libs,$*)

# uncore-agent finds these programs relative to its own folder, in the build tree and where it is installed.
$(PROGRAM_BIN): $(O)/libexec/uncoremsr/uncore-agent-%: $$(call program_obj,$$*) $(TOOL_SHARED)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $^ $(LIBS_$*)

# ---- installing: the tools are linked again without a library path, everything else is installed as built ----

INSTALL ?= install
INST_BIN := $(TOOLS:%=$(O)/install/%)
INST_LIB := $(foreach l,libuncoremsr $(EXTRA:%=libuncoremsr-%),$(addprefix $(l),.so.$(VERSION) .so.$(SOVERSION) .so .a)) \
	$(if $(LISTS),$(addprefix libuncoremsr-lists.so.,$(VERSION) $(SOVERSION)))
INST_SCRIPTS := $(wildcard $(SCRIPTS))
# Example programs; the comment at the beginning of each says how to build it.
INST_EXAMPLES := $(wildcard docs/*.c)
# Simulated machines, for users who want to copy and change them.
INST_SIM := $(if $(filter-out no,$(SIM)),$(SIM_TEXTS))
INST_PAGES := docs/imc.md docs/imc.zh.md docs/sampling.md
INST_MIBS := $(wildcard docs/monitoring/*-MIB.txt)
INST_MONITORING := $(filter-out $(INST_MIBS),$(wildcard docs/monitoring/*))
# "docs/man/uncore-read.1" goes to "man1/uncore-read.1"
INST_MAN := $(foreach m,$(MAN_SRC),man$(subst .,,$(suffix $m))/$(notdir $m))

$(O)/install/%: $$(call tool_obj,$$*) $(TOOL_SHARED) $$(call tool_so,$$*)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $(filter %.o,$^) $(TOOL_SHARED) $(call tool_libs,$*)

install: all $(INST_BIN)
	$(Q)$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/uncoremsr \
	  $(if $(PROGRAMS),$(DESTDIR)$(LIBEXECDIR)) $(DESTDIR)$(COMPLETIONDIR) $(DESTDIR)$(UNITDIR) $(DESTDIR)$(DOCDIR)/examples/sim $(DESTDIR)$(DOCDIR)/monitoring $(DESTDIR)$(MIBDIR) $(sort $(dir $(INST_MAN:%=$(DESTDIR)$(MANDIR)/%)))
	$(Q)$(INSTALL) -m 755 $(INST_BIN) $(INST_SCRIPTS) $(DESTDIR)$(BINDIR)
	$(if $(PROGRAMS),$(Q)$(INSTALL) -m 755 $(PROGRAM_BIN) $(DESTDIR)$(LIBEXECDIR))
	$(Q)$(INSTALL) -m 644 $(SO) $(A) $(EXTRA_SO) $(EXTRA_A) $(DESTDIR)$(LIBDIR)
	$(Q)cp -P $(addprefix $(O)/lib/,$(filter %.so.$(SOVERSION) %.so,$(INST_LIB))) $(DESTDIR)$(LIBDIR)
	$(Q)$(INSTALL) -m 644 $(PC) $(DESTDIR)$(LIBDIR)/pkgconfig
	$(Q)$(INSTALL) -m 644 include/uncoremsr.h $(DESTDIR)$(INCLUDEDIR)
	$(Q)$(INSTALL) -m 644 include/uncoremsr/*.h $(DESTDIR)$(INCLUDEDIR)/uncoremsr
	$(Q)set -e; for m in $(INST_MAN); do \
	  $(INSTALL) -m 644 docs/man/$${m##*/} $(DESTDIR)$(MANDIR)/$$m; done
	$(Q)$(INSTALL) -m 644 $(INST_EXAMPLES) $(DESTDIR)$(DOCDIR)/examples
	$(if $(INST_SIM),$(Q)$(INSTALL) -m 644 $(INST_SIM) $(DESTDIR)$(DOCDIR)/examples/sim)
	$(Q)$(INSTALL) -m 644 $(INST_PAGES) $(DESTDIR)$(DOCDIR)
	$(Q)$(INSTALL) -m 644 $(INST_MONITORING) $(DESTDIR)$(DOCDIR)/monitoring
	$(Q)sed 's|/usr/share/doc/libuncoremsr|$(DOCDIR)|; s|/usr/bin|$(BINDIR)|' docs/monitoring/collectd.conf > $(O)/collectd.conf
	$(Q)$(INSTALL) -m 644 $(O)/collectd.conf $(DESTDIR)$(DOCDIR)/monitoring
	$(Q)$(INSTALL) -m 644 $(INST_MIBS) $(DESTDIR)$(MIBDIR)
	$(Q)$(INSTALL) -m 644 scripts/completion/uncoremsr.bash $(DESTDIR)$(COMPLETIONDIR)
	$(Q)set -e; for t in $(TOOLS); do ln -sf uncoremsr.bash $(DESTDIR)$(COMPLETIONDIR)/$$t; done
	$(Q)set -e; for u in $(UNITS); do \
	  sed 's|@BINDIR@|$(BINDIR)|' scripts/$$u.in > $(O)/$$u; \
	  $(INSTALL) -m 644 $(O)/$$u $(DESTDIR)$(UNITDIR)/$$u; done
	$(Q)if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then PATH=$$PATH:/sbin:/usr/sbin ldconfig; fi

uninstall:
	$(Q)rm -f $(TOOLS:%=$(DESTDIR)$(BINDIR)/%) $(PROGRAMS:%=$(DESTDIR)$(LIBEXECDIR)/uncore-agent-%) $(INST_SCRIPTS:scripts/%=$(DESTDIR)$(BINDIR)/%) \
	  $(INST_LIB:%=$(DESTDIR)$(LIBDIR)/%) $(PC:$(O)/lib/%=$(DESTDIR)$(LIBDIR)/pkgconfig/%) \
	  $(DESTDIR)$(INCLUDEDIR)/uncoremsr.h $(patsubst include/%,$(DESTDIR)$(INCLUDEDIR)/%,$(wildcard include/uncoremsr/*.h)) $(INST_MAN:%=$(DESTDIR)$(MANDIR)/%) \
	  $(UNITS:%=$(DESTDIR)$(UNITDIR)/%) $(INST_EXAMPLES:docs/%=$(DESTDIR)$(DOCDIR)/examples/%) \
	  $(patsubst %,$(DESTDIR)$(DOCDIR)/examples/sim/%,$(notdir $(INST_SIM))) \
	  $(INST_PAGES:docs/%=$(DESTDIR)$(DOCDIR)/%) $(INST_MONITORING:docs/%=$(DESTDIR)$(DOCDIR)/%) $(INST_MIBS:docs/monitoring/%=$(DESTDIR)$(MIBDIR)/%) \
	  $(DESTDIR)$(COMPLETIONDIR)/uncoremsr.bash $(TOOLS:%=$(DESTDIR)$(COMPLETIONDIR)/%)

# ---- tests ----

# The unit tests are linked with the static libraries, because they also use internal functions.
LINKED = -Wl,-u,um_simulator $(EXTRA_A) $(A)
UNIT := $(O)/tests/unit
FACTS_SRC := $(wildcard tests/unit/facts_*.c)
# UNIT_ONLY="ring events": build a program with only these suites.
UNIT_SRC := $(if $(UNIT_ONLY),tests/unit/main.c tests/unit/helpers.c tests/unit/encoded.c tests/unit/steps.c tests/unit/session_steps.c $(UNIT_ONLY:%=tests/unit/test_%.c),$(filter-out $(FACTS_SRC),$(wildcard tests/unit/*.c)))
UNIT_OBJ := $(UNIT_SRC:%.c=$(O)/obj/%.o)
# facts_check compares our tables with those of other projects; tests/tools/names.bats runs it.
FACTS_CHECK := $(O)/tests/facts_check
# ofd_lock locks files for tests/tools/uncore-sim.bats and others; it needs no library.
OFD_LOCK := $(O)/tests/ofd_lock

# private: without it make would also use these flags for prerequisites of these objects, such as $(O)/flags.
$(UNIT_OBJ): private ALL_CFLAGS += $(shell $(PKG_CONFIG) --cflags check 2>/dev/null) -O0 -g1 -U_FORTIFY_SOURCE \
	$(if $(UNIT_ONLY),'-DSUITES(X)=$(foreach s,$(UNIT_ONLY),X($(s)))')

# main.c has the list of suites, so it is compiled again when UNIT_ONLY changes.
$(O)/suites: FORCE | $(O)/flags
	@printf '%s\n' '$(UNIT_ONLY)' | cmp -s - $@ || printf '%s\n' '$(UNIT_ONLY)' > $@
$(O)/obj/tests/unit/main.o: $(O)/suites

$(UNIT): $(UNIT_OBJ) $(EXTRA_A) $(A)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $(filter %.o,$^) $(LINKED) $(PKG_LIBS) $$($(PKG_CONFIG) --libs check)

$(FACTS_CHECK): $(FACTS_SRC:%.c=$(O)/obj/%.o) $(EXTRA_A) $(A)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $(filter %.o,$^) $(LINKED) $(PKG_LIBS)

# One program, built with SAN=1, contains all fuzzers; the name under which it is started selects one. tests/fuzz/run
# builds it and passes libFuzzer's archive as LIBFUZZER.
FUZZERS := $(O)/fuzz/bin/fuzzers
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
FUZZ_AGENT := conf
ifeq ($(HTTP),no)
FUZZ_SRC := $(filter-out %/http.c %/agent-config.c,$(FUZZ_SRC))
else
FUZZ_AGENT += http program shared options config address outputs snmp_agent_conf pmu_table
FUZZ_LIBS := -lmicrohttpd
endif
FUZZ_OBJ := $(FUZZ_SRC:%.c=$(O)/obj/%.o)
CFLAGS_tests/fuzz/ := -Itools

# The linker replaces libFuzzer's empty __sanitizer_cov_trace_pc() by the function in tests/fuzz/main.c.
$(FUZZERS): $(FUZZ_OBJ) $(FUZZ_AGENT:%=$(O)/obj/tools/agent/%.o) $(TOOL_SHARED) $(EXTRA_A) $(A)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -Wl,--wrap=__sanitizer_cov_trace_pc -o $@ \
	  $(filter %.o,$^) $(TOOL_SHARED) $(LINKED) $(LIBFUZZER) $(PKG_LIBS) $(FUZZ_LIBS) -lstdc++ -lm -pthread

# guard_probe kills processes for tests/tools/guard.bats and tests/stress/run.
GUARD_PROBE := $(O)/tests/guard_probe

# pfm4_check is for tests/tools/witness-libpfm4.bats, and is only built if libpfm4 is installed.
PFM4_CHECK := $(if $(wildcard /usr/include/perfmon/pfmlib.h),$(O)/tests/pfm4_check)

$(O)/tests/pfm4_check: $(O)/obj/tests/tools/pfm4_check.o $(EXTRA_A) $(A)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $(filter %.o,$^) $(LINKED) -lpfm $(PKG_LIBS)

# The programs "words" and "traces" print what tests/kept/run compares with the stored results.
KEPT := $(O)/tests/words $(O)/tests/traces

$(KEPT): $(O)/tests/%: $(O)/obj/tests/kept/%.o $(EXTRA_A) $(A)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $(filter %.o,$^) $(LINKED) $(PKG_LIBS)

# The program "sweep" is for tests/memory/run, and for tests/tools/memory.bats, which runs a sample.
SWEEP := $(O)/tests/sweep
PRESTART := $(O)/obj/tests/prestart/prestart.o $(O)/obj/tests/prestart/serve.o
PRELOAD := $(O)/tests/preload.so

$(SWEEP): $(O)/obj/tests/memory/sweep.o $(PRESTART)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $^

# The program "ask" runs many commands for tests/tools/messages.bats and others.
ASK := $(O)/tests/ask

$(ASK): $(O)/obj/tests/prestart/ask.o $(PRESTART)
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $^

$(PRELOAD): $(O)/obj/tests/prestart/preload.o $(O)/obj/tests/prestart/serve.o $(O)/obj/tests/memory/fail_alloc.o
	$(call say,LD,$@)
	$(Q)$(CC) -shared $(ALL_LDFLAGS) -o $@ $^

$(GUARD_PROBE): $(PRESTART)

$(OFD_LOCK) $(GUARD_PROBE): $(O)/tests/%: $(O)/obj/tests/tools/%.o
	$(call say,LD,$@)
	$(Q)$(CC) $(PROGRAM_LDFLAGS) -o $@ $^

.PHONY: tests
tests: all $(UNIT) $(FACTS_CHECK) $(OFD_LOCK) $(GUARD_PROBE) $(PFM4_CHECK) $(KEPT) $(SWEEP) $(PRELOAD) $(ASK)

# UNIT_SUITES="lease boxes": run only these suites.
check-unit: $(UNIT)
	$(Q)$(UNIT) $(UNIT_SUITES)

check: tests check-unit
	$(Q)BIN=$(abspath $(O)/bin) bats tests/tools

check-san:
	$(Q)ASAN_OPTIONS=handle_sigill=1 $(MAKE) SAN=1 O=build-san check

# Builds the tools for POWER in $(O)/ppc64le/bin and $(O)/ppc64/bin, and tests them.
check-ppc:
	$(Q)O=$(abspath $(O)) WHOLE=1 tests/ppc/run

# Store the present results of the library and tools. Look at the difference before you commit it.
kept: tests
	$(Q)BIN=$(abspath $(O)/bin) tests/kept/run --update $(KEPT_PARTS)

# SEED, MUTANTS, ONLY: see tests/mutate/run.
mutate:
	$(Q)CC='$(CC)' tests/mutate/run

# SWEEP_FLAGS: see tests/memory/run. --repair and --clear need mounted machines, so memory.bats tests them. WALKS: test
# files with many cases each. WHOLE=1 runs all of them; scripts/check runs a sample, which changes from day to day.
WALKS = $(shell grep -lE '(drawn|stride) [0-9]|\{WHOLE' tests/tools/*.bats | sed 's|.*/||; s|\.bats$$||; /^memory$$/d')
sweep: tests
	$(Q)BIN=$(abspath $(O)/bin) tests/memory/run $(SWEEP_FLAGS)
	$(Q)BIN=$(abspath $(O)/bin) WHOLE=1 bats tests/tools/memory.bats -f '^--'
	$(if $(WALKS),$(Q)BIN=$(abspath $(O)/bin) WHOLE=1 bats $(WALKS:%=tests/tools/%.bats))

stress: tests
	$(Q)BIN=$(abspath $(O)/bin) tests/stress/run $(STRESS)

bench: all
	$(Q)BIN=$(abspath $(O)/bin) tests/bench/run

lint:
	$(Q)scripts/lint
	$(Q)O='$(O)' scripts/house

clean:
	$(Q)rm -rf $(O) build-san build-check

help:
	@printf '%s\n' \
	  'Targets:' \
	  '  all        library and tools (default); runnable tools are in build/bin' \
	  '  lib        only the library' \
	  '  tools      the tools, and the library that they need' \
	  '  install    to PREFIX (/usr/local), below DESTDIR if given' \
	  '  uninstall  remove what install put there' \
	  '  tests      build all test programs, and run none' \
	  '  check      unit tests and tool tests; needs check and bats' \
	  '  check-unit unit tests, seconds; UNIT_SUITES="lease boxes" for some' \
	  '  check-san  the same, built with the address and undefined-behaviour sanitizers' \
	  '  check-ppc  build for POWER, both byte orders, and run its tests in qemu; leaves the tools in build/ppc64le/bin' \
	  '             and build/ppc64/bin' \
	  '  lint       shellcheck over the scripts, mandoc over the manual pages; the size of each folder of code' \
	  '  kept       store the present results of library and tools (tests/kept); KEPT_PARTS="words" for some' \
	  '  mutate     make 40 changes to the library, one by one: does a test fail? SEED= MUTANTS= ONLY=' \
	  '  sweep      let each allocation of each tool fail once, then run all cases of long tests (unless WALKS=);' \
	  '             SWEEP_FLAGS="--only=uncore-info"' \
	  '  stress     kill processes at random for STRESS=60s, or 1000 of them' \
	  '  bench      measure the cost of counting; prints a table' \
	  '  clean      remove what was built' \
	  '  help       this list' \
	  'Knobs (NAME=value after make):' \
	  '  PREFIX DESTDIR BINDIR LIBDIR INCLUDEDIR MANDIR DOCDIR COMPLETIONDIR UNITDIR  folders for install' \
	  '  CC CFLAGS LDFLAGS PKG_CONFIG                    compiler, and flags to use in addition to ours' \
	  '  O=DIR     build in DIR instead of build' \
	  '  V=1       show the commands' \
	  '  SAN=1     sanitizers; use it with its own O=DIR' \
	  '  SIM=no    no libuncoremsr-sim (simulated machines) and no uncore-sim' \
	  '  FUSE=no   uncore-sim without mount, and no need for libfuse' \
	  '  JSON=no   library without JSON event lists, and no need for jansson and zlib' \
	  '  FDT=no    library without flat device trees, and no need for libfdt' \
	  '  DW=no     uncore-report without names from ELF files, and no need for elfutils and zlib' \
	  '  SNMP=no   uncore-agent without SNMP, and without net-snmp' \
	  '  HTTP=no   no uncore-agent, and no need for libmicrohttpd' \
	  'scripts/quickstart and scripts/check install what they need; scripts/check runs every test.' \
	  'docs/hacking.md is the page for contributors.'

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(MADE:=.o) $(OBJ_sim) $(OBJ_sampling) $(TOOL_SRC:%.c=$(O)/obj/%.o) $(UNIT_OBJ) $(FACTS_SRC:%.c=$(O)/obj/%.o) $(O)/obj/tests/tools/ofd_lock.o $(O)/obj/tests/tools/guard_probe.o $(O)/obj/tests/tools/pfm4_check.o $(KEPT:$(O)/tests/%=$(O)/obj/tests/kept/%.d) $(O)/obj/tests/memory/sweep.o $(O)/obj/tests/memory/fail_alloc.o $(PRESTART) $(O)/obj/tests/prestart/preload.o $(O)/obj/tests/prestart/ask.o $(FUZZ_OBJ))
