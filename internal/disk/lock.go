// Package disk writes files that appear whole or not at all, locks them, and clears away what processes
// that were killed have left of their writing.
package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrLocked: another process holds the lock.
var ErrLocked = errors.New("is locked by another process")

// Lock is an advisory lock (flock) that the system gives back when the process ends, however it ends.
type Lock struct{ f File }

// TryLock takes the lock of a file, which it makes and never writes to; ErrLocked, at once, if another has
// it. A symbolic link of that name is refused.
func TryLock(path string) (*Lock, error) { return tryLock(path, os.O_CREATE) }

// TryLockExisting is TryLock of a file that has to be there.
func TryLockExisting(path string) (*Lock, error) { return tryLock(path, 0) }

func tryLock(path string, flags int) (*Lock, error) {
	for {
		f, err := OpenFile(path, flags|os.O_RDWR|syscall.O_NOFOLLOW, 0o644)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			f.Close()
			return nil, err
		}
		if isAt(f, path) {
			return &Lock{f}, nil
		}
		f.Close() // its holder has removed it in between
	}
}

// Close gives the lock back.
func (l *Lock) Close() error { return l.f.Close() }

// Locked reports whether a process holds the lock of a file.
func Locked(path string) bool {
	f, err := OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// flock locks an open file, or says at once who does not let it.
func flock(f File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%s %w", f.Name(), ErrLocked)
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

// isAt reports whether an open file still has the name under which it was opened.
func isAt(f File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}
