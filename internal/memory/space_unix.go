//go:build unix

package memory

import (
	"math"
	"syscall"
)

// addressSpace is the limit of the address space, or 0. The runtime reserves addresses that it does
// not use, some 100 MB, so that a small limit ends a program earlier than it says.
func addressSpace() int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) != nil || uint64(r.Cur) >= math.MaxInt64 {
		return 0
	}
	return int64(r.Cur)
}
