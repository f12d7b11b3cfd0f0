package study

import (
	"slices"
	"strings"
	"testing"
)

// What nobody buys is searched only where a study names it, in families or by a table of its parameters.
func TestLeftOut(t *testing.T) {
	load := func(space string) *Study {
		s, l := from(map[string]string{"study.toml": "[endpoints]\ncount = 72\nbandwidth = \"400 Gb/s\"\n" + space + "[[objective]]\nmetric = \"cost\"\n"})
		if s == nil {
			t.Fatalf("%s: %v", space, details(l))
		}
		return s
	}
	has := func(s *Study, name string) bool {
		return slices.ContainsFunc(s.Space, func(x FamilySpace) bool { return x.Family.Name == name })
	}
	s := load("")
	if got, want := strings.Join(s.LeftOut, " "), "omega butterfly benes clos mesh ring bus layered layered_relay"; len(s.LeftOut) != 9 || len(s.Space)+9 != len(s.Known) {
		t.Errorf("left out: %s, want in any order %s", got, want)
	}
	for _, f := range s.Known {
		if has(s, f.Name) == slices.Contains(s.LeftOut, f.Name) || (f.OnlyNamed != "") != slices.Contains(s.LeftOut, f.Name) {
			t.Errorf("%s: searched %t, left out %t", f.Name, has(s, f.Name), slices.Contains(s.LeftOut, f.Name))
		}
	}
	if s := load("[space.ring]\nn = 9\n"); !has(s, "ring") || has(s, "bus") || slices.Contains(s.LeftOut, "ring") {
		t.Errorf("a table names a family: %v", s.LeftOut)
	}
	if s := load("[space]\nfamilies = [\"ring\", \"bus\"]\n"); !has(s, "ring") || !has(s, "bus") || len(s.Space) != 2 || s.LeftOut != nil {
		t.Errorf("families names them: %v", s.LeftOut)
	}
}
