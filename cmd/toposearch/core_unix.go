//go:build unix

package main

import "syscall"

// noCoreFile keeps an abort from writing the memory of the process into a file; a system on which that
// fails may write one.
func noCoreFile() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
