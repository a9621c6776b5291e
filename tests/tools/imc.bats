#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# uncore-imc: POWER's register words, trace buffers and interrupts.

load common
load answers

SYNTH=$TOP/../shared/corpus/imc/synth

setup() {
	need jq perl
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	kill_started
}

@test "words are encoded from options, with remarks on unusual values" {
	local fields="--cpmc1sel=4 --cpmc2sel=2 --buffersize=0 --format=json"
	local scom='"value":"0x7fffffc142020000","sampsel":1,"load":"0xffffff05","cpmc1sel":4,"cpmc2sel":2,"buffersize":0,"reserved":"0x0"'
	expect <<-END
		0 | "value":"0xca00000033300000" | uncore-imc ldbar --enable=1 --mode=trace --scope=5 --address=0x33300000 --format=json
		0 | bits 8:50 according to the kernel's document, bits 14:50*they differ for this value | uncore-imc ldbar 0x00ffffffffffe000
		0 | in trace mode the kernel leaves bit 0 clear | uncore-imc ldbar 0x4000000033280000
		0 | ldbar: 8000000033230000 is read as decimal 8000000033230000, which is 0x1c6bf5282f0cb0; | uncore-imc ldbar 8000000033230000
		0 | $scom | uncore-imc scom --sampsel=1 --load=0xffffff05 $fields
		0 | $scom | uncore-imc scom --sampsel=1 --interval=0.0000078125 $fields
		0 | cpmc1sel   bits 34:40  32*cpmc2sel   bits 41:47  32 & cpmc_samplesel 0x1 cpmc_event 0x2  | uncore-imc scom 0x10200000
		0 | 4194304 bytes: 65536 records | uncore-imc scom 0x8000
		0 | buffersize 5 to 7 is not defined | uncore-imc scom 0xc000
	END
}

@test "words and files that make no sense are refused in one line" {
	local l=(uncore-imc ldbar --enable=1 --mode=trace) s=(uncore-imc scom --sampsel=1 --cpmc1sel=4)
	expect <<-END
		2 | --address: '0x1001': must be a multiple of 0x2000 | ${l[*]} --scope=0 --address=0x1001
		2 | --address | ${l[*]} --scope=0 --address=0x100000000000000
		2 | --scope: '8': must be 0 to 7 | ${l[*]} --scope=8 --address=0
		2 | --mode: 'on' | uncore-imc ldbar --mode=on --enable=1 --scope=0 --address=0
		2 | --enable | uncore-imc ldbar --enable=2 --mode=trace --scope=0 --address=0
		2 | --scope is missing | ${l[*]} --address=0
		2 | --load is missing (or --interval) | ${s[*]} --cpmc2sel=0 --buffersize=0
		2 | --buffersize: '5': must be 0 to 4 | ${s[*]} --load=1 --cpmc2sel=0 --buffersize=5
		2 | --cpmc2sel: '128' | ${s[*]} --load=1 --cpmc2sel=128 --buffersize=0
		2 | --interval | ${s[*]} --interval=200 --cpmc2sel=1 --buffersize=0
		2 | give one of them | ${s[*]} --interval=1 --load=1 --cpmc2sel=1 --buffersize=0
		2 | give a value to decode or options to encode, not both | uncore-imc ldbar 0x1 --enable=1
		2 | --scope: works only with ldbar | uncore-imc scom 1 --scope=1
		2 | --cpu: works only with trace, compare | uncore-imc scom 1 --cpu=1
		2 | 0x1x | uncore-imc ldbar 0x1x
		2 | unknown sub-command; must be ldbar, scom, trace, compare or pmi | uncore-imc nonsense
		2 | one argument too many | uncore-imc ldbar 1 -- true
	END
	: >empty
	head -c 65 /dev/zero >odd
	head -c 64 /dev/zero >zero
	truncate -s 70M huge
	expect <<-END
		2 | empty: 0 bytes: not a whole number of records | uncore-imc trace empty
		2 | odd: 65 bytes | uncore-imc trace odd
		2 | larger than 64 MiB; --size=BYTES | uncore-imc trace huge
		2 | none: No such file | uncore-imc trace none
		2 | .: Is a directory | uncore-imc trace .
		2 | must be a multiple of 64 | uncore-imc trace zero --size=65
		2 | no processor with trace mode | uncore-imc trace zero --cpu=0x00400000
		2 | --perf-data: '': a file name is required | uncore-imc trace zero --perf-data=
		2 | --perf-data: '-': a file name is required | uncore-imc trace zero --perf-data=-
		2 | --perf-data writes a file for perf; leave out --format | uncore-imc trace zero --perf-data=x --format=json
		2 | --perf-data: ./zero: this is the image; name another file | uncore-imc trace zero --perf-data=./zero
		2 | --perf-data: no/dir: No such file or directory | uncore-imc trace zero --perf-data=no/dir
	END
	run -0 uncore-imc trace zero --format=json
	[ "$output" = '{"summary":true,"records":0,"dropped":0,"lost_estimate":null}' ]
}

