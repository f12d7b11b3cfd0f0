package infile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRead: regular files up to the limit are read; everything else is refused, with its reason, at once.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, n int) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(strings.Repeat("x", n)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	sparse := write("sparse", 0)
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, want string
		is         error
	}{
		{write("empty", 0), "", nil},
		{write("full", 100), "", nil},
		{write("over", 101), "it has 101 bytes; at most 100 are read", nil},
		{sparse, "it has 1099511627776 bytes; at most 100 are read", nil},
		{"/proc/self/limits", "it has more than 100 bytes; at most 100 are read", nil}, // says that it has 0
		{dir, "it is a folder", nil},
		{fifo, "it is a pipe", nil},
		{"/dev/zero", "it is a device or socket", nil},
		{link, "it is a device or socket", nil},
		{filepath.Join(dir, "none"), "there is no such file", fs.ErrNotExist},
		{filepath.Join(dir, "a\x00b"), "invalid argument", nil},
	} {
		start := time.Now()
		data, err := Read(c.path, 100)
		if time.Since(start) > 30*time.Second {
			t.Errorf("%s takes %v", c.path, time.Since(start))
		}
		if c.want == "" {
			if want, _ := os.ReadFile(c.path); err != nil || string(data) != string(want) {
				t.Errorf("%s: %d bytes, %v", c.path, len(data), err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Reason, c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
}
