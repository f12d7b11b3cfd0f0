//go:build !unix

package memory

func addressSpace() int64 { return 0 } // there is no such limit
