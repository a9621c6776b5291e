#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-throttle on simulated machines with a stepped clock: an hour of watching takes no time.

# bats sets status, output, stderr and their line arrays.
# shellcheck disable=SC2154,SC2030,SC2031

load common
load mounted

setup() {
	export UNCOREMSR_MACHINE=sim:westmere-2s,$CALM
	trace=$BATS_TEST_TMPDIR/trace out=$BATS_TEST_TMPDIR/out
}

teardown() {
	kill_started
	unserve
}

# only MACHINE CAUSE...: during an episode of a cause, only that cause is reported; before and after it, none.
only() {
	local cause verdict causes
	for cause in "${@:2}"; do
		run uncore-throttle --summary --format=csv --machine="sim:$1,$CALM,throttle=$cause"
		IFS=, read -r _ _ _ verdict causes _ <<<"${lines[-1]}"
		[ "$verdict,$causes" = "throttled,$cause" ] || { echo "$1 $cause: $output"; return 1; }
	done
}

# ---- one look ----

@test "a machine that is fine gets one line, with SIMULATED in it, and status 0" {
	local name
	for name in westmere-2s nehalem-1s sandybridge-1s haswell-ep-2s skylake-sp-2s icelake-sp-2s zen-1s; do
		run -0 --separate-stderr uncore-throttle --machine="sim:$name,$CALM"
		echo "$output$stderr"
		[ "${#lines[@]}" -eq 1 ]
		[ -z "$stderr" ]
		[[ $output == "SIMULATED machine $name: ok: "[1-9]" package"*" core"*", none is slowed down"* ]]
	done
}

@test "the line of a calm machine is the same at every look" {
	uncore-throttle >"$out"
	uncore-throttle | diff "$out" -
}

@test "a throttled machine: one line for the machine, then the causes with evidence" {
	run -1 --separate-stderr uncore-throttle \
		--machine="sim:westmere-2s,$CALM,throttle=prochot-external package=1"
	echo "$output"
	[ -z "$stderr" ]
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: throttled: prochot-external ("*"6 cores)"* ]]
	[[ $output == *"package 1, cores 0-2,8-10: slowed down now: something outside the processor forces it"* ]]
	[[ $output == *"IA32_THERM_STATUS (0x19c) = 0x"*PROCHOT* ]]
	[[ $output != *"package 0"* ]]
}

@test "own sensor and PROCHOT from outside lead to different causes and sentences" {
	run -1 uncore-throttle --machine="sim:westmere-2s,$CALM,throttle=core-thermal package=0 core=1"
	echo "$output"
	[[ ${lines[0]} == *"throttled: core-thermal (1 core)"* || ${lines[0]} == *"throttled: core-thermal (1 package, 1 core)"* ]]
	[[ $output == *"package 0"*"core 1: slowed down now: its own temperature sensor has tripped"* ]]
	[[ $output != *outside* ]]
	run -1 uncore-throttle --machine="sim:westmere-2s,$CALM,throttle=prochot-external"
	[[ $output == *outside* && $output != *sensor* ]]
}

@test "each episode that a processor can show yields its cause and only that" {
	local most=(core-thermal package-thermal critical-temperature prochot-external power-limit current-limit vr-thermal
		dimm-thermal clock-modulation smi)
	only haswell-ep-2s "${most[@]}"
	only skylake-sp-2s "${most[@]}" cross-domain
	only icelake-sp-2s "${most[@]}"
	only westmere-2s core-thermal critical-temperature prochot-external clock-modulation smi
	only zen-1s prochot-external firmware
	# This processor has no thermal register, but the clock shows that something slows it down.
	run -1 uncore-throttle --machine="sim:zen-1s,$CALM,throttle=package-thermal"
	[[ ${lines[0]} == *": throttled: firmware (8 cores); not visible here: package-thermal (at 95 degrees C), "*power-limit* ]]
	[[ $output == *"at 95 degrees C"*"1838 MHz since the last look, base 2450 MHz"* ]]
}

