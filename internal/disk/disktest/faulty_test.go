package disktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"toposearch/internal/disk"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// After a power failure what was synced under a name that was synced is there; what was not may be gone, be there, or in part.
func TestRecover(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		dir := t.TempDir()
		old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "fresh")
		must(t, os.WriteFile(old, []byte("before"), 0o644))
		f, err := New(dir, Power, 0)
		must(t, err)
		restore := disk.Replace(f)
		must(t, disk.WriteBytes(old, []byte("after")))
		must(t, disk.WriteUnsynced(fresh, []byte("fresh")))
		restore()
		must(t, f.Recover(seed))
		b, err := os.ReadFile(old)
		if err != nil || string(b) != "after" {
			t.Fatalf("seed %d: what was synced is %q (%v)", seed, b, err)
		}
		b, err = os.ReadFile(fresh)
		if errors.Is(err, fs.ErrNotExist) {
			b = []byte("none")
		}
		seen[string(b)]++
	}
	if seen["none"] == 0 || seen[""] == 0 || seen["fresh"] == 0 || len(seen) < 5 {
		t.Errorf("what was not synced is always one of %v", seen)
	}
}

// Each kind of fault is that error, at that call, and as long as it says.
func TestKinds(t *testing.T) {
	for kind, want := range map[Kind][3]error{ // of three writes, the second of which is the call
		Error: {nil, syscall.EIO, nil}, Short: {nil, syscall.ENOSPC, nil}, Full: {nil, syscall.ENOSPC, syscall.ENOSPC},
		ReadOnly: {nil, syscall.EROFS, syscall.EROFS}, Power: {nil, syscall.EIO, syscall.EIO}} {
		dir := t.TempDir()
		f, err := New(dir, kind, 3)
		must(t, err)
		w, err := f.OpenFile(filepath.Join(dir, "a"), os.O_CREATE|os.O_WRONLY, 0o644)
		must(t, err)
		for i := range 3 {
			if _, err := w.Write([]byte("ab")); !errors.Is(err, want[i]) {
				t.Errorf("%s: write %d: %v, want %v", kind, i, err, want[i])
			}
		}
		w.Close()
		b, err := os.ReadFile(filepath.Join(dir, "a"))
		must(t, err)
		if size := map[Kind]int{Error: 4, Short: 5}[kind]; size > 0 && len(b) != size {
			t.Errorf("%s: %q is left", kind, b)
		}
		if f.Failed() != "write /a" {
			t.Errorf("%s: %q failed", kind, f.Failed())
		}
	}
}
