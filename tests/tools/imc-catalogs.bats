#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Catalogs of POWER's in-memory counters as event lists: flat, as text, as folders.
# Rows of commands are strings of several lines.
# shellcheck disable=SC1078,SC1079

load common
load answers

CORPUS=$TOP/../shared/corpus/imc
SMALL=$TOP/tests/fixtures/imc/small.dts

setup() {
	need jq dtc
	cd "$BATS_TEST_TMPDIR" || return
	dtc -q -I dts -O dtb -o small.dtb "$SMALL" || return
	sed '/moon@0/d; /bare@0/d' "$SMALL" | dtc -q -I dts -O dtb -o clean.dtb - || return
}

# rows FILE: print PMU, name, offset, scale, unit, whether there is a description, node and level of each event; "-" for
# none.
rows() {
	uncore-events list --format=json --event-list="$1" 2>/dev/null | jq -r '[.pmu, .name, .offset,
		.scale // "-", .measure // "-", if (.description // "") != "" then 1 else 0 end, .node, .level] | @tsv' | sort
}

# node FOLDER PROPERTY VALUE...: make a node of a device tree as a folder; VALUE is text or =HEX.
node() {
	local dir=$1
	mkdir -p "$dir"
	shift
	while [ $# -gt 1 ]; do
		case $2 in
		=*) printf '%b' "$(sed 's/../\\x&/g' <<<"${2#=}")" >"$dir/$1" ;;
		*) printf '%s\0' "$2" >"$dir/$1" ;;
		esac
		shift 2
	done
}

@test "every rule of inheritance holds in a flat tree and in its source" {
	need_flat
	cat >expected <<-'END'
	core_imc	CPM_BUSY	0x28	512	-	1	core@18	core
	nest_lane0_imc	PM_LANE0_BEATS	0x50	256	KiB	1	lane0@40	nest
	nest_lane0_imc	PM_LANE0_READS	0x40	256	MiB	1	lane0@40	nest
	nest_lane0_imc	PM_LANE0_WRAPS	0x30	256	MiB	0	lane0@40	nest
	nest_lane0_imc	PM_LANE0_WRITES	0x48	0.5		0	lane0@40	nest
	nest_lane0_imc	PM_LANE1_BEATS	0x90	-	KiB	1	lane0@80	nest
	nest_lane0_imc	PM_LANE1_READS	0x80	-	-	1	lane0@80	nest
	nest_lane0_imc	PM_LANE1_WRAPS	0x70	-	-	0	lane0@80	nest
	nest_lane0_imc	PM_LANE1_WRITES	0x88	0.5		0	lane0@80	nest
	thread_imc	CPM_BUSY	0x28	-	-	1	thread@18	thread
	trace_imc	trace_cycles	0x10200000	-	-	1	trace@0	trace
	END
	rows small.dtb >flat
	diff <(sort expected) flat
	rows "$SMALL" >source
	diff flat source
}

@test "a unit of an unknown type, or without a size, is reported once and left out" {
	need_flat
	run -0 --separate-stderr uncore-events list --event-list=small.dtb
	[ "$(grep -c 'unit moon@0 is left out: unknown type 0x20' <<<"$stderr")" = 1 ]
	[ "$(grep -c 'unit bare@0 is left out: no property size' <<<"$stderr")" = 1 ]
	[[ $output != *X_* && $output != *Y_* ]]
	[[ $output == *"nest_lane0_imc/PM_LANE0_READS/"*"[Kernel PMU event] nest   x 256 MiB: lines read"* ]]
}

