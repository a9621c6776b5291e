#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks our tools with Debian's rdmsr and wrmsr (package msr-tools), which are independent of our code, on the same
# simulated machine, mounted at /dev/cpu.

# bats file_tags=plain

load common
load mounted

setup() {
	need rdmsr wrmsr
	need_witness
}

teardown() {
	unserve
}

# ---- the simulated machine as seen by rdmsr and wrmsr ----

@test "rdmsr reads what wrmsr wrote, on every online CPU of the package and on no other; what does not exist faults" {
	serve westmere-2s
	run -0 witness '
		wrmsr -p 0 0x3c2 0x420183
		rdmsr -p 0 0x3c2
		rdmsr -p 0 -c 0x3c2
		for cpu in 2 4 22 1 3 23; do rdmsr -p $cpu 0x3c2; done
		wrmsr -p 1 0x3c0 0x400182
		echo 0 >/sys/devices/system/cpu/cpu3/online
		rdmsr -p 3 0x3c0 2>/dev/null; echo "offline: status $?"
		echo 1 >/sys/devices/system/cpu/cpu3/online
		rdmsr -p 3 0x3c0
		rdmsr -p 0 0x3d0; echo "status $?"
		wrmsr -p 0 0x3c0 0x100000000; echo "status $?"
		wrmsr -p 0 0x392 1 2>/dev/null; echo "status $?"
		wrmsr -a 0x3c7 0x400182; rdmsr -a 0x3c7 | sort | uniq -c; rdmsr -a -d 0x3c6 | sort | uniq -c'
	# Bit 17 always reads as zero.
	[[ $output == $'400183\n0x400183\n400183\n400183\n400183\n0\n0\n0\noffline: status '[1-9]*$'\n400182\n'* ]]
	[[ $output == *"CPU 0 cannot read MSR 0x000003d0"*"status 4"*"CPU 0 cannot set MSR 0x000003c0 to 0x0000000100000000"*"status 4"*"status 4"* ]]
	[[ $output == *" 24 400182"*" 24 0" ]]
	[ "$(grep -c ' wr 0x3c7 0x400182 ok$' "$LOG")" = 24 ]
}

@test "a counter runs only while selector and global bit are both on" {
	serve westmere-2s,start=55,rate=0x82:0x1=1000000
	run -0 witness '
		wrmsr -p 0 0x3c0 0x400182
		first=$(rdmsr -p 0 -d 0x3b0); sleep 0.1
		[ "$(rdmsr -p 0 -d 0x3b0)" = "$first" ] || echo "ran without the global bit"
		wrmsr -p 0 0x391 1
		sleep 0.1
		running=$(rdmsr -p 0 -d 0x3b0)
		[ "$running" -gt "$first" ] || echo "did not run"
		wrmsr -p 0 0x3c0 0x182
		first=$(rdmsr -p 0 -d 0x3b0); sleep 0.1
		[ "$(rdmsr -p 0 -d 0x3b0)" = "$first" ] || echo "ran without the selector"
		[ "$(rdmsr -p 1 -d 0x3b0)" = 55 ] || echo "the other package ran"'
	[ -z "$output" ]
}

# The steps of the article of 2010 (docs/guide.md) on a machine of the kind that it used, on which CPUs 0 and 1 are in
# different packages.
@test "the article's sequence, done by hand with rdmsr and wrmsr, counts upwards" {
	serve westmere-2s,rate=0x82:0x1=1000000
	run -0 witness '
		n=2
		for cpu in 0 1; do
			wrmsr -p $cpu $((0x3c0 + n)) $((0x420000 | 0x01 << 8 | 0x82))
			enabled=$(rdmsr -p $cpu -c 0x391)
			wrmsr -p $cpu 0x391 $((enabled | 1 << n))
		done
		for look in 1 2 3; do
			for cpu in 0 1; do rdmsr -p $cpu -d $((0x3b0 + n)); done
			sleep 0.1
		done'
	[ "${#lines[@]}" = 6 ]
	for i in 0 1 2 3; do
		[ "${lines[i + 2]}" -gt "${lines[i]}" ]
	done
	grep -q ' 0 wr 0x3c2 0x420182 ok$' "$LOG"
	grep -q ' 1 wr 0x391 0x4 ok$' "$LOG"
}

# ---- with our tools ----