# records TB...: write slots of 64 bytes with these time bases; "!x" after one damages the record.
records() {
	perl -e 'for (@ARGV) { my ($tb, $bad) = split /!/; my $n = oct($tb);
		print pack("Q>8", $n, 0xc000000000001000, 1 << 63, 1, 2, 3, 4, ($n + ($bad ? 1 : 0)) & 0x3ffffffffff) }' "$@"
}

@test "a trace buffer is shown in order of time, whole, in part or from standard input, with damaged and lost records" {
	# A wrapped buffer: two new records, a damaged one, then older ones with a gap.
	{ records 0x50000 0x51000 0x52000!x 0x41000 0x42000 0x45000; head -c 128 /dev/zero; } >image
	run -0 uncore-imc trace image
	[ "$(awk '$1 ~ /^[0-9]+$/ && $2 ~ /^0x/ { printf "%s ", $1 }' <<<"$output")" = "3 4 5 0 1 2 " ]
	[[ ${lines[6]} == *damaged ]]
	records 0x41000 0x42000 0x43000 0x46000 >image
	run -0 uncore-imc trace image --format=json
	jq -se '.[-1] == {summary: true, records: 4, dropped: 0, lost_estimate: 2}' <<<"$output"
	run -0 uncore-imc trace image --size=128 --format=json
	jq -se '.[-1] == {summary: true, records: 2, dropped: 0, lost_estimate: null}' <<<"$output"
	run -0 uncore-imc trace - --cpu=0x00800200 --format=json <image
	jq -se '.[0].mode == "kernel"' <<<"$output"
	run -0 uncore-imc trace image
	[[ $output == *"4 records in 4 slots, big-endian; 0 damaged; Linux would accept 4"*"about 2 records are missing"* ]]
	records 0x41000!x 0x42000!x >image
	run -1 --separate-stderr uncore-imc trace image --format=json
	[[ $stderr == "uncore-imc: trace: image: all 2 records are damaged" ]]
	jq -se 'length == 3 and .[-1].dropped == 2' <<<"$output"
	run -1 uncore-imc trace image --perf-data=out.data
}

