#!/usr/bin/env bats
# SPDX-License-Identifier: LGPL-2.1-or-later

load common
load mounted
load answers

setup() {
	TREE=$BATS_TEST_TMPDIR/tree
}

teardown() {
	kill_started
	unserve
}

# put PATH TEXT: write a file of the tree.
put() {
	[ -d "$TREE/${1%/*}" ] || mkdir -p "$TREE/${1%/*}"
	printf '%s\n' "$2" >"$TREE/$1"
}

# plain_tree: make a Westmere tree with two CPUs. Its msr device is a plain file, so all registers are 0.
plain_tree() {
	mkdir -p "$TREE"/{proc,run,dev/cpu/0} "$TREE"/sys/devices/system/cpu/cpu{0,1}/topology
	put sys/devices/system/cpu/online 0-1
	put sys/devices/system/cpu/present 0-1
	put sys/devices/system/cpu/cpu0/topology/physical_package_id 0
	put sys/devices/system/cpu/cpu1/topology/physical_package_id 0
	put proc/cpuinfo $'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 44\nmodel name\t: Xeon\nstepping\t: 2'
	put proc/devices '202 cpu/msr'
	truncate -s 4096 "$TREE/dev/cpu/0/msr"
}

# driver_tree: as plain_tree, with working registers, and nothing that prevents counting.
driver_tree() {
	need_fuse
	plain_tree
	# Mount the machine within the tree, because links that lead out of the tree are not followed.
	BATS_TEST_TMPDIR=$TREE serve westmere-2s,clock=stepped
	ln -sf /machine/dev/cpu/0/msr "$TREE/dev/cpu/0/msr"
}

# doctor STATUS MACHINE [OPTION...]: print its findings, without the answers to users' questions.
doctor() {
	run "-$1" --separate-stderr uncore-doctor --machine="$2" "${@:3}"
	echo "$output"
	local line text=
	lines=()
	while IFS= read -r line; do
		case $line in
		'question '*) break ;;
		'{"questions":'* | '') continue ;;
		esac
		lines+=("$line") text+=$line$'\n'
	done <<<"$output"
	output=${text%$'\n'}
	[ -z "$stderr" ]
}

# findings: rows "STATUS | MACHINE | SEVERITY CHECK | MESSAGE | NEXT" on standard input: uncore-doctor must have exactly
# one finding of this severity, from this check, whose message and next step contain these texts.
findings() {
	local status machine severity check message next rows
	while IFS='|' read -r status machine check message next; do
		read -r severity check <<<"$check"
		message=${message# } message=${message% }
		rows+="${status//[!0-9]/} | \"check\":\"$check\",\"severity\":\"$severity\",\"message\":\"*$message*\",\"next\":*${next# }"
		rows+=" & !\"severity\":\"$severity\"*\"severity\":\"$severity\" | uncore-doctor --format=json --machine=${machine// /}"$'\n'
	done
	expect <<<"$rows"
}

# ---- no obstacles ----

@test "if nothing prevents counting, one line says so, JSON has no object, CSV a header only; nothing is changed" {
	doctor 0 sim:westmere-2s,allow_writes=on
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == "SIMULATED machine westmere-2s: "* ]]
	[[ ${lines[1]} == "nothing stands in the way "*Westmere*"2 packages" ]]
	doctor 0 sim:nehalem-1s,allow_writes=on --format=json
	[ -z "$output" ]
	doctor 0 sim:nehalem-1s,allow_writes=on --format=csv
	[ "$output" = check,severity,message,next ]
	driver_tree
	doctor 0 "root:$TREE"
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == "nothing stands in the way "* ]]
	(cd "$TREE" && find . -xdev ! -name log -exec ls -ld --time-style=full-iso {} + | sort) >"$BATS_TEST_TMPDIR/before"
	doctor 0 "root:$TREE"
	run -0 uncore-doctor --machine="root:$TREE" --leases
	run -0 uncore-doctor --machine="root:$TREE" --grant=uncore
	(cd "$TREE" && find . -xdev ! -name log -exec ls -ld --time-style=full-iso {} + | sort) >"$BATS_TEST_TMPDIR/after"
	cmp "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	grep -q ' rd ' "$LOG"
	run ! grep ' wr ' "$LOG"
	doctor 0 sim:westmere-2s,busy=2,allow_writes=on,fail=write:0x0-0xffffffff:EIO
}

# ---- questions of users ----

