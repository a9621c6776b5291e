#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The result of make install, as used by a packager and by the author of a program; and builds with fewer features.

# bats file_tags=plain

load common

# build FOLDER [KNOB...]: build in a folder below BATS_FILE_TMPDIR. A new folder begins with a copy of the existing
# objects.
build() {
	if [ ! -e "$BATS_FILE_TMPDIR/$1" ]; then
		mkdir "$BATS_FILE_TMPDIR/$1"
		# Do not copy what is not installed, nor folders that other suites create and remove at the same time.
		tar -c -C "${BIN%/bin}" --exclude=./fuzz --exclude='./ppc64*' --exclude=./vm --exclude=./log --exclude=./tests --exclude=./obj/tests \
			"${copied[@]}" . | tar -x -C "$BATS_FILE_TMPDIR/$1"
	fi
	env -u PKG_CONFIG_PATH -u PKG_CONFIG_SYSROOT_DIR make -s -C "$TOP" -j2 O="$BATS_FILE_TMPDIR/$1" SAN= "${@:2}"
}

setup_file() {
	export D=$BATS_FILE_TMPDIR/root
	build b PREFIX=/usr
	build b PREFIX=/usr DESTDIR="$D" install
}

LIBRARIES=(libuncoremsr libuncoremsr-sim libuncoremsr-sampling)

setup() {
	export PKG_CONFIG_PATH=$D/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$D
	cd "$TOP" || return
}

# installed TOOL ARG...: run the tool from $D; its environment has only LD_LIBRARY_PATH.
installed() {
	env -i LD_LIBRARY_PATH="$D/usr/lib" "$D/usr/bin/$1" "${@:2}"
}

# needed FILE: list the shared libraries that it needs, one per line.
needed() {
	readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | sort
}

@test "make install puts programs, libraries, pages, MIBs, examples and texts below PREFIX, and nothing elsewhere" {
	local tool name page example dir=$D/usr/share/bash-completion/completions
	for tool in uncore-read uncore-info uncore-events uncore-sim uncore-doctor uncore-throttle uncore-imc uncore-record uncore-report uncore-agent; do
		[ -x "$D/usr/bin/$tool" ]
	done
	cmp scripts/uncore-throttle-check "$D/usr/bin/uncore-throttle-check"
	[ -f "$D/usr/include/uncoremsr.h" ]
	for name in "${LIBRARIES[@]}"; do
		[ -f "$D/usr/lib/$name.a" ]
		[ "$(readlink "$D/usr/lib/$name.so")" = "$name.so.0" ]
		[ -f "$D/usr/lib/$(readlink "$D/usr/lib/$name.so.0")" ]
		[ -f "$D/usr/lib/pkgconfig/$name.pc" ]
	done
	[ -f "$D/usr/lib/$(readlink "$D/usr/lib/libuncoremsr-lists.so.0")" ]
	[ "$(ls "$D")" = usr ]
	for page in docs/man/*.[1-9]; do
		name=${page##*/}
		cmp "$page" "$D/usr/share/man/man${name##*.}/$name"
	done
	cmp docs/monitoring/UNCOREMSR-MIB.txt "$D/usr/share/snmp/mibs/UNCOREMSR-MIB.txt"
	cmp docs/monitoring/INTEL-PMU-MIB.txt "$D/usr/share/snmp/mibs/INTEL-PMU-MIB.txt"
	for tool in tools/*/main.c; do
		tool=${tool%/main.c}
		[[ $(<"$dir/uncore-${tool#tools/}") == "$(<scripts/completion/uncoremsr.bash)" ]]
	done
	for example in docs/*.c; do
		cmp "$example" "$D/usr/share/doc/libuncoremsr/examples/${example##*/}"
	done
	for page in sampling.md imc.md imc.zh.md; do
		cmp "docs/$page" "$D/usr/share/doc/libuncoremsr/$page"
	done
}

@test "the systemd units are installed, run the installed tools and are locked down" {
	local unit dir=$D/usr/lib/systemd/system
	grep -qx 'ExecStart=/usr/bin/uncore-throttle -i 10' "$dir/uncore-throttle.service"
	grep -qx 'ExecStart=/usr/bin/uncore-agent --config=/etc/uncore-agent.conf' "$dir/uncore-agent.service"
	for unit in "$dir"/uncore-*.service; do
		grep -qx 'Wants=modprobe@msr.service' "$unit"
		grep -q '^After=modprobe@msr.service ' "$unit"
		run ! grep -q '@' <(grep -vE '@system-service|modprobe@msr' "$unit")
		need systemd-analyze
		# systemd-analyze rates a unit from 0 (locked down) to 10 (no protection); the threshold is in tenths.
		run -0 systemd-analyze security --offline=true --threshold=31 "$unit"
		run systemd-analyze verify --root="$D" "$unit"
		[[ $output != *nknown* ]]
	done
}

