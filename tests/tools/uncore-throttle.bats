#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-throttle on simulated machines with a stepped clock: an hour of watching takes no time.

load common
load answers
load mounted

setup() {
	need jq
	export UNCOREMSR_MACHINE=sim:westmere-2s,$CALM
	trace=$BATS_TEST_TMPDIR/trace out=$BATS_TEST_TMPDIR/out
}

# ---- one look ----

@test "a machine that is fine gets one line, the same at every look, with the causes that no look can see" {
	local fine='[1-9]* package*core*, none is slowed down*' line
	each_says uncore-throttle <<-END
		0|1|westmere-2s,$CALM||SIMULATED machine westmere-2s: ok: 2 packages and 12 cores, none is slowed down*; only with --dimm, -i or COMMAND: dimm-thermal; not visible here: *power-limit*
		0|1|nehalem-1s,$CALM||SIMULATED machine nehalem-1s: ok: $fine
		0|1|sandybridge-1s,$CALM||SIMULATED machine sandybridge-1s: ok: $fine
		0|1|icelake-sp-2s,$CALM||SIMULATED machine icelake-sp-2s: ok: $fine; not visible here: cross-domain
		0|1|zen-1s,$CALM||SIMULATED machine zen-1s: ok: $fine; not visible here: *dimm-thermal*
		0|1|zen-1s,$CALM,throttle=package-thermal,set=0xc00102b1:1||*; not visible here: package-thermal (at 95 degrees C), *firmware*
		1|-|zen-1s,$CALM,throttle=package-thermal||*: throttled: firmware (8 cores); not visible here: package-thermal (at 95 degrees C), *power-limit*\\n*at 95 degrees C*1838 MHz since the last look, base 2450 MHz*
		1|-|genoa-1s,$CALM,throttle=prochot-external||*what to do: *\\n    cannot tell: prochot-external: *modprobe amd_hsmp*
		0|1|naples-1s,$CALM||*: ok: *not visible here: *prochot-external*
		0|1|westmere-2s,$CALM,offline=0,2,12,14||*: ok: 2 packages and 10 cores, none is slowed down*
		0|1|sapphire-rapids-2s,$CALM,throttle=vr-thermal||*; not visible here: *vr-thermal*
		0|1|granite-rapids-2s,$CALM,throttle=vr-thermal||*; not visible here: *vr-thermal*
		0|1|knights-landing-1s,$CALM,throttle=vr-thermal||*; not visible here: *vr-thermal*
		0|2|icelake-sp-2s,$CALM|-n 1|* ok: in 5.000 s, 1 look: *
		0|-|westmere-2s,$CALM|--verbose|*not visible: power-limit: this processor has no power-limit bits*
		0|-|westmere-2s,$CALM|--verbose|*not counted: dimm-thermal: only the uncore's events show it*
		0|-|westmere-2s,$CALM|--verbose --without=smi|*    smi: left out by --without*
	END
	run -0 --separate-stderr uncore-throttle
	line=$output
	[ -z "$stderr" ]
	run -0 uncore-throttle
	[ "$output" = "$line" ]
}

@test "a throttled machine gets one line, then the causes with evidence" {
	run -1 --separate-stderr uncore-throttle \
		--machine="sim:westmere-2s,$CALM,throttle=prochot-external package=1"
	echo "$output"
	[ -z "$stderr" ]
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: throttled: prochot-external ("*"6 cores)"* ]]
	[[ $output == *"package 1, cores 0-2,8-10: slowed down now: something outside the processor forces it"* ]]
	[[ $output == *"IA32_THERM_STATUS (0x19c) = 0x"*PROCHOT* ]]
	[[ $output != *"package 0"* && $output != *sensor* ]]
	# If a core's own sensor has tripped, the cause is core-thermal, not prochot-external.
	run -1 uncore-throttle --machine="sim:westmere-2s,$CALM,throttle=core-thermal package=0 core=1"
	echo "$output"
	[[ ${lines[0]} == *"throttled: core-thermal (1 core)"* || ${lines[0]} == *"throttled: core-thermal (1 package, 1 core)"* ]]
	[[ $output == *"package 0"*"core 1: slowed down now: its own temperature sensor has tripped"* ]]
	[[ $output != *outside* ]]
	# On a package without a status register of its own, only the cores are shown.
	run -1 uncore-throttle --machine="sim:nehalem-1s,$CALM,throttle=core-thermal core=1"
	[[ ${lines[0]} == *": throttled: core-thermal (1 core);"* && ${lines[1]} == "  package 0, core 1: "* ]]
	[[ $output != *$'\n  package 0:'* ]]
}

