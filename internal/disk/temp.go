package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Files being written are called so, with the number of the process and one of their own between.
const tempHead, tempTail = ".toposearch-", ".tmp"

// maxTemps bounds the names tried: more files than a process ever writes at once.
const maxTemps = 10_000

// create makes a file in a folder under a temporary name, never through what has that name already, and
// locks it for as long as it is open: so Sweep knows that somebody still writes it.
func create(dir string) (File, error) {
	for n := range maxTemps {
		path := filepath.Join(dir, fmt.Sprintf("%s%d-%d%s", tempHead, os.Getpid(), n, tempTail))
		f, err := OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A file system without locks has none for Sweep either, which then leaves the file alone.
		if err := flock(f); !errors.Is(err, ErrLocked) && isAt(f, path) {
			return f, nil
		}
		f.Close() // another process swept it away before it was locked
	}
	return nil, fmt.Errorf("%s: all of %d temporary names are taken", dir, maxTemps)
}

// Sweep removes from a folder the temporary files of processes that are gone. Those of others, and what
// cannot be removed, it leaves.
func Sweep(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && strings.HasPrefix(name, tempHead) && strings.HasSuffix(name, tempTail) {
			sweep(filepath.Join(dir, name))
		}
	}
}

func sweep(path string) {
	f, err := OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f) == nil && isAt(f, path) {
		_ = Remove(path) // the next sweep tries again
	}
}
