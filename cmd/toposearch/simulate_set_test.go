package main

import (
	"strings"
	"testing"

	"toposearch/simcore"
)

func TestSetConfig(t *testing.T) {
	c := simcore.DefaultConfig()
	if err := setConfig(&c, []string{"vc_allocator=islip(2)", "internal_speedup=1.5", "speculative=true", "shared_flits=9"}); err != nil {
		t.Fatal(err)
	}
	if c.VCAllocator != "islip(2)" || c.InternalSpeedup != 1.5 || !c.Speculative || c.SharedFlits != 9 {
		t.Errorf("settings are lost: %+v", c)
	}
	err := setConfig(&c, []string{"vcalocator=pim", "vcs", "vcs=two", "internal_speedup=NaN", "hold_switch=maybe", "sizes=1"})
	if err == nil {
		t.Fatal("bad settings pass")
	}
	for _, want := range []string{`did you mean "vc_allocator"`, "vcs is not KEY=VALUE", `"two" is not a whole number`, `"NaN" is not a number`,
		`"maybe" is not true or false`, `no setting "sizes"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %q", want, err)
		}
	}
}
