# SPDX-License-Identifier: LGPL-2.1-or-later
# The cost of starting a tool on a machine with many CPUs, in system calls, which do not depend on the speed of this
# machine.

load common

# tree_with CPUS: make the files that the kernel has for one package of an Intel processor with this number of CPUs, two
# per core. Its msr devices cannot be read.
tree_with() {
	local cpu dir=$BATS_TEST_TMPDIR/$1/sys/devices/system/cpu half=$(($1 / 2)) last=$(($1 - 1)) path paths=()
	for ((cpu = 0; cpu <= last; cpu++)); do
		paths+=("$dir/cpu$cpu/topology" "$dir/cpu$cpu/thermal_throttle")
	done
	mkdir -p "${paths[@]}" "$BATS_TEST_TMPDIR/$1/proc"
	echo "0-$last" >"$dir/online"
	echo >"$dir/offline"
	for ((cpu = 0; cpu <= last; cpu++)); do
		path=$dir/cpu$cpu
		[ "$cpu" = 0 ] || echo 1 >"$path/online"
		echo 0 >"$path/topology/physical_package_id"
		echo 0 >"$path/topology/die_id"
		echo $((cpu % half)) >"$path/topology/core_id"
		echo "0-$last" >"$path/topology/package_cpus_list"
		echo "0-$last" >"$path/topology/die_cpus_list"
		echo "$((cpu % half)),$((cpu % half + half))" >"$path/topology/core_cpus_list"
		echo 0 >"$path/thermal_throttle/core_throttle_count"
		echo 0 >"$path/thermal_throttle/package_throttle_count"
		printf '%s\n' "processor	: $cpu" 'vendor_id	: GenuineIntel' 'cpu family	: 6' 'model		: 85' \
			'model name	: Xeon' 'stepping	: 4' "flags		: msr acpi dts pln pts" ''
	done >"$BATS_TEST_TMPDIR/$1/proc/cpuinfo"
}

# calls_per_cpu COMMAND...: print how many more system calls the command makes per additional CPU, in hundredths.
calls_per_cpu() {
	local cpus calls=()
	for cpus in 16 80; do
		# A leak check cannot run under strace. These tools exit with 1 if a device cannot be read.
		ASAN_OPTIONS=detect_leaks=0 strace -f -o "$BATS_TEST_TMPDIR/calls" "$@" --machine="root:$BATS_TEST_TMPDIR/$cpus" \
			>/dev/null 2>&1 || true
		calls+=("$(grep -c '(' "$BATS_TEST_TMPDIR/calls")")
	done
	echo $(((calls[1] - calls[0]) * 100 / 64))
}

@test "a tool makes few system calls for each additional CPU of a machine" {
	need strace
	local row most command
	tree_with 16
	tree_with 80
	for row in "600 uncore-info" "1000 uncore-throttle -n 1 -i 0.01" "1000 uncore-doctor"; do
		read -r most command <<<"$row"
		# shellcheck disable=SC2086 # a list of words
		run -0 calls_per_cpu $command
		echo "$command: $output"
		[ "$output" -gt 0 ]
		[ "$output" -le "$most" ]
	done
}
