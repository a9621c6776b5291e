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
