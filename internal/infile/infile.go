// Package infile reads the files that people name: regular ones only, and none that is larger than its kind
// can be. A device, a pipe or a file without end is refused before it is opened or read, so that no name on a
// command line or in a study costs memory or waits for ever. Every reader of inputs uses it.
package infile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"toposearch/internal/disk"
)

// Error is why a file is not read, without its name: the caller says which file it is, and where it is named.
type Error struct {
	Reason string // "it has 300 bytes; at most 200 are read"
	Err    error  // of the operating system, or nil
}

func (e *Error) Error() string { return e.Reason }

// Unwrap gives the error of the operating system: errors.Is(err, fs.ErrNotExist) holds for a file that is not there.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a regular file of at most most bytes. Every error is an *Error.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead) // so that it is read in one piece
	}
	// It may grow while it is read, and files of /proc do not say how long they are.
	if _, err := b.ReadFrom(io.LimitReader(f, most+1)); err != nil {
		return nil, Reason(err)
	}
	if int64(b.Len()) > most {
		return nil, tooLarge("more than", most, most)
	}
	return b.Bytes(), nil
}

// Open opens a regular file of at most most bytes, for those that are read piece by piece. Every error is
// an *Error.
func Open(path string, most int64) (disk.File, error) {
	// What is no regular file is not even opened: opening a pipe waits for its other end, and a device may act.
	info, err := os.Stat(path)
	if err != nil {
		return nil, Reason(err)
	}
	if err := check(info, most); err != nil {
		return nil, err
	}
	// Nor does it help to put a pipe in its place in between.
	f, err := disk.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, Reason(err)
	}
	if info, err = f.Stat(); err == nil {
		err = check(info, most)
	}
	if err != nil {
		f.Close()
		return nil, Reason(err)
	}
	return f, nil
}

// check refuses what is no regular file, or too large.
func check(info fs.FileInfo, most int64) error {
	switch m := info.Mode(); {
	case m.IsDir():
		return &Error{Reason: "it is a folder; name a file in it"}
	case m&fs.ModeNamedPipe != 0:
		return &Error{Reason: "it is a pipe; save what it gives in a file and name that"}
	case !m.IsRegular():
		return &Error{Reason: "it is a device or socket; name a regular file"}
	case info.Size() > most:
		return tooLarge("", info.Size(), most)
	}
	return nil
}

func tooLarge(more string, size, most int64) error {
	if more != "" {
		more += " "
	}
	return &Error{Reason: fmt.Sprintf("it has %s%d bytes; at most %d are read: is it the right file?", more, size, most)}
}

// Reason puts an error of a reader of files into words without the file's name; it is an *Error.
func Reason(err error) error {
	var own *Error
	var path *fs.PathError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, fs.ErrNotExist):
		return &Error{"there is no such file", err}
	case errors.Is(err, fs.ErrPermission):
		return &Error{"permission denied", err}
	case errors.Is(err, syscall.EISDIR):
		return &Error{"it is a folder", err}
	case errors.As(err, &path):
		return &Error{path.Err.Error(), err}
	}
	return &Error{err.Error(), err}
}
