#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# POWER's in-memory counters as the kernel counts them, on simulated machines of two chips.

load common
load answers
load mounted

P9=sim:power9-2s,clock=stepped
P10=sim:power10-2s,clock=stepped
CORPUS=$TOP/../shared/corpus/imc

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	unserve
}

@test "a nest event is counted by one CPU of each chip, a core event by one of each core; three spellings of a PMU are one" {
	local pmu rows
	local nest="uncore-read --machine=$P9,rate=PM_MCS01_64B_RD_DISP_PORT01=1000" core="uncore-read --machine=$P9,rate=CPM_NON_IDLE_INST=3000"
	for pmu in nest_xlink0_imc nest_xlink0 xlink0; do
		rows+="[[0,0,\"nest_xlink0_imc\",\"16384\",true,\"MiB\",\"ok\"],[8,8,\"nest_xlink0_imc\",\"16384\",true,\"MiB\",\"ok\"]] | uncore-read --machine=$P9,rate=PM_XLINK0_IN_DATA=16384 -e $pmu/PM_XLINK0_IN_DATA/"$'\n'
	done
	told 'map([.package, .cpu, .pmu, .value, .scaled == 256000 or (.scaled > 1.99 and .scaled < 2.01), .measure, .status])' <<-END
		[[0,0,"nest_mcs01_imc","1000",true,null,"ok"],[8,8,"nest_mcs01_imc","1000",true,null,"ok"]] | $nest -e nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ --per-socket
		$rows
	END
	told 'map([.time, .sequence, .package, .cpu, .value, .scaled, .route])' <<-END
		[[1,1,0,0,"1000",256000,"perf"],[1,1,8,8,"1000",256000,"perf"]] | $nest -e nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ -i 1 -n 1
		[[1,1,0,0,"3000",1536000,"perf"],[2,2,0,0,"3000",1536000,"perf"],[3,3,0,0,"3000",1536000,"perf"]] | $core -e core_imc/CPM_NON_IDLE_INST/ --cpus 0 -i 1 -n 3
	END
	# Any CPU of a core can be given; the reading is reported with the core's first CPU.
	told 'map([.cpu, .value])' <<-END
		[[4,"3000"],[12,"3000"]] | $core -e core_imc/CPM_NON_IDLE_INST/ --cpus 6-7,14 --per-unit
		[[0,"3000"],[4,"3000"],[8,"3000"],[12,"3000"]] | $core -e core_imc/CPM_NON_IDLE_INST/ --per-unit
	END
	expect <<-END
		0 | 16,384*2.000 MiB | uncore-read --machine=$P9,rate=PM_XLINK0_IN_DATA=16384 -e PM_XLINK0_IN_DATA
		0 | !uncore-read: | $nest -e nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/ --per-socket --format=json
	END
}

@test "a thread event counts only COMMAND, whose exit status is passed on" {
	run -7 --separate-stderr uncore-read --machine="$P10" -e thread_imc/CPM_NON_IDLE_PCYC/ --format=json -o out -- sh -c 'exit 7'
	jq -e '.pmu == "thread_imc" and .target != "system" and .status == "ok" and (.value | tonumber) > 0' out
}

@test "an event that the kernel refuses has a reason that fits its level" {
	expect <<-END
		3! | counts for processes, not for whole CPUs; give a COMMAND | uncore-read --machine=$P10 -e thread_imc/CPM_NON_IDLE_PCYC/
		3! | counts nothing | uncore-read --machine=$P10 -e trace_imc/trace_cycles/
		3! | cannot tell user and kernel mode | uncore-read --machine=$P10 -e core_imc/CPM_NON_IDLE_PCYC/u
		4! | needs CAP_PERFMON, at every level | uncore-read --machine=$P10,perf_user=nobody,perf_paranoid=-1 -e thread_imc/CPM_NON_IDLE_PCYC/ -- true
		4! | perf_event_paranoid is 2 and CAP_PERFMON is missing | uncore-read --machine=$P10,perf_user=nobody -e core_imc/CPM_NON_IDLE_PCYC/
		2 | trace mode samples cycles and nothing else; use the event trace_imc/trace_cycles/ | uncore-read --machine=$P10 -e trace_imc/event=0x5/
		2 | no counter of core_imc at offset 0x2000; offsets are multiples of 8 below 0x2000 | uncore-read --machine=$P10 -e core_imc/event=0x2000/
		2 | no counter of core_imc at offset 0x1c | uncore-read --machine=$P10 -e core_imc/event=0x1c/
		2 | PM_MCS01_64B_RD_DISP_PORT01 | uncore-read --machine=$P9 -e nest_mcs01/PM_MCS01_64B_WR_DISP_PORT01/
		3! | firmware has set up no memory for the counters of nest_mcs01_imc there | uncore-read --machine=$P10,perf_fail=nest_mcs01_imc:ENODEV -e nest_mcs01_imc/event=8/
	END
}

@test "core and thread events exclude each other, and the one that came first counts" {
	run -1 --separate-stderr uncore-read --machine="$P10" --format=json -o out \
		-e core_imc/CPM_NON_IDLE_PCYC/,thread_imc/CPM_NON_IDLE_PCYC/ -- true
	[[ $stderr == *"thread_imc cannot count while another of core_imc, thread_imc and trace_imc is in use"* ]]
	[ "$(jq -r 'select(.pmu == "thread_imc") | .value' out)" = null ]
	[ "$(jq -r 'select(.pmu == "core_imc" and .value != null) | .package' out | xargs)" = "0 8" ]
	# Nest events do not conflict with core or thread events.
	run -0 uncore-read --machine="$P10" --format=json -e core_imc/CPM_NON_IDLE_PCYC/,nest_xlink0_imc/PM_XLINK0_IN_DATA/
}