# answers: rows "MACHINE QUESTION=ANSWER..." on standard input: uncore-doctor must give these answers. For yes, the
# printed command must answer the question; for no, there must be no command.
answers() {
	local machine wanted question answer command words
	local -A ways=([bandwidth]='-M memory-bandwidth' [cache]='-e cache-misses,cache-references'
		[command]='-e page-faults:u -- true') want=()
	given=()
	while read -r machine wanted; do
		want[$machine]=" $wanted "
		later uncore-doctor --machine="$machine" --format=json
	done
	each_answer as_questions >"$BATS_TEST_TMPDIR/questions"
	while IFS=$'\t' read -r machine question answer command; do
		[[ ${want[$machine]} != *" $question="* || ${want[$machine]} == *" $question=$answer "* ]] ||
			{ echo "$machine: $question: $answer: $command"; return 1; }
		case $answer in
		yes) command=${command%%  # *} command=${command/%-- sleep 1/-- true} ;;
		no) command="uncore-read --machine=$machine ${ways[$question]:-}" ;;
		*) return 1 ;;
		esac
		[[ $question != throttling || $answer = yes ]] || command="uncore-throttle --machine=$machine"
		eval "words=($command)"
		later "${words[@]}"
		given+=("$answer $question")
	done < <(jq -r '.[0] as $machine | .[1][] | select(.questions).questions[] |
		[$machine, .question, .answer, .command // .reason] | @tsv' "$BATS_TEST_TMPDIR/questions")
	[ "${#given[@]}" -eq $((4 * ${#want[@]})) ]
	each_answer as_given
}

as_questions() {
	printf '["%s",[%s]]\n' "${2#--machine=}" "${printed//$'\n'/,}"
}

as_given() {
	case ${given[0]%% *}$status in
	yes0 | no[34]) ;;
	yes1) [ "${given[0]}" = "yes throttling" ] ;;
	*) echo "$*: status $status, ${given[0]}"; return 1 ;;
	esac
	given=("${given[@]:1}")
}

@test "users' questions are answered by registers, by the kernel, by both, or by neither" {
	need jq
	# In this order: machines with registers only, where a command's counts include everything else on its package;
	# machines with the kernel only, for root and for users; machines with neither.
	answers <<-'END'
		sim:westmere-2s,clock=stepped throttling=yes bandwidth=yes cache=yes command=yes
		sim:westmere-2s,clock=stepped,perf_user=nobody,perf_paranoid=3 bandwidth=yes cache=yes command=yes
		sim:skylake-sp-2s,clock=stepped,driver=missing bandwidth=yes cache=yes command=yes
		sim:skylake-sp-2s,clock=stepped,driver=missing,perf_user=nobody bandwidth=no cache=no command=yes
		sim:skylake-sp-2s,clock=stepped,driver=missing,perf_user=nobody,perf_paranoid=0 bandwidth=yes cache=yes command=yes
		sim:westmere-2s,clock=stepped,lockdown=integrity bandwidth=no cache=yes command=yes
		sim:westmere-2s,clock=stepped,driver=missing,perf_user=nobody,perf_paranoid=3 bandwidth=no cache=no command=no
		sim:skylake-sp-2s,clock=stepped,hypervisor=yes throttling=no bandwidth=no cache=no command=yes
		sim:generic,clock=stepped throttling=no bandwidth=no cache=no command=yes
		sim:power9-2s,clock=stepped bandwidth=yes cache=no command=yes
		sim:power10-2s,clock=stepped bandwidth=yes cache=no command=yes
		sim:power9-2s,clock=stepped,perf_user=nobody bandwidth=no cache=no command=yes
		sim:power9-2s,clock=stepped,perf_user=nobody,perf_paranoid=0 bandwidth=yes cache=no command=yes
		sim:westmere-2s,clock=stepped,silent=0x0-0xffffffff bandwidth=no cache=yes command=yes
	END
}

# bats test_tags=plain
@test "the command that is printed for a user's question answers it on each simulated machine" {
	need jq
	while read -r machine _; do
		! drawn 2 || echo "sim:$machine,clock=stepped command=yes"
	done < <(uncore-sim list) >"$BATS_TEST_TMPDIR/machines"
	[ -s "$BATS_TEST_TMPDIR/machines" ]
	answers <"$BATS_TEST_TMPDIR/machines"
}

# ---- obstacles and remarks ----

@test "each obstacle and each remark has its check, message and next step, for registers and the kernel; questions of users are one line each" {
	findings <<-'END'
		4 | sim:westmere-2s,driver=missing | blocks driver | no msr driver | modprobe msr
		4 | sim:westmere-2s,driver=nonode | blocks device-node | no device node | mknod -m 600 /dev/cpu/0/msr c 202 0
		4 | sim:westmere-2s,open=EACCES | blocks permission | no permission | uncore-doctor --grant=
		4 | sim:westmere-2s,open=EPERM | blocks capability | CAP_SYS_RAWIO | setcap cap_sys_rawio+ep
		4 | sim:westmere-2s,lockdown=integrity | blocks lockdown | integrity | reboot
		4 | sim:westmere-2s,allow_writes=off | blocks writes | allow_writes=off | echo on > /sys/module/msr/parameters/allow_writes
		0 | sim:westmere-2s | remark writes | Write to unrecognized MSR | allow_writes
		3 | sim:westmere-2s,hypervisor=yes | blocks guest | virtual machine | on the host
		3 | sim:generic | blocks model | Core 2 | --machine=sim:
		0 | sim:nehalem-1s,busy=2,allow_writes=on | remark counters | counter 2 (0x400103) | fuser -v
		3 | sim:nehalem-1s,busy=0-7 | blocks counters | no general counter is free | --force
		3 | sim:nehalem-1s,fail=read:0x3c4:EIO | blocks registers | 0x3c4 | hypervisor
		3 | sim:westmere-2s,silent=0x0-0xffffffff | blocks registers | thermal sensors, which is impossible | on the host
		0 | sim:westmere-2s,allow_writes=on,silent=0x380-0x3cf | remark registers | only counting can tell | silent
	END
	# The most severe finding comes first and decides the exit status.
	expect <<-'END'
		3 | ={"check":"guest","severity":"blocks"*{"check":"model","severity":"blocks"* | uncore-doctor --format=json --machine=sim:generic,hypervisor=yes
		3 | ={"check":"guest",*{"check":"driver",*{"check":"lockdown",* & !"severity"*"severity"*"severity"*"severity" | uncore-doctor --format=json --machine=sim:westmere-2s,hypervisor=yes,driver=missing,lockdown=confidentiality
		3 | ={"check":"counters","severity":"blocks"*{"check":"counters","severity":"blocks"*{"check":"lockdown","severity":"blocks"* & !"severity"*"severity"*"severity"*"severity" | uncore-doctor --format=json --machine=sim:westmere-2s,busy=0-7,lockdown=integrity
		0 | | uncore-doctor --machine=sim:nehalem-1s,busy=0-6,allow_writes=on
		0 | counter 8 ( | uncore-doctor --machine=sim:nehalem-1s,busy=8,allow_writes=on
		0 | it is unknown whether counting through registers works here: | uncore-doctor --machine=sim:westmere-2s,allow_writes=on,silent=0x380-0x3cf
		0 | nothing stands in the way of counting here: | uncore-doctor --machine=sim:westmere-2s,allow_writes=on,start=1
		0 | nothing stands in the way of counting here: *, 2 packages | uncore-doctor --machine=sim:westmere-2s
		0 | nothing stands in the way of counting here: *, 1 package & !1 package, | uncore-doctor --machine=sim:nehalem-1s
		0 | nothing stands in the way of counting here: *, 1 package, 2 dies | uncore-doctor --machine=sim:cascadelake-ap-1s
		0 | no counter is leased | uncore-doctor --machine=sim:westmere-2s --leases
		0 | 0 counters put back, 0 leases left over | uncore-doctor --machine=sim:westmere-2s --repair
	END
	local machine=sim:skylake-sp-perf,perf_paranoid=2,perf_user=nobody
	expect <<-END
		0 | nothing stands in the way of counting here with perf (but not through registers): *remark    lockdown: kernel lockdown (integrity): | uncore-doctor --machine=sim:westmere-2s,kernel_uncore=yes,lockdown=integrity
		4 | !nothing stands in the way | uncore-doctor --machine=$machine,driver=missing
		4 | "check":"driver","severity":"blocks"*"check":"perf","severity":"blocks",*"next":*perf_event_paranoid & !"blocks"*"blocks"*"blocks" | uncore-doctor --format=json --machine=$machine,driver=missing
		0 | nothing stands in the way of counting here through registers (but not with perf): *remark *perf: | uncore-doctor --machine=sim:skylake-sp-2s,perf_paranoid=2,perf_user=nobody
		0 | nothing stands in the way of counting here with perf | uncore-doctor --machine=$machine,driver=missing,perf_user=root
	END
	local m=sim:westmere-2s,allow_writes=on
	expect <<-END
		0 | question    answer  command, or why not*throttling  yes     uncore-throttle --machine=$m*bandwidth   yes     uncore-read --machine=$m -M memory-bandwidth  # by registers*cache *command  | uncore-doctor --machine=$m
		0 | throttling  no      cannot tell prochot-external: */prochot_status is not there: load its driver: modprobe amd_hsmp | uncore-doctor --machine=sim:zen-1s,hsmp=no
		3 | !question | uncore-doctor --machine=sim:generic --format=csv
		3 | cache       no      this machine has no core PMU | uncore-doctor --machine=sim:generic
	END
}

@test "PMUs of which nothing can be read are one remark and a list, whatever the number of packages" {
	doctor 0 sim:skylake-sp-perf --format=json
	[ "$(jq -r 'select(.check == "registers") | .message' <<<"$output" | sed 's/CPU 0: reading .*/first/')" = \
		$'first\nthe registers of these PMUs cannot be read either: irp, ubox, pcu' ]
	# Free-running counters are never in use, but their PMU is unreadable if the CPU's device cannot be opened.
	doctor 0 'sim:skylake-sp-2s,clock=stepped,open=EIO cpu=0 after=2'
	[[ $output == *'these PMUs cannot be read either: iio_free_running, irp, ubox, pcu'* ]]
}

@test "a plain file in place of the driver's device blocks, as counting does" {
	local file
	plain_tree
	for file in msr msr_safe; do
		truncate -s 4096 "$TREE/dev/cpu/0/$file"
		findings <<<"4 | root:$TREE | blocks driver | $TREE/dev/cpu/0/$file: not the register driver's device | load the msr driver"
		fails_with 4 "not the register driver's device" uncore-read --machine="root:$TREE" -e 0x82:0x1
		cmp -n 4096 "$TREE/dev/cpu/0/$file" /dev/zero
	done
	run -0 uncore-info --machine="root:$TREE"
	[[ $output == *"answers a read of 4 bytes"* && $output != *" free"* ]]
}

@test "a lease directory that is not trusted blocks; kernel PMU, likwid, watchdog, container, offline CPUs and cpuset are remarks; msr-safe helps" {
	driver_tree
	rmdir "$TREE/run"
	findings <<<"4 | root:$TREE | blocks lease-directory | $TREE/run/uncoremsr | mkdir -p $TREE/run/uncoremsr"
	mkdir -p "$TREE/run/uncoremsr"
	chmod 777 "$TREE/run/uncoremsr"
	findings <<<"4 | root:$TREE | blocks lease-directory | not trusted | chmod go-w"
	chmod 755 "$TREE/run/uncoremsr"
	doctor 0 "root:$TREE"
	put sys/bus/event_source/devices/cpu/type 4
	doctor 0 "root:$TREE" --format=csv
	[ "${#lines[@]}" -eq 1 ]
	put sys/bus/event_source/devices/uncore/type 8
	findings <<<"0 | root:$TREE | remark kernel-pmu | 0x391 | pgrep -a perf"
	rm -r "$TREE/sys/bus"
	put run/likwid.lock ''
	findings <<<"0 | root:$TREE | remark likwid | $TREE/run/likwid.lock | ls -l"
	rm "$TREE/run/likwid.lock"
	put proc/sys/kernel/nmi_watchdog 0
	doctor 0 "root:$TREE"
	[ "${#lines[@]}" -eq 1 ]
	put proc/sys/kernel/nmi_watchdog 1
	findings <<<"0 | root:$TREE | remark nmi-watchdog | core counter | sysctl kernel.nmi_watchdog=0"
	rm "$TREE/proc/sys/kernel/nmi_watchdog"
	put run/systemd/container docker
	findings <<<"0 | root:$TREE | remark container | leases | host"
	rm "$TREE/run/systemd/container"
	put sys/devices/system/cpu/present 0-3
	put sys/devices/system/cpu/offline 2-7
	findings <<<"0 | root:$TREE | remark offline-cpus | CPUs 2-3 are offline | echo 1 > $TREE/sys/devices/system/cpu/cpu2/online"
	put sys/devices/system/cpu/present 0-1
	put proc/self/status "$(printf 'Name:\tx\nCpus_allowed:\t1\nCpus_allowed_list:\t0\nMems_allowed:\t1')"
	findings <<<"0 | root:$TREE | remark cpuset | CPUs 1  | taskset -c -p 0-1"
	put proc/self/status "$(printf 'Name:\tx\nCpus_allowed_list:\t0-7')"
	doctor 0 "root:$TREE"
	[ "${#lines[@]}" -eq 1 ]
	# With msr-safe neither lockdown nor the write filter prevents counting.
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
	put sys/module/msr/parameters/allow_writes off
	doctor 4 "root:$TREE"
	cp -d "$TREE/dev/cpu/0/msr" "$TREE/dev/cpu/0/msr_safe"
	doctor 0 "root:$TREE"
	[ "${#lines[@]}" -eq 1 ]
	rm "$TREE/dev/cpu/0/msr"
	doctor 0 "root:$TREE"
	# A next step can be copied into a shell, whatever the name of the tree is.
	put run/likwid.lock ''
	mv "$TREE" "$TREE's tree"
	doctor 0 "root:$TREE's tree"
	[[ $output == *"next: ls -l '$TREE'\''s tree'/run/likwid.lock; "* ]]
	mv "$TREE's tree" "$TREE" # here teardown unmounts the machine
}

@test "a lease directory without room, parent or write access blocks, and root is not told to become root" {
	local make next hint
	driver_tree
	"$TOP/tests/tools/private-mounts" true || skip "no private mounts"
	while IFS='|' read -r make next hint; do
		rm -rf "$TREE/run" && mkdir "$TREE/run"
		run -4 "$TOP/tests/tools/private-mounts" bash -c "cd '$TREE' && $make"'
			uncore-doctor --machine="root:$PWD"
			uncore-read --machine="root:$PWD" -e 0x9:1 -n 1'
		echo "$make: $output"
		[[ $output == "blocks    lease-directory: $TREE/run/uncoremsr: "*"next: $next"*$'\nuncore-read: '*"; $hint"* ]]
	done <<-END
		mount -t tmpfs -o nr_inodes=1 tmpfs run|df $TREE/run; df -i $TREE/run|make room
		mount -t tmpfs -o size=4k tmpfs run; head -c 4096 /dev/zero >run/full|df $TREE/run; df -i|make room
		mount -t tmpfs -o ro tmpfs run|findmnt -T $TREE/run/uncoremsr|mount that file system writable
		rmdir run|mkdir -p $TREE/run/uncoremsr|create the parent folder
		touch run/uncoremsr|remove the file|remove the file
	END
}

@test "an ordinary user sees which permission is missing" {
	plain_tree
	need_nobody "$BIN/uncore-doctor" "$TREE"
	mkdir "$TREE/run/uncoremsr"
	chmod 600 "$TREE/dev/cpu/0/msr"
	run -4 as_nobody "$BIN/uncore-doctor" --machine="root:$TREE" --format=csv
	[[ $output == *"permission,blocks,"* ]]
	[[ $output == *"lease-directory,blocks,"*"Permission denied"* ]]
	# The file may be read but not written.
	chmod 644 "$TREE/dev/cpu/0/msr"
	run -4 as_nobody "$BIN/uncore-doctor" --machine="root:$TREE" --format=csv
	[[ $output == *"permission,blocks,"* ]]
	# Now the user may write the file, but it is still not the driver's device.
	chmod 666 "$TREE/dev/cpu/0/msr"
	chown 65534 "$TREE/run/uncoremsr"
	run -4 as_nobody "$BIN/uncore-doctor" --machine="root:$TREE" --format=csv
	[[ $output == *"driver,blocks,"* && $output != *permission,* && $output != *lease-directory,* ]]
}

# ---- grant ----

@test "--grant prints a shell script with all parts, and lists the tools beside it" {
	run -0 --separate-stderr uncore-doctor --machine=sim:westmere-2s --grant msrusers
	[ -z "$stderr" ]
	printf '%s\n' "$output" >"$BATS_TEST_TMPDIR/grant.sh"
	sh -n "$BATS_TEST_TMPDIR/grant.sh"
	[ "${lines[0]}" = '#!/bin/sh' ]
	[[ $output == *'groupadd --system msrusers'* && $output != *setcap*uncore-sim* ]]
	local line tools
	tools=$(readlink -f "$BIN")
	for line in 'KERNEL=="msr[0-9]*", SUBSYSTEM=="msr", GROUP="msrusers", MODE="0660"' 'd /run/uncoremsr 0755 root root -' \
		'f /run/uncoremsr/lock 0660 root msrusers -' 'd /run/uncoremsr/user 1770 root msrusers -' \
		"setcap cap_sys_rawio+ep $tools/uncore-read"; do
		[[ $output == *$'\n'"$line"$'\n'* ]] || { echo "no $line"; return 1; }
	done
	# The script says what else a member of the group can do with the granted access.
	[[ $output == *"keep root and other members from"*"count in cores and clear the logs"*"0x19c"* ]]
	need shellcheck
	shellcheck "$BATS_TEST_TMPDIR/grant.sh"
}

@test "--grant makes copies for the kernel's counters, which nobody outside the group can run" {
	local dir=$BATS_TEST_TMPDIR/copies tool
	run -0 uncore-doctor --machine=sim:skylake-sp-2s --grant=nogroup
	[[ $output == *"observe the processes of all other users"*"# 7. "*"CAP_PERFMON"* ]]
	# Tools that everybody may run never get CAP_PERFMON.
	if grep '^setcap .*cap_perfmon' <<<"$output"; then return 1; fi
	[ "$(id -u)" = 0 ] || skip "root is needed to give rights away"
	need setcap getcap
	getent group nogroup || skip "no group nogroup here"
	sed -n '/^# 7\. /,/^# 8\. /p' <<<"$output" | sed "s|/usr/local/libexec/uncoremsr|$dir|" >"$BATS_TEST_TMPDIR/part.sh"
	cp /bin/true "$BATS_TEST_TMPDIR/probe"
	run -0 sh -eu "$BATS_TEST_TMPDIR/part.sh"
	[ "$(stat -c '%a %U:%G' "$dir")" = "750 root:nogroup" ]
	if ! setcap cap_perfmon+ep "$BATS_TEST_TMPDIR/probe" 2>/dev/null; then
		# If setcap cannot give CAP_PERFMON here, there is no copy, and a message says so.
		[[ $output == *"uncore-read: no copy for the kernel's counters"* && ! -e $dir/uncore-read ]]
		return
	fi
	for tool in read record; do
		[ "$(stat -c '%a %U:%G' "$dir/uncore-$tool")" = "750 root:nogroup" ]
		[[ $(getcap "$dir/uncore-$tool") == *cap_perfmon*ep ]]
	done
	[[ $(getcap "$dir/uncore-record") != *cap_sys_rawio* ]]
	# An existing copy is replaced, whatever its mode.
	chmod 755 "$dir/uncore-read"
	run -0 sh -eu "$BATS_TEST_TMPDIR/part.sh"
	[ "$(stat -c '%a %U:%G' "$dir/uncore-read")" = "750 root:nogroup" ]
}

@test "the service that --grant shows counts on each processor" {
	local machine line options
	for machine in westmere-2s nehalem-1s skylake-sp-2s icelake-sp-2s; do
		run -0 --separate-stderr uncore-doctor --machine="sim:$machine" --grant=g
		# Each setting is on its own line; the service may write counts and leases.
		[[ $output == *$'\n#   LogsDirectory=uncoremsr\n'* && $output == *$'\n#   ReadWritePaths=/run/uncoremsr\n'* ]]
		options=
		for line in "${lines[@]}"; do [[ ! $line =~ ^#\ *ExecStart=[^\ ]*uncore-read(.*) ]] || options=${BASH_REMATCH[1]}; done
		[ -n "$options" ]
		# shellcheck disable=SC2086 # words
		run -0 uncore-read --machine="sim:$machine,clock=stepped" $options -n 1
		[[ $output == *'"status":"ok"'* ]]
	done
}

@test "the allow list of --grant has exactly the registers of the tables" {
	need jq
	local registers='select(.access != "write only" or .write_mask != "0x0") | [.register, .write_mask] | join(" ")'
	uncore-doctor --machine=sim:nehalem-1s --grant=g | sed -n 's/^\(0x[0-9A-F]* 0x[0-9A-F]*\) # .*/\1/p' \
		>"$BATS_TEST_TMPDIR/list"
	{
		uncore-info --registers --uarch=nehalem --format=json | jq -r "$registers"
		uncore-info --registers --uarch=core --format=json |
			jq -r 'select(.write_mask == "0x0" and .register != "0x392")'" | $registers"
		# uncore-throttle reads these registers on this processor.
		printf '%s 0\n' 0x34 0xce 0xe7 0xe8 0x198 0x199 0x19a 0x19c 0x1a2
	} | while read -r address mask; do printf '0x%08X 0x%016X\n' "$address" "$mask"; done | sort |
		diff - "$BATS_TEST_TMPDIR/list"
	grep -qx '0x00000391 0x00000001000000FF' "$BATS_TEST_TMPDIR/list"
}

@test "--grant --core says what it adds on this processor" {
	local machine=sim:zen-1s
	# The list has none of Intel's core and log registers.
	uncore-doctor --machine=$machine --grant=g >"$BATS_TEST_TMPDIR/grant.sh"
	grep -qxF '# Registers that show throttling are read-only.' "$BATS_TEST_TMPDIR/grant.sh"
	run ! grep -E -e 'count in cores|logs|0x19c|--core' "$BATS_TEST_TMPDIR/grant.sh"
	uncore-doctor --machine=$machine --grant=g --core >"$BATS_TEST_TMPDIR/core.sh"
	diff "$BATS_TEST_TMPDIR/grant.sh" "$BATS_TEST_TMPDIR/core.sh" >"$BATS_TEST_TMPDIR/diff" || true
	[ "$(grep '^>' "$BATS_TEST_TMPDIR/diff")" = \
		'> # Registers that show throttling are read-only. On this processor --core adds nothing.' ]
	run -0 uncore-doctor --machine=sim:skylake-sp-2s --grant=g --core
	[[ $output == *"
# With --core these may be written, too:
#   core counters, without their interrupt bits
#   log bits of throttling (uncore-throttle --clear)
cat >"* ]]
}

@test "--grant on a processor without tables gives access to the kernel's counters, and to no registers" {
	local machine
	for machine in generic power9-2s; do
		run -0 --separate-stderr uncore-doctor --machine="sim:$machine" --grant=uncore
		[ -z "$stderr" ]
		printf '%s\n' "$output" >"$BATS_TEST_TMPDIR/grant.sh"
		sh -n "$BATS_TEST_TMPDIR/grant.sh"
		[[ $output == *"# No registers are granted: "*"groupadd --system uncore"*"CAP_PERFMON"* ]]
		grep -qx "copy $(readlink -f "$BIN")/uncore-read cap_perfmon+ep" "$BATS_TEST_TMPDIR/grant.sh"
		run ! grep -iE 'rawio|modprobe|udev|/run/uncoremsr|^0x' "$BATS_TEST_TMPDIR/grant.sh"
	done
	need shellcheck
	shellcheck "$BATS_TEST_TMPDIR/grant.sh"
}

@test "--grant with an invalid group, and options that exclude each other, are refused in one line" {
	expect <<-'END'
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=
		2 | | uncore-doctor --machine=sim:westmere-2s --grant='a b'
		2 | | uncore-doctor --machine=sim:westmere-2s --grant='$(id)'
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=0root
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=-x
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=Root
		2 | | uncore-doctor --machine=sim:westmere-2s --grant='a;b'
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
		2 | | uncore-doctor --repair --leases
		2 | | uncore-doctor --machine=sim:westmere-2s --grant=g --format=json
		2 | --core: only with --grant=GROUP | uncore-doctor --core
		2 | 'whatever': | uncore-doctor whatever
		2 | | uncore-doctor -- whatever
		2 | | uncore-doctor --machine=root:/nonexistent
	END
}

# ---- leases and leftovers ----

@test "a repair that fails says what failed first, although gates stay open because of it" {
	need_fuse
	serve haswell-ep-2s,fail=write:0xe01:EIO:cpu=0:after=3
	killed_beside "$BIN/uncore-read" --machine="root:$MNT" -e cbo0/event=0x34,umask=0x3,filter_state=0x1/
	run -3 "$BIN/uncore-doctor" --machine="root:$MNT" --repair
	[[ ${lines[0]} == "uncore-doctor: CPU 0: writing C0_MSR_PMON_CTL0 (0xe01): "* ]]
}

@test "--leases shows who holds which counter since when; a living session does not block" {
	need_fuse
	need jq
	serve westmere-2s,allow_writes=on
	count_beside "$BIN/uncore-read" --machine="root:$MNT" -e 0x82:0x1,0x9:0x1
	doctor 0 "root:$MNT" --leases --format=json
	jq -es --argjson pid "$pid" 'map([.package, .counter]) == [[0,0],[0,1],[1,0],[1,1]] and
		all(.state == "held" and .pid == $pid and .command == "uncore-read" and .die == null and
		(.since | test("^20[0-9-]+T[0-9:]+Z$"))) and .[1].event == "UNC_L3_MISS.READ"' <<<"$output"
	doctor 0 "root:$MNT" --leases --format=csv
	[ "${#lines[@]}" -eq 5 ]
	doctor 0 "root:$MNT" --leases
	[[ ${lines[0]} == SIMULATED* && ${lines[2]} == *" held "*" $pid "*uncore-read*UNC_PROCHOT_ASSERTION ]]
	doctor 0 "root:$MNT" --format=csv
	[ "${#lines[@]}" -eq 1 ]
}

@test "what a killed session left is found, and put back by --repair, unless another process has locked the journal" {
	need_fuse
	serve westmere-2s,allow_writes=on,start=7
	killed_beside "$BIN/uncore-read" --machine="root:$MNT" -e 0x82:0x1,0x9:0x1
	local journal=("$MNT"/run/uncoremsr/*.journal)
	lock_beside held "$OFD_LOCK" hold "${journal[0]}" 0
	doctor 1 "root:$MNT" --repair
	[ "$(grep -c "left by uncore-read .*, and held by another session (pid $pid) now" <<<"$output")" -eq 4 ]
	stop "$pid" TERM
	doctor 1 "root:$MNT"
	[ "$(grep -c '^leftover ' <<<"$output")" -eq 4 ]
	[[ $output == *"next: uncore-doctor --machine=root:"*" --repair"* ]]
	doctor 0 "root:$MNT" --repair
	[ "$(grep -c 'restored to what' <<<"$output")" -eq 4 ]
	[ "${lines[5]}" = "4 counters put back, 0 leases left over" ]
	run -0 uncore-info --machine="root:$MNT" --format=csv
	[ "$(grep -c ',free$' <<<"$output")" -eq 18 ]
	doctor 0 "root:$MNT" --repair --format=json
	[ -z "$output" ]
	doctor 0 "root:$MNT" --format=csv
	[ "${#lines[@]}" -eq 1 ]
}

@test "counters that a killed session of ours left on do not block the next session" {
	need_fuse
	serve westmere-2s,allow_writes=on
	killed_beside "$BIN/uncore-read" --machine="root:$MNT" -e 0x9:0x1,0x9:0x2,0x8:0x1,0x8:0x2,0x2c:0x1,0x2c:0x2,0x2f:0x1,0x2f:0x2
	doctor 1 "root:$MNT"
	[[ $'\n'$output == *$'\n''leftover '* && $'\n'$output != *$'\n'blocks* ]]
	# Leftovers are no blocker, because the next session restores the counters and counts.
	run -0 uncore-read --machine="root:$MNT" -i 0.1 -n 1 -e 0x9:0x1
	doctor 0 "root:$MNT"
}

@test "an invalid lease file is reported and kept" {
	need_fuse
	serve westmere-2s,allow_writes=on
	echo garbage >"$MNT/run/uncoremsr/1-5.journal"
	findings <<<"1 | root:$MNT | leftover invalid-lease | 1-5.journal is not valid | rm -r $MNT/run/uncoremsr/1-5.journal"
	doctor 1 "root:$MNT" --repair --format=csv
	[[ $output == *1-5.journal* ]]
	# The registers may still be programmed, and only that version can restore them.
	echo "uncoremsr-journal 4 used 00100" >"$MNT/run/uncoremsr/1-5.journal"
	findings <<<"1 | root:$MNT | leftover invalid-lease | another version | uncore-doctor --repair of that version; after it, or after a reboot: rm -r $MNT/run/uncoremsr/1-5.journal"
	# One record is damaged, and the others can be restored.
	rm "$MNT/run/uncoremsr/1-5.journal"
	killed_beside "$BIN/uncore-read" "--machine=root:$MNT" -e 0x82:0x1,0x9:0x1
	printf X | dd of="$MNT/run/uncoremsr/$pid-1.journal" bs=1 seek=60 conv=notrunc status=none
	doctor 1 "root:$MNT"
	[[ $output == *"a record of $pid-1.journal is not valid"*"next: uncore-doctor "*" --repair, which restores the other records"* ]]
	run -1 uncore-doctor --machine="root:$MNT" --repair
	rm "$MNT/run/uncoremsr/$pid-1.journal"
	echo garbage >"$MNT/run/uncoremsr/1-5.journal"
	doctor 0 "root:$MNT" --leases --format=csv
	[[ ${lines[1]} == ,,,,invalid,*1-5.journal ]]
	[ "$(<"$MNT/run/uncoremsr/1-5.journal")" = garbage ]
}

# beside_kernel_pmu OPTION...: run uncore-doctor through setpriv(1) with these options, on a kernel with an uncore PMU;
# a private mount hides the real PMUs.
beside_kernel_pmu() {
	unshare -m bash -c 'mount --bind "$1" /sys/bus/event_source/devices && shift && exec "$@"' - \
		"$TREE/pmus" setpriv "$@" "$BIN/uncore-doctor"
}

@test "with CAP_PERFMON and without registers the doctor says that the kernel can count" {
	local nobody=(--reuid=65534 --regid=65534 --clear-groups)
	local capability says="counting here with perf (but not through registers)"
	need_nobody "$BIN/uncore-doctor"
	need unshare
	(($(</proc/sys/kernel/perf_event_paranoid) > 0)) || skip "perf_event_paranoid lets everybody count"
	setpriv --inh-caps=+perfmon --ambient-caps=+perfmon true 2>/dev/null ||
		skip "setpriv cannot give CAP_PERFMON here"
	put pmus/uncore_cha_0/type 20
	put pmus/uncore_cha_0/cpumask 0
	put pmus/uncore_cha_0/format/event config:0-7
	unshare -m mount --bind "$TREE/pmus" /sys/bus/event_source/devices 2>/dev/null ||
		skip "no mounts of one's own here"
	run beside_kernel_pmu "${nobody[@]}"
	[ "$status" -ge 3 ] || skip "nothing stands in the way of registers here"
	[[ $output != *"$says"* ]]
	for capability in +perfmon +sys_admin; do
		run -0 beside_kernel_pmu "${nobody[@]}" --inh-caps=$capability --ambient-caps=$capability
		[[ $output == *"$says"* ]]
	done
	# Root in a container may have neither CAP_PERFMON nor CAP_SYS_ADMIN.
	run beside_kernel_pmu --inh-caps=-all --bounding-set=-all
	[[ $output != *"$says"* ]]
}
