package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

// names are those of a folder, hidden ones too.
func names(t testing.TB, dir string) string {
	t.Helper()
	es, err := os.ReadDir(dir)
	must(t, err)
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

var errBroken = errors.New("broken")

// A write that fails leaves the old bytes and nothing else; one that does not, the new ones, the old permissions.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must(t, WriteBytes(path, []byte("old")))
	must(t, os.Chmod(path, 0o600))
	err := Write(path, func(w io.Writer) error { _, err := io.WriteString(w, "ne"); return errors.Join(err, errBroken) })
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), path) || read(t, path) != "old" || names(t, dir) != "a" {
		t.Errorf("a failed write: %v, %q, folder holds %s", err, read(t, path), names(t, dir))
	}
	must(t, WriteUnsynced(path, []byte("new")))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || read(t, path) != "new" || names(t, dir) != "a" {
		t.Errorf("%v, %v, %q, folder holds %s", err, info.Mode(), read(t, path), names(t, dir))
	}
	if err := WriteBytes(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into a folder that is not there: %v", err)
	}
}

// Neither the temporary name nor the name itself is followed where it is a link; what a link leads to stays.
func TestLinksOfOurOwnNames(t *testing.T) {
	dir := t.TempDir()
	victim, path := filepath.Join(dir, "victim"), filepath.Join(dir, "sub", "a")
	must(t, os.Mkdir(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(victim, []byte("mine"), 0o644))
	f, err := create(filepath.Dir(path))
	must(t, err)
	must(t, errors.Join(f.Close(), os.Remove(f.Name()), os.Symlink(victim, f.Name()), os.Symlink(victim, path)))
	must(t, WriteBytes(path, []byte("new")))
	if read(t, victim) != "mine" || read(t, path) != "new" {
		t.Errorf("victim %q, file %q", read(t, victim), read(t, path))
	}
	if _, err := TryLock(f.Name()); err == nil {
		t.Error("a link was locked")
	}
}

// A path that a user names may be a link, which stays one, or a device; a link that leads nowhere is refused.
func TestWriteNamed(t *testing.T) {
	dir := t.TempDir()
	link, target, lost := filepath.Join(dir, "link"), filepath.Join(dir, "target"), filepath.Join(dir, "lost")
	must(t, errors.Join(os.WriteFile(target, []byte("a longer text"), 0o644), os.Symlink("target", link), os.Symlink("nowhere", lost)))
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	must(t, WriteNamed(link, text))
	if to, err := os.Readlink(link); err != nil || to != "target" || read(t, target) != "new" {
		t.Errorf("a link: %q, %v, target %q", to, err, read(t, target))
	}
	if err := WriteNamed(lost, text); err == nil || !strings.Contains(err.Error(), "nowhere, which is not there") {
		t.Errorf("a link to nowhere: %v", err)
	}
	for path, want := range map[string]error{os.DevNull: nil, "/dev/full": syscall.ENOSPC, dir: syscall.EISDIR} {
		if err := WriteNamed(path, text); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is a file now (%v)", os.DevNull, err)
	}
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o644))
	got := make(chan string)
	go func() { b, _ := os.ReadFile(fifo); got <- string(b) }()
	if err := WriteNamed(fifo, text); err != nil || <-got != "new" {
		t.Errorf("a pipe: %v", err)
	}
	must(t, WriteNamed(filepath.Join(dir, "fresh"), text))
	if names(t, dir) != "fifo fresh link lost target" {
		t.Errorf("the folder holds %s", names(t, dir))
	}
}

const childEnv = "TOPOSEARCH_TEST_DISK"

// TestChildWriter writes a file without end.
func TestChildWriter(t *testing.T) {
	dir := os.Getenv(childEnv)
	if dir == "" {
		t.Skip("only as a child of TestSweep")
	}
	must(t, Write(filepath.Join(dir, "a"), func(w io.Writer) error {
		os.Stdout.WriteString("writing\n")
		time.Sleep(time.Minute)
		return nil
	}))
}

// What a killed process was writing is removed when the next writes there; what a living one writes is not, nor
// is a file of someone else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, tempHead+"notes.txt")
	must(t, os.WriteFile(other, nil, 0o644))
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildWriter$")
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, len("writing\n")))
	must(t, err)
	before := names(t, dir)
	Sweep(dir)
	if got := names(t, dir); got != before || !strings.Contains(got, tempTail) {
		t.Errorf("beside a living writer %q became %q", before, got)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	must(t, WriteBytes(filepath.Join(dir, "b"), nil))
	if got := names(t, dir); got != filepath.Base(other)+" b" {
		t.Errorf("after the kill the folder holds %q", got)
	}
}

// Many write and sweep at once: nobody loses his file to a sweep of another, and nothing is left.
func TestWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if err := WriteUnsynced(filepath.Join(dir, "a"), []byte("text")); err != nil {
					t.Error(err)
				}
				Sweep(dir)
			}
		})
	}
	all.Wait()
	if got := names(t, dir); got != "a" {
		t.Errorf("the folder holds %q", got)
	}
}

// A lock is held by one, and free when he is gone.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if _, err := TryLockExisting(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no lock: %v", err)
	}
	l, err := TryLock(path)
	must(t, err)
	if _, err := TryLock(path); !errors.Is(err, ErrLocked) || !Locked(path) {
		t.Errorf("a lock that is held: %v", err)
	}
	must(t, l.Close())
	if l, err = TryLockExisting(path); err != nil || Locked(path+"x") {
		t.Errorf("a lock that was given back: %v", err)
	}
	must(t, l.Close())
}
