#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# The route memory: POWER's nest counters from the memory that microcode writes them to.

load common
load answers

P9=sim:power9-2s,clock=stepped
EVENT=mcs01/PM_MCS01_64B_RD_DISP_PORT01/

setup() {
	need jq perl
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
}

# tree [ID]: make a machine's files in "m", with CPU 0 on the chip with this ID (default 0), whose microcode is running.
tree() {
	local cpu=m/sys/devices/system/cpu
	need_flat
	mkdir -p m/proc "$cpu/cpu0/topology" m/sys/firmware/opal/exports
	printf 'processor\t: 0\ncpu\t\t: POWER9, altivec supported\nrevision\t: 2.2 (pvr 004e 1202)\n\n' >m/proc/cpuinfo
	echo 0 >"$cpu/online"
	echo "${1:-0}" >"$cpu/cpu0/topology/physical_package_id"
	sed '/moon@0/d; /bare@0/d' "$TOP/tests/fixtures/imc/small.dts" >small.dts
	FILE=m/sys/firmware/opal/exports/imc_nest_chip_$(printf %x "${1:-0}")
	truncate -s $((0x40000)) "$FILE"
	word $((0x3fc00)) 1 # the microcode is running
	word $((0x3fc08)) 1 # the command of the microcode is to resume
}

# word OFFSET VALUE: write a big-endian word of the chip's counter memory ($FILE) with one write().
word() {
	"${WORD[@]}" "$FILE" "$1" "$2"
}

WORD=(perl -e 'open F, "+<", $ARGV[0]; sysseek F, $ARGV[1], 0; syswrite F, pack "Q>", $ARGV[2]')

memory() {
	uncore-read --machine=root:m --route=memory --event-list=small.dts --format=json "$@"
}

# while_counting COMMAND...: count one interval on the tree and run COMMAND in it; the reading goes to "out". The exit
# status is ignored.
while_counting() {
	[ "$1" != word ] || set -- "${WORD[@]}" "$FILE" "$2" "$3"
	memory -e nest_lane0_imc/PM_LANE0_READS/ -o out -- "$@" 2>err || true
}

@test "a chip without CPUs is counted from its memory, and unknown where the kernel counts" {
	local machine="$P9,offline=8-15,rate=PM_MCS01_64B_RD_DISP_PORT01=1000"
	local how="uncore-read --machine=$machine"
	told 'map([.package, .cpu, .value, .status])' <<-END
		[[0,0,"1000","ok"],[8,null,"1000","ok"]] | $how --route=memory -e $EVENT
		[[8,null,"1000","ok"]] | $how --route=memory -e $EVENT --packages=8
	END
	# Opening an event starts the microcode only on chips with CPUs.
	expect <<-END
		1 | "package":0,*"cpu":0,*"value":"1000",*"status":"ok"*"package":8,*"cpu":null,*"value":null,*"status":"offline" & package 8: $EVENT: offline: no CPU of this chip was online at the start; the kernel needs such a CPU & --route=memory | $how -e $EVENT --format=json
		1 | paused: *: hold a nest event open in the kernel, as  | $how,nest=paused --route=memory -e $EVENT --packages=0
		1 | paused: *: the kernel starts it through a CPU of this chip, and none is online | $how,nest=paused --route=memory -e $EVENT --packages=8
		3 | no CPU of this chip was online at the start | $how --packages=8 -e $EVENT
		3 | no CPU of this chip was online at the start | $how --packages=8 -e page-faults
		0 | package 8    none of its CPUs is online; its nest counters in memory still count | uncore-info --machine=$machine
	END
	# No CPU of chip 8 is online, so events of cores and CPUs are counted on chip 0 only.
	told '[any(.package == 8), all(.status == "ok")]' <<<"[false,true] | $how -e core_imc/CPM_NON_IDLE_INST/,page-faults"
	# Chips are sorted by number, including chips without CPUs.
	told '.[].packages | map([.package, .die, .cpu, .cpus, .cores])' <<-END
		[[0,null,0,"0-7",2],[8,null,null,"",0]] | uncore-info --machine=$machine
		[[0,null,null,"",0],[8,null,8,"8-15",2]] | uncore-info --machine=$P9,offline=0-7
	END
}

@test "chips are found by their export files only if each chip with CPUs has one" {
	tree 8
	mv m/sys/firmware/opal/exports/imc_nest_chip_8 m/sys/firmware/opal/exports/imc_nest_chip_10
	uncore-info --machine=root:m --format=json | jq -e '.packages | map(.package) == [8]'
	cp "m/sys/firmware/opal/exports/imc_nest_chip_10" m/sys/firmware/opal/exports/imc_nest_chip_8
	: >m/sys/firmware/opal/exports/imc_nest_chip_z
	uncore-info --machine=root:m --format=json | jq -e '.packages | map(.package) == [8, 16]'
}

