package study

import (
	"path/filepath"
	"slices"
	"testing"
)

// The studies of ATOP's use cases are written with all that they name, and load from there.
func TestExamples(t *testing.T) {
	names := Examples()
	if want := []string{"atop-1-256", "atop-1", "atop-2", "atop-3", "atop-4", "atop-5"}; !slices.Equal(names, want) {
		t.Fatalf("examples %v, want %v", names, want)
	}
	for _, name := range names {
		files, err := InitExample(t.TempDir(), name)
		if err != nil || len(files) != 2 {
			t.Errorf("%s: wrote %v: %v", name, files, err)
			continue
		}
		s, diags := Load(files[0])
		if s == nil || len(diags) > 0 {
			t.Errorf("%s: %v", name, diags)
			continue
		}
		if len(s.Space) != 1 || s.Space[0].Family.Name != "layered" || len(s.Objectives) < 3 {
			t.Errorf("%s searches %v", name, s.Families())
		}
		if _, err := InitExample(filepath.Dir(files[0]), name); err == nil {
			t.Errorf("%s is written over itself", name)
		}
	}
}
