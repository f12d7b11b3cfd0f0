// Package disktest is a file system that fails, for tests of what must survive that: at the n-th call, from it on, or by a power
// failure at it, after which what was not synced may be lost.
package disktest

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"toposearch/internal/disk"
)

// Kind is how a file system fails.
type Kind string

// Kinds of faults at the n-th call.
const (
	Error    Kind = "error"         // it fails (EIO), those after it do not
	Short    Kind = "short write"   // half of what it writes is written (ENOSPC); other calls that need room fail
	Full     Kind = "full disk"     // from it on, what needs room fails (ENOSPC)
	ReadOnly Kind = "read-only"     // from it on, what changes anything fails (EROFS)
	Power    Kind = "power failure" // from it on everything fails; see Recover
)

// Kinds are all of them.
var Kinds = []Kind{Error, Short, Full, ReadOnly, Power}

// Faulty is a file system below a folder that fails at a call; outside the folder it is the operating system's.
type Faulty struct {
	root string
	kind Kind
	at   int

	mu    sync.Mutex
	calls int
	what  string // the call that failed first
	disk  *durable
}

// New is a file system that fails at the at-th call below a folder, from 1; with 0 at none, and counts them.
func New(root string, kind Kind, at int) (*Faulty, error) {
	f := &Faulty{root: root, kind: kind, at: at}
	if kind == Power {
		var err error
		if f.disk, err = newDurable(root); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Calls is the number of calls so far.
func (f *Faulty) Calls() int { return f.calls }

// Failed is the first call that failed, "" if none did.
func (f *Faulty) Failed() string { return f.what }

// What a call needs.
const (
	reads = iota
	changes
	needsRoom
)

// fail counts a call, and gives the error with which it fails; half: what it has to write is written in part.
func (f *Faulty) fail(op, path string, needs int) (half bool, err error) {
	if !f.below(path) {
		return false, nil
	}
	f.calls++
	now, since := f.calls == f.at, f.at > 0 && f.calls >= f.at
	var no error
	switch f.kind {
	case Error:
		if now {
			no = syscall.EIO
		}
	case Short:
		if now && needs == needsRoom {
			half, no = true, syscall.ENOSPC
		}
	case Full:
		if since && needs == needsRoom {
			no = syscall.ENOSPC
		}
	case ReadOnly:
		if since && needs != reads {
			no = syscall.EROFS
		}
	case Power:
		if since {
			no = syscall.EIO
		}
	}
	if no == nil {
		return false, nil
	}
	if f.what == "" {
		f.what = op + " " + strings.TrimPrefix(path, f.root)
	}
	return half, &fs.PathError{Op: op, Path: path, Err: no}
}

func (f *Faulty) below(path string) bool {
	return path == f.root || strings.HasPrefix(path, f.root+string(filepath.Separator))
}

// OpenFile is os.OpenFile.
func (f *Faulty) OpenFile(name string, flag int, perm fs.FileMode) (disk.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, missing := os.Lstat(name)
	needs := reads
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		needs = changes
	}
	if flag&os.O_CREATE != 0 && missing != nil {
		needs = needsRoom
	}
	if _, err := f.fail("open", name, needs); err != nil {
		return nil, err
	}
	of, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if f.disk != nil && f.below(name) && missing != nil {
		f.disk.link(name)
	}
	return &file{of, f}, nil
}

// Mkdir is os.Mkdir.
func (f *Faulty) Mkdir(name string, perm fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.fail("mkdir", name, needsRoom); err != nil {
		return err
	}
	err := os.Mkdir(name, perm)
	if err == nil && f.disk != nil && f.below(name) {
		f.disk.link(name)
	}
	return err
}

// Rename is os.Rename.
func (f *Faulty) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.fail("rename", from, changes); err != nil {
		return err
	}
	if f.disk == nil || !f.below(from) {
		return os.Rename(from, to)
	}
	return f.disk.rename(from, to)
}

// Remove is os.Remove.
func (f *Faulty) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.fail("remove", name, changes); err != nil {
		return err
	}
	if f.disk == nil || !f.below(name) {
		return os.Remove(name)
	}
	return f.disk.remove(name)
}

// Recover leaves in the folder what the power failure may have left, as drawn from a seed.
func (f *Faulty) Recover(seed uint64) error { return f.disk.recover(rand.New(rand.NewPCG(seed, 1))) }

// file is an open file of a Faulty.
type file struct {
	of *os.File
	f  *Faulty
}

func (x *file) Name() string               { return x.of.Name() }
func (x *file) Stat() (fs.FileInfo, error) { return x.of.Stat() }
func (x *file) Fd() uintptr                { return x.of.Fd() }

func (x *file) call(op string, needs int, do func() (int, error), part func() (int, error)) (int, error) {
	x.f.mu.Lock()
	defer x.f.mu.Unlock()
	if half, err := x.f.fail(op, x.Name(), needs); err != nil {
		n := 0
		if half && part != nil {
			n, _ = part()
		}
		return n, err
	}
	return do()
}

func (x *file) Read(b []byte) (int, error) {
	return x.call("read", reads, func() (int, error) { return x.of.Read(b) }, nil)
}

func (x *file) ReadAt(b []byte, at int64) (int, error) {
	return x.call("read", reads, func() (int, error) { return x.of.ReadAt(b, at) }, nil)
}

func (x *file) Write(b []byte) (int, error) {
	return x.call("write", needsRoom, func() (int, error) { return x.of.Write(b) }, func() (int, error) { return x.of.Write(b[:len(b)/2]) })
}

func (x *file) WriteAt(b []byte, at int64) (int, error) {
	return x.call("write", needsRoom, func() (int, error) { return x.of.WriteAt(b, at) },
		func() (int, error) { return x.of.WriteAt(b[:len(b)/2], at) })
}

func (x *file) Chmod(m fs.FileMode) error {
	_, err := x.call("chmod", changes, func() (int, error) { return 0, x.of.Chmod(m) }, nil)
	return err
}

func (x *file) Truncate(size int64) error {
	_, err := x.call("truncate", changes, func() (int, error) { return 0, x.of.Truncate(size) }, nil)
	return err
}

func (x *file) Sync() error {
	_, err := x.call("sync", changes, func() (int, error) {
		if err := x.of.Sync(); err != nil || x.f.disk == nil || !x.f.below(x.Name()) {
			return 0, err
		}
		return 0, x.f.disk.sync(x.of)
	}, nil)
	return err
}

// Close always closes; a write that was put off may fail by it.
func (x *file) Close() error {
	_, err := x.call("close", reads, func() (int, error) { return 0, nil }, nil)
	if bad := x.of.Close(); err == nil {
		err = bad
	}
	return err
}
