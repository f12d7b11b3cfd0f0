package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// export writes the files, or says what is wrong and writes none.
func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ring")
	code, out, errs := command(t, "export", "ring(n=5)", "--routing", "dfsssp", "--out", dir)
	if code != 0 || !strings.Contains(out, "2 service levels, no cycle") {
		t.Fatalf("status %d: %s%s", code, out, errs)
	}
	for _, name := range []string{"fabric.net", "guid2lid", "lfts", "paths.sl", "opensm.conf"} {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"ring(n=5) --out x --routing natural", "lash and dfsssp have"}, {"ring(n=5)", "--out is missing"},
		{"ring(n=5) --out x --format dot", "there is opensm"}, {"zcube(n=4,k=2) --out x", "2 ports"},
	} {
		code, out, errs := command(t, append([]string{"export"}, strings.Fields(c.args)...)...)
		if code != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a refused export left a folder")
	}
}