@test "names of the installed MIBs become numbers, and back" {
	local snmp=$TOP/build/snmp/root name number
	[ -x "$snmp/usr/bin/snmptranslate" ] || skip "no snmptranslate (tests/daemons snmp)"
	translate() {
		env -i SNMPCONFPATH="$BATS_TEST_TMPDIR" SNMP_PERSISTENT_DIR="$BATS_TEST_TMPDIR" \
			LD_LIBRARY_PATH="$(echo "$snmp"/usr/lib/*-linux-gnu)" "$snmp/usr/bin/snmptranslate" \
			-M "$D/usr/share/snmp/mibs:$TOP/tests/tools/mibs:$snmp/usr/share/snmp/mibs" \
			-m UNCOREMSR-MIB:INTEL-PMU-MIB "$@"
	}
	while read -r name number; do
		run -0 --separate-stderr translate -On "$name"
		[ "$output" = "$number" ]
		run -0 --separate-stderr translate "$number"
		[ "$output" = "$name" ]
	done <<-END
	UNCOREMSR-MIB::uncoremsrSeriesScaled .1.3.6.1.4.1.8072.9999.9999.2010.1.1.1.6
	INTEL-PMU-MIB::pmuEmulationFaults .1.3.6.1.4.1.343.2.10.3.5.1.5.1.1.44
	END
}

@test "installed tools and the plugin run from DESTDIR with LD_LIBRARY_PATH, and machine files can be used" {
	run -0 installed uncore-info --version
	run -0 installed uncore-read --machine=sim:westmere-2s,clock=stepped --event 0x82 --umask 0x1
	[[ $output == *SIMULATED* ]]
	run installed uncore-sim list
	[[ $output == *westmere-2s* ]]
	run -0 env -i PATH=/usr/bin:/bin LD_LIBRARY_PATH="$D/usr/lib" "$D/usr/bin/uncore-throttle-check" \
		-m sim:icelake-sp-2s,clock=stepped,throttle=none
	[[ $output == "THROTTLE OK - "* ]]
	local text dir=$D/usr/share/doc/libuncoremsr/examples/sim
	for text in lib/sim/*/*.sim; do
		cmp "$text" "$dir/${text##*/}"
	done
	run -0 installed uncore-read --machine=sim:"$dir/westmere-2s.sim",clock=stepped,start=0 -e 0x84:0x1 -i 1 -n 1
	[[ $output == *+1600000000* ]]
}

@test "the installed agent finds its programs, and none of them needs our library" {
	local program
	need curl readelf
	[ "$(needed "$D/usr/bin/uncore-agent")" = "$(printf 'libc.so.6\nlibuncoremsr.so.0')" ]
	for program in http collectd snmp; do
		run needed "$D/usr/libexec/uncoremsr/uncore-agent-$program"
		[[ $output == libc.so.6* && $output != *uncoremsr* ]]
	done
	# The agent must also run from a folder that other users cannot enter.
	chmod 700 "$D"
	background env -i LD_LIBRARY_PATH="$D/usr/lib" "$D/usr/bin/uncore-agent" --machine=sim:westmere-2s,clock=stepped \
		-e 0x82:0x1 -i 0.1 --prometheus=unix:"$BATS_TEST_TMPDIR/s"
	wait_until curl -sf --max-time 60 --unix-socket "$BATS_TEST_TMPDIR/s" http://localhost/metrics >"$BATS_TEST_TMPDIR/page"
	grep -qF 'uncoremsr_event_total{' "$BATS_TEST_TMPDIR/page"
	kill -TERM "$pid"
	ends_with 143
	chmod 755 "$D"
}

@test "programs and libraries are hardened, carry no library path of the build, and are fortified if optimised" {
	local file line words wanted fortified=
	need readelf
	! grep -qE -- '-O[1-3sg]' "${BIN%/bin}/flags" || fortified="fortified "
	for file in "$D"/usr/bin/uncore-* "$D"/usr/libexec/uncoremsr/* "$D"/usr/lib/libuncoremsr*.so; do
		read -rn 2 line <"$file" || true
		[ "$line" != '#!' ] || continue
		wanted="${fortified}now position-independent protected relro"
		# The libraries are bound lazily, unless the builder's LDFLAGS want it otherwise.
		[[ $file != *.so ]] || grep -q -- '-z,now' "${BIN%/bin}/parts" || wanted=${wanted/now /}
		words=$(readelf -Whld --dyn-syms "$file" | sed -nE '
			s/^ *Type: +DYN.*/position-independent/p
			s/^ *GNU_RELRO .*/relro/p
			s/.*\(FLAGS_1\).*NOW.*/now/p
			s/.*\((RPATH|RUNPATH)\).*/\1/p
			s/.* __stack_chk_fail.*/protected/p
			s/.* __[a-z]+_chk(@.*)?$/fortified/p' | sort -u)
		echo "$file: $words"
		[ "${words//$'\n'/ }" = "$wanted" ]
	done
}

