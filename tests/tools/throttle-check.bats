#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# scripts/uncore-throttle-check: its output for a monitoring system.

load common

check() {
	"$TOP/scripts/uncore-throttle-check" "$@"
}

# checked STATUS ARG...: the check must end with this status, and the output must be one line in the form of the plugin
# convention, with the status's word.
checked() {
	local words=(OK WARNING CRITICAL UNKNOWN)
	run "-$1" "${CHECK:-check}" "${@:2}"
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
	[[ $output =~ ^THROTTLE\ ${words[$1]}\ -\ [^|]+(\ \|\ [^|]+)?$ ]]
}

@test "a machine that is fine is OK, one that is slowed down CRITICAL with the cause, with performance data" {
	# A machine that is fine: OK, with performance data.
	checked 0 -m "sim:icelake-sp-2s,$CALM"
	[[ $output == "THROTTLE OK - none of 2 packages and 16 cores is slowed down, "* ]]
	[[ $output == *" | throttled_packages=0;;0;0;2 throttled_cores=0;;0;0;16 below_limit="[1-9]*" temperature="[1-9]* ]]
	# A machine that is slowed down: CRITICAL, with the cause.
	checked 2 -m "sim:haswell-ep-2s,$CALM,throttle=prochot-external package=1"
	[[ $output == "THROTTLE CRITICAL - slowed down by prochot-external: 1 of 2 packages, 6 of 12 cores | throttled_packages=1;"* ]]
	checked 2 -m "sim:haswell-ep-2s,$CALM,throttle=vr-thermal,throttle=dimm-thermal"
	[[ $output == *"slowed down by vr-thermal, dimm-thermal: "* ]]
	# Performance data have the form that the plugin convention requires.
	local word
	checked 0 -m "sim:westmere-2s,$CALM" -w 5 -c 2
	for word in ${output#*|}; do
		[[ $word =~ ^[a-z_]+=[0-9]+(;[0-9]*:?){0,4}$ ]] || { echo "$word"; return 1; }
	done
	[[ $output == *" below_limit=40;5:;2:;; "* ]]
	# Causes that cannot be seen on this machine are named.
	checked 0 -m "sim:westmere-2s,$CALM"
	[[ $output == *", only with uncore-throttle --dimm: dimm-thermal, not visible here: "*power-limit* ]]
}

@test "-w and -c warn of temperatures close to the limit, and -s of causes that are only logged" {
	# -w and -c: degrees below the limit.
	local machine
	machine=sim:westmere-2s,$CALM # 40 degrees below
	checked 0 -m "$machine" -w 40 -c 40
	checked 1 -m "$machine" -w 41
	checked 2 -m "$machine" -w 60 -c 41
	# -w on a machine without a limit is UNKNOWN, not OK.
	checked 3 -m "sim:zen-1s,$CALM" -w 5
	[[ $output == *"UNKNOWN - the distance to the temperature limit is not known: leave out -w and -c; none of 1 package and 8 cores is"* ]]
	# -s warns of causes that are only logged. Here the kernel has counted an episode of throttling that is over.
	local machine without=critical-temperature,prochot-external,firmware,clock-modulation,smi
	machine="sim:westmere-2s,$CALM,driver=missing,throttle=core-thermal for=0.000001"
	checked 0 -k -x "$without" -m "$machine"
	[[ $output == *", logged: core-thermal, left out by --without: "* ]]
	checked 1 -k -x "$without" -s -m "$machine"
	checked 3 -m "$machine"
	[[ $output == "THROTTLE UNKNOWN - logged: core-thermal; now: cannot tell "*"modprobe msr, "* ]]
	checked 1 -s -m "$machine"
}

@test "without a reading the state is never OK; unknown states and usage errors are UNKNOWN, with the reason" {
	local machine
	for machine in zen-1s nehalem-1s icelake-sp-2s; do
		checked 3 -m "sim:$machine,$CALM,driver=missing"
		[[ $output == *"cannot tell "*firmware*": no msr driver: "*"modprobe msr"* ]]
	done
	checked 3 -m "sim:zen-1s,$CALM,hsmp=no"
	[[ $output == *"cannot tell prochot-external: "*"modprobe amd_hsmp"* ]]
	checked 0 -x prochot-external -m "sim:zen-1s,$CALM,hsmp=no"
	# A temperature too close to the limit is CRITICAL, even if causes are unknown.
	checked 2 -c 41 -m "sim:westmere-2s,$CALM,fail=read 0x19a EIO"
	# An unknown state is UNKNOWN, with the reason.
	checked 3 -m "sim:westmere-2s,$CALM,hypervisor=yes"
	[[ $output == *"virtual machine"* ]]
	checked 3 -m sim:nope
	# Usage errors are UNKNOWN in one line.
	local args
	while read -r args; do
		# shellcheck disable=SC2086 # a list of words
		checked 3 $args
	done <<-'EOF'
		-x
		-w
		-w x
		-c -1
		-t 0
		-t x
		word
	EOF
}

@test "a tool that hangs, is missing or prints nonsense is UNKNOWN" {
	local dir=$BATS_TEST_TMPDIR/bin CHECK=$BATS_TEST_TMPDIR/bin/uncore-throttle-check
	mkdir "$dir"
	cp "$TOP/scripts/uncore-throttle-check" "$dir"
	printf '#!/bin/sh\nexec sleep 5\n' >"$dir/uncore-throttle"
	chmod +x "$dir/uncore-throttle"
	checked 3 -t 1
	[[ $output == *"no answer within 1 second" ]]
	printf '#!/bin/sh\necho "a | b"; exit 1\n' >"$dir/uncore-throttle"
	checked 3
	rm "$dir/uncore-throttle"
	PATH=/usr/bin:/bin checked 3
	# If the line cannot be written, the status is not OK, either.
	run -3 eval 'check -m "sim:icelake-sp-2s,$CALM" >&- 2>&-'
}

@test "-h shows the help, -V the version, and the manual page has the options of -h and no others" {
	# -h shows the help, -V the version.
	run -0 check -h
	[[ $output == usage:* ]]
	run -0 check -V
	[[ $output == "uncore-throttle "[0-9]* ]]
	# The manual page has the options that -h shows and no others.
	diff <("$TOP/scripts/uncore-throttle-check" -h | grep -oE '^  -[a-zA-Z]|, -[a-zA-Z]' | grep -oE '[a-zA-Z]' | sort) \
		<(sed -nE 's/^\.It Fl ([a-zA-Z]).*/\1/p' "$TOP/docs/man/uncore-throttle-check.1" | sort)
}
