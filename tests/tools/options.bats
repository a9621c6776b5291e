#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every option of every tool is used at least once, so that sanitizers check its code. The commands are those of
# tests/memory/plan, and others that need the live kernel or end at a different time in each run. What the options do is
# tested in the files of the tools.

# bats file_tags=memory

load common

# The plan's commands share one folder.
setup_file() {
	local line
	export TOP
	cd "$BATS_FILE_TMPDIR" || return
	while IFS= read -r line; do
		[[ $line != setup:* ]] || sh -c "${line#setup:}"
	done <"$TOP/tests/memory/plan"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	used=
}

# ends STATUS COMMAND...: the command must end with a status that matches the pattern, without a sanitizer's message.
ends() {
	local wanted=$1 status=0
	shift
	used+=" $* "
	"$@" >out 2>err </dev/null || status=$?
	# shellcheck disable=SC2053 # a pattern
	if [[ $status != $wanted || $(<err) == *Sanitizer* || $(<err) == *'runtime error'* ]]; then
		printf '%s\nended with %s instead of %s\n%s\n' "$*" "$status" "$wanted" "$(<err)"
		return 1
	fi
}

# can_run COMMAND: does this machine have everything that the command of tests/memory/plan needs? If not, the options of
# the command count as tested.
can_run() {
	used+=" $1 "
	case $1 in
	*small.dt[bs]*) [ -e small.dtb ] && once built_flat ;;
	*=lists/*) once built_json ;;
	esac
}

# planned TOOL: run its commands of the plan. Each must end with the status that the plan says.
planned() {
	local line before=: wanted=0
	while IFS= read -r line; do
		case $line in
		before:*) before=${line#before:} ;;
		status:*) wanted=${line#status:} wanted=${wanted# } wanted=${wanted:-0} ;;
		"$1 "*)
			can_run "$line" || continue
			sh -c "${before:-:}"
			eval "ends $wanted $line"
			;;
		esac
	done <"$TOP/tests/memory/plan"
}

# all_used TOOL: every option of its --help must have been used, in any spelling.
all_used() {
	local line short long
	ends 0 "$1" -v -V
	ends 0 "$1" --help
	while IFS= read -r line; do
		[[ $line =~ ^\ \ (-([a-zA-Z]))?,?\ *(--([a-z][a-z0-9-]*))? && -n ${BASH_REMATCH[1]}${BASH_REMATCH[3]} ]] || continue
		short=${BASH_REMATCH[1]:-none} long=${BASH_REMATCH[3]:-none}
		[[ $used == *" $short "* || $used == *" $long "* || $used == *" $long="* ]] ||
			{ echo "$1: $line is not used"; return 1; }
	done <out
}

@test "every option of uncore-agent can be used" {
	command -v uncore-agent >/dev/null || skip "built without libmicrohttpd"
	planned uncore-agent
	ends 0 uncore-agent --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -M memory-bandwidth --throttle -i 0.05 -n 2 \
		--prometheus="unix:$PWD/p" --collectd=exec --agentx="unix:$PWD/x" --state=state
	all_used uncore-agent
}

@test "every option of uncore-doctor, -events, -imc, -info and -throttle can be used" {
	local tool
	for tool in uncore-{doctor,events,imc,info,throttle}; do
		planned "$tool"
		[ "$tool" != uncore-throttle ] || ends 1 uncore-throttle --machine=sim:westmere-2s,clock=stepped -i 0.1 -n 2 --output=log
		all_used "$tool"
	done
}

@test "every option of uncore-read can be used" {
	planned uncore-read
	ends 0 uncore-read --machine=sim:westmere-2s,clock=stepped -e 0x82:0x1 -n 2 -i 0.1 -o appended --append
	# Options for processes, threads and control groups, if the live kernel permits counting.
	ends '[0-4]' uncore-read --route=perf -e task-clock -p $$ -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock -t $$ -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock --cgroup=/none -n 1 -i 0.1
	ends '[0-4]' uncore-read -e task-clock -a --per-core -- true
	all_used uncore-read
}

@test "every option of uncore-record and uncore-report can be used" {
	planned uncore-record
	ends '[0-4]' uncore-record -e cpu-clock -c 1000000 -d --cores=0 -a -o r.data -- true
	ends '[0-4]' uncore-record -e cpu-clock -p $$ -o r.data -- true
	ends '[0-4]' uncore-record -e cpu-clock -t $$ -o r.data --event-list=lists/new.json -- true
	ends '[0-4]' uncore-record --estimate --machine=live --format=json --verbose
	all_used uncore-record
	planned uncore-report
	all_used uncore-report
}

@test "every option of uncore-sim can be used" {
	planned uncore-sim
	ends 0 uncore-sim list --format=json
	ends 2 uncore-sim --machine=live list
	mkdir m
	ends '[0-4]' uncore-sim mount westmere-2s "$PWD/m" --daemon --allow-other --log=log
	if mountpoint -q m; then
		ends 0 uncore-info --machine="root:$PWD/m"
		fusermount3 -u m
	fi
	all_used uncore-sim
}
