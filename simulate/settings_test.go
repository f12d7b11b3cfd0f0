package simulate

import (
	"strings"
	"testing"

	"toposearch/simcore/flit"
	"toposearch/simcore/route"
)

// TestSet: settings of all kinds are applied, and what is wrong with one is said.
func TestSet(t *testing.T) {
	c, tune := flit.DefaultConfig(), route.Tuning{}
	for _, s := range []string{"vc_allocator=islip(2)", "internal_speedup=1.5", "speculative=true", "shared_flits=9", "ugal_bias=-3"} {
		if err := Set(&c, &tune, s); err != nil {
			t.Fatal(err)
		}
	}
	if c.VCAllocator != "islip(2)" || c.InternalSpeedup != 1.5 || !c.Speculative || c.SharedFlits != 9 || tune.Bias == nil || *tune.Bias != -3 || tune.Stall != nil {
		t.Errorf("settings are lost: %+v, %+v", c, tune)
	}
	for setting, want := range map[string]string{
		"vcalocator=pim": `did you mean "vc_allocator"`, "vcs": `"vcs" is not KEY=VALUE`, "vcs=two": `"two" is not a whole number`,
		"internal_speedup=NaN": `"NaN" is not a number`, "hold_switch=maybe": `"maybe" is not true or false`, "sizes=1": `no setting "sizes"`, "ugal_stall=few": `"few" is not a whole number`,
	} {
		if err := Set(&c, &tune, setting); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", setting, err, want)
		}
	}
}