@test "interrupts are shown before and after a command, whose status is passed on" {
	mkdir -p m/proc
	printf '           CPU0       CPU2\n  0:   3   4  x\nPMI:    10   20  Performance monitoring interrupts\n' \
		>m/proc/interrupts
	run -7 --separate-stderr uncore-imc pmi --machine=root:m --format=json -- \
		sh -c 'printf "  CPU2 CPU3\nPMI: 25 7 x\n" >m/proc/interrupts; exit 7'
	[ "${lines[0]}" = '{"cpu":0,"before":10,"after":null,"difference":null,"status":"offline"}' ]
	[ "${lines[1]}" = '{"cpu":2,"before":20,"after":25,"difference":5,"status":"ok"}' ]
	[ "${lines[2]}" = '{"cpu":3,"before":null,"after":7,"difference":null,"status":"offline"}' ]
	# The kernel's count has 32 bits and may wrap.
	printf '  CPU0\nPMI: 4294967290 x\n' >m/proc/interrupts
	run -0 uncore-imc pmi --machine=root:m --format=json -- sh -c 'printf "  CPU0\nPMI: 4 x\n" >m/proc/interrupts'
	[ "$output" = '{"cpu":0,"before":4294967290,"after":4,"difference":null,"status":"wrapped"}' ]
	run -0 uncore-imc pmi --machine=root:m -- sh -c 'printf "  CPU0\nPMI: 3 x\n" >m/proc/interrupts'
	[[ ${lines[-1]} =~ ^" "+0" "+4" "+3" "+unknown" "+wrapped$ ]]
	run -127 uncore-imc pmi --machine=root:m -- ./no-such-program
	echo ' CPU0' >m/proc/interrupts
	fails_with 3 "it has no line PMI" uncore-imc pmi --machine=root:m
	printf '  CPU0\nPMI: 9300000000000000000 x\n' >m/proc/interrupts
	fails_with 3 "its line PMI is malformed" uncore-imc pmi --machine=root:m
	rm m/proc/interrupts
	expect <<-END
		3! | m/proc/interrupts: No such file | uncore-imc pmi --machine=root:m
		3! | has no interrupts | uncore-imc pmi --machine=sim:westmere-2s
		2 | pmi: no command; put it after -- | uncore-imc pmi --
	END
}

@test "without a command interrupts are read one second apart" {
	mkdir -p m/proc
	printf '  CPU0\nPMI: 4000000014 x\n' >m/new
	mkfifo m/proc/interrupts
	# The first read waits for the writer of the pipe. Meanwhile the pipe is replaced by a file, which the second
	# read gets.
	background bash -c 'exec 8>m/proc/interrupts; mv m/new m/proc/interrupts; printf "  CPU0\nPMI: 10 x\n" >&8'
	run -0 uncore-imc pmi --machine=root:m --format=json
	[ "$output" = '{"cpu":0,"before":10,"after":4000000014,"difference":4000000004,"status":"ok"}' ]
}

@test "pmi refuses an invalid list, passes on the signal that ends it, and does not change its command's signals" {
	run -0 --separate-stderr uncore-imc pmi -- sh -c 'grep SigIgn /proc/self/status >&2'
	[ "$stderr" = "$(grep SigIgn /proc/self/status)" ]
	local head
	mkdir -p m/proc
	printf -v head '%3000s' ''
	for head in "${head// /CPU}" "${head// /CPU1}" "CPU0 CPU" ""; do
		printf '%s\nPMI: 1 x\n' "$head" >m/proc/interrupts
		run --separate-stderr uncore-imc pmi --machine=root:m
		[ "$status" -eq 3 ] || [[ $head == "CPU0 CPU" && $status -eq 0 ]]
	done
	mkdir -p m/proc
	printf '  CPU0\nPMI: 10 x\n' >m/proc/interrupts
	background uncore-imc pmi --machine=root:m --format=json -- \
		bash -c 'trap "echo told >told; exit 3" TERM; echo >ready; while :; do sleep 0.05; done' >out
	wait_for ready ''
	kill -TERM "$pid"
	ends_with 143
	grep -q '"difference":0' out
	wait_for told told
}

@test "every word and image of the corpus is decoded as its table says" {
	[ -d "$SYNTH" ] || skip "no corpus of trace buffers here"
	local value enable mode scope address name rest
	local rows modes=(accumulate trace)
	while IFS=$'\t' read -r value enable mode scope address; do
		rows+="[$enable,\"${modes[mode]}\",$scope,\"$address\"] | uncore-imc ldbar $value"$'\n'
	done < <(sed 1d "$SYNTH/ldbar.tsv")
	told '.[] | [.enable, .mode, .scope, .address]' <<<"$rows"
	rows=
	while IFS=$'\t' read -r value sampsel load one two size rest; do
		rows+="[$sampsel,\"$load\",$one,$two,$size] | uncore-imc scom $value"$'\n'
	done < <(sed 1d "$SYNTH/trace_imc_scom.tsv")
	told '.[] | [.sampsel, .load, .cpmc1sel, .cpmc2sel, .buffersize]' <<<"$rows"
	for name in "$SYNTH"/trace_*.bin; do
		for pvr in 0x004e1200 0x00800200; do
			drawn 4 || continue
			sed 1,2d "${name%.bin}.expected.tsv" |
				awk -F '\t' -v OFS='\t' -v c="$([ $pvr = 0x004e1200 ] && echo 12 || echo 13)" \
		'{ $12 = $c; NF = 12; print }' >expected
			uncore-imc trace "$name" --cpu=$pvr --format=json | jq -r 'select(.summary | not) | [.slot, .tb1,
				.ip, .val, .cpmc1, .cpmc2, .cpmc3, .cpmc4, .tb2, if .tb_ok then 1 else 0 end,
				if .by_kernel then 1 else 0 end, .mode] | @tsv' >found
			diff expected found
		done
	done
}

