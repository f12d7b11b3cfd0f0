package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOnlyRegularFiles: wherever a file can be named, one without end, one that nobody writes to and one that is
// too large end the command with status 2, the reason and the name, before anything is read.
func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	fifo, sparse := filepath.Join(dir, "fifo"), filepath.Join(dir, "sparse")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Fatal(err)
	}
	const torus = "torus(k1=4,k2=4,t=1)"
	for path, want := range map[string]string{fifo: "it is a pipe", "/dev/zero": "it is a device or socket", sparse: "it has 1099511627776 bytes; at most"} {
		study := filepath.Join(dir, filepath.Base(path)+".toml")
		text := "constraints = [\"" + path + "\"]\ncatalog = [\"" + path + "\"]\nendpoints.count = {min = 8, max = 16}\nendpoints.bandwidth = \"400 Gb/s\"\n[[objective]]\nmetric = \"cost\"\n"
		if err := os.WriteFile(study, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"check", path}, {"plan", path}, {"run", path}, {"check", study}, {"plan", study}, {"run", study},
			{"eval", "file:" + path}, {"eval", torus, "--catalog", path}, {"simulate", "file:" + path}, {"simulate", "--booksim", path},
			{"simulate", torus, "--traffic", "file:" + path},
		} {
			start := time.Now()
			status, out, errw := command(t, args...)
			if all := out + errw; status != exitUsage || !strings.Contains(strings.Join(strings.Fields(all), " "), want) || !strings.Contains(all, filepath.Base(path)) || time.Since(start) > 10*time.Second {
				t.Errorf("%q: exit %d after %v, %s", args, status, time.Since(start), all)
			}
		}
	}
}
