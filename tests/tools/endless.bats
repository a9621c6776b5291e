#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every tool must refuse files that a user names and that block for ever or have no end.

load common
load answers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# reader NUMBER FILE: start the tool with this number in the background, reading FILE; 1 if there is no such tool. For
# tools that expect a name ending in .dtb, a link to FILE is made.
reader() {
	local number=$1 file=$2 command said
	case $number in
	0) command=(uncore-info --cpuid="$file") ;;
	1) command=(uncore-info --machine=sim:generic --boot-log="$file") ;;
	2) command=(uncore-info --machine="sim:$file") ;;
	3) command=(uncore-info --machine="sim:generic,cpuid=$file") ;;
	4) command=(uncore-info --machine="sim:power9-2s,catalog=$file") ;;
	5) command=(uncore-events list --event-list="$file") ;;
	6) ln -s "$file" "link-$BASHPID.dtb"; command=(uncore-events list --event-list="link-$BASHPID.dtb") ;;
	7) ln -s "$file" "link-$BASHPID.dts"; command=(uncore-events list --event-list="link-$BASHPID.dts") ;;
	8) ln -s "$file" "link-$BASHPID.json.gz"; command=(uncore-events list --event-list="link-$BASHPID.json.gz") ;;
	9) command=(uncore-read --machine=sim:skylake-sp-perf --event-list="$file" -e cycles) ;;
	10) command=(uncore-record --machine=sim:skylake-sp-perf --event-list="$file" -o data -- true) ;;
	11) command=(uncore-report -i "$file") ;;
	12) command=(uncore-imc trace "$file") ;;
	13) command=(uncore-imc compare "$file" kernel --machine=sim:power9-2s) ;;
	14) command -v uncore-agent >/dev/null || return 0
		command=(uncore-agent --config="$file" --check) ;;
	15) command -v uncore-agent >/dev/null || return 0
		printf '%s\n' '<Plugin uncoremsr>' "EventList \"$file\"" 'Event "cycles"' '</Plugin>' >"$BASHPID.conf"
		command=(uncore-agent --machine=sim:skylake-sp-perf --config="$BASHPID.conf" --check) ;;
	*) return 1 ;;
	esac
	local status=0
	timeout -k 1 15 "${command[@]}" >out 2>err || status=$?
	# There must be one line that names the file, and the status of a usage error.
	mapfile said <err
	if [[ $status = 2 && ! -s out && ${#said[@]} = 1 && ${said[0]} =~ ("$file"|link-|[.]conf).*$'\n' ]]; then return; fi
	{
		echo "${command[*]}: status $status"
		cat out err
	} >>../wrong
}

# all_refuse FILE: every reader must refuse it. All run at the same time, because some wait for two seconds.
all_refuse() {
	local number pids=()
	rm -rf reader-{0..15}
	mkdir reader-{0..15}
	for ((number = 0; number < 16; number++)); do
		(cd "reader-$number" && reader "$number" "$1") 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	if [ -e wrong ]; then cat wrong; return 1; fi
}

@test "every reader refuses an endless device, a pipe that nobody writes into, and a file of a terabyte" {
	all_refuse /dev/zero
	mkfifo fifo
	all_refuse "$PWD/fifo"
	# This time a writer has opened the pipe but writes nothing.
	exec 4<>fifo
	all_refuse "$PWD/fifo"
	exec 4>&-
	! truncate -s 1T huge || all_refuse "$PWD/huge" # only on file systems with sparse files of that size
}

@test "a folder is refused where a file is wanted" {
	mkdir folder
	expect <<-'END'
		2 | | uncore-info --cpuid=folder
		2 | | uncore-info --machine=sim:generic --boot-log=folder
		2 | | uncore-imc trace folder
		2 | | uncore-report -i folder
	END
}

@test "a pipe whose writer comes late, or is slow, is read to its end" {
	local list=$TOP/tests/fixtures/lists/new.json
	mkfifo fifo
	uncore-events list --event-list="$list" --format=csv >wanted
	# The writer opens the pipe when the reader is waiting, and pauses in the middle for longer than the reader
	# waits for the first byte. If the writer is so late on a busy machine that the reader gives up, try again.
	with_late_writer() {
		local _
		for _ in {1..5}; do
			background bash -c 'sleep 1; { head -c 1000 "$1"; sleep 3; tail -c +1001 "$1"; } >fifo' - "$list"
			! timeout 60 uncore-events list --event-list=fifo --format=csv >got || return 0
			kill -KILL "$pid" || true
		done
		return 1
	}
	with_late_writer 3>&- &
	local reader=$!
	started+=("$reader")
	# The first byte of an anonymous pipe may come late.
	timeout 60 uncore-events list --event-list=<(sleep 3; gzip -c "$list") --format=csv >unnamed
	wait "$reader"
	cmp got wanted
	cmp unnamed wanted
}

@test "a pipe that does not end is read up to the limit, and /dev/null is an empty file" {
	run -2 --separate-stderr timeout 60 uncore-events list --event-list=<(cat /dev/zero)
	[[ ${stderr_lines[0]} == *"far too large"* ]]
	[ "${#stderr_lines[@]}" = 1 ]
	run -2 --separate-stderr timeout 60 uncore-info --cpuid=<(cat /dev/zero)
	[[ ${stderr_lines[0]} == *"far too large"* ]]
	[ "${#stderr_lines[@]}" = 1 ]
	run -2 --separate-stderr uncore-info --cpuid=/dev/null
	[[ $stderr == *"the file is empty or cut"* ]]
}

@test "files beside or within a list are refused if they are pipes, devices or huge" {
	need_flat
	local list=$TOP/tests/fixtures/lists/new.json file
	mkdir beside
	mkfifo fifo
	truncate -s 1T huge 2>/dev/null || cp /dev/null huge
	cp "$list" beside/list.json
	uncore-events list --event-list="$list" --format=csv >wanted
	for file in /dev/zero "$PWD/fifo" "$PWD/huge"; do
		drawn 3 || continue
		ln -sf "$file" beside/mapfile.csv
		timeout 15 uncore-events list --event-list=beside/list.json --format=csv | cmp - wanted
		run -2 --separate-stderr timeout 15 uncore-events import beside --to=copy
		[[ $stderr == *mapfile.csv* ]]
		[ "${#stderr_lines[@]}" = 1 ]
		run ! --separate-stderr timeout 15 uncore-events list --event-list=beside --cpu=GenuineIntel-6-55-4
		[[ $stderr == *mapfile.csv* ]]
		[ "${#stderr_lines[@]}" = 1 ]
	done
	command -v dtc >/dev/null || return 0
	for file in /dev/zero "$PWD/fifo" "$PWD/huge"; do
		drawn 3 || continue
		printf '/dts-v1/;\n/ { data = /incbin/("%s"); };\n' "$file" >all.dts
		run -2 --separate-stderr timeout 60 uncore-events list --event-list=all.dts
		[ "${#stderr_lines[@]}" = 1 ]
	done
}