@test "no IMC event is opened with an exclude bit, and none is opened twice" {
	# The simulated kernel refuses any exclude bit with EINVAL. The EBUSY of perf_fail occurs only once, so a second
	# perf_event_open() of the same event would succeed.
	run -3 --separate-stderr uncore-read --machine="$P9,perf_fail=core_imc:EBUSY:times=1" -e core_imc/CPM_NON_IDLE_INST/ --cpus 0
	[[ $stderr == *"cannot count while another of core_imc"* ]]
}

@test "if the CPU that reads a chip goes offline, another CPU of the chip takes over" {
	run -0 uncore-read --machine="$P9,rate=PM_MCS01_64B_RD_DISP_PORT01=1000,hotplug=8 off at=1.5" \
		-e mcs01/PM_MCS01_64B_RD_DISP_PORT01/ --packages 8 -i 1 -n 4 --format=json
	[ "$(jq -r '.status' <<<"$output" | sort -u)" = ok ]
	[ "$(jq -r 'select(.sequence == 4) | .value' <<<"$output")" = 1000 ]
}

@test "from a captured device tree the simulated kernel makes the same PMUs as the real one" {
	local pmu file n=0
	need_corpus "sysfs_p9_2chip.tar.gz"
	tar xzf "$CORPUS/sysfs_p9_2chip.tar.gz"
	serve "power9-2s,catalog=$CORPUS/live_p9_2chip.dtb"
	for pmu in sys/bus/event_source/devices/*_imc; do
		diff -r "$pmu/events" "$MNT/$pmu/events"
		diff -r "$pmu/format" "$MNT/$pmu/format"
		# Check only that these files exist in both trees or in none; the contents may differ.
		for file in cpumask perf_event_mux_interval_ms; do
			if [ -e "$pmu/$file" ]; then [ -e "$MNT/$pmu/$file" ]; else [ ! -e "$MNT/$pmu/$file" ]; fi
		done
		n=$((n + 1))
	done
	[ "$n" = 44 ]
	[ "$(find "$MNT"/sys/bus/event_source/devices -maxdepth 1 -name '*_imc' | wc -l)" = 44 ]
}

@test "every event of a real catalog can be counted by its name" {
	need_flat
	need_corpus "81E00612.4E0200.dtb"
	local m="sim:power9-2s,clock=stepped,catalog=$CORPUS/81E00612.4E0200.dtb"
	uncore-events list --machine="$m" --format=json | jq -r 'select(.level == "nest") | "\(.pmu)/\(.name)/"' >names
	[ "$(wc -l <names)" = 310 ]
	run -0 --separate-stderr uncore-read --machine="$m" -e "$(paste -sd, names)" --format=json
	[ "${#lines[@]}" = 620 ]
	[ "$(jq -r .status <<<"$output" | sort -u)" = ok ]
}

@test "wrong keys of a POWER machine are refused" {
	expect <<-END
		2 | rate: the catalog has no event 'PM_NONE' | uncore-info --machine=sim:power9-2s,rate=PM_NONE=5
		2 | device tree /nonexistent.dtb: No such file or directory | uncore-info --machine=sim:power9-2s,catalog=/nonexistent.dtb
		2 | nest | uncore-info --machine=sim:power9-2s,nest=maybe
		2 | is not a processor version register | uncore-info --machine=sim:power9-2s,power=0
		2 | only a machine with power= has in-memory counters | uncore-info --machine=sim:westmere-2s,nest=paused
		2 | only a machine with power= has in-memory counters | uncore-info --machine=sim:westmere-2s,catalog=x
	END
}

@test "uncore-info shows chips, levels and the catalog, and no advice about registers" {
	run -0 --separate-stderr uncore-info --machine=sim:power9-2s
	[ -z "$stderr" ]
	[[ $output == *"POWER9, processor version register 0x004e1202"* ]]
	[[ $output == *"/proc/device-tree, version 0x20"* && $output == *"trace mode"* ]]
	[[ $output != *modprobe* && $output != *CPUID* && $output != *driver* ]]
}

@test "without trace_imc uncore-info has no line about it, as with POWER9's first chips" {
	need dtc
	need_flat
	sed '/trace@0 {/,/};/d' "$TOP/tests/fixtures/imc/small.dts" >none.dts
	run -0 uncore-info --machine=sim:power9-2s,catalog=none.dts
	[[ $output == *"thread "* && $output != *"trace mode"* ]]
}

@test "uncore-doctor reports no problem with POWER's counters, and distinguishes a guest from bare metal" {
	run -0 uncore-doctor --machine=sim:power10-2s
	[[ $output == *"nothing stands in the way of counting here: POWER's in-memory counters, 2 packages"* ]]
	mkdir -p m/proc m/sys/devices/system/cpu/cpu0/topology
	printf 'processor\t: 0\ncpu\t\t: POWER9, altivec supported\nrevision\t: 2.2 (pvr 004e 1202)\n\n' >m/proc/cpuinfo
	echo 0 >m/sys/devices/system/cpu/online
	echo 0 >m/sys/devices/system/cpu/cpu0/topology/physical_package_id
	run -3 uncore-doctor --machine=root:m
	[[ $output == *"this kernel has no in-memory counters"* && $output != *modprobe* ]]
}
