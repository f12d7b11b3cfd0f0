package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write gives the file of this name the bytes that write writes: beside it under a temporary name, synced,
// then renamed, so that a reader sees the old bytes or the new ones, also after a power cut. What write
// fails with, or a full disk, leaves the old file. A symbolic link of that name is replaced, not
// followed. A file that is replaced hands on its permissions.
func Write(path string, write func(io.Writer) error) error {
	Sweep(filepath.Dir(path))
	return replace(path, true, write)
}

// WriteBytes is Write of bytes.
func WriteBytes(path string, b []byte) error { return Write(path, bytesTo(b)) }

// WriteUnsynced is WriteBytes for what a power cut may lose: either version may be there after one, or an
// empty file.
func WriteUnsynced(path string, b []byte) error { return replace(path, false, bytesTo(b)) }

func bytesTo(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}

// WriteNamed is Write for a path that a user has named: a symbolic link is followed, so that it is a link
// afterwards, too; a device or a pipe is written to as it is, and so is a file in a folder that takes
// no other beside it.
func WriteNamed(path string, write func(io.Writer) error) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if to, err := os.Readlink(path); err == nil && !inPlace(path) {
			return fmt.Errorf("cannot write %s: it is a symbolic link to %s, which is not there", path, to)
		}
		target = path
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() || inPlace(path) {
		return writeInto(path, write)
	}
	bad := Write(target, write)
	if errors.Is(bad, errBeside) && err == nil {
		return writeInto(path, write)
	}
	return bad
}

// WriteNamedBytes is WriteNamed of bytes.
func WriteNamedBytes(path string, b []byte) error { return WriteNamed(path, bytesTo(b)) }

// errBeside: the folder takes no file beside the one to be written.
var errBeside = errors.New("no file can be made in its folder")

// inPlace reports names of the system for files that are open or for devices, such as /dev/stdout.
func inPlace(path string) bool {
	return strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

// writeInto writes to what is there.
func writeInto(path string, write func(io.Writer) error) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	b := bufio.NewWriterSize(f, bufferBytes)
	if err := errors.Join(write(b), b.Flush(), f.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// bufferBytes is large enough that the number of writes does not count, and small beside what is written.
const bufferBytes = 1 << 16

func replace(path string, synced bool, write func(io.Writer) error) (err error) {
	f, err := create(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("cannot write %s: %w: %w", path, errBeside, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, errors.Join(err, Remove(f.Name()), f.Close()))
		}
	}()
	b := bufio.NewWriterSize(f, bufferBytes)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if old, err := os.Lstat(path); err == nil && old.Mode().IsRegular() {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if synced {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if err := Rename(f.Name(), path); err != nil { // locked until it has its name
		return err
	}
	if synced {
		SyncDir(filepath.Dir(path))
	}
	return f.Close()
}
