package disk

import (
	"io"
	"io/fs"
	"os"
)

// System is the part of a file system through which files are opened and folders changed. All that the program writes, and what it
// reads of runs and inputs, goes through one: the operating system's, or in tests one that fails (disktest). Calls that only look
// (Stat, ReadDir) are the operating system's.
type System interface {
	OpenFile(name string, flag int, perm fs.FileMode) (File, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
}

// File is an open file: *os.File, or one that wraps it.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Chmod(fs.FileMode) error
	Truncate(size int64) error
	Sync() error
	Fd() uintptr
}

// system is the one in use.
var system System = operating{}

// Replace puts another System in use until restore is called. It is for tests, which do nothing else with files at the same time.
func Replace(s System) (restore func()) {
	old := system
	system = s
	return func() { system = old }
}

// OperatingSystem is the System that is in use unless a test replaces it.
func OperatingSystem() System { return operating{} }

type operating struct{}

func (operating) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // not a File that holds nil
	}
	return f, nil
}

func (operating) Mkdir(name string, perm fs.FileMode) error { return os.Mkdir(name, perm) }
func (operating) Rename(from, to string) error              { return os.Rename(from, to) }
func (operating) Remove(name string) error                  { return os.Remove(name) }
