//go:build unix

package main

import (
	"syscall"
	"time"
)

// noCoreFile keeps an abort from writing the memory of the process into a file; a system on which that
// fails may write one.
func noCoreFile() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }

// processorTime gives the time that the process has used on all cores, which other processes do not add to; nil where the system does not tell.
func processorTime() func() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return nil
	}
	return func() time.Duration {
		if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
}