@test "a tree of folders is read on its own and as imc-counters of a whole device tree" {
	local e u
	for root in alone whole/imc-counters; do
		node "$root" compatible ibm,opal-in-memory-counters name imc-counters
		e=$root/lane-events
		node "$e" phandle =00000007 name lane-events
		node "$e/event@0" event-name READS reg =0000000000000008 desc "lines read"
		node "$e/event@8" event-name WRITES reg =00000008 unit ""
		u=$root/lane0@40
		node "$u" compatible ibm,imc-counters type =00000010 size =00040000 reg =0000004000000008 \
		events =00000007 events-prefix PM_LANE0_ scale 256 unit MiB
		# Of two nodes with the same phandle the first is used.
		node "$root/twin-events" phandle =00000007
		# Hidden folders, and folders and properties with too long names, are skipped.
		cp -r "$u" "$root/.lane0@48"
		node "$e/event@c" event-name "$(printf '%0300d' 0)" reg =0000000c
		{ printf x; head -c 70000 /dev/zero; } >"$e/event@8/desc"
	done
	node whole compatible ibm,powernv name ''
	cat >expected <<-'END'
	nest_lane0_imc	PM_LANE0_READS	0x40	256	MiB	1	lane0@40	nest
	nest_lane0_imc	PM_LANE0_WRITES	0x48	256		0	lane0@40	nest
	END
	diff expected <(rows alone)
	diff expected <(rows whole)
	mkdir -p "$u/$(printf 'a/%.0s' {1..40})"
	fails_with 2 "folders nested too deep" uncore-events list --event-list=whole
	rm -r "$u/a"
	# On a machine with this device tree the names are known without an option.
	mkdir -p machine/proc machine/sys/devices/system/cpu
	echo 0 >machine/sys/devices/system/cpu/online
	mv whole machine/proc/device-tree
	run -0 uncore-events search --machine=root:machine lines
	[[ $output == *nest_lane0_imc/PM_LANE0_READS/* && $output != *WRITES* ]]
}

@test "the processor version register decides which catalog of a folder is used" {
	need_flat
	mkdir catalogs
	cp small.dtb catalogs/81E00612.4E0200.dtb
	sed 's/CPM_/CHOSEN_/' "$SMALL" | dtc -q -I dts -O dtb -o catalogs/81E00612.800200.dtb -
	run -0 uncore-events search --event-list=catalogs --cpu=0x00801202 busy
	[[ $output == *CHOSEN_BUSY* ]]
	run -0 uncore-events search --event-list=catalogs --cpu=0x004e1203 busy
	[[ $output == *CPM_BUSY* ]]
	expect <<-END
		3! | none is for this processor (PVR 0x004e1100); the catalog for this processor would be called NAME.4E0100.dtb | uncore-events list --event-list=catalogs --cpu=0x004e1100
		3! | or the processor: uncore-events --cpu=0x004e1202 | uncore-events list --event-list=catalogs
		2 | neither VENDOR-FAMILY-MODEL | uncore-events list --event-list=catalogs --cpu=0xz
	END
	mkdir -p power/proc power/sys/devices/system/cpu
	echo 0 >power/sys/devices/system/cpu/online
	printf 'processor\t: 0\ncpu\t\t: POWER10, altivec supported\nrevision\t: 2.0 (pvr 0080 0200)\n' \
		>power/proc/cpuinfo
	run -0 uncore-events search --machine=root:power --event-list=catalogs busy
	[[ $output == *CHOSEN_BUSY* ]]
}

@test "the kernel's, the document's and the short name of a PMU mean the same" {
	need_flat
	local name rows
	for name in nest_lane0_imc/PM_LANE0_READS/ nest_lane0/PM_LANE0_READS/ lane0/PM_LANE0_READS/ \
		PM_LANE0_READS pm_lane0_reads lane0/event=0x40/ nest_lane0/offset=0x40/; do
		rows+="[1,\"nest_lane0_imc\",\"0x40\",null] | uncore-events encode --event-list=small.dtb $name"$'\n'
	done
	told '[length, (.[0] | .pmu, .config, .type)]' <<<"$rows"
	told length <<<'10 | uncore-events encode --event-list=small.dtb --all'
	expect <<<'0 | PM_LANE0_BEATS*level       nest*counted by*measure     KiB | uncore-events decode --event-list=small.dtb lane0/event=0x50/'
}

@test "a PMU that only a catalog has is encoded with one event or offset" {
	need_flat
	local word rows
	expect <<-'END'
		2 | bad offset '0x100000000' | uncore-events encode --event-list=clean.dtb lane0/offset=0x100000000/
		2 | bad offset 'x' | uncore-events encode --event-list=clean.dtb lane0/offset=x/
		2 | unknown term 'umask' | uncore-events encode --event-list=clean.dtb lane0/umask=1/
		2 | only one event or offset may stand between the slashes | uncore-events encode --event-list=clean.dtb lane0/event=0x40,offset=8/
		2 | no PMU 'lane1' | uncore-events encode --event-list=clean.dtb lane1/offset=8/
		0 | "pmu":"nest_lane0_imc"*"config":"0xffffffff" | uncore-events encode --event-list=clean.dtb --format=json lane0/offset=0xffffffff/
	END
	# The name is also found in the last of two catalogs.
	sed 's/lane/road/g; s/LANE/ROAD/g' "$SMALL" | sed '/moon@0/d; /bare@0/d' | dtc -q -I dts -O dtb -o road.dtb -
	for word in road0/offset=8/ nest_road0_imc/PM_ROAD0_READS/ lane0/offset=8/; do
		rows+="0 | config | uncore-events encode --event-list=clean.dtb --event-list=road.dtb --format=json $word"$'\n'
	done
	expect <<<"$rows"
}

@test "unknown names get similar ones from any catalog; events that only a catalog has are not counted" {
	need_flat
	fails_with 2 "did you mean nest_lane0_imc/PM_LANE0_READS/ (nest, clean.dtb)" \
		uncore-events explain --event-list=clean.dtb PM_LANE0_READ
	fails_with 2 "did you mean nest_lane0_imc/PM_LANE0_READS/ (nest, clean.dtb)" \
		uncore-events encode --event-list=clean.dtb thread_imc/PM_LANE0_READS/
	cp clean.dtb other.dtb
	fails_with 2 "(nest, clean.dtb)" \
		uncore-events explain --event-list=clean.dtb --event-list=other.dtb PM_LANE0_READ
	need dtc
	mkdir catalogs
	cp clean.dtb catalogs/81E00612.4E0200.dtb
	sed '/moon@0/d; /bare@0/d; s/"cycles"/"PAGES"/; s/events-prefix = "PM_LANE/events-prefix = "PM_ROAD/' "$SMALL" |
		dtc -q -I dts -O dtb -o catalogs/81E00612.800200.dtb -
	# The same catalog exists for two generations, but is suggested once. A third catalog, which is damaged, changes
	# nothing.
	cp catalogs/81E00612.800200.dtb catalogs/81E00612.820200.dtb
	echo nonsense >catalogs/81E00612.4D0100.dtb
	local ask rows chosen="--event-list=catalogs --cpu=0x004e1202"
	for ask in explain encode; do
		# The first name exists in another catalog; for the other two there is only a similar name.
		rows+="2 | did you mean nest_lane0_imc/PM_ROAD0_READS/ (nest, POWER10, 81E00612.800200.dtb) | uncore-events $ask $chosen PM_ROAD0_READS
			2 | trace_imc/trace_PAGES/ (trace, POWER10, 81E00612.800200.dtb)? | uncore-events $ask $chosen trace_PAGE
			2 | did you mean nest_lane0_imc/PM_LANE0_READS/ (nest, POWER9, 81E00612.4E0200.dtb) & !820200 & !4D0100 | uncore-events $ask $chosen PM_LANE0_READ"$'\n'
	done
	# If --event-list names a single file, only that file is searched. If no name is similar, none is suggested.
	expect <<-END
		$rows
		2 | no event of that name; uncore-events search & !800200 | uncore-events explain --machine=sim:power9-2s --event-list=catalogs/81E00612.4E0200.dtb trace_PAGE
		0 | nest_mcs01_imc/ | uncore-events list --machine=sim:power9-2s --cpu=0x004e1202
		3! | no registers and no event names | uncore-events list --machine=sim:power9-2s --cpu=0x00801202
		2 | no event of that name; uncore-events search & !800200 | uncore-events explain --machine=sim:power9-2s FOO
		2 | PM_MCS01_64B_RD_DISP_PORT01/ (nest, /proc/device-tree) | uncore-events explain --machine=sim:power9-2s PM_MCS01_64B_WR_DISP_PORT01
	END
	fails_with 3 "the catalog has it, but this kernel has no PMU 'nest_lane0_imc'" \
		uncore-read --machine=sim:skylake-sp-perf --event-list=clean.dtb -e PM_LANE0_READS
}

@test "without a catalog the kernel's in-memory counters have level and offset, and all of them are listed" {
	local dev=tree/sys/bus/event_source/devices row pmu name offset
	for row in nest_lane0_imc:PM_READS:0x40 core_imc:CPM_BUSY:0x28 thread_imc:CPM_BUSY:0x28 trace_imc:cycles:0x100; do
		IFS=: read -r pmu name offset <<<"$row"
		mkdir -p "$dev/$pmu/events" "$dev/$pmu/format"
		echo 9 >"$dev/$pmu/type"
		echo config:0-40 >"$dev/$pmu/format/event"
		echo "event=$offset" >"$dev/$pmu/events/$name"
	done
	echo 0 | tee "$dev"/{nest_lane0,core}_imc/cpumask >/dev/null
	mkdir -p tree/proc tree/sys/devices/system/cpu/cpu0/topology
	echo 0 | tee tree/sys/devices/system/cpu/{online,cpu0/topology/{core_id,physical_package_id}} >/dev/null
	printf 'cpu\t\t: POWER9, altivec supported\nrevision\t: 2.2 (pvr 004e 1202)\n' >tree/proc/cpuinfo
	told <<-'END'
		jq map([.name, .pmu, .level, .offset, .node] | map(. // "null") | join(" "))
		["CPM_BUSY core_imc core 0x28 null","PM_READS nest_lane0_imc nest 0x40 null","CPM_BUSY thread_imc thread 0x28 null","cycles trace_imc trace 0x100 null"] | uncore-events list --machine=root:tree
		["CPM_BUSY thread_imc thread 0x28 null"] | uncore-events list thread_imc/* --machine=root:tree
		["PM_READS nest_lane0_imc nest 0x40 null"] | uncore-events decode lane0/event=0x40/ --machine=root:tree
	END
	expect <<-END
		0 | nest  *1 event of 1 PMU, per chip*thread  *1 event of 1 PMU*trace  *1 event of 1 PMU | uncore-info --machine=root:tree
		0 | level  *thread*one per  *cpu*counted by *each hardware thread*offset  *0x28 | uncore-events explain thread_imc/CPM_BUSY/ --machine=root:tree
		0 | core_imc/CPM_BUSY/ *core *thread_imc/CPM_BUSY/ *thread | uncore-events list *CPM* --machine=root:tree
	END
}

@test "damaged, foreign and endless files are refused in one line" {
	need_flat
	printf 'no tree' >text.dtb
	head -c 100 small.dtb >short.dtb
	# A catalog in version 3 of the format, in which names are full paths.
	cp small.dtb ancient.dtb
	printf '\0\0\0\3\0\0\0\2' | dd of=ancient.dtb bs=1 seek=20 conv=notrunc status=none
	mkfifo pipe.dtb
	echo '/dts-v1/; / { model = "toaster"; };' >toaster.dts
	echo '/dts-v1/; / { broken' >broken.dts
	echo "/dts-v1/; / { $(printf 'a { %.0s' {1..40})$(printf '}; %.0s' {0..40})" >deep.dts
	expect <<-END
		2 | text.dtb: damaged | uncore-events list --event-list=text.dtb
		2 | short.dtb: damaged | uncore-events list --event-list=short.dtb
		2 | ancient.dtb: damaged: FDT_ERR_BADVERSION | uncore-events list --event-list=ancient.dtb
		2 | pipe.dtb | uncore-events list --event-list=pipe.dtb
		2 | no in-memory counters in it | uncore-events list --event-list=toaster.dts
		2 | neither a flat tree nor source text that dtc can compile | uncore-events list --event-list=broken.dts
		2 | too many levels | uncore-events list --event-list=deep.dts
		2 | none.dtb | uncore-events list --event-list=none.dtb
	END
	# The length of the first property is wrong: it points back to the beginning of the property, 12 bytes before.
	perl -e 'local $/; my $all = <STDIN>; my $at = index($all, "\0\0\0\3", unpack("N", substr($all, 8, 4)));
		substr($all, $at + 4, 4) = "\xff\xff\xff\xf4"; print $all' <small.dtb >loop.dtb
	fails_with 2 "loop.dtb: damaged" uncore-events list --event-list=loop.dtb
}

@test "without dtc source text is refused with a message that says why" {
	need_flat
	mkdir empty
	run -3 env PATH="$PWD/empty" "$(command -v uncore-events)" list --event-list="$SMALL"
	[[ $output == *"the compiler for it, dtc, cannot be run"*"install device-tree-compiler"* ]]
}

# published FILE: print the rows of FILE, which were computed independently of this project.
published() {
	awk -F '\t' 'NR > 1 && $2 != "-" { print $1 "\t" $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 "\t" $7 "\t" $8 }' "$1" | sort
}

@test "every event of published and captured catalogs is as computed independently" {
	need_flat
	[ -d "$CORPUS" ] || skip "no corpus of catalogs here"
	for name in 81E00612.4E0200 81E00612.800200 live_p9_2chip synthetic_inherit; do
		published "$CORPUS/$name.expected.tsv" | grep -v '^odd-kind_imc' >expected
		rows "$CORPUS/$name.dtb" >found
		diff expected found
	done
	rows "$CORPUS/synthetic_inherit.dts" >source
	diff source found
}

@test "names of the kernel's documentation that no catalog has get suggestions" {
	need_flat
	[ -d "$CORPUS" ] || skip "no corpus of catalogs here"
	fails_with 2 "nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ (nest, POWER9, 81E00612.4E0200.dtb)" \
		uncore-events explain --event-list="$CORPUS/81E00612.4E0200.dtb" PM_MCS01_64B_WR_DISP_PORT01
	fails_with 2 "did you mean" \
		uncore-events explain --event-list="$CORPUS/81E00612.4E0200.dtb" PM_MCS_DOWN_128B_DATA_XFER_MC0
	# Only POWER10 has this event at the thread level.
	mkdir published
	cp "$CORPUS"/81E00612.*.dtb published
	fails_with 2 "thread_imc/CPM_NON_IDLE_PCYC/ (thread, POWER10, 81E00612.800200.dtb)" \
		uncore-events explain --event-list=published --cpu=0x004e1202 thread_imc/CPM_NON_IDLE_PCYC/
	fails_with 2 "core_imc/CPM_NON_IDLE_PCYC/ (core, POWER9, 81E00612.4E0200.dtb)" \
		uncore-events explain --event-list="$CORPUS/81E00612.4E0200.dtb" thread_imc/CPM_NON_IDLE_PCYC/
}

@test "explain shows level, counter and the catalog's description, in any language" {
	expect <<-'END'
		0 | level *nest & counted by *microcode | uncore-events explain --machine=sim:power10-2s xlink0/PM_XLINK0_OUT_DATA/
		0 | counted by *the core, which adds up its counts in memory | uncore-events explain --machine=sim:power10-2s core_imc/CPM_NON_IDLE_INST/
		0 | counts *processor cycles while not idle | uncore-events explain --machine=sim:power10-2s thread_imc/CPM_NON_IDLE_PCYC/
		0 | level *trace & counts *a record of where the thread is | uncore-events explain --machine=sim:power10-2s trace_imc/trace_cycles/
	END
	need dtc
	need_flat
	sed '0,/desc = "[^"]*"/s//desc = "处理器非空闲周期"/' "$TOP/tests/fixtures/imc/small.dts" >words.dts
	told 'any(.description == "处理器非空闲周期")' <<<'true | uncore-events list --event-list=words.dts'
	LC_ALL=C run -0 --separate-stderr uncore-events list --event-list=words.dts
	[[ $output == *处理器非空闲周期* ]]
	# A catalog is recognised by its first bytes, too.
	grep -A9999 /dts-v1/ words.dts >source
	dtc -q -I dts -O dtb -o flat words.dts
	for file in source flat; do
		run -0 --separate-stderr uncore-events list --event-list=$file
		[[ $output == *处理器非空闲周期* ]]
	done
}

@test "an unknown name is looked up in the installed lists, even if the machine has a catalog of its own" {
	export UNCOREMSR_EVENTS=clean.dtb
	fails_with 3 "PM_LANE0_READS': the catalog has it, but this kernel has no PMU" uncore-read \
		--machine=sim:power9-2s,clock=stepped -e PM_MCS01_64B_RD_DISP_PORT01 -e PM_LANE0_READS -i 1 -n 1
}
