package route

import (
	"slices"
	"strings"
	"testing"
)

// Every setting says what it is and for which routings, all of which exist; every routing that keeps state says what was filled in.
func TestSettingsAreDocumented(t *testing.T) {
	var names []string
	for _, i := range All() {
		names = append(names, i.Name)
		if (i.plan.keepsState() || i.plan == onTheFly) && Filled(i.Name) == "" {
			t.Errorf("%s does not say what was filled in", i.Name)
		}
	}
	for _, s := range Settings() {
		if s.Key == "" || s.Doc == "" || len(s.By) == 0 {
			t.Errorf("setting %+v", s)
		}
		for _, name := range s.By {
			if !slices.Contains(names, name) {
				t.Errorf("%s is for %q, which does not exist", s.Key, name)
			}
		}
	}
	for _, u := range AllUnbuilt() {
		if slices.Contains(names, u.Name) || u.Why == "" || strings.HasSuffix(u.Why, ".") {
			t.Errorf("not built: %+v", u)
		}
	}
}

// Tables of estimates are for endpoints with one port, at switches that all have some.
func TestQAdaptiveIsForDragonflies(t *testing.T) {
	for text, want := range map[string]string{
		"dragonflyplus(l=2,m=2,p=2,h=2)": "switches without endpoints",
		"zcube(n=4,k=2)":                 "on 2 switches each",
	} {
		n, opt := built(t, text)
		if _, err := ByName(t.Context(), "q_adaptive", n, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want %q", text, err, want)
		}
	}
}