@test "without a reading the verdict is never ok, a present cause is reported, and --without leaves causes out" {
	local fault='PStateCurLim (0xc0010061): reading it faults here' seen='no slowdown was seen' at='in 2.000 s, 2 looks'
	each_says uncore-throttle <<-END
		3|-|zen-1s,$CALM,silent=0xc0010064||*: cannot-tell: firmware: *\\n*cannot tell firmware; *
		4|1|zen-1s,$CALM,driver=missing||SIMULATED*: cannot-tell: *firmware*: no msr driver: *modprobe msr; *
		4|1|nehalem-1s,$CALM,driver=missing||SIMULATED*: cannot-tell: *firmware*: no msr driver: *modprobe msr; *
		4|1|icelake-sp-2s,$CALM,driver=missing||SIMULATED*: cannot-tell: *firmware*: no msr driver: *modprobe msr; *
		4|1|zen-1s,$CALM,driver=missing|--summary|*: cannot-tell: *modprobe msr; *
		4|1|nehalem-1s,$CALM,driver=missing|--summary|*: cannot-tell: *modprobe msr; *
		4|1|icelake-sp-2s,$CALM,driver=missing|--summary|*: cannot-tell: *modprobe msr; *
		4|1|zen-1s,$CALM,hsmp=no||*: cannot-tell: prochot-external: *modprobe amd_hsmp*
		4|-|haswell-ep-2s,$CALM,allow=0x19c:0||*
		3|2|zen-1s,$CALM,fail=read 0xc0010061 EIO cpu=3||*: cannot-tell: firmware: $fault; not slowed down: 1 package and 7 cores; *\\n*package 0, core 3: cannot tell firmware; $fault
		3|-|zen-1s,$CALM,fail=read 0xc0010061 EIO|-i 1 -n 2|*\\n*cores 0-7: cannot-tell: firmware; $fault\\n*Z cannot-tell: $at: cannot tell firmware; $seen*
		3|-|genoa-1s,hsmp=yes|--kernel-only|*: cannot-tell: firmware: registers are not read here, and the kernel's files do not show it; *
		4|-|haswell-ep-2s,$CALM,driver=missing|-- true|*: cannot-tell: while COMMAND ran*: cannot tell *prochot-external*; $seen; *
		3|3|westmere-2s,$CALM,fail=read 0x19c EIO||*: cannot-tell: *prochot-external*: IA32_THERM_STATUS (0x19c): reading it faults here; *\\n  package 0, cores 0-2,8-10: cannot tell critical-temperature, prochot-external; IA32_THERM_STATUS (0x19c): reading it faults here*
		3|-|westmere-2s,$CALM,fail=read 0x19c EIO|--verbose|*CPU 2: cannot tell critical-temperature, prochot-external; IA32_THERM_STATUS (0x19c): reading it faults here*
		4|-|westmere-2s,$CALM,driver=missing,throttle=prochot-external||*: cannot-tell: *prochot-external*
		3|1|westmere-2s,$CALM,hypervisor=yes||uncore-throttle: *virtual machine*
		3|1|westmere-2s,$CALM,hypervisor=yes|--summary|SIMULATED machine westmere-2s: cannot-tell: *virtual machine*
	END
	# A present cause gives the verdict throttled, even if other causes are unknown. If a cause is only logged,
	# unknown causes decide the exit status (3 or 4), except with --since-clear. In the last three rows the kernel
	# has counted an episode that is over.
	each_says uncore-throttle <<-END
		1|-|haswell-ep-2s,$CALM,fail=read 0x61b EIO,throttle=prochot-external||*: throttled: prochot-external (*); cannot tell: dimm-thermal; *
		4|-|westmere-2s,$CALM,driver=missing,throttle=core-thermal for=0.000001||*: was-throttled: core-thermal (*); cannot tell now: *: no msr driver: *modprobe msr; *
		1|-|westmere-2s,$CALM,driver=missing,throttle=core-thermal for=0.000001|--since-clear|*
		3|-|westmere-2s,$CALM,throttle=core-thermal for=0.000001|--kernel-only|*
	END
	# The exit status is that of the second look, whose result is printed: a log bit that is cleared between the two
	# looks has no effect on it.
	each_says uncore-throttle <<-END
		0|-|skylake-sp-2s,$CALM,kernel_thermal=no,set=0x1b1 0x88380002,foreign=0x1b1 0x88380000 at=0.05|--since-clear|*: ok: *
	END
	# Core 2 cannot show the cause, but other cores report it, so the cause is not listed as unknown.
	run -1 uncore-throttle --machine="sim:zen-1s,$CALM,throttle=firmware,fail=read 0xe8 EIO cpu=2"
	[[ ${lines[0]} != *"cannot tell"* && $output != *"cannot tell firmware"* ]]
	# --without leaves causes out, and the first line says so.
	local five=critical-temperature,prochot-external,firmware,clock-modulation,smi
	# A cause that was left out is not reported even if it is present, nor is a slow clock attributed to another
	# cause.
	each_says uncore-throttle <<-END
		0|-|nehalem-1s,$CALM,driver=missing|--without=critical-temperature,prochot-external,firmware --without=clock-modulation,smi|*: ok: 1 package and 4 cores, none is slowed down; left out by --without: ${five//,/, }; *
		0|-|haswell-ep-2s,$CALM,throttle=prochot-external|--without=prochot-external|*
		0|-|zen-1s,$CALM,fail=read 0xe8 EIO|-i 1 -n 2 --without=firmware|*
		3|1|zen-1s,$CALM|--without=prochot-external,firmware|*shows any of the requested causes
	END
	run -0 uncore-throttle --without=prochot-external --machine="sim:zen-1s,$CALM,hsmp=no"
	[[ ${lines[0]} == *": ok: "*"; left out by --without: prochot-external; not visible here: "* && ${lines[0]#*not visible} != *prochot* ]]
	run -0 uncore-throttle --without=prochot-external --format=json --machine="sim:zen-1s,$CALM,hsmp=no"
	jq -es 'length > 0 and all(.verdict == "ok" and .not_asked == ["prochot-external"] and .unknown == [] and
		(.not_visible | index("prochot-external") | not))' <<<"$output"
}

@test "each die of a package is looked at, and named" {
	run -1 uncore-throttle --machine="sim:cascadelake-ap-1s,$CALM,throttle=package-thermal die=1"
	[[ ${lines[0]} == *": throttled: package-thermal (1 package)"* ]]
	[[ ${lines[1]} == "  package 0: slowed down now: the package is too hot (cooling), on die 1; at its limit"* ]]
	{
		uncore-throttle --format=json --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal,throttle=package-thermal die=1" || true
		uncore-throttle --format=json --machine="sim:haswell-ep-2s,$CALM,throttle=vr-thermal" || true
	} >"$out"
	jq -es '(.[0] | .core == null and [.causes[] | [.cause, .die]] == [["package-thermal", 1], ["vr-thermal", 0], ["vr-thermal", 1]]) and
		(map(select(.machine == "sim:haswell-ep-2s"))[0].causes[0] | .cause == "vr-thermal" and .die == null)' "$out"
	# Each die is watched separately, and on each the cause begins once.
	run -1 uncore-throttle -i 1 -n 9 --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal die=1 for=3 phase=2.5,throttle=vr-thermal die=0 for=3 phase=3.5"
	[ "$(grep -c 'vr-thermal began: .*, on die [01]' <<<"$output")" = 2 ]
	[ "$(grep -c 'vr-thermal ended' <<<"$output")" = 2 ]
	run -1 uncore-throttle --format=prometheus --machine="sim:cascadelake-ap-1s,$CALM,throttle=vr-thermal"
	[ "$(grep -c '^uncoremsr_throttled{.*package="0",cause="vr-thermal"} 1' <<<"$output")" = 1 ]
}

@test "five lines say what the cause is, where, since when and what to do" {
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

@test "one look writes nothing, reads each register once, and is one record with --summary" {
	# With a single look the output says "1 look".
	run -0 uncore-throttle --machine="sim:icelake-sp-2s,$CALM" -- true
	[[ $output == *" s, 1 look): "* ]]
	run -1 uncore-throttle -n 1 --machine="sim:icelake-sp-2s,$CALM,throttle=prochot-external"
	[[ $output == *": prochot-external at 1 of 1 look: "* && $output != *looks* ]]
	# One look writes nothing and reads each register once per core or package.
	run -1 --separate-stderr uncore-throttle --trace --machine="sim:haswell-ep-2s,$CALM,throttle=prochot-external"
	[[ $stderr == *' read '* && $stderr != *' write '* ]]
	# 12 cores, 2 packages, 2 looks
	[ "$(grep -c ' read .*(0x19c)' <<<"$stderr")" -eq 24 ]
	[ "$(grep -c ' read .*(0x1b1)' <<<"$stderr")" -eq 4 ]
	# --summary prints one record for the whole machine.
	run -1 uncore-throttle --summary --format=json \
		--machine="sim:icelake-sp-2s,$CALM,throttle=prochot-external package=0"
	[ "${#lines[@]}" -eq 1 ]
	jq -e '.verdict == "throttled" and .causes == ["prochot-external"] and .packages == 2 and
		.cores == 16 and .throttled_packages == 1 and .throttled_cores == 8 and
		.unknown == [] and .why == null' <<<"$output"
	# If no cause can be determined, the command is not started.
	run -3 uncore-throttle --machine="sim:westmere-2s,$CALM,hypervisor=yes" -- touch "$out"
	[ ! -e "$out" ]
}

@test "a cause that is only logged is was-throttled with status 0, or 1 with --since-clear; a limit is no verdict" {
	serve haswell-ep-2s,throttle=none,throttle='vr-thermal for=0.1'
	sleep 0.2
	run -0 uncore-throttle --machine="root:$MNT"
	echo "$output"
	[[ ${lines[0]} == *": was-throttled: vr-thermal (2 packages); "* ]]
	[[ ${lines[2]} == "    since when: at some time since the log was last cleared" ]]
	[[ $output == *"slowed down at some time since the log was last cleared"* ]]
	[[ $output == *"MSR_CORE_PERF_LIMIT_REASONS (0x690) = 0x"*LOG* ]]
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
	[[ $(<"$LOG") == *' rd '* && $(<"$LOG") != *' wr '* ]]
	unserve
	serve haswell-ep-2s,throttle=none,throttle='power-limit for=0.1',throttle='current-limit for=0.1'
	sleep 0.2
	run -0 uncore-throttle --machine="root:$MNT" --since-clear
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
	uncore-throttle --machine="root:$MNT" --format=json >"$out"
	jq -es '[.[].causes[]] | length > 0 and all(.logged and (.now | not) and (.decides | not))' "$out"
}

@test "without registers the kernel's files are used, and without both the reason is given" {
	# A machine on which no register shows throttling: text and JSON give the same reason, and no register is read.
	local reason
	run -3 --separate-stderr uncore-throttle --machine=sim:generic --format=json --trace
	[[ $stderr != *rdmsr* ]]
	reason=$(jq -rse 'if all(.verdict == "cannot-tell" and (.unknown | length) == 1) and
		(.[0].not_visible | length) == 12 then .[0].unknown[0] else "not so" end' <<<"$output")
	[[ $reason == "any: no register of this processor and no file of the kernel shows"* ]]
	run -3 --separate-stderr uncore-throttle --machine=sim:generic
	[ "$stderr" = "uncore-throttle: ${reason#any: }" ]
	run -3 uncore-throttle --machine=sim:generic --summary
	[[ $output == "SIMULATED machine generic: cannot-tell: ${reason#any: }" ]]
	# Without the register driver the kernel's files are used.
	run -1 uncore-throttle --machine="sim:westmere-2s,$CALM,driver=missing,throttle=core-thermal every=0.02 for=0.01"
	echo "$output"
	[[ ${lines[0]} == *": throttled: core-thermal ("* ]]
	[[ $output == *thermal_throttle/core_throttle_count* ]]
	[[ $output != *IA32_* ]]
	# --kernel-only reads no register.
	local words
	# --kernel-only reads no register with -i or COMMAND either, although the uncore has events for throttling.
	for words in '' '-i 1 -n 2' '-- true'; do
		# shellcheck disable=SC2086
		run -3 --separate-stderr uncore-throttle --kernel-only --trace $words
		echo "$stderr"
		[[ -n $words || ${#lines[@]} -eq 1 ]]
		[[ ! $stderr =~ cpu\ [0-9]+\ (read|write) ]]
	done
}

@test "without driver and without kernel files there is no access: status 4 and the next step" {
	local dir=$BATS_TEST_TMPDIR/tree
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

# ---- watching ----

@test "a watch reports only changes, in text and JSON, and puts the registers back" {
	# A machine without throttling yields no change in an hour.
	each_says uncore-throttle <<-END
		0|2|westmere-2s,$CALM|-i 60 -n 60|20*Z SIMULATED machine westmere-2s: ok: *\\n*Z ok: in 3600.000 s, 60 looks: not slowed down*
	END
	# A watch in JSON prints everything once, then only what changed.
	uncore-throttle -i 1 -n 10 --format=json \
		--machine="sim:westmere-2s,$CALM,throttle=core-thermal package=0 core=9 every=100 for=2 phase=3.5" \
		>"$out" || [ $? -eq 1 ]
	# All records of a look have the same time of day.
	jq -es '(map(select(.time == 0)) | length == 14 and (map(.timestamp) | unique | length) == 1) and
		([.[] | select(.time > 0 and .core != null).core] | unique) == [9] and
		(map(select(.core == 9 and .package == 0) | .verdict) | .[0] == "ok" and .[1] == "throttled")' "$out"
	# After a watch with counters, all registers have their old contents.
	uncore-throttle --machine=sim:westmere-2s,clock=stepped -i 1 -n 3 --trace >"$out" 2>"$trace" || [ $? -eq 1 ]
	restored "$trace"
	# Only registers of uncore counters are written.
	run ! grep -E '^cpu [0-9]+ write [^U]' "$trace"
	# A package without a status register of its own has the verdict of its cores.
	run -1 uncore-throttle -i 1 -n 20 --machine="sim:nehalem-1s,$CALM,throttle=core-thermal core=1 for=5 phase=4.5"
	[ "$(grep -c 'core-thermal began' <<<"$output")" -eq 1 ]
	[ "$(grep -c 'core-thermal ended' <<<"$output")" -eq 1 ]
	[ "$(grep -c '^  package 0' <<<"$output")" -eq 1 ]
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
	[ $((end - begin)) -ge 2995 ] && [ $((end - begin)) -lt 4000 ] # the looks themselves take some time, too
	[[ ${lines[0]} == *": ok: "* ]]
	[[ $output == *"Z throttled: in 20.000 s, 20 looks: prochot-external"* ]]
}

@test "a cause that cores have shown already does not begin again when the package's own counter shows it" {
	run -1 uncore-throttle -i 0.5 -n 12 --machine=sim:westmere-2s,clock=stepped
	[[ $output == *"package 0, cores 0,1: core-thermal holds: "*"package 0: core-thermal holds: "* ]]
	[[ $output == *"package 0 and its core 0: core-thermal ended: it lasted about 4.500 s"* ]]
	[[ $output != *"-thermal began"*"core-thermal ended"* ]]
}

@test "CPUs may go offline and come back during a watch" {
	local machine
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

@test "a driver or register that comes back during a watch is reported, and so is what was unknown until then" {
	# A driver that is loaded during the watch is noticed, and then events are counted.
	run -1 --separate-stderr uncore-throttle -i 1 -n 60 --machine="sim:westmere-2s,$CALM,open=ENOENT times=40,throttle=dimm-thermal package=1 for=4 phase=45.5"
	echo "$output"
	[[ ${lines[0]} == *": cannot-tell: "*prochot-external*": /dev/cpu/"*"no device node"* ]]
	[[ $output == *"cores "*": known now: critical-temperature, prochot-external, clock-modulation"* ]]
	[ "$(grep -c ' unknown for ' <<<"$output")" -le 12 ]
	[[ $output == *"package 1: dimm-thermal began"* && $output == *"package 1: dimm-thermal ended"* ]]
	# A register that faults for a while is reported when it fails and when it is back.
	run -3 uncore-throttle -i 1 -n 20 --machine="sim:haswell-ep-2s,$CALM,fail=read 0x19c EIO cpu=4 after=5 times=3"
	echo "$output"
	[[ ${lines[1]} == *"package 0, core 4: cannot-tell: critical-temperature, prochot-external, power-limit; IA32_THERM_STATUS (0x19c): reading it faults"* ]]
	[[ ${lines[2]} == *"package 0, core 4: known again: critical-temperature, prochot-external, power-limit" ]]
	[[ ${lines[3]} == *" cannot-tell: "*": no answer for part of the time; no slowdown was seen" ]]
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
	# A new file has a CSV header, as the first one.
	rm "$out"
	background uncore-throttle --machine="$real" -i 0.05 --format=csv --output="$out"
	wait_for "$out" prochot
	mv "$out" "$out.1"
	wait_for "$out" prochot
	: >"$out"
	wait_for "$out" prochot
	[[ $(head -c 5 "$out") = time, && $(head -c 5 "$out.1") = time, && $(grep -c ^time, "$out") = 1 ]]
}

@test "a signal, a reader that leaves and output that cannot be written end a watch, each with its own status" {
	# SIGINT ends a watch with a summary. After SIGTERM and SIGHUP the registers are restored, and the signal ends
	# the process.
	local name status
	background uncore-throttle --machine=sim:westmere-2s,throttle=none -i 0.1 >"$out"
	wait_for "$out" ' ok: '
	kill -INT "$pid"
	ends_with 0
	[[ $(<"$out") =~ \ looks?:\ not\ slowed\ down[^$'\n']*$ ]]
	for name in TERM:143 HUP:129; do
		background uncore-throttle --machine=sim:westmere-2s -i 0.1 --trace >"$out" 2>"$trace"
		wait_for "$out" ' throttled: '
		kill -"${name%:*}" "$pid"
		ends_with "${name#*:}"
		restored "$trace"
	done
	# If standard output is full or closed, one line is printed, and the status is never 1.
	run -3 bash -c 'uncore-throttle >/dev/full'
	[ "$output" = "uncore-throttle: standard output: No space left on device" ]
	run -3 bash -c 'uncore-throttle >&-'
	[ "$output" = "uncore-throttle: standard output: Bad file descriptor" ]
	run -3 bash -c 'uncore-throttle --help >/dev/full'
	# A file that cannot be opened is a usage error, as in every other tool.
	run -2 uncore-throttle --output=/nonexistent/log
	[ "$output" = "uncore-throttle: --output: /nonexistent/log: No such file or directory" ]
	# If the reader of the output has exited, the watch ends, even if there is nothing to print.
	local wanted interval machine
	# On the first machine throttling happens at some time, hence status 1.
	while IFS='|' read -r wanted interval machine; do
		{
			status=0
			timeout 20 uncore-throttle --machine="sim:westmere-2s,$machine" -i "$interval" 2>"$trace" || status=$?
			echo "$status" >"$BATS_TEST_TMPDIR/status"
		} | head -n 1
		[ "$(<"$BATS_TEST_TMPDIR/status")" -eq "$wanted" ]
		[ ! -s "$trace" ]
	done <<-END
		1|1|$CALM,throttle=prochot-external every=2 for=1
		3|0.05|throttle=none
	END
}

# ---- with a command ----

@test "with COMMAND the output says whether the machine was throttled while it ran, and how COMMAND failed" {
	run -1 uncore-throttle --machine=sim:westmere-2s,throttle=none,throttle=prochot-external -- sleep 0.2
	echo "$output"
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: throttled: while COMMAND ran ("*"prochot-external"* ]]
	run -0 uncore-throttle --machine=sim:westmere-2s,throttle=none -- sleep 0.1
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: ok: while COMMAND ran ("*"not slowed down"* ]]
	# A command's own failure is printed, and does not become the verdict.
	run -0 --separate-stderr uncore-throttle -- sh -c 'exit 7'
	[ "$stderr" = "uncore-throttle: sh: ended with exit status 7" ]
	run -0 --separate-stderr uncore-throttle -- sh -c 'kill -KILL $$'
	[ "$stderr" = "uncore-throttle: sh: ended with exit status 137" ]
	run -127 uncore-throttle -- /nonexistent
	[ "$output" = "uncore-throttle: /nonexistent: No such file or directory" ]
	run -126 uncore-throttle -- /etc/passwd
	# A command in JSON: one object for each package and core about the whole time.
	uncore-throttle --machine=sim:westmere-2s,throttle=none,throttle='prochot-external package=0' \
		--format=json -- sleep 0.2 >"$out" || [ $? -eq 1 ]
	[ "$(wc -l <"$out")" -eq 14 ]
	jq -es 'map(select(.core != null)) | all(if .package == 0 then .verdict == "throttled" and
		.causes[0].cause == "prochot-external" else .verdict == "ok" end)' "$out"
}

# ---- DIMMs ----

@test "--dimm says whether the DIMMs were throttled: yes with cycles and share, no, or cannot tell with the reason" {
	# Each package has "yes" with cycles and share of time, or "no".
	local no='*,no,0.000000'
	# A measured 0 is shown. If a register shows the lost time, throttled cycles are not counted.
	each_says uncore-throttle <<-END
		1|2|westmere-2s,$CALM,throttle=dimm-thermal package=0|--dimm -i 5 -n 1|SIMULATED machine westmere-2s: package 0: yes: for * % of the time, [1-9]* uncore cycles\\nSIMULATED machine westmere-2s: package 1: no
		0|2|westmere-2s,$CALM|--dimm|*package 0: no\\n*package 1: no
		0|3|westmere-2s,$CALM|--dimm -i 5 -n 1 --format=csv|*\\n$no,0,,$HOSTNAME\\n$no,0,,$HOSTNAME
		0|3|haswell-ep-2s,$CALM|--dimm -i 5 -n 1 --format=csv|*\\n$no,,,$HOSTNAME\\n$no,,,$HOSTNAME
		0|3|skylake-sp-2s,$CALM|--dimm -i 5 -n 1 --format=csv|*\\n$no,,,$HOSTNAME\\n$no,,,$HOSTNAME
		1|2|haswell-ep-2s,$CALM,throttle=dimm-thermal package=1|--dimm --format=json|*"package":0,"dimm_throttled":"no",*\\n*"package":1,"dimm_throttled":"yes","share":@(0.99*|1.0*),*
	END
	# If no counter is free for the uncore clock, the throttled cycles are known, but not their share of all cycles.
	run -1 --separate-stderr uncore-throttle --dimm -i 5 -n 1 --format=json \
		--machine="sim:westmere-2s,$CALM,busy=8,throttle=dimm-thermal package=0"
	[[ ${lines[0]} == *'"dimm_throttled":"yes","share":null,"cycles":"'[1-9]* && ${lines[1]} == *'"dimm_throttled":"no",'*'"cycles":"0"'* ]]
	run -3 uncore-throttle --dimm -i 5 -n 1 --machine="sim:westmere-2s,$CALM,busy=0-7"
	[[ ${lines[0]} == *"package 0: cannot-tell: "*"no free counter"* ]]
	# If the register faults for a while, the answer must not be "no".
	local machine why='"cannot tell for 20 % of the time: *0x61b*"'
	machine="haswell-ep-2s,$CALM,fail=read 0x61b EIO cpu=0 after=5 times=3,throttle=dimm-thermal package=1 every=10 for=2"
	each_says uncore-throttle <<-END
		1|2|$machine|--dimm -i 1 -n 20|*package 0: cannot-tell: cannot tell for 20 % of the time: *[(]0x61b): *faults here (unknown since 20*\\n*package 1: yes: for 20 % of the time*
		1|2|$machine|--dimm -i 1 -n 20 --format=json|*"dimm_throttled":"cannot-tell","share":null,*"why":$why,*\\n*"dimm_throttled":"yes","share":0.200000,*"why":null,*
	END
	# If no counter or register can tell, the answer is "cannot-tell" with the reason and status 3.
	each_says uncore-throttle <<-END
		3|-|nehalem-1s,$CALM|--dimm|*package 0: cannot-tell: ?*
		3|-|zen-1s,$CALM|--dimm|*package 0: cannot-tell: ?*
		3|3|westmere-2s,$CALM,hypervisor=yes|--dimm|*package 0: cannot-tell: virtual machine*\\n*package 1: cannot-tell: virtual machine*\\nuncore-throttle: *
	END
}

# ---- clearing ----

@test "--clear writes log bits only, says which, and nothing is left to clear; --dry-run prints the commands; without rights status 4" {
	serve haswell-ep-2s,throttle=none,throttle='vr-thermal for=0.2',throttle='prochot-external for=0.2'
	sleep 0.4
	run -0 uncore-throttle --machine="root:$MNT"
	[[ ${lines[0]} == *": was-throttled: "*vr-thermal* ]]
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
	run -0 uncore-throttle --machine="root:$MNT" --clear --dry-run
	echo "$output"
	[[ $output == *"wrmsr -p "* && $output == *"would clear PROCHOT_LOG"* && $output != *cleared* ]]
	run ! grep -q ' wr ' "$LOG"
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
	[ "${lines[1]}" = "no log bit was set: nothing was written" ]
	run -4 uncore-throttle --clear --machine="sim:haswell-ep-2s,$CALM,lockdown=integrity,throttle=prochot-external"
	[ "${#lines[@]}" -ge 1 ]
	[[ $output == *uncore-throttle:* ]]
}

@test "--clear writes a record for each register; text of a simulated machine says SIMULATED first" {
	local word machine=sim:westmere-2s,clock=stepped
	for word in '' 'would-clear --dry-run'; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr uncore-throttle --machine=$machine --clear ${word#* } --format=json
		jq -es --arg result "${word% *}" 'length == 12 and ($result == "" or all(.result == $result)) and
			all(.machine == "sim:westmere-2s" and .time == 0 and .timestamp > "2026" and (.host | length) > 0) and
			(.[0] | del(.time, .timestamp, .machine, .host)) == {cpu: 0, register: "0x19c", name: "IA32_THERM_STATUS", value: "0x8800000f", cleared: "0xa",
				bits: "THERMAL_LOG PROCHOT_LOG", result: .[0].result}' <<<"$output"
		# shellcheck disable=SC2086
		run -0 --separate-stderr uncore-throttle --machine=$machine --clear ${word#* } --format=csv
		[[ ${#lines[@]} = 13 && ${lines[0]} = time,*,cpu,register,* && ${lines[1]} = *,0,0x19c,IA32_THERM_STATUS,* ]]
	done
	run -0 uncore-throttle --machine=$machine --clear
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: "* && ${lines[1]} == "CPU 0: "*": cleared "* ]]
	# If the register cannot be read after the write, its earlier contents are printed nevertheless.
	run ! uncore-throttle --machine="$machine,fail=read 0x19c EIO cpu=4 after=2" --clear
	[[ $output == *"CPU 4: IA32_THERM_STATUS"*"cleared"* && $output == *"reading IA32_THERM_STATUS"*"faults"* ]]
	run -0 uncore-throttle --machine=$machine --clear --dry-run
	[[ ${lines[0]} == "# SIMULATED machine westmere-2s: "* && ${lines[1]} == "rdmsr -p 0 0x19c" ]]
}

@test "after --clear earlier counts of the kernel do not change the verdict" {
	# The kernel has cleared the log bits, but its counts stay.
	serve haswell-ep-2s,kernel_clears=yes,throttle=none,throttle='core-thermal for=0.2 package=0'
	sleep 0.4
	run -1 uncore-throttle --machine="root:$MNT" --since-clear
	[[ ${lines[0]} == *": was-throttled: core-thermal (6 cores)"* ]]
	run -0 uncore-throttle --machine="root:$MNT" --clear
	[[ $output == *"the kernel's counts cannot be reset (6 are not 0): "* ]]
	run -0 uncore-throttle --clear --machine='sim:haswell-ep-2s,clock=stepped,kernel_clears=yes,throttle=none,throttle=core-thermal package=0 core=0'
	[[ $output == *"cannot be reset (1 is not 0): "* ]]
	run -0 uncore-throttle --machine="root:$MNT" --since-clear
	[[ ${lines[0]} == *": ok: "* ]]
	run -0 uncore-throttle --machine="root:$MNT" --since-clear --verbose
	[[ $output == *"counted it once before the log was cleared (by us, 20"* ]]
}

# ---- bad input ----

@test "options that make no sense, and an unknown machine, are usage errors in one line" {
	local args
	while read -r args; do
		echo "2|1|westmere-2s,$CALM|$args|uncore-throttle: *; see uncore-throttle --help"
	done >"$out" <<-'EOF'
		-i 0
		-i -1
		-i x
		-i
		-n 0
		-n 1.5
		-n 2 -- true
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
	echo '2|1|nope||*' >>"$out"
	each_says uncore-throttle <"$out"
}