@test "the initial contents of the words do not count; readings have scale, unit and the chip's id" {
	run -0 uncore-read --machine="$P9,rate=PM_MCS01_64B_RD_DISP_PORT01=1000" --route=memory -e $EVENT -i 1 -n 2 --format=json
	[ "${#lines[@]}" = 4 ]
	jq -es 'length > 0 and all(.value == "1000" and .counted == "1000" and .scaled == 256000 and .route == "memory" and
		.status == "ok" and .counter == null and .pmu == "nest_mcs01_imc")' <<<"$output"
	[ "$(jq -r .package <<<"$output" | xargs)" = "0 8 0 8" ]
	# Both routes count the same. In the simulated machine the kernel's counts do not come from this memory.
	diff <(uncore-read --machine="$P9" --route=perf -e $EVENT --format=json | jq -c '[.package, .value, .encoding, .scaled]') \
		<(uncore-read --machine="$P9" --route=memory -e $EVENT --format=json | jq -c '[.package, .value, .encoding, .scaled]')
	run -0 uncore-read --machine="$P9" --route=memory -e PM_XLINK0_IN_DATA,nest_mcs23/event=0x48/ --format=json
	[ "$(jq -r 'select(.package == 8) | .measure' <<<"$output" | xargs)" = "MiB null" ]
	# If the scale is not a number, there is no amount, on either route.
	local route
	sed 's/scale = "256"/scale = "-2"/' "$TOP/tests/fixtures/imc/small.dts" >"$BATS_TEST_TMPDIR/odd.dts"
	for route in memory perf; do
		run -0 uncore-read --machine="sim:power9-2s,clock=stepped,catalog=$BATS_TEST_TMPDIR/odd.dts" --route=$route \
			-e PM_LANE0_READS --format=json
		jq -e '.value != null and .scaled == null and .measure == null' <<<"$output"
	done
}

@test "the route memory is never chosen automatically" {
	run -0 uncore-read --machine="$P9" -e $EVENT --format=json
	[ "$(jq -r .route <<<"$output" | sort -u)" = perf ]
	run -0 env UNCOREMSR_ROUTE=memory uncore-read --machine="$P9" -e $EVENT --format=json
	[ "$(jq -r .route <<<"$output" | sort -u)" = memory ]
}

@test "words of a tree are big-endian, and may wrap at 64 bits" {
	tree 8
	word $((0x40)) 18446744073709551600
	while_counting word $((0x40)) 484
	[ "$(jq -r '[.package, .value, .raw, .scaled, .measure] | @tsv' out)" = $'8\t500\t484\t128000\tMiB' ]
}

@test "the control block of each unit is checked" {
	tree
	sed -i 's/lane0@80/lane1@80/; s/reg = <0x80 0x8>;/& cb_offset = <0x3f000>;/' small.dts
	word $((0x3f000)) 1
	word $((0x3f008)) 1
	memory -e lane0/PM_LANE0_READS/,lane1/PM_LANE1_READS/ -o out -- true
	[ "$(jq -r .value out | xargs)" = "0 0" ]
	word $((0x3f000)) 2
	run -1 memory -e lane0/PM_LANE0_READS/,lane1/PM_LANE1_READS/ -o out -- true
	[ "$(jq -r '"\(.status) \(.value)"' out | xargs)" = "paused null paused null" ]
	memory -e lane0/PM_LANE0_READS/ -o out -- true
	[ "$(jq -r .value out)" = 0 ]
}

@test "a file that shrinks or goes away is unknown, and the run goes on" {
	local what
	for what in "truncate -s 64" "rm -f"; do
		tree
		# shellcheck disable=SC2086
		while_counting $what "$FILE"
		[ "$(jq -r '"\(.status) \(.value)"' out)" = "failed null" ]
		grep -q 'imc_nest_chip_0' err
		rm -rf m
	done
}

@test "an event that is not a nest counter is refused with the reason" {
	expect <<-END
		3! | the memory of core counters belongs to the kernel | uncore-read --route=memory --machine=$P9 -e core_imc/CPM_NON_IDLE_INST/
		3! | the memory of trace counters belongs to the kernel | uncore-read --route=memory --machine=$P9 -e trace_cycles
		2 | not a multiple of 8 | uncore-read --route=memory --machine=$P9 -e mcs01/event=0xc9/
		2 | not a multiple of 8 | uncore-read --route=memory --machine=$P9 -e mcs01/event=0x3fffc/
		2 | an offset is a number of at most 32 bits | uncore-read --route=memory --machine=$P9 -e mcs01/event=0x1000000c8/
		2 | not within the unit's memory | uncore-read --route=memory --machine=$P9 -e mcs01/event=0x40000/
		2 | an offset is a number of at most 32 bits | uncore-read --route=memory --machine=$P9 -e mcs01/event=zz/
		2 | no catalog of in-memory counters has this event | uncore-read --route=memory --machine=$P9 -e nest_none/event=8/
		2 | no catalog of in-memory counters has this event | uncore-read --route=memory --machine=$P9 -e nest_/event=8/
		2 | only the terms event= and offset= | uncore-read --route=memory --machine=$P9 -e mcs01/mode=3/
		2 | memory has no modifiers | uncore-read --route=memory --machine=$P9 -e mcs01/event=0xc8/u
		2 | no catalog of in-memory counters has this event | uncore-read --route=memory --machine=$P9 -e cycles
		2 | no catalog of in-memory counters has this event | uncore-read --route=memory --machine=sim:westmere-2s -e 0x82:1
		4! | imc_nest_chip_0: Permission denied; only root may read this file | uncore-read --route=memory --machine=$P9,perf_user=nobody -e $EVENT
	END
}

@test "without a file, or with one that is too short, nothing is counted and the reason is given" {
	tree
	truncate -s 32 "$FILE"
	run -3 --separate-stderr memory -e lane0/PM_LANE0_READS/
	[[ $stderr == *"imc_nest_chip_0: the file is shorter than the catalog says"* ]]
	rm "$FILE"
	run -3 --separate-stderr memory -e lane0/PM_LANE0_READS/
	[[ $stderr == *"imc_nest_chip_0: No such file or directory; firmware of a POWER host"* ]]
}
