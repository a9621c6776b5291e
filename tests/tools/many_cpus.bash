# SPDX-License-Identifier: LGPL-2.1-or-later
# For tests and benchmarks of the cost of a start: a machine with many CPUs, in plain files.
# shellcheck shell=bash

# many_cpus CPUS DIR: make the files that the kernel has for one package of an Intel processor with this number of CPUs,
# two per core. There are no msr devices.
many_cpus() {
	local cpu dir=$2/sys/devices/system/cpu half=$(($1 / 2)) last=$(($1 - 1)) path paths=()
	for ((cpu = 0; cpu <= last; cpu++)); do
		paths+=("$dir/cpu$cpu/topology" "$dir/cpu$cpu/thermal_throttle")
	done
	mkdir -p "${paths[@]}" "$2/proc"
	echo "0-$last" >"$dir/online"
	echo "0-$last" >"$dir/present"
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
	done >"$2/proc/cpuinfo"
}