# Make a buffer with five records: kernel, user, a damaged one, kernel, user.
made_buffer() {
	perl -e '
		sub record { print pack "Q>8", $_[0], $_[1], 0, 1, 2, 3, 4, defined $_[2] ? $_[2] : $_[0] }
		record(512_000_000, 0xc000000000001234);
		record(1_024_000_000, 0x10000abc);
		record(1_024_000_512, 0x10000abd, 7);
		record(1_536_000_000, 0xc000000000001238);
		record(256_000_000, 0x10000ac0);'
}

@test "a trace buffer becomes samples, which our own report reads" {
	made_buffer >buffer
	run -0 --separate-stderr uncore-imc trace buffer --perf-data=out.data
	[ -z "$output" ]
	[[ $stderr == *"out.data: 4 samples; trace records name no thread, so all have thread id -1" ]]
	uncore-report -i out.data --sort=address --format=json >report
	[ "$(jq -r 'select(.summary) | "\(.samples) \(.lost) \(.period)"' report)" = "4 0 4" ]
	[ "$(jq -r 'select(.address) | "\(.event) \(.address)"' report | sort | xargs)" = "trace_imc/trace_cycles/ 0x10000abc \
trace_imc/trace_cycles/ 0x10000ac0 trace_imc/trace_cycles/ 0xc000000000001234 trace_imc/trace_cycles/ 0xc000000000001238" ]
	# If the conversion fails, the old file is unchanged.
	cp out.data before
	run -2 uncore-imc trace buffer --size=100 --perf-data=out.data
	cmp before out.data
	# A symbolic link stays a link, and the file that it names gets the permissions of any new file.
	ln -s out.data link
	(umask 022 && uncore-imc trace buffer --perf-data=link)
	[[ -L link && $(stat -c %a out.data) = 644 ]]
	mkfifo pipe
	fails_with 2 "--perf-data: pipe: a pipe or terminal" uncore-imc trace buffer --perf-data=pipe
	mknod full c 1 7 || skip "no right to make a device node"
	fails_with 1 "--perf-data: full: No space left on device" uncore-imc trace buffer --perf-data=full
	[[ -p pipe && -c full ]]
}

@test "the real perf opens a converted trace buffer, and takes no names from this machine's kernel" {
	need perf
	made_buffer >buffer
	uncore-imc trace buffer --perf-data=out.data
	run -0 --separate-stderr perf script -f -i out.data -F pid,cpu,time,period,event,ip
	[ "${#lines[@]}" = 4 ]
	# In the order of time: 0.5 s, 1 s, 2 s, 3 s.
	[ "$(awk '{ print $3 }' <<<"$output" | xargs)" = "0.500000: 1.000000: 2.000000: 3.000000:" ]
	[[ $output == *c000000000001234* && $output == *10000ac0* ]]
	# The file needs a host name, even an empty one: without it perf does not find the names of events in a file of
	# the other byte order.
	perf report -f -i out.data --header-only | grep -q '^# hostname'
	run -0 --separate-stderr perf report -f -i out.data --stdio --sort=sym
	[[ $output == *"of event 'trace_imc/trace_cycles/'"* && $output == *"0xc000000000001234"* ]]
	[[ $output != *"[k] _"* ]]
}