# level CC CFLAGS: print the level of _FORTIFY_SOURCE with which an object is compiled; there must be no warning.
level() {
	local o=$BATS_TEST_TMPDIR/level object
	object=$o/obj/lib/common/number.o
	rm -f "$object"
	make -s -C "$TOP" O="$o" CC="$1" CFLAGS="$2 -Werror -save-temps=obj -g3 -dD" HTTP=no FUSE=no SNMP=no DW=no JSON=no \
		FDT=no SAN= "$object" >&2
	sed -n 's/^#define _FORTIFY_SOURCE //p' "${object%.o}.i"
}

@test "_FORTIFY_SOURCE is defined exactly once: by us, the compiler or the user" {
	need cc
	[ "$(level cc -O2)" = 2 ]
	[ "$(level 'cc -D_FORTIFY_SOURCE=3' -O2)" = 3 ]
	[ "$(level cc '-O1 -Wp,-D_FORTIFY_SOURCE=1')" = 1 ]
	[ -z "$(level cc -O0)" ]
}

@test "each library has its soname, exports the symbols of its map and of the headers, and needs only known libraries" {
	local name exported mapped declared
	need readelf nm
	for name in "${LIBRARIES[@]}"; do
		run readelf -d "$D/usr/lib/$name.so"
		[[ $output == *"soname: [$name.so.0]"* ]]
		exported=$(nm -D --defined-only "$D/usr/lib/$name.so" | awk '$2 != "A" { print $3 }' | sort)
		mapped=$(sed 's,/\*.*\*/,,' "lib/$name.map" | grep -oE '\b(uncoremsr|um)_[a-z0-9_]+' | sort -u)
		[ -n "$mapped" ]
		diff <(echo "$mapped") <(cut -d@ -f1 <<<"$exported")
		run ! grep -v "@@UNCOREMSR_PRIVATE_$(pkg-config --modversion libuncoremsr)\$" < <(grep '^um_' <<<"$exported")
		run ! grep -E '^uncoremsr_.*PRIVATE' <<<"$exported"
	done
	declared=$(sed -E '/^[[:space:]]*\*|^[[:space:]]*\/\*|^struct [a-z_]+;|^#/d' include/uncoremsr.h include/uncoremsr/*.h |
		grep -oE '\buncoremsr_[a-z0-9_]+\(' | tr -d '(' | sort -u)
	mapped=$(cat lib/*.map | sed 's,/\*.*\*/,,' | grep -oE '\buncoremsr_[a-z0-9_]+' | sort)
	[ -n "$declared" ]
	diff <(echo "$declared") <(echo "$mapped")
	[ "$(needed "$D/usr/lib/libuncoremsr.so")" = libc.so.6 ]
	run needed "$D/usr/lib/libuncoremsr-lists.so.0"
	echo "$output"
	[ "$output" = "$(printf '%s\n' libc.so.6 libfdt.so.1 libjansson.so.4 libuncoremsr.so.0 libz.so.1)" ]
	for name in sim sampling; do
		[ "$(needed "$D/usr/lib/libuncoremsr-$name.so")" = $'libc.so.6\nlibuncoremsr.so.0' ]
	done
}

@test "every header compiles alone, as C and as C++, and pkg-config knows version, header and library" {
	local header dir=$BATS_TEST_TMPDIR
	need cc c++
	for header in uncoremsr.h $(cd include && echo uncoremsr/*.h); do
		cmp "include/$header" "$D/usr/include/$header"
		echo "#include <$header>" | tee "$dir/${header##*/}.c" >"$dir/${header##*/}.cc"
	done
	cc -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only -I"$D/usr/include" "$dir"/*.c
	c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only -I"$D/usr/include" "$dir"/*.cc
	need pkg-config
	run -0 pkg-config --modversion libuncoremsr
	[[ $output =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
	[[ $(installed uncore-info --version) == *"$output"* ]]
	# The version macros of the header agree with pkg-config and with the tools.
	[ "$output" = "$(printf '#include <uncoremsr.h>\nUNCOREMSR_VERSION_MAJOR.UNCOREMSR_VERSION_MINOR.UNCOREMSR_VERSION_PATCH\n' |
		cc -E -P -I"$D/usr/include" - | tail -n 1 | tr -d ' ')" ]
	run pkg-config --variable=libdir libuncoremsr
	[[ $output == */usr/lib ]]
	run pkg-config --libs libuncoremsr
	[[ $output == *-luncoremsr* ]]
}

