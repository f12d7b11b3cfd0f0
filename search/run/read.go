package run

import (
	"fmt"
	"math"

	"toposearch/internal/disk"
	"toposearch/internal/infile"
)

// mostBytes bounds the files of a run directory, the journal aside: the front of a million designs has some 2 GB.
const mostBytes = 4 << 30

// readFile reads a regular file of a run directory.
func readFile(path string) ([]byte, error) {
	b, err := infile.Read(path, mostBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// openFile opens a regular file that is read line by line.
func openFile(path string) (disk.File, error) {
	f, err := infile.Open(path, math.MaxInt64)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
