# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# CPUs are taken offline and brought back online.

# online CPU 0|1
online() {
	echo "$2" >"/sys/devices/system/cpu/cpu$1/online"
}

# writing_cpus: print the CPUs on which registers were written, according to the kernel's record.
writing_cpus() {
	sed -n 's/.* \[\([0-9]*\)\] .* write_msr: .*/\1/p' /sys/kernel/tracing/trace | sort -u |
		tr '\n' ' ' | sed 's/ $//'
}

online 1 0
run uncore-info --format=json
check "a CPU that is offline is in no package" packages_are 0:0 1:2-3
run_read --cpus 1
check "asking for an offline CPU is refused with the reason" refused 2 "CPU 1" offline
online 2 0
run uncore-info --format=json
check "a package keeps its other CPU when its first goes offline" packages_are 0:0 1:3
watch_writes
run_read
check "the package is programmed through its other CPU" is "$(writing_cpus)" "000 003"
online 3 0
run uncore-info --format=json
check "a package is gone when all its CPUs are offline" packages_are 0:0
online 1 1
online 2 1
online 3 1
run uncore-info --format=json
check "packages are as before when their CPUs come back" packages_are 0:0-1 1:2-3