@test "installed examples build with pkg-config, and count or sample, or say why they cannot" {
	local name library=libuncoremsr run=(env LD_LIBRARY_PATH="$D/usr/lib")
	need cc pkg-config
	for name in example region sampling; do
		[ $name != sampling ] || library=libuncoremsr-sampling
		# Unquoted: pkg-config prints a list of options.
		# shellcheck disable=SC2046
		cc -Wall -Wextra -Werror -o "$BATS_TEST_TMPDIR/$name" "$D/usr/share/doc/libuncoremsr/examples/$name.c" \
			$(pkg-config --cflags --libs $library)
	done
	run -0 "${run[@]}" "$BATS_TEST_TMPDIR/example" sim:westmere-2s,clock=stepped,rate=0x82:0x1=1234
	[ "$output" = $'package 0: 1234\npackage 1: 1234' ]
	run -2 "${run[@]}" "$BATS_TEST_TMPDIR/example" sim:no-such-machine
	[[ ${#lines[@]} = 1 && $output == *no-such-machine* ]]
	run -2 "${run[@]}" "$BATS_TEST_TMPDIR/region" no-such-event
	[[ $output == *no-such-event* ]]
	# Where perf_event_open() is not permitted, the example must say so.
	run "${run[@]}" "$BATS_TEST_TMPDIR/sampling"
	echo "$output"
	[[ $output =~ ^[1-9][0-9]*\ samples,\ [1-9][0-9]*\ of\ them\ at\ 0x[0-9a-f]+$ ]] || [[ $status -ge 3 && $output == *cpu-clock* ]]
	run "${run[@]}" "$BATS_TEST_TMPDIR/region"
	echo "$output"
	[[ ${lines[0]} =~ ^page-faults:u:\ [1-9][0-9]*$ && ${lines[1]} =~ ^task-clock:u:\ [1-9][0-9]*$ ]] ||
		[[ $status -ge 3 && $output == *page-faults* ]]
}

# example FOLDER: build docs/example.c with the header in this folder, and print what it counts.
example() {
	# shellcheck disable=SC2046
	cc -o "$1/example" -I"$1" "$1/example.c" $(pkg-config --cflags --libs libuncoremsr)
	env LD_LIBRARY_PATH="$D/usr/lib" "$1/example" sim:westmere-2s,clock=stepped,rate=0x82:0x1=1234
}

@test "a program built with an older or a newer header prints the same numbers" {
	local older=$BATS_TEST_TMPDIR/older newer=$BATS_TEST_TMPDIR/newer now
	need cc pkg-config
	mkdir "$older" "$newer"
	cp docs/example.c include/uncoremsr.h "$BATS_TEST_TMPDIR"
	now=$(example "$BATS_TEST_TMPDIR")
	[[ $now == *'package 0: 1234'* ]]
	# The older header does not know the last members of two structs.
	cp docs/example.c "$older"
	sed '/uint64_t raw;/,/uint64_t time_ns;/d; /const char \*hint;/d' include/uncoremsr.h >"$older/uncoremsr.h"
	[ "$(diff include/uncoremsr.h "$older/uncoremsr.h" | grep -c '^<')" -eq 9 ]
	[ "$(example "$older")" = "$now" ]
	# The newer header has one more member, which the library does not fill in.
	sed 's/uint64_t time_ns;/& uint64_t later;/' include/uncoremsr.h >"$newer/uncoremsr.h"
	sed 's/if (r->status == UNCOREMSR_OK)/if (UNCOREMSR_HAS(r, time_ns) \&\& !UNCOREMSR_HAS(r, later))/' docs/example.c >"$newer/example.c"
	[ "$(example "$newer")" = "$now" ]
	sed -i 's/!UNCOREMSR_HAS/UNCOREMSR_HAS/' "$newer/example.c"
	[ "$(example "$newer")" != "$now" ]
}

@test "a static program has simulated machines if it is linked with what their pkg-config file names" {
	local name libs static=$BATS_TEST_TMPDIR/lib
	need cc pkg-config
	mkdir "$static"
	cp "$D"/usr/lib/*.a "$static"
	for name in libuncoremsr libuncoremsr-sim; do
		read -r -a libs < <(pkg-config --static --libs "$name")
		cc -o "$BATS_TEST_TMPDIR/example" -I"$D/usr/include" docs/example.c -L"$static" "${libs[@]/#-L*/-L$static}"
		[[ $(needed "$BATS_TEST_TMPDIR/example") != *uncoremsr* ]]
		run env -i "$BATS_TEST_TMPDIR/example" sim:nehalem-1s,clock=stepped,rate=0x82:0x1=7
		echo "$output"
		if [ "$name" = libuncoremsr ]; then
			[ "$status" -eq 3 ]
			[[ $output == *"in libuncoremsr-sim.a, which"* ]]
		else
			[ "$status" -eq 0 ]
			[ "$output" = 'package 0: 7' ]
		fi
	done
}

@test "FUSE=no FDT=no builds without pkg-config, without event lists, and needs libc and our library only" {
	local tool
	need readelf
	local copied=(--exclude=./bin) # not all tools are built
	build small FUSE=no FDT=no PKG_CONFIG=/bin/false
	[ "$(needed "$BATS_FILE_TMPDIR/small/lib/libuncoremsr.so")" = libc.so.6 ]
	for tool in "$BATS_FILE_TMPDIR"/small/bin/uncore-*; do
		run needed "$tool"
		echo "$tool: $output"
		[ "$(grep -v '^libuncoremsr-' <<<"$output")" = "$(printf 'libc.so.6\nlibuncoremsr.so.0')" ]
	done
	run -3 "$BATS_FILE_TMPDIR/small/bin/uncore-sim" mount westmere-2s "$BATS_TEST_TMPDIR"
	[ "${#lines[@]}" -eq 1 ]
	run -3 "$BATS_FILE_TMPDIR/small/bin/uncore-events" encode cycles --event-list=list.json
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *"built without JSON event lists; build the library with libjansson-dev and zlib1g-dev"* ]]
	printf '\xd0\x0d\xfe\xed' >"$BATS_TEST_TMPDIR/c.dtb"
	run -3 "$BATS_FILE_TMPDIR/small/bin/uncore-events" list --event-list="$BATS_TEST_TMPDIR/c.dtb"
	[[ $output == *"built without flat device trees; build the library with libfdt-dev"* ]]
}