@test "causes that no look can see are named once, and do not change the verdict" {
	need jq
	local machine keys
	run -0 uncore-throttle
	[[ $output == *"; only with --dimm, -i or COMMAND: dimm-thermal; not visible here: "*power-limit* ]]
	run -0 uncore-throttle --machine="sim:zen-1s,$CALM"
	[[ $output == *": ok: "*"; not visible here: "*dimm-thermal* && $output != *"cannot tell"* ]]
	run -0 uncore-throttle --machine="sim:zen-1s,$CALM,throttle=package-thermal,set=0xc00102b1:1"
	[[ ${lines[0]} == *"; not visible here: package-thermal (at 95 degrees C), "*firmware* ]]
	run -0 uncore-throttle --machine="sim:icelake-sp-2s,$CALM"
	[[ $output == *"; not visible here: cross-domain" && $output != *"cannot tell"* ]]
	run -0 uncore-throttle --verbose
	[[ $output == *"not visible: power-limit: this processor has no power-limit bits"* ]]
	# Here no register shows a hot voltage regulator.
	for machine in sapphire-rapids-2s granite-rapids-2s knights-landing-1s; do
		run -0 uncore-throttle --machine="sim:$machine,$CALM,throttle=vr-thermal"
		[[ ${lines[0]} == *"; not visible here: "*vr-thermal* && ${#lines[@]} = 1 ]]
		run -0 uncore-throttle --format=json --machine="sim:$machine,$CALM,throttle=vr-thermal"
		jq -es 'all(.verdict == "ok" and .unknown == [] and .not_asked == [] and (.not_visible | index("vr-thermal")))' <<<"$output"
	done
	uncore-throttle --format=json | jq -es 'all(.needs_counting == ["dimm-thermal"] and (.not_visible | index("dimm-thermal") | not))'
}

@test "without a look there is no ok: status 3, or 4 without access, with advice in the first line" {
	local keys machine
	for keys in silent=0xc0010064 silent=0xe7-0xe8 'fail=read 0xe7-0xe8 EIO' 'fail=read 0xc0010064 EIO'; do
		run -3 uncore-throttle --machine="sim:zen-1s,$CALM,$keys"
		[[ ${lines[0]} == *": cannot-tell: firmware: "* && ${lines[1]} == *"cannot tell firmware; "* ]]
	done
	for machine in zen-1s nehalem-1s icelake-sp-2s; do
		run -4 --separate-stderr uncore-throttle --machine="sim:$machine,$CALM,driver=missing"
		[[ ${lines[0]} == *": cannot-tell: "*firmware*": no msr driver: "*"modprobe msr; "* ]]
		[ "${#lines[@]}" = 1 ]
		[ -z "$stderr" ]
		run -4 uncore-throttle --summary --machine="sim:$machine,$CALM,driver=missing"
		[[ $output == *": cannot-tell: "*"modprobe msr; "* ]]
	done
	# The mailbox of AMD's servers needs its own driver.
	run -4 uncore-throttle --machine="sim:zen-1s,$CALM,hsmp=no"
	[[ ${lines[0]} == *": cannot-tell: prochot-external: "*"modprobe amd_hsmp"* && ${#lines[@]} = 1 ]]
	run -0 uncore-throttle --machine="sim:naples-1s,$CALM"
	[[ $output == *": ok: "*"not visible here: "*prochot-external* ]]
	# msr-safe allows only this register to be read.
	run -4 uncore-throttle --machine="sim:haswell-ep-2s,$CALM,allow=0x19c:0"
	run -3 uncore-throttle --machine="sim:zen-1s,$CALM,fail=read 0xc0010061 EIO cpu=3"
	[[ ${lines[0]} == *": cannot-tell: firmware: PStateCurLim (0xc0010061): reading it faults here; not slowed down: 1 package and 7 cores; "* ]]
	[[ ${lines[1]} == *"package 0, core 3: cannot tell firmware; PStateCurLim (0xc0010061): reading it faults here" ]]
	run -3 uncore-throttle -i 1 -n 2 --machine="sim:zen-1s,$CALM,fail=read 0xc0010061 EIO"
	[[ ${lines[1]} == *"cores 0-7: cannot-tell: firmware; PStateCurLim (0xc0010061): reading it faults here" ]]
	[[ ${lines[2]} == *"Z cannot-tell: in 2.000 s, 2 looks: cannot tell firmware; not slowed down, as far as was seen" ]]
	run -3 --separate-stderr uncore-throttle --kernel-only --machine=sim:genoa-1s,hsmp=yes
	[[ ${lines[0]} == *": cannot-tell: firmware: registers are not read here, and the kernel's files do not show it; "* ]]
	run -4 uncore-throttle --machine="sim:haswell-ep-2s,$CALM,driver=missing" -- true
	[[ ${lines[0]} == *": cannot-tell: while COMMAND ran"*": cannot tell "*prochot-external*"; not slowed down, as far as was seen; "* ]]
}

@test "a cause that holds means throttled, even with open questions; a logged one has their status" {
	run -1 uncore-throttle --machine="sim:haswell-ep-2s,$CALM,fail=read 0x61b EIO,throttle=prochot-external"
	[[ ${lines[0]} == *": throttled: prochot-external ("*"); cannot tell: dimm-thermal; "* ]]
	# The kernel has counted an episode that is over.
	local machine
	machine="sim:westmere-2s,$CALM,driver=missing,throttle=core-thermal for=0.000001"
	run -4 uncore-throttle --machine="$machine"
	[[ ${lines[0]} == *": was-throttled: core-thermal ("*"); cannot tell now: "*": no msr driver: "*"modprobe msr; "* ]]
	run -1 uncore-throttle --since-clear --machine="$machine"
	run -3 uncore-throttle --kernel-only --machine="sim:westmere-2s,$CALM,throttle=core-thermal for=0.000001"
	# A cause is not both reported and open for the same core; another core has its own open question.
	run -1 uncore-throttle --machine="sim:zen-1s,$CALM,throttle=firmware,fail=read 0xe8 EIO cpu=2"
	[[ ${lines[0]} != *"cannot tell"* ]]
	run ! grep 'cannot tell firmware' <<<"$output"
}

@test "--without leaves questions out, and says so" {
	need jq
	run -0 uncore-throttle --without=prochot-external --machine="sim:zen-1s,$CALM,hsmp=no"
	[[ ${lines[0]} == *": ok: "*"; not asked: prochot-external; not visible here: "* && ${lines[0]#*not visible} != *prochot* ]]
	run -0 uncore-throttle --without=prochot-external --format=json --machine="sim:zen-1s,$CALM,hsmp=no"
	jq -es 'all(.verdict == "ok" and .not_asked == ["prochot-external"] and .unknown == [] and
		(.not_visible | index("prochot-external") | not))' <<<"$output"
	run -0 uncore-throttle --without=critical-temperature,prochot-external,firmware --without=clock-modulation,smi \
		--machine="sim:nehalem-1s,$CALM,driver=missing"
	[[ ${lines[0]} == *": ok: 1 package and 4 cores, none is slowed down; not asked: critical-temperature, prochot-external, firmware, clock-modulation, smi; "* ]]
	# A cause that is left out is not reported when it holds, and a slow clock is not attributed to another cause.
	run -0 uncore-throttle --without=prochot-external --machine="sim:haswell-ep-2s,$CALM,throttle=prochot-external"
	# The option also works with a watch and with COMMAND.
	run -0 uncore-throttle -i 1 -n 2 --without=firmware --machine="sim:zen-1s,$CALM,fail=read 0xe8 EIO"
	run -3 --separate-stderr uncore-throttle --without=prochot-external,firmware --machine="sim:zen-1s,$CALM"
	[[ $stderr == *"shows any of the requested causes" ]]
}

@test "each die of a package is looked at, and named" {
	need jq
	run -1 uncore-throttle --machine="sim:cascadelake-ap-1s,$CALM,throttle=package-thermal die=1"
	[[ ${lines[0]} == *": throttled: package-thermal (1 package)"* ]]
	[[ ${lines[1]} == "  package 0: slowed down now: the package is too hot (cooling), on die 1; at its limit"* ]]
	run -1 uncore-throttle --format=json --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal,throttle=package-thermal die=1"
	jq -e '.core == null and [.causes[] | [.cause, .die]] == [["package-thermal", 1], ["vr-thermal", 0], ["vr-thermal", 1]]' <<<"${lines[0]}"
	run -1 uncore-throttle --format=json --machine="sim:haswell-ep-2s,$CALM,throttle=vr-thermal"
	jq -e '.causes[0] | .cause == "vr-thermal" and .die == null' <<<"${lines[0]}"
	# Each die is followed separately, and each cause begins once.
	run -1 uncore-throttle -i 1 -n 9 --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal die=1 for=3 phase=2.5,throttle=vr-thermal die=0 for=3 phase=3.5"
	[ "$(grep -c 'vr-thermal began: .*, on die [01]' <<<"$output")" = 2 ]
	[ "$(grep -c 'vr-thermal ended' <<<"$output")" = 2 ]
	run -1 uncore-throttle --format=prometheus --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal"
	[ "$(grep -c '^uncoremsr_throttled{.*package="0",cause="vr-thermal"} 1' <<<"$output")" = 1 ]
}

@test "five lines say what it is, where, since when and what to do" {
	local cause machine
	while read -r cause machine; do
		run -1 uncore-throttle --machine="sim:${machine%% *},$CALM,throttle=$cause${machine#"${machine%% *}"}"
		[[ ${lines[0]} == "SIMULATED machine ${machine%%[ ,]*}: throttled: $cause ("* ]]
		[[ ${lines[1]} =~ ^\ \ package\ [01][^:]*:\ slowed\ down\ (now|since\ the\ last\ look):\ [a-z]+\ .+ ]]
		[[ ${lines[2]} =~ ^\ \ \ \ since\ when:\ (now|in\ the\ last)[\ ,\;] ]]
		[[ ${lines[3]} =~ ^\ \ \ \ what\ to\ do:\ [a-z]+\ .{20,} ]]
	done <<-'EOF'
		critical-temperature westmere-2s package=1
		prochot-external haswell-ep-2s package=1
		core-thermal nehalem-1s core=1
		package-thermal icelake-sp-2s package=1
		vr-thermal skylake-sp-2s package=0
		dimm-thermal haswell-ep-2s package=1
		firmware zen-1s
		clock-modulation ivybridge-ep-2s
		power-limit sandybridge-1s
		current-limit alderlake-hybrid
		cross-domain skylake-sp-2s core=1
		smi knights-landing-1s
		other granite-rapids-2s,plr=yes phase=0.05 for=10
	EOF
}

@test "one look is not described as several" {
	run -0 uncore-throttle -n 1 --machine="sim:icelake-sp-2s,$CALM"
	[[ $output == *" ok: in 5.000 s, 1 look: "* ]]
	run -0 uncore-throttle --machine="sim:icelake-sp-2s,$CALM" -- true
	[[ $output == *" s, 1 look): "* ]]
	run -1 uncore-throttle -n 1 --machine="sim:icelake-sp-2s,$CALM,throttle=prochot-external"
	[[ $output == *": prochot-external at 1 of 1 look: "* && $output != *looks* ]]
}

@test "a cause that is only logged is was-throttled and status 0, with --since-clear 1" {
	need_fuse
	serve haswell-ep-2s,throttle=none,throttle='vr-thermal for=0.1'
	sleep 0.2
	run -0 uncore-throttle --machine="root:$MNT"
	echo "$output"
	[[ ${lines[0]} == *": was-throttled: vr-thermal (2 packages); "* ]]
	[[ ${lines[2]} == "    since when: at some time since the log was last cleared" ]]
	[[ $output == *"slowed down at some time since the log was last cleared"* ]]
	[[ $output == *"MSR_CORE_PERF_LIMIT_REASONS (0x690) = 0x"*LOG* ]]
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
}

@test "power and current limits that are only logged make no verdict" {
	need_fuse
	need jq
	serve haswell-ep-2s,throttle=none,throttle='power-limit for=0.1',throttle='current-limit for=0.1'
	sleep 0.2
	run -0 uncore-throttle --machine="root:$MNT" --since-clear
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
	uncore-throttle --machine="root:$MNT" --format=json |
		jq -es '[.[].causes[]] | length > 0 and all(.logged and (.now | not) and (.decides | not))'
}

@test "guests cannot tell: status 3, one line" {
	local machine
	machine=sim:westmere-2s,$CALM,hypervisor=yes
	run -3 --separate-stderr uncore-throttle --machine="$machine"
	echo "$output$stderr"
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "uncore-throttle: "*"virtual machine"* ]]
	run -3 --separate-stderr uncore-throttle --machine="$machine" --summary
	[ -z "$stderr" ]
	[[ $output == "SIMULATED machine westmere-2s: cannot-tell: "*"virtual machine"* ]]
}

@test "a machine without any register for it: text and JSON give the same reason, and nothing is read" {
	local reason
	run -3 --separate-stderr uncore-throttle --machine=sim:generic --format=json --trace
	[[ $stderr != *rdmsr* ]]
	jq -se 'all(.verdict == "cannot-tell" and (.unknown | length) == 1) and
		(.[0].not_visible | length) == 12' <<<"$output"
	reason=$(jq -r '.unknown[0]' <<<"${lines[0]}")
	[[ $reason == "any: no register of this processor and no file of the kernel shows"* ]]
	run -3 --separate-stderr uncore-throttle --machine=sim:generic
	[ "$stderr" = "uncore-throttle: ${reason#any: }" ]
	run -3 uncore-throttle --machine=sim:generic --summary
	[[ $output == "SIMULATED machine generic: cannot-tell: ${reason#any: }" ]]
}

@test "a register that faults leaves its question open, with the reason" {
	local machine
	machine="sim:westmere-2s,$CALM,fail=read 0x19c EIO"
	run -3 uncore-throttle --machine="$machine"
	[[ ${lines[0]} == *": cannot-tell: "*prochot-external*": IA32_THERM_STATUS (0x19c): reading it faults here; "* ]]
	[[ ${lines[1]} == "  package 0, cores 0-2,8-10: cannot tell critical-temperature, prochot-external; IA32_THERM_STATUS (0x19c): reading it faults here" ]]
	run -3 uncore-throttle --machine="$machine" --verbose
	[[ $output == *"CPU 2: cannot tell critical-temperature, prochot-external; IA32_THERM_STATUS (0x19c): reading it faults here"* ]]
}

@test "without the register driver the kernel's files are used" {
	run -1 uncore-throttle --machine="sim:westmere-2s,$CALM,driver=missing,throttle=core-thermal every=0.02 for=0.01"
	echo "$output"
	[[ ${lines[0]} == *": throttled: core-thermal ("* ]]
	[[ $output == *thermal_throttle/core_throttle_count* ]]
	[[ $output != *IA32_* ]]
	run -4 uncore-throttle --machine="sim:westmere-2s,$CALM,driver=missing,throttle=prochot-external"
	[[ $output == *": cannot-tell: "*prochot-external* ]]
}

@test "without driver and without kernel files there is no access: status 4 and the next step" {
	local dir=$BATS_TEST_TMPDIR/tree
	need_fuse
	serve westmere-2s
	mkdir "$dir"
	cp -r "$MNT/sys" "$MNT/proc" "$dir"
	find "$dir" -name thermal_throttle -prune -exec rm -r {} +
	rm -rf "$dir/sys/class/hwmon"
	run -4 --separate-stderr uncore-throttle --machine="root:$dir"
	echo "$output$stderr"
	[ -z "$output" ]
	[[ $stderr == "uncore-throttle: "*msr* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "--kernel-only reads no register" {
	run -3 --separate-stderr uncore-throttle --kernel-only --trace
	echo "$stderr"
	[ "${#lines[@]}" -eq 1 ]
	run ! grep -qE 'cpu [0-9]+ (read|write)' <<<"$stderr"
	# A watch and COMMAND do not ask for it either, although the uncore has events for it.
	for words in '-i 1 -n 2' '-- true'; do
		# shellcheck disable=SC2086
		run --separate-stderr uncore-throttle --kernel-only --trace --machine="sim:westmere-2s,$CALM" $words
		[ "$status" -eq 3 ]
		run ! grep -qE 'cpu [0-9]+ (read|write)' <<<"$stderr"
	done
}

@test "one look writes nothing, and asks each register once per core or package and look" {
	uncore-throttle --trace --machine="sim:haswell-ep-2s,$CALM,throttle=prochot-external" >"$out" 2>"$trace" || [ $? -eq 1 ]
	grep -q ' read ' "$trace"
	run ! grep -q ' write ' "$trace"
	# 12 cores, 2 packages, 2 looks
	[ "$(grep -c ' read .*(0x19c)' "$trace")" -eq 24 ]
	[ "$(grep -c ' read .*(0x1b1)' "$trace")" -eq 4 ]
}

@test "the log of a mounted machine shows no write by one look" {
	need_fuse
	serve haswell-ep-2s
	run uncore-throttle --machine="root:$MNT"
	[ "$status" -le 1 ]
	[[ ${lines[0]} == "SIMULATED "* ]]
	grep -q ' rd ' "$LOG"
	run ! grep -q ' wr ' "$LOG"
}

@test "CPUs that are offline are left out" {
	run -0 uncore-throttle --machine="sim:westmere-2s,$CALM,offline=0,2,12,14"
	echo "$output"
	[[ $output == *"2 packages and 10 cores"* ]]
}

# ---- records ----

@test "JSON: one object per package and per core, core null for packages" {
	need jq
	uncore-throttle --format=json >"$out"
	jq -es 'length == 14 and (map(select(.core == null).package) == [0, 1]) and
		(map(select(.core != null).core) | unique == [0, 1, 2, 8, 9, 10]) and
		all((.cpu | type) == "number" and .machine == "sim:westmere-2s" and .time == 0.1 and
			(.causes | type) == "array" and (.unknown | type) == "array" and
			(.timestamp | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{9}Z$"))) and
		(map(.timestamp) | unique | length == 1) and
		(map(select(.core != null)) | all(.verdict == "ok" and .below_limit == 40 and .frequency_hz > 2e9))' "$out"
}

@test "JSON: registers are words, counts are decimal strings" {
	need jq
	uncore-throttle --format=json --machine="sim:westmere-2s,$CALM,throttle=core-thermal" >"$out" || [ $? -eq 1 ]
	jq -es '(map(select(.core != null)) | all(.verdict == "throttled" and .causes[0].cause == "core-thermal" and
			.causes[0].now and .causes[0].logged and .causes[0].decides)) and
		([.[] | select(.core != null) | .causes[].evidence[] | select(.register == "IA32_THERM_STATUS")] |
			length == 12 and
			all(.msr == "0x19c" and (.value | test("^0x[0-9a-f]+$")) and (.bits | test("THERMAL")))) and
		([.[].causes[].evidence[] | select(.msr == null)] | length > 0 and all(.value | test("^[0-9]+$")))' "$out"
}

@test "JSON: a package without a status of its own has the causes of its cores" {
	need jq
	local machine
	machine="sim:nehalem-1s,$CALM,throttle=core-thermal core=1"
	uncore-throttle --format=json --machine="$machine" >"$out" || [ $? -eq 1 ]
	jq -es '.[0] | .core == null and .verdict == "throttled" and (.causes | length) == 1 and
		(.causes[0] | .cause == "core-thermal" and .now and .logged and .decides and
			(.evidence | length) == 1 and (.evidence[0] | .register == "IA32_THERM_STATUS" and
			.msr == "0x19c" and (.bits | startswith("core 1: THERMAL"))))' "$out"
	# In text it is shown only for the cores.
	run -1 uncore-throttle --machine="$machine"
	[[ ${lines[0]} == *": throttled: core-thermal (1 core);"* && ${lines[1]} == "  package 0, core 1: "* ]]
	run ! grep -q '^  package 0:' <<<"$output"
}

@test "a watch and a command: a package without a status of its own is what its cores are" {
	need jq
	uncore-throttle --format=json -i 1 -n 20 \
		--machine="sim:nehalem-1s,$CALM,throttle=core-thermal core=1 for=5 phase=4.5" >"$out" || [ $? -eq 1 ]
	jq -es 'map(select(.core == null) | [.verdict, .causes[0].cause]) == [["ok", null],
		["throttled", "core-thermal"], ["was-throttled", "core-thermal"]]' "$out"
	uncore-throttle --format=json --machine="sim:nehalem-1s,throttle=none,throttle=core-thermal core=1" \
		-- sleep 0.1 >"$out" || [ $? -eq 1 ]
	jq -es 'map(select(.verdict == "throttled") | .core) == [null, 1]' "$out"
	run -1 uncore-throttle -i 1 -n 20 --machine="sim:nehalem-1s,$CALM,throttle=core-thermal core=1 for=5 phase=4.5"
	[ "$(grep -c 'core-thermal began' <<<"$output")" -eq 1 ]
	[ "$(grep -c 'core-thermal ended' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^  package 0' <<<"$output")" -eq 1 ]
}

@test "CSV has the same names, one line per cause" {
	uncore-throttle --format=csv --machine="sim:westmere-2s,$CALM,throttle=core-thermal,throttle=prochot-external" \
		>"$out" || [ $? -eq 1 ]
	[ "$(head -n 1 "$out")" = "time,timestamp,machine,package,core,cpu,verdict,sentence,temperature,below_limit,frequency_hz,die,cause,now,logged,decides,share,cause_sentence,evidence,unknown,not_visible,needs_counting,not_asked,policy,host" ]
	[ "$(grep -c ',prochot-external,true,' "$out")" -ge 12 ]
	[ "$(grep -c ',core-thermal,true,' "$out")" -ge 12 ]
	# A quoted field may have commas and quotes in it.
	perl -ne 's/"([^"]|"")*"//g; exit 1 if tr/,// != 24' "$out"
}

@test "--summary: one record of the whole machine" {
	need jq
	run -1 uncore-throttle --summary --format=json \
		--machine="sim:icelake-sp-2s,$CALM,throttle=prochot-external package=0"
	[ "${#lines[@]}" -eq 1 ]
	jq -e '.verdict == "throttled" and .causes == ["prochot-external"] and .packages == 2 and
		.cores == 16 and .throttled_packages == 1 and .throttled_cores == 8 and
		.unknown == [] and .why == null' <<<"$output"
}

# ---- watching ----

# Print the lines of a watch without the times.
watch() {
	uncore-throttle "$@" | sed -E 's/^[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z /TIME /'
}

@test "a calm machine yields no change in an hour" {
	local name
	for name in westmere-2s haswell-ep-2s skylake-sp-2s icelake-sp-2s zen-1s; do
		run -0 uncore-throttle --machine="sim:$name,$CALM" -i 60 -n 60
		echo "$output"
		[ "${#lines[@]}" -eq 2 ]
		[[ ${lines[0]} =~ ^[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z\ SIMULATED\ machine\ $name:\ ok:\  ]]
		[[ ${lines[1]} == *"Z ok: in 3600.000 s, 60 looks: not slowed down"* ]]
	done
}

@test "each beginning and end while watching is reported once, with times" {
	run -1 uncore-throttle -i 1 -n 20 \
		--machine="sim:westmere-2s,$CALM,throttle=prochot-external package=1 every=100 for=3 phase=5.5"
	echo "$output"
	[ "$(grep -c ' began: something outside' <<<"$output")" -eq 1 ]
	[ "$(grep -c 'cores 0-2,8-10: prochot-external ended: it lasted about 3.000 s' <<<"$output")" -eq 1 ]
	[[ $output == *"package 1 and its cores 0-2,8-10: prochot-external began: something outside"* ]]
	local begin end
	begin=$(date -d "$(sed -n 's/ .* began:.*//p' <<<"$output")" +%s%3N)
	end=$(date -d "$(sed -n 's/ .* cores .* ended:.*//p' <<<"$output")" +%s%3N)
	[ $((end - begin)) -ge 2995 ] && [ $((end - begin)) -lt 4000 ] # and what the looks took
	[[ ${lines[0]} == *": ok: "* ]]
	[[ $output == *"Z throttled: in 20.000 s, 20 looks: prochot-external"* ]]
}

@test "an hour in which everything happens: each cause begins once, ends, and is summed up" {
	local cause
	run -1 uncore-throttle --machine=sim:throttled-hour,clock=stepped -i 10 -n 360
	sed -nE 's/.*package 0.*: ([a-z-]+) began: .*/\1/p' <<<"$output" | uniq >"$out"
	diff - "$out" <<-'EOF'
		core-thermal
		package-thermal
		prochot-external
		power-limit
		current-limit
		vr-thermal
		dimm-thermal
		clock-modulation
		smi
		firmware
		critical-temperature
	EOF
	while read -r cause; do
		[[ $output == *": $cause ended: it "* ]] || { echo "$cause does not end"; return 1; }
		grep -qE "^  package 0.*: $cause (for [0-9.]+ % of the time|at [0-9]+ of 360 looks): " \
			<<<"$output" || { echo "no sum of $cause"; return 1; }
	done <"$out"
}

@test "the registers are as before after a watch that counted" {
	uncore-throttle --machine=sim:westmere-2s,clock=stepped -i 1 -n 3 --trace >"$out" 2>"$trace" || [ $? -eq 1 ]
	# Only registers of uncore counters are written, and all are restored.
	awk '$3 == "write" { key = $1 $2 " " $4; if (!(key in first)) first[key] = $6; last[key] = $8
		if ($4 !~ /^UNCORE_/) bad = 1 }
		END { for (key in first) if (first[key] != last[key]) bad = 1; exit bad }' "$trace"
}

@test "a watch in JSON prints everything once, then only what changed" {
	need jq
	uncore-throttle -i 1 -n 10 --format=json \
		--machine="sim:westmere-2s,$CALM,throttle=core-thermal package=0 core=9 every=100 for=2 phase=3.5" \
		>"$out" || [ $? -eq 1 ]
	[ "$(jq -c 'select(.time == 0)' "$out" | wc -l)" -eq 14 ]
	[ "$(jq -c 'select(.time > 0 and .core != null) | .core' "$out" | sort -u)" = 9 ]
	jq -es 'map(select(.core == 9 and .package == 0) | .verdict) | .[0] == "ok" and .[1] == "throttled"' "$out"
}

@test "CPUs may go and come back while it watches" {
	local machine
	need_fuse
	serve westmere-2s,throttle=none
	background uncore-throttle --machine="root:$MNT" -i 0.1 --output="$out"
	wait_for "$out" ' ok: '
	echo 0 >"$MNT/sys/devices/system/cpu/cpu4/online"
	echo 0 >"$MNT/sys/devices/system/cpu/cpu16/online"
	wait_for "$out" 'package 0, core 2: is gone: no CPU of it is online'
	echo 1 >"$MNT/sys/devices/system/cpu/cpu16/online"
	wait_for "$out" 'package 0, core 2: is online again'
	kill -INT "$pid"
	wait "$pid"
	wait_for "$out" ' not slowed down'
}

@test "a driver that is loaded while it watches is noticed, and then events are counted" {
	run -1 --separate-stderr uncore-throttle -i 1 -n 60 --machine="sim:westmere-2s,$CALM,open=ENOENT times=40,throttle=dimm-thermal package=1 for=4 phase=45.5"
	echo "$output"
	[[ ${lines[0]} == *": cannot-tell: "*prochot-external*": /dev/cpu/"*"no device node"* ]]
	[[ $output == *"cores "*": known now: critical-temperature, prochot-external, clock-modulation"* ]]
	[ "$(grep -c ' unknown for ' <<<"$output")" -le 12 ]
	[[ $output == *"package 1: dimm-thermal began"* && $output == *"package 1: dimm-thermal ended"* ]]
}

@test "a register that faults for a while is reported when it fails and when it is back" {
	run -3 uncore-throttle -i 1 -n 20 --machine="sim:haswell-ep-2s,$CALM,fail=read 0x19c EIO cpu=4 after=5 times=3"
	echo "$output"
	[[ ${lines[1]} == *"package 0, core 4: cannot-tell: critical-temperature, prochot-external, power-limit; IA32_THERM_STATUS (0x19c): reading it faults"* ]]
	[[ ${lines[2]} == *"package 0, core 4: known again: critical-temperature, prochot-external, power-limit" ]]
	[[ ${lines[3]} == *" cannot-tell: "*": part of the time was not seen; not slowed down, as far as was seen" ]]
	[[ ${lines[4]} == "  package 0, core 4: critical-temperature, prochot-external, power-limit unknown for 15 % of the time; "*"faults here (unknown since 20"* ]]
	[ "${#lines[@]}" -eq 5 ]
	run -3 uncore-throttle -i 1 -n 20 --machine="sim:haswell-ep-2s,$CALM,fail=read 0x19c EIO cpu=4 after=5 times=3,fail=read 0x19a EIO cpu=4 after=6"
	[[ $output == *"core 4: known again: critical-temperature, prochot-external, power-limit"* ]]
	run ! grep -q 'known again: .*clock-modulation' <<<"$output"
}

@test "--output survives rotation by renaming and by truncation" {
	local real=sim:westmere-2s,throttle=none,throttle='prochot-external every=0.4 for=0.2'
	background uncore-throttle --machine="$real" -i 0.05 --output="$out"
	wait_for "$out" ended
	mv "$out" "$out.1"
	wait_for "$out" ended
	: >"$out"
	wait_for "$out" ended
	rm "$out"
	wait_for "$out" ended
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" -eq 1 ]
	grep -q 'throttled: in ' "$out"
	[ -s "$out.1" ]
	# There is no gap of zeros where the file was truncated.
	run ! grep -qP '\x00' "$out"
}

@test "--output that cannot be opened: one line, status 3" {
	run -3 uncore-throttle --output=/nonexistent/log
	[ "$output" = "uncore-throttle: --output: /nonexistent/log: No such file or directory" ]
}

@test "SIGINT ends a watch with a summary" {
	background uncore-throttle --machine=sim:westmere-2s,throttle=none -i 0.1 >"$out"
	wait_for "$out" ' ok: '
	kill -INT "$pid"
	wait "$pid"
	tail -n 1 "$out" | grep -qE ' looks?: not slowed down'
}

@test "SIGTERM and SIGHUP end it by that signal, with the registers put back" {
	local name status
	for name in TERM HUP; do
		background uncore-throttle --machine=sim:westmere-2s -i 0.1 --trace >"$out" 2>"$trace"
		wait_for "$out" ' throttled: '
		kill -"$name" "$pid"
		status=0
		wait "$pid" || status=$?
		[ "$status" -eq $((128 + $(kill -l "$name"))) ]
		awk '$3 == "write" { key = $1 $2 " " $4; if (!(key in first)) first[key] = $6; last[key] = $8 }
			END { for (key in first) if (first[key] != last[key]) exit 1 }' "$trace"
	done
}

@test "a full or closed standard output is one line and never status 1" {
	run -3 bash -c 'uncore-throttle >/dev/full'
	[ "$output" = "uncore-throttle: standard output: No space left on device" ]
	run -3 bash -c 'uncore-throttle >&-'
	[ "$output" = "uncore-throttle: standard output: Bad file descriptor" ]
	run -3 bash -c 'uncore-throttle --help >/dev/full'
}

@test "a reader that leaves ends a watch" {
	local status
	{
		status=0
		uncore-throttle --machine="sim:westmere-2s,$CALM,throttle=prochot-external every=2 for=1" \
			-i 1 2>"$trace" || status=$?
		echo "$status" >"$BATS_TEST_TMPDIR/status"
	} | head -n 1
	[ "$(<"$BATS_TEST_TMPDIR/status")" -eq 1 ] # slowed down at some time
	[ ! -s "$trace" ]
}

@test "a reader that leaves is noticed by a watch that has nothing to say" {
	{
		status=0
		timeout 20 uncore-throttle --machine=sim:westmere-2s,throttle=none -i 0.05 2>"$trace" ||
			status=$?
		echo "$status" >"$BATS_TEST_TMPDIR/status"
	} | head -n 1
	[ "$(cat "$BATS_TEST_TMPDIR/status")" -eq 3 ]
	[ ! -s "$trace" ]
}

# ---- with a command ----

@test "a command: was it throttled while it ran" {
	run -1 uncore-throttle --machine=sim:westmere-2s,throttle=none,throttle=prochot-external -- sleep 0.2
	echo "$output"
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: throttled: while COMMAND ran ("*"prochot-external"* ]]
	run -0 uncore-throttle --machine=sim:westmere-2s,throttle=none -- sleep 0.1
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: ok: while COMMAND ran ("*"not slowed down"* ]]
}

@test "a command's own failure is printed, and does not become the verdict" {
	run -0 --separate-stderr uncore-throttle -- sh -c 'exit 7'
	[ "$stderr" = "uncore-throttle: sh: ended with exit status 7" ]
	run -0 --separate-stderr uncore-throttle -- sh -c 'kill -KILL $$'
	[ "$stderr" = "uncore-throttle: sh: ended with exit status 137" ]
	run -127 uncore-throttle -- /nonexistent
	[ "$output" = "uncore-throttle: /nonexistent: No such file or directory" ]
	run -126 uncore-throttle -- /etc/passwd
}

@test "where nothing can be told the command is not started" {
	run -3 uncore-throttle --machine="sim:westmere-2s,$CALM,hypervisor=yes" -- touch "$out"
	[ ! -e "$out" ]
}

@test "a command in JSON: one object for each package and core about the whole time" {
	need jq
	uncore-throttle --machine=sim:westmere-2s,throttle=none,throttle='prochot-external package=0' \
		--format=json -- sleep 0.2 >"$out" || [ $? -eq 1 ]
	[ "$(wc -l <"$out")" -eq 14 ]
	jq -es 'map(select(.core != null)) | all(if .package == 0 then .verdict == "throttled" and
		.causes[0].cause == "prochot-external" else .verdict == "ok" end)' "$out"
}

# ---- DIMMs ----

@test "were the DIMMs throttled: yes with cycles and share, or no, for each package" {
	need jq
	run -1 uncore-throttle --dimm -i 5 -n 1 \
		--machine="sim:westmere-2s,$CALM,throttle=dimm-thermal package=0"
	echo "$output"
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: package 0: yes: for "*" % of the time, "[1-9]*" uncore cycles" ]]
	[[ ${lines[1]} == "SIMULATED machine westmere-2s: package 1: no" ]]
	run -0 uncore-throttle --dimm
	[[ ${lines[0]} == *"package 0: no" && ${lines[1]} == *"package 1: no" ]]
	# A measured 0 is shown; if a register has the lost time, cycles are not counted.
	for machine in westmere-2s=0 haswell-ep-2s= skylake-sp-2s=; do
		run -0 uncore-throttle --dimm -i 5 -n 1 --format=json --machine="sim:${machine%=*},$CALM"
		jq -es --arg cycles "${machine#*=}" 'length == 2 and all(.[]; .share == 0 and
			.cycles == (if $cycles == "" then null else $cycles end))' <<<"$output"
		run -0 uncore-throttle --dimm -i 5 -n 1 --format=csv --machine="sim:${machine%=*},$CALM"
		[[ ${lines[1]} == *",no,0.000000,${machine#*=},,$HOSTNAME" && ${lines[2]} == *",no,0.000000,${machine#*=},,$HOSTNAME" ]]
	done
	run -1 uncore-throttle --dimm --format=json --machine="sim:haswell-ep-2s,$CALM,throttle=dimm-thermal package=1"
	jq -e '.package == 0 and .dimm_throttled == "no"' <<<"${lines[0]}"
	jq -e '.package == 1 and .dimm_throttled == "yes" and .share > 0.99' <<<"${lines[1]}"
}

@test "were the DIMMs throttled: without the clock's counter there are cycles and no share" {
	need jq
	uncore-throttle --dimm -i 5 -n 1 --format=json \
		--machine="sim:westmere-2s,$CALM,busy=8,throttle=dimm-thermal package=0" 2>/dev/null >"$out" || [ $? -eq 1 ]
	jq -es '.[0].dimm_throttled == "yes" and .[0].share == null and (.[0].cycles | tonumber) > 0 and
		.[1].dimm_throttled == "no" and .[1].cycles == "0"' "$out"
	run -3 uncore-throttle --dimm -i 5 -n 1 --machine="sim:westmere-2s,$CALM,busy=0-7"
	[[ ${lines[0]} == *"package 0: cannot-tell: "*"no free counter"* ]]
}

@test "were the DIMMs throttled: a register that faults for a while is not taken for no" {
	need jq
	local machine
	machine="sim:haswell-ep-2s,$CALM,fail=read 0x61b EIO cpu=0 after=5 times=3,throttle=dimm-thermal package=1 every=10 for=2"
	run -1 uncore-throttle --dimm -i 1 -n 20 --machine="$machine"
	[[ ${lines[0]} == *"package 0: cannot-tell: cannot tell for 20 % of the time: "*"(0x61b): "*"faults here (unknown since 20"* ]]
	[[ ${lines[1]} == *"package 1: yes: for 20 % of the time" ]]
	uncore-throttle --dimm -i 1 -n 20 --machine="$machine" --format=json >"$out" || [ $? -eq 1 ]
	jq -es 'map([.dimm_throttled, .share]) == [["cannot-tell", null], ["yes", 0.2]] and .[1].why == null and
		(.[0].why | test("^cannot tell for 20 % of the time: .*0x61b"))' "$out"
}

@test "were the DIMMs throttled: cannot tell, with the reason and status 3" {
	run -3 uncore-throttle --dimm --machine="sim:nehalem-1s,$CALM"
	[[ $output == *"package 0: cannot-tell: "?* ]]
	run -3 uncore-throttle --dimm --machine="sim:zen-1s,$CALM"
	[[ $output == *"package 0: cannot-tell: "?* ]]
	run -3 --separate-stderr uncore-throttle --dimm --machine="sim:westmere-2s,$CALM,hypervisor=yes"
	[[ ${lines[0]} == *"package 0: cannot-tell: virtual machine"* && ${lines[1]} == *"package 1: cannot-tell: virtual machine"* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
}

# ---- clearing ----

@test "--clear writes log bits only, says which, and nothing is left to clear" {
	need_fuse
	serve haswell-ep-2s,throttle=none,throttle='vr-thermal for=0.2',throttle='prochot-external for=0.2'
	sleep 0.4
	run -0 uncore-throttle --machine="root:$MNT"
	[[ ${lines[0]} == *": was-throttled: "*vr-thermal* ]]
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
	run -0 uncore-throttle --machine="root:$MNT" --clear
	echo "$output"
	[[ $output == *"(0x1b1) was 0x"*"cleared"*PROCHOT_LOG* ]]
	grep ' wr ' "$LOG" >"$trace"
	[ -s "$trace" ]
	# Only registers with log bits are written.
	run ! grep -vE ' wr (0x19c|0x1b1|0x690|0x6b0|0x6b1) ' "$trace"
	run -0 uncore-throttle --machine="root:$MNT" --since-clear
	[[ ${lines[0]} == *": ok: "* ]]
	run -0 uncore-throttle --machine="root:$MNT" --clear
	[ "$output" = "no log bit was set: nothing was written" ]
}

@test "--clear: counts of the kernel up to then no longer change the verdict" {
	need_fuse
	# The kernel has cleared the log bits, but its counts stay.
	serve haswell-ep-2s,kernel_clears=yes,throttle=none,throttle='core-thermal for=0.2 package=0'
	sleep 0.4
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
	[[ ${lines[0]} == *": was-throttled: core-thermal (6 cores)"* ]]
	run -0 uncore-throttle --machine="root:$MNT" --clear
	[[ $output == *"the kernel's counts cannot be reset (6 are not 0): "* ]]
	run -0 uncore-throttle --machine="root:$MNT" --since-clear
	[[ ${lines[0]} == *": ok: "* ]]
	run -0 uncore-throttle --machine="root:$MNT" --since-clear --verbose
	[[ $output == *"counted it once before the log was cleared (by us, 20"* ]]
}

@test "--clear --dry-run writes nothing and prints the commands" {
	need_fuse
	serve haswell-ep-2s,throttle=none,throttle='prochot-external for=0.2'
	sleep 0.4
	run -0 uncore-throttle --machine="root:$MNT" --clear --dry-run
	echo "$output"
	[[ $output == *"wrmsr -p "* && $output == *"would clear PROCHOT_LOG"* && $output != *cleared* ]]
	run ! grep -q ' wr ' "$LOG"
}

@test "--clear needs the right to write: status 4" {
	run -4 uncore-throttle --clear --machine="sim:haswell-ep-2s,$CALM,lockdown=integrity,throttle=prochot-external"
	[ "${#lines[@]}" -ge 1 ]
	[[ $output == *uncore-throttle:* ]]
}

# ---- bad input ----

@test "options that make no sense are usage errors in one line" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086 # a list of words
		run -2 uncore-throttle $args
		echo "$args: $output"
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == "uncore-throttle: "*"; see uncore-throttle --help" ]]
	done <<-'EOF'
		-i 0
		-i -1
		-i x
		-i
		-n 0
		-n 1.5
		--count=x
		--no-such-option
		word
		--
		--output=
		--clear --kernel-only
		--clear -i 1
		--clear --since-clear
		--clear --dimm
		--clear --summary
		--clear -- true
		--dry-run
		--summary -i 1
		--summary --dimm
		--summary -- true
		--dimm --kernel-only
		--dimm --without=dimm-thermal
		--clear --without=smi
		--without=heat
		--without=
		--without=smi,
		--without=critical-temperature,prochot-external,core-thermal,package-thermal,vr-thermal,dimm-thermal,firmware,clock-modulation,power-limit,current-limit,cross-domain,smi,other
		--format=xml
	EOF
}

@test "an unknown machine is a usage error" {
	run -2 uncore-throttle --machine=sim:nope
	[ "${#lines[@]}" -eq 1 ]
}
