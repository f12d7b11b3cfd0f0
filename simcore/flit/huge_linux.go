package flit

import (
	"syscall"
	"unsafe"
)

const (
	hugePage = 2 << 20 // on amd64 and arm64 with pages of 4 KiB
	// hugeLeast is the smallest array that it is done for: below, pages of 4 KiB for all that a network
	// has fit in the translation buffer of the first level.
	hugeLeast = 64 << 10
	// madvHugepage is MADV_HUGEPAGE of linux/mman.h, which package syscall has not got everywhere.
	madvHugepage = 14
	// madvCollapse (Linux 6.1) does so at once where there are small pages already.
	madvCollapse = 25
)

// inHugePages asks for pages of 2 MiB under a new array. State is accessed all over, and with pages
// of 4 KiB every other access beyond 8 MiB would miss the translation buffer. The pages at both ends
// are asked for whole: what else is on them is the Go heap's, too. An error (a kernel that grants or
// knows neither) is ignored, for it costs nothing but speed.
func inHugePages[T any](a []T) []T {
	n := uintptr(len(a)) * unsafe.Sizeof(*new(T))
	if n < hugeLeast {
		return a
	}
	from := uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	to := (from + n + hugePage - 1) &^ (hugePage - 1)
	from &^= hugePage - 1
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, madvHugepage)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, madvCollapse)
	return a
}
