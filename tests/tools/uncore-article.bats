#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

load common
load mounted

setup() {
	ARTICLE=$TOP/scripts/uncore-article
}

@test "help names the exit statuses, invalid arguments get one line, and the script passes shellcheck" {
	run -0 "$ARTICLE" --help
	[[ $output == "usage: uncore-article"*"Exit status:"* ]]
	while read -r -a words; do
		run "$ARTICLE" "${words[@]}"
		echo "${words[*]}: $status: $output"
		[ "$status" = 2 ]
		[ "${#lines[@]}" = 1 ]
		[[ $output == "uncore-article: "* ]]
	done <<-'END'
		-e 0x8z
		-e 256
		-e -1
		-e
		-e 08
		-u 0x100
		-u 1;reboot
		-c 8
		-c auto
		-i 0
		-i 0.0
		-i -5
		-i 1s
		-n 0
		-n 1.5
		--with=perf
		--with
		0x82
		-x
	END
	run -2 "$ARTICLE" -e ''
	! command -v shellcheck >/dev/null || shellcheck "$ARTICLE"
}

@test "uncore-article counts on one CPU of each package and puts everything back, using rdmsr" {
	need_witness
	need rdmsr wrmsr
	serve westmere-2s,start=4711,rate=0x82:0x1=1000000
	run witness "
		wrmsr -p 0 0x3c0 0x400107; wrmsr -p 1 0x391 0x80
		snapshot before
		$ARTICLE --with=rdmsr -i 0.1 -n 3
		echo \"status \$?\"
		same"
	# Counter 0 is in use on package 0, so counter 1 is used on both packages.
	[ "${lines[0]}" = "counter 1, selector 0x420182" ]
	[ "${#lines[@]}" = 10 ]
	[ "${lines[8]}" = "status 0" ]
	[ "${lines[9]}" = same ]
	for i in 2 3 4 5 6 7; do
		read -r -a words <<<"${lines[i]}"
		[ "${words[1]} ${words[2]}" = "$((i % 2)) $((i % 2))" ]
		[ "${words[4]}" -gt 0 ]
	done
	grep -q ' 0 wr 0x3c1 0x420182 ok$' "$LOG"
	grep -q ' 1 wr 0x391 0x82 ok$' "$LOG"
	only_claimed_writes
}

@test "every signal, and a reader that goes away, leaves the registers as they were" {
	need_witness
	need rdmsr wrmsr
	for signal in INT TERM HUP PIPE; do
		drawn 2 || continue
		serve westmere-2s,start=99,rate=0x82:0x1=1000000
		run witness "
			snapshot before
			env --default-signal=INT,PIPE $ARTICLE --with=rdmsr -i 60 >/dev/null & script=\$!
			counting
			sleep 0.2
			kill -s $signal \$script; wait \$script 2>/dev/null; echo \"status \$?\"
			same"
		case $signal in
		INT) want='status 0' ;;
		*) want="status $((128 + $(kill -l "$signal")))" ;;
		esac
		[ "$output" = "$want"$'\n'same ]
		unserve
	done
	serve westmere-2s,start=99
	run witness "
		snapshot before
		$ARTICLE --with=rdmsr -i 0.1 | head -n 3 >/dev/null
		same
		$ARTICLE --with=rdmsr -i 0.1 -n 1 >/dev/full; echo \"status \$?\"
		same"
	[ "$output" = "$(printf '%s\n' same \
		'uncore-article: standard output: cannot write' 'status 1' same)" ]
}

@test "a selector that another program has written meanwhile is left alone" {
	need_witness
	need rdmsr wrmsr
	serve westmere-2s
	run witness "
		$ARTICLE --with=rdmsr -c 0 -i 60 >/dev/null & script=\$!
		counting
		sleep 0.2
		wrmsr -p 0 0x3c0 0x400181
		kill -TERM \$script; wait \$script
		rdmsr -p 0 0x3c0; rdmsr -p 1 0x3c0"
	[ "$output" = "$(printf '%s\n' 400181 0)" ]
}

@test "the shown increase is that of the register; packages come from the topology; a counter in use is refused" {
	need_witness
	need rdmsr wrmsr
	serve westmere-2s-holes
	run -0 witness "$ARTICLE --with=rdmsr -i 0.1 -n 1"
	[ "${#lines[@]}" = 4 ]
	packages=
	for i in 2 3; do
		read -r -a words <<<"${lines[i]}"
		packages+="${words[1]} "
		[ "$(<"$MNT/sys/devices/system/cpu/cpu${words[2]}/topology/physical_package_id")" = "${words[1]}" ]
	done
	[ "$packages" = "0 2 " ]
	unserve
	serve westmere-2s
	run -3 witness "$ARTICLE --with=rdmsr -e 0xff -u 0 -i 0.1 -n 1
		: >\$LOG
		wrmsr -p 1 0x391 0x4; $ARTICLE --with=rdmsr -c 2 -n 1 -i 0.1"
	read -r -a words <<<"${lines[2]}"
	[ "${words[3]} ${words[4]}" = "0x0 0" ]
	[[ ${lines[-1]} == "uncore-article: counter 2 is in use; "* ]]
	[ "$(grep -c ' wr ' "$LOG")" = 1 ]
}

@test "other processors, guests and missing drivers are refused before any register is touched" {
	need_witness
	serve sandybridge-1s
	for with in rdmsr uncore-read; do
		run -3 witness "$ARTICLE --with=$with -n 1 -i 0.1"
		[ "${#lines[@]}" = 1 ]
		[[ $output == *"family 6, model 42"* ]]
	done
	[ ! -s "$LOG" ]
	unserve
	serve westmere-2s,hypervisor=yes
	run -3 witness "$ARTICLE --with=rdmsr -n 1 -i 0.1"
	[[ $output == *"virtual machine"* ]]
	[ ! -s "$LOG" ]
	unserve
	need rdmsr wrmsr
	serve westmere-2s
	run -4 witness "mount -t tmpfs tmpfs /dev/cpu; $ARTICLE --with=rdmsr -n 1 -i 0.1"
	[[ $output == *"modprobe msr"* ]]
}

@test "the script uses uncore-read for the same steps if it is installed" {
	need_witness
	need rdmsr
	serve westmere-2s,start=5,rate=0x82:0x1=1000000
	run witness "
		snapshot before
		$ARTICLE -c 2 -i 0.1 -n 2; echo \"status \$?\"
		same"
	[[ $output == *"status 0"$'\n'same ]]
	grep -q ' 0 wr 0x3c2 0x420182 ok$' "$LOG"
	grep -q ' 1 wr 0x3c2 0x420182 ok$' "$LOG"
	only_claimed_writes
}
