# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What every tool test shares. BIN: folder of the binaries under test.

TOP=${BASH_SOURCE[0]%/*/*/*}
BIN=${BIN:-$TOP/build/bin}
LOOK=${LOOK:-${BIN%/*}/tests/look}
CORPUS=${UNCOREMSR_CORPUS:-$TOP/../shared/corpus}
export PATH="$BIN:$PATH" LC_ALL=C
unset UNCOREMSR_MACHINE
# Debian's own: a python3 of pyenv is a script that starts a dozen processes.
[ ! -x /usr/bin/python3 ] || hash -p /usr/bin/python3 python3
bats_require_minimum_version 1.5.0

# To tell where a test failed, bats notes the whole call stack before each command, nine tenths of the time of a loop.
# The trap of a failed command can look at the stack; for a "return" or an "exit" the line of the test is enough.
if declare -F bats_check_status_from_trap bats_capture_stack_trace >/dev/null; then
	bats_error_trap() {
		bats_check_status_from_trap
		[ -z "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] || return 0
		[ "${FUNCNAME[1]}" = bats_perform_test ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
	# Where a program ends, the trap of the end comes between.
	# shellcheck disable=SC2034 # bats reads it
	bats_debug_trap() {
		[ "${FUNCNAME[1]-}" = "$BATS_TEST_NAME" ] || return 0
		BATS_DEBUG_LASTLAST_STACK_TRACE=("${BATS_DEBUG_LAST_STACK_TRACE[@]}")
		BATS_DEBUG_LAST_STACK_TRACE=("${BASH_LINENO[0]} $BATS_TEST_NAME $BATS_TEST_FILENAME")
	}
fi

# run [-STATUS | !] [--separate-stderr] COMMAND [ARG...]: the same as bats' own, which starts one to three processes
# beside COMMAND. Here the test's shell starts a program itself, and output goes through files. COMMAND may be a
# function of the test, which sees these variables: hence their names.
run() {
	local _wanted='' _start=command _out=$BATS_TEST_TMPDIR.out$BASH_SUBSHELL _err=
	while [[ $1 == [-!]* ]]; do
		case $1 in
		--separate-stderr) _err=$BATS_TEST_TMPDIR.err$BASH_SUBSHELL ;;
		*) _wanted=${1#-} ;;
		esac
		shift
	done
	type -t "$1" >"$_out" || true
	case $(<"$_out") in
	file | '') ;;
	*) _start=in_subshell ;;
	esac
	status=0
	if [ -n "$_err" ]; then
		"$_start" "$@" >"$_out" 2>"$_err" || status=$?
		stderr=$(<"$_err")
		IFS=$'\n' read -rd '' -a stderr_lines <"$_err" || true
	else
		"$_start" "$@" >"$_out" 2>&1 || status=$?
	fi
	output=$(<"$_out")
	IFS=$'\n' read -rd '' -a lines <"$_out" || true
	case $_wanted in
	"$status" | '') return ;;
	!) [ "$status" = 0 ] || return 0 ;;
	esac
	printf 'status %s, wanted %s: %s\n%s\n' "$status" "$_wanted" "$*" "$output"
	[ -z "$_err" ] || printf 'standard error: %s\n' "$stderr"
	return 1
}

# in_subshell FUNCTION [ARG...]: one of its commands may fail, which does not end the test.
in_subshell() {
	(set +eET; "$@")
}

# need CMD...: skip the test, with the reason, where a program is missing.
need() {
	local cmd
	for cmd; do
		command -v "$cmd" >/dev/null || skip "no $cmd here"
	done
}

need_look() {
	[ -x "$LOOK" ] || skip "make tests was not run"
}

need_corpus() {
	[ -e "$CORPUS/$1" ] || skip "no corpus"
}

# need_signals: skip where qemu's user mode runs the tools: there a signal may end a program with status 255.
need_signals() {
	[ -z "${EMULATED:-}" ] || skip "how a signal ends a program cannot be told in an emulator"
}

# need_terminal: script(1) can make one; without /dev/pts it cannot.
need_terminal() {
	script -qec true /dev/null >/dev/null 2>&1 || skip "no pseudo terminal here"
}

# need_flat: skip where the tools were built without libfdt. Asked once for all tests.
need_flat() {
	local probe=$BATS_RUN_TMPDIR/probe.dtb
	if [ ! -e "$probe.answer" ]; then
		printf 'no tree' >"$probe"
		uncore-events list --event-list="$probe" >"$probe.answer" 2>&1 || true
	fi
	case $(<"$probe.answer") in
	*"built without flat device trees"*) skip "built without flat device trees" ;;
	esac
}

# ---- long walks ----

# A walk through many cases of one kind runs whole with WHOLE=1, as "make sweep" has it. Else some of them run, which
# changes with the day, or with SEED=N. DRAW=4: a quarter of those.
printf -v DAY '%(%Y%m%d)T'
DAY=${SEED:-$DAY}

# drawn N: true for one call of N.
drawn() {
	[ -z "${WHOLE:-}" ] || return 0
	calls=$((${calls:-DAY} + 1))
	((calls % ($1 * ${DRAW:-1}) == 0))
}

# stride N: from one number to the next in $step, and the first one, from 1 on, in $from.
# shellcheck disable=SC2034 # the tests use it
stride() {
	step=$(($1 * ${DRAW:-1}))
	[ -z "${WHOLE:-}" ] || step=1
	from=$((1 + DAY % step))
}

# sysfs_tree NAME: a tree with the kernel PMUs of corpus/perf-sysfs/NAME.tsv, for --machine=root:DIR.
# Prints DIR. Nothing else is in it, no CPUs and no processor.
sysfs_tree() {
	local dir=$BATS_TEST_TMPDIR/tree-$1
	perl -MFile::Path=make_path -MFile::Basename -ne 'BEGIN { $dir = shift }
		my ($path, $content) = /^([^\t\n]+)(?:\t(.*))?$/ or next;
		make_path(dirname("$dir/sys/$path"));
		open my $file, ">", "$dir/sys/$path" or die "$path: $!";
		print $file "$content\n"' "$dir" "$CORPUS/perf-sysfs/$1.tsv"
	printf '%s\n' "$dir"
}

# unfold: what uncore-info folded to 80 columns as one line again.
unfold() {
	perl -0pe 's/\n {15}(?=\S)/ /g'
}

# as_nobody COMMAND...: as a user without rights.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# need_nobody FILE...: skip where there is no such user, or it cannot reach these.
need_nobody() {
	local file
	[ "$EUID" = 0 ] || skip "root is needed to become nobody"
	need setpriv
	as_nobody true 2>/dev/null || skip "cannot become nobody"
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	for file; do
		as_nobody test -x "$file" || skip "nobody cannot reach $file"
	done
}

# fails_with STATUS TEXT COMMAND [ARG...]: that status, nothing on standard output, and one line on
# standard error that begins with the command's name and has TEXT in it.
fails_with() {
	local wanted=$1 text=$2
	shift 2
	run --separate-stderr "$@"
	# shellcheck disable=SC2154
	if [ "$status" -ne "$wanted" ] || [ -n "$output" ] || [ "${#stderr_lines[@]}" -ne 1 ] ||
	   [[ $stderr != "$1: "*"$text"* ]]; then
		printf '%s\nstatus %s, stdout: %s\nstderr: %s\n' "$*" "$status" "$output" "$stderr"
		return 1
	fi
}

# ---- programs that run beside a test ----

started=()

# background COMMAND: its process number in $pid. Without bats' own descriptor, or bats waits for it.
background() {
	"$@" 3>&- &
	pid=$!
	started+=("$pid")
}

# ends_with STATUS: so $pid ended, or will. In this shell: in that of "run" it is no child to wait for.
ends_with() {
	local status=0
	wait "$pid" || status=$?
	[ "$status" = "$1" ] || { echo "process $pid ended with $status"; return 1; }
}

# count_beside UNCORE-READ...: in the background, once it counts. It goes on as long as the test does.
count_beside() {
	local said=$BATS_TEST_TMPDIR/counting
	[ -n "${counts:-}" ] || { mkfifo "$BATS_TEST_TMPDIR/counts" && exec {counts}<>"$BATS_TEST_TMPDIR/counts"; }
	rm -f "$said"
	background "$@" -- sh -c 'exec <"$0"; echo counting; read -r _' "$BATS_TEST_TMPDIR/counts" \
		>"$said" 2>"$said.errors" {counts}>&-
	wait_for "$said" counting
}

# kill_started: for teardown.
kill_started() {
	local pid
	for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
}

# pause SECONDS: without a process.
pause() {
	[ -n "${silence:-}" ] || exec {silence}<> <(:)
	read -rt "$1" -u "$silence" || true
}

# wait_until COMMAND...: until it succeeds. A busy machine may need long for little: the limit of 60 s is for
# what hangs.
wait_until() {
	local end=$((SECONDS + 60))
	until "$@"; do
		((SECONDS < end)) || { echo "not within 60 s: $*"; return 1; }
		pause 0.05
	done
}

# wait_while COMMAND...: until it fails.
wait_while() {
	wait_until not "$@"
}

not() {
	! "$@"
}

# has_line FILE REGEX: a line of it matches.
has_line() {
	local text line
	{ mapfile -t text <"$1"; } 2>/dev/null || return 1
	for line in "${text[@]}"; do
		if [[ $line =~ $2 ]]; then return 0; fi
	done
	return 1
}

# wait_for FILE REGEX: until a program in the background has written such a line.
wait_for() {
	wait_until has_line "$@"
}

# is_alive PID
is_alive() {
	kill -0 "$1" 2>/dev/null
}

# ---- what Prometheus reads ----

# exposition FILE: the text format 0.0.4: HELP and TYPE once before the samples of a name, which
# stand together; no time stamps; counters end in _total, nothing else does.
exposition() {
	awk '
		function bad(why) { print FILENAME ":" NR ": " why ": " $0; failed = 1 }
		/^# HELP / { if ($3 in help || NF < 4) bad("HELP"); help[$3] = 1; name = $3; next }
		/^# TYPE / {
			if ($3 != name || $3 in type) bad("TYPE")
			if (($4 == "counter") != ($3 ~ /_total$/)) bad("name")
			type[$3] = $4
			next
		}
		!/^[a-z_]+({[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*})? [0-9]+(\.[0-9]+)?$/ { bad("sample") }
		{ sub(/[{ ].*/, ""); if ($0 != name || !($0 in type)) bad("out of its group") }
		END { exit failed || !NR }' "$1"
	[ -z "$(grep -v '^#' "$1" | sed 's/ [^ ]*$//' | sort | uniq -d)" ]
}

# sample FILE NAME LABEL...: the only sample of a name with these labels.
sample() {
	local file=$1 lines
	lines=$(grep "^$2[{ ]" "$file")
	shift 2
	for label; do
		lines=$(grep -F "$label" <<<"$lines")
	done
	[ "$(wc -l <<<"$lines")" = 1 ]
	echo "${lines##* }"
}

# ---- machines and what was done to them ----

# calm MACHINE [KEY=VALUE...]: a machine on which nothing happens but what is asked for.
calm() {
	local machine=sim:$1,clock=stepped,throttle=none key
	for key in "${@:2}"; do machine+=,$key; done
	echo "$machine"
}

# restored FILE: in a --trace every register ends with what it held before its first write. Lines are
# "cpu 0 write NAME (0x391) OLD -> NEW [FIELDS]"; what was not read before has no OLD.
restored() {
	awk '$3 == "write" && $7 == "->" {
		key = $1 $2 " " $4; n++
		if (!(key in first)) first[key] = $6
		last[key] = $8
	} END {
		for (key in first) if (first[key] != last[key]) { print key, first[key], last[key]; bad = 1 }
		exit bad || !n
	}' "$1"
}
