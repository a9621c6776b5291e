#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-events period: presets, periods and intervals of a counter that overflows.

load common
load answers

@test "preset, period and interval are right for the article's counter, for every width, and at the limits" {
	# The preset of an often repeated example (docs/sampling.md) overflows one tick later than the example says. A
	# counter of 32 bits at 4.3 GHz overflows about once a second.
	local width hz option preset period interval
	while read -r width hz option preset period interval; do
		echo "0|1|live|period --width=$width --frequency=$hz $option --format=json|{\"width\":$width,\"frequency_hz\":$hz,\"preset\":\"$preset\",\"period\":\"$period\",\"interval_s\":$interval?(.)*(0)}"
	done >"$BATS_TEST_TMPDIR/table" <<-'END'
		32 4300000000 --preset=0xE6666666 0xe6666666 429496730 0.099882960465116
		32 4300000000 --period=429496729 0xe6666667 429496729 0.099882960232558
		32 4300000000 --preset=0 0x0 4294967296 0.99882960372093
		32 4300000000 --interval=0.1 0xe65eb880 430000000 0.1
		40 4300000000 --interval=0.1 0xffe65eb880 430000000 0.1
		44 4300000000 --interval=0.1 0xfffe65eb880 430000000 0.1
		48 4300000000 --interval=0.1 0xffffe65eb880 430000000 0.1
		48 4300000000 --period=4300000 0xffffffbe6320 4300000 0.001
		48 4300000000 --interval=0.00025 0xffffffef98c8 1075000 0.00025
		1 1 --preset=1 0x1 1 1
		1 1 --period=2 0x0 2 2
		64 1 --period=1 0xffffffffffffffff 1 1
		64 1 --preset=0 0x0 18446744073709551616 null
		64 1000000000000 --preset=0 0x0 18446744073709551616 18446744.074
	END
	cat >>"$BATS_TEST_TMPDIR/table" <<-END
		0|-|live|period --width=32 --frequency=4300000000 --preset=$((0xffffffff - 0x19999999))|*0xffffffff - 0x19999999 is this preset, too*after N + 1 ticks*
		0|-|live|period --width=48 --frequency=4300000000 --interval=0.01010101|!(*rounded*)
		0|-|live|period --width=48 --frequency=4300000000 --interval=0.01010101|*43434343 ticks*
		0|-|live|period --width=8 --frequency=3 --period=1|*1 tick from the preset*
		0|-|live|period --width=48 --frequency=3 --interval=0.5|*2 ticks from the preset to the overflow, rounded to the nearest*
	END
	each_says uncore-events <"$BATS_TEST_TMPDIR/table"
}

@test "a period gives a preset, and the preset gives the period again" {
	local width period preset
	# Preset and period add up to 2^width; the shell can compute that up to 63 bits.
	while read -r width period; do
		printf -v preset '0x%x' $(((1 << width) - period))
		echo "0|1|live|period --width=$width --frequency=2933333333 --period=$period --format=json|*\"preset\":\"$preset\",*"
		echo "0|1|live|period --width=$width --frequency=2933333333 --preset=$preset --format=json|*\"period\":\"$period\",*"
	done >"$BATS_TEST_TMPDIR/table" <<-END
	8 1
	8 255
	32 2933333
	40 1099511627775
	48 140737488355328
	62 4611686018427387903
	END
	each_says uncore-events <"$BATS_TEST_TMPDIR/table"
}

@test "invalid arguments are refused in one line" {
	local args part
	while IFS='|' read -r args part; do
		echo "2|1|live|$args|uncore-events: *$part*"
	done >"$BATS_TEST_TMPDIR/table" <<-END
	period|--width and --frequency of the counter are needed
	period --width=8 --frequency=1|one of --preset, --period and --interval is needed
	period --width=8 --frequency=1 --preset=1 --period=1|not more
	period --width=0 --frequency=1 --period=1|0 is out of range 1..64
	period --width=65 --frequency=1 --period=1|65 is out of range 1..64
	period --width=8 --frequency=0 --period=1|0 is out of range 1..
	period --width=8 --frequency=1 --period=0|less than one tick
	period --width=8 --frequency=1 --period=257|after 2^8 ticks at the latest
	period --width=8 --frequency=1 --preset=256|holds up to 0xff
	period --width=8 --frequency=1000 --interval=0.0001|less than one tick
	period --width=8 --frequency=1 --interval=-1|--interval
	period --width=x --frequency=1 --period=1|--width
	period extra --width=8 --frequency=1 --period=1|one argument too many
	list --width=8|works only with period
	END
	each_says uncore-events <"$BATS_TEST_TMPDIR/table"
}
