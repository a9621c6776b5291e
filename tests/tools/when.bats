#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# A program that runs when an event or its rate exceeds a limit.

load common
load answers

SIM=sim:nehalem-1s,clock=stepped,rate=0x1d:0x1=1000

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# A program that writes its arguments and environment to a file, and takes LONG seconds.
	cat >tell <<-'PROGRAM'
	#!/bin/sh
	echo "begin $# $1 $2 $3 | $UNCOREMSR_EVENT $UNCOREMSR_VALUE $UNCOREMSR_PLACE $UNCOREMSR_LIMIT $UNCOREMSR_SEQUENCE" >>told
	echo to standard output
	sleep "${LONG:-0}"
	echo end >>told
	PROGRAM
	chmod 755 tell
}

@test "--when --do: the program gets the event or metric and its value in each interval beyond the limit" {
	# --when --do: the program gets event and value as arguments and in its environment.
	run -0 --separate-stderr uncore-read --machine="$SIM" -e 0x1d:0x1 -i 1 -n 1 \
		--when '0x1d:0x1>999' --do ./tell --format=csv
	echo "$output$stderr"
	[ "$(head -n 1 told)" = "begin 3 UNC_QMC_NORMAL_FULL.READ.CH0 1000 package 0 | UNC_QMC_NORMAL_FULL.READ.CH0 1000 package 0 999 1" ] ||
		[[ $(head -n 1 told) == "begin 3 "*" 1000 package 0 | "*" 1000 package 0 999 1" ]]
	# The program's output does not mix with the readings.
	[[ $output != *"standard output"* && $stderr == *"to standard output"* ]]
	rm told
	run -0 uncore-read --machine="$SIM" -e 0x1d:0x1 -i 2 -n 1 --when '0x1d:0x1>1000/s' --do ./tell
	[ ! -e told ]
	run -0 uncore-read --machine="$SIM" -e 0x1d:0x1 -i 2 -n 1 --when '0x1d:0x1 > 999.5/s' --do ./tell
	[[ $(head -n 1 told) == *" 1000 package 0 999.500000 1" ]]
	rm told
	# An event that only --when names is counted, too; a metric can also have a limit.
	run -0 uncore-read --machine="$SIM" -i 1 -n 1 --when 'UNC_L3_MISS.READ>1' --do ./tell
	[[ $output == *UNC_L3_MISS.READ* && -s told ]]
	rm told
	run -0 uncore-read --machine="$SIM" -i 1 -n 1 --when 'memory-bandwidth>1' --do ./tell
	[[ $(head -n 1 told) == "begin 3 memory-bandwidth "* ]]
	rm told
	# Program name and event are not interpreted by a shell.
	mkdir 'a b'
	cp tell 'a b/x; touch no'
	run -0 uncore-read --machine="$SIM" -e 0x1d:0x1 -n 1 --when '0x1d:0x1>0' --do './a b/x; touch no'
	[ -s told ]
	[ ! -e no ]
}

@test "only one program runs at a time; one that becomes due meanwhile runs next, with the newest value" {
	LONG=0.3 background uncore-read --machine=sim:westmere-2s,rate=0x1d:0x1=1000 -e 0x1d:0x1 -i 0.1 \
		--when '0x1d:0x1>0' --do ./tell -o log
	wait_for told 'package 0'
	wait_for told 'package 1'
	kill -INT "$pid"
	ends_with 0
	awk '/^begin/ { if (on) exit 1; on = 1 } /^end/ { on = 0 } END { exit on }' told
}

@test "counting continues while the program runs, and after the end the tool waits for it with registers restored" {
	LONG=0.1 background uncore-read --machine=sim:nehalem-1s,rate=0x1d:0x1=1000 -e 0x1d:0x1 -i 0.1 -n 3 \
		--when '0x1d:0x1>0' --do ./tell --trace -o log 2>trace
	wait "$pid"
	[ "$(grep -c 'package 0' log)" -ge 3 ]
	restored trace
	[ "$(tail -n 1 told)" = end ]
}

@test "SIGTERM ends the tool and its program" {
	LONG=60 background uncore-read --machine=sim:nehalem-1s,rate=0x1d:0x1=1000 -e 0x1d:0x1 -i 0.1 \
		--when '0x1d:0x1>0' --do ./tell -o log
	wait_for told begin
	kill -TERM "$pid"
	local status=0
	wait "$pid" || status=$?
	[ "$status" = 143 ]
	run ! grep -q end told
}

@test "invalid options are a usage error before anything is counted" {
	local bad m=${SIM#sim:}
	chmod 644 tell
	for bad in '' '>1' '0x1d:0x1' '0x1d:0x1>' '0x1d:0x1>x' '0x1d:0x1>-1' '0x1d:0x1>1/m' '0x1d:0x1>1/s/s' \
		'0x1d:0x1>nan' '0x1d:0x1>inf'; do
		echo "2|1|$m|-e 0x1d:0x1 --when=$bad --do ./tell|uncore-read: *must be EVENT>N*"
	done >table
	cat >>table <<-END
		2|1|$m|-e 0x1d:0x1 --when=0x1d:0x1>1|uncore-read: *put a --do PROGRAM after it*
		2|1|$m|-e 0x1d:0x1 --do true|uncore-read: *put a --when before it*
		2|1|$m|-e 0x1d:0x1 --when=0x1d:0x1>1 --do ./none|uncore-read: *No such file*
		2|1|$m|-e 0x1d:0x1 --when=0x1d:0x1>1 --do ./tell|uncore-read: *Permission denied*
		2|1|$m|-e 0x1d:0x1 --when=0x1d:0x1>1 --do /|uncore-read: *Permission denied*
		2|1|$m|-e 0x1d:0x1 --when=no-such-event>1 --do true|uncore-read: *no-such-event*
		2|1|$m|--when=memory-bandwidth>1/s --do true|uncore-read: *no rate*
	END
	each_says uncore-read <table
}

@test "a program that hangs does not keep uncore-read from ending" {
	# The program is killed two seconds after the last interval. A message says how often the program was not
	# started because its last run had not ended.
	LONG=60 run -0 --separate-stderr timeout 15 uncore-read --machine="$SIM" -e 0x1d:0x1 -i 1 -n 3 --when '0x1d:0x1>1' \
		--do ./tell --format=csv
	[ "$(cat told)" = "$(head -n 1 told)" ]
	[[ $stderr == *"--do: ./tell: killed, because "*"after the last interval"* ]]
	[[ $stderr == *"--do: 1 time no program was started, because "* ]]
}