@test "SIM=no builds no uncore-sim, and a library that says where to find simulated machines" {
	# Use the folder and the knobs of the earlier small build, so that only what SIM=no affects is rebuilt.
	build small SIM=no FUSE=no FDT=no PKG_CONFIG=/bin/false
	run find "$BATS_FILE_TMPDIR/small" -path '*/lib/libuncoremsr-sim*' -o -path '*/bin/uncore-sim'
	[ -z "$output" ]
	run -3 "$BATS_FILE_TMPDIR/small/bin/uncore-read" --machine=sim:westmere-2s --event 0x82 --umask 0x1
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == *libuncoremsr-sim.so.0* ]]
}

@test "paths in installed files are those of the installation, and uninstall removes every file that install put there" {
	local copy=$BATS_TEST_TMPDIR/copy
	local conf=$copy/opt/doc/monitoring/collectd.conf knobs=(PREFIX=/opt/x DOCDIR=/opt/doc BINDIR=/opt/bin DESTDIR="$copy")
	cmp docs/monitoring/collectd.conf "$D/usr/share/doc/libuncoremsr/monitoring/collectd.conf"
	build b "${knobs[@]}" install
	[ -x "$copy/opt/bin/uncore-read" ]
	grep -qx 'includedir=/opt/x/include' "$copy/opt/x/lib/pkgconfig/libuncoremsr.pc"
	grep -q '"/usr/share/collectd/types.db" "/opt/doc/monitoring/uncoremsr-types.db"' "$conf"
	grep -q '"/opt/bin/uncore-agent"' "$conf"
	build b "${knobs[@]}" uninstall
	run -0 find "$copy" ! -type d
	[ -z "$output" ]
}

@test "make help names every target and every knob" {
	local word words
	run -0 make -s help
	read -rd '' -a words < <(sed -n 's/^\.PHONY: *//p' Makefile) || true
	[ "${#words[@]}" -gt 10 ]
	for word in "${words[@]}"; do
		[[ $word == FORCE || $output =~ (^|$'\n')"  "([a-z-]+ )?"$word"(' '|$|$'\n') ]] || { echo "no $word"; return 1; }
	done
	for word in PREFIX DESTDIR CC CFLAGS LDFLAGS O= V=1 SAN=1 SIM=no FUSE=no JSON=no; do
		[[ $output == *"$word"* ]] || { echo "no $word"; return 1; }
	done
}
