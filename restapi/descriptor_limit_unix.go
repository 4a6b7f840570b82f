//go:build unix

package restapi

import (
	"math"
	"syscall"
)

// descriptorLimit returns how many descriptors the process may have open.
func descriptorLimit() (limit int, known bool) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return 0, false
	}
	return int(min(r.Cur, math.MaxInt32)), true
}
