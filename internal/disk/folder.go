package disk

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OpenFile is os.OpenFile.
func OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return system.OpenFile(name, flag, perm)
}

// Rename is os.Rename.
func Rename(from, to string) error { return system.Rename(from, to) }

// Remove is os.Remove.
func Remove(name string) error { return system.Remove(name) }

// Mkdir is os.Mkdir.
func Mkdir(name string, perm fs.FileMode) error { return system.Mkdir(name, perm) }

// MkdirAll is os.MkdirAll, and makes durable that the folders are there.
func MkdirAll(path string, perm fs.FileMode) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: path, Err: syscall.ENOTDIR}
	}
	if err == nil {
		return nil
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := Mkdir(path, perm); err != nil {
		if info, bad := os.Lstat(path); bad == nil && info.IsDir() && errors.Is(err, fs.ErrExist) {
			return nil // another process was faster
		}
		return err
	}
	SyncDir(parent)
	return nil
}

// RemoveAll is os.RemoveAll; it goes on after what cannot be removed, and gives the first error.
func RemoveAll(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var first error
	if err == nil && info.IsDir() {
		entries, _ := os.ReadDir(path) // what it does not show keeps the folder from being removed
		for _, e := range entries {
			if err := RemoveAll(filepath.Join(path, e.Name())); first == nil {
				first = err
			}
		}
	}
	if err := Remove(path); err != nil && first == nil && !errors.Is(err, fs.ErrNotExist) {
		first = err
	}
	return first
}

// SyncDir makes renames in a folder durable. File systems that cannot are left as they are.
func SyncDir(dir string) {
	if d, err := OpenFile(dir, os.O_RDONLY, 0); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// MkdirTemp makes a folder of a name of its own, which begins with prefix, among the system's temporary files, for this user alone.
func MkdirTemp(prefix string) (string, error) {
	for {
		path := filepath.Join(os.TempDir(), prefix+rand.Text())
		if err := Mkdir(path, 0o700); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}
