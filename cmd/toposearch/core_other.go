//go:build !unix

package main

import "time"

func noCoreFile() {} // an abort writes none

// processorTime is nil: the system does not tell.
func processorTime() func() time.Duration { return nil }