@test "rdmsr reads what uncore-read programs, while it counts" {
	serve westmere-2s,start=55,rate=0x82:0x1=1000000
	run -0 witness '
		uncore-read --event 0x82 --umask 0x1 --counter 0 -i 0.1 >/dev/null & reader=$!
		counting
		for cpu in 0 1; do
			echo "$(rdmsr -p $cpu 0x3c0) $(rdmsr -p $cpu 0x391)"
			first=$(rdmsr -p $cpu -d 0x3b0); sleep 0.1
			[ "$(rdmsr -p $cpu -d 0x3b0)" -gt "$first" ] && echo counts
		done
		kill -TERM $reader; wait $reader
		for cpu in 0 1; do
			echo "$(rdmsr -p $cpu 0x3c0) $(rdmsr -p $cpu 0x391) $(rdmsr -p $cpu 0x3b0)"
		done'
	# 0x420182 was written; it reads back without bit 17.
	grep -q ' wr 0x3c0 0x420182 ok$' "$LOG"
	[ "$output" = "$(printf '%s\n' '400182 1' counts '400182 1' counts '0 0 37' '0 0 37')" ]
}

@test "uncore-read reads exactly the number that rdmsr reads" {
	serve westmere-2s
	# Event 0xff never happens on this machine, so only wrmsr changes the counter.
	run witness '
		uncore-read --event 0xff --umask 0 --counter 4 --format=json -- sh -c "
			[ \"\$(rdmsr -p 0 0x3b4) \$(rdmsr -p 1 0x3b4)\" = \"5a 5a\" ] || echo not preset
			wrmsr -p 1 0x3b4 0x123456789abc"'
	# The counter increased by more than the hardware can count in an hour, so the register is shown but there is no
	# count.
	[ "$status" = 1 ]
	[ "$(grep -c '^{' <<<"$output")" = 2 ]
	# On a busy machine a read that is interrupted makes the time of the count uncertain.
	grep -E '"package": ?0,' <<<"$output" | grep -Eq '"raw": ?"90".*"value": ?"0".*"status": ?"(ok|spread)"'
	grep -E '"package": ?1,' <<<"$output" |
		grep -Eq '"raw": ?"20015998343868".*"value": ?null.*"status": ?"disturbed"'
}

@test "after uncore-read the registers of every package are as they were" {
	serve westmere-2s,start=12345,rate=0x82:0x1=1000000
	run witness "
		# Another program has programmed counter 3 without enabling it, and switched on counter 6.
		wrmsr -p 0 0x3c3 0x8407; wrmsr -p 1 0x3c3 0x4010b; wrmsr -p 1 0x391 0x40
		snapshot before
		uncore-read --event 0x82 --umask 0x1 -i 0.1 -n 3 --format=json \
			>\$TMP/out 2>\$TMP/err; echo \"status \$?\"
		same"
	[ "$output" = "$(printf '%s\n' 'status 0' same)" ]
	[ "$(grep -Ec '"status": ?"(ok|spread)"' "$BATS_TEST_TMPDIR/out")" = 6 ]
	only_claimed_writes
}

@test "when the CPU that is read goes offline, no number is invented and all is put back" {
	serve westmere-2s,start=777,rate=0x82:0x1=1000000
	run witness '
		snapshot before
		has_rows() { [ -e "$TMP/out" ] && [ "$(wc -l <"$TMP/out")" -ge "$1" ]; }
		env --default-signal=INT \
			uncore-read --event 0x82 --umask 0x1 -i 0.1 --format=json >$TMP/out 2>/dev/null & reader=$!
		wait_until has_rows 2
		echo 0 >/sys/devices/system/cpu/cpu1/online
		wait_until grep -q ENXIO "$LOG"
		echo 1 >/sys/devices/system/cpu/cpu1/online
		wait_until has_rows $(($(wc -l <$TMP/out) + 6))
		kill -INT $reader
		wait $reader
		same'
	[ "$output" = same ]
	grep -q ' 1 rd 0x3b0 - ENXIO$' "$LOG"
	[ $(($(wc -l <"$BATS_TEST_TMPDIR/out") % 2)) = 0 ]
	# A reading is right, or has no value.
	while read -r line; do
		if [[ $line =~ \"value\":\ ?\"([0-9]+)\" ]]; then
			[ "${BASH_REMATCH[1]}" -gt 0 ]
			[[ $line =~ \"status\":\ ?\"(ok|spread)\" ]]
		else
			[[ $line =~ \"value\":\ ?null ]]
			[[ $line =~ \"status\":\ ?\"lost\" ]]
		fi
	done <"$BATS_TEST_TMPDIR/out"
	only_claimed_writes
}

@test "other programs' enable bits stay set, even one set while we count; a counter that wrmsr switched on is in use" {
	serve westmere-2s
	run witness '
		wrmsr -p 0 0x391 0x100000020
		uncore-read --event 0x82 --umask 0x1 -i 0.1 >/dev/null & reader=$!
		counting
		wrmsr -p 0 0x391 $(($(rdmsr -p 0 -c 0x391) | 0x80))
		kill -TERM $reader; wait $reader
		rdmsr -p 0 0x391'
	[ "$output" = 1000000a0 ]
	unserve
	serve westmere-2s
	run witness '
		wrmsr -p 0 0x3c2 0x400183
		uncore-read --event 0x82 --umask 0x1 --counter 2 -i 0.1 -n 1
		echo "status $?"
		rdmsr -p 0 0x3c2; rdmsr -p 1 0x3c2'
	[[ $output == *"status "[13]$'\n'400183$'\n'0 ]]
	# Package 1, where the counter is free, may be counted. On package 0 only wrmsr has written.
	[ "$(grep -cE ' [0-9]*[02468] wr 0x3[bc]2 ' "$LOG")" = 1 ]
}

@test "if another program writes our selector, the reading is marked and the written value stays" {
	serve westmere-2s,rate=0x82:0x1=1000000
	run witness '
		uncore-read --event 0x82 --umask 0x1 --counter 1 -i 0.2 --format=json -o $TMP/out -- \
			sh -c "wrmsr -p 0 0x3c1 0x400181; sleep 0.5" 2>$TMP/err
		rdmsr -p 0 0x3c1; rdmsr -p 1 0x3c1'
	[ "$output" = "$(printf '%s\n' 400181 0)" ]
	grep -E '"package": ?0' "$BATS_TEST_TMPDIR/out" | grep -Eq '"status": ?"disturbed"'
	[ -z "$(grep -E '"package": ?1' "$BATS_TEST_TMPDIR/out" | grep -Ev '"status": *"(ok|spread)"')" ]
	grep -q 'another program changed' "$BATS_TEST_TMPDIR/err"
}

# msr-tools 1.3 checks the number of the register, but not the value.
@test "a mistyped value is written as 0 by wrmsr; for us it is a usage error, and other processors are refused: nothing is written" {
	local machine status_and_text
	serve westmere-2s
	run witness '
		wrmsr -p 0 0x3c0 0xzz
		for event in 0xzz 0x8z "" 256 -1; do
			uncore-read --event "$event" --umask 0x1; echo "status $?: $event"
		done'
	for event in 0xzz 0x8z '' 256 -1; do
		[[ $output == *"$event"*"status 2: $event"* ]]
	done
	[ "$(grep -c ' wr ' "$LOG")" = 1 ]
	grep -q ' 0 wr 0x3c0 0x0 ok$' "$LOG"
	while IFS='|' read -r machine status_and_text; do
		unserve
		serve "$machine"
		run witness 'uncore-read --event 0x82 --umask 0x1 -i 0.1 -n 1'
		# shellcheck disable=SC2053 # a pattern
		[[ "$status $output" == $status_and_text ]] || { echo "$machine: $output"; return 1; }
		[ "$(grep -c ' wr ' "$LOG")" = 0 ]
	done <<-'END'
		generic|3 *Core 2*not supported*nothing is touched*
		sandybridge-1s|2 *cbo/event=0x82,umask=0x1/*
	END
}

@test "packages and their CPUs are those that rdmsr sees, odd numbers too, and are reached through CPUs that are online" {
	serve westmere-2s-holes
	run -0 witness 'uncore-read --event 0x82 --umask 0x1 -i 0.1 -n 1 --format=json'
	[[ $output == *'"package":0,'*'"package":2,'* && $output != *'"package":'[0-9]*'"package":'*'"package":'* ]]
	only_claimed_writes
	unserve
	serve westmere-2s
	run -0 witness 'uncore-info --format=json'
	[[ $output == *'"vendor":"GenuineIntel"'*'"model":44'* ]]
	[[ $output =~ '"package":0,"die":null,"cpu":0,"cpus":"0,2,4,'[0-9,]*'22"' ]]
	[[ $output =~ '"package":1,"die":null,"cpu":1,"cpus":"1,3,5,'[0-9,]*'23"' ]]
}
