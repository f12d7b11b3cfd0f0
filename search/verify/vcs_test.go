package verify

import "testing"

// Only where packets go by way of an intermediate with VCs of its own for either leg do the classes of one stand beside those of the other; a ring's VC
// is none that packets choose.
func TestVCsOf(t *testing.T) {
	for _, c := range []struct {
		name            string
		have, classes   int
		wantVCs, wantOf int
	}{{"natural", 4, 2, 4, 2}, {"valiant", 4, 2, 4, 1}, {"ugal_l+group", 8, 4, 8, 2}, {"q_adaptive", 5, 5, 5, 5}, {"ofar", 4, 2, 3, 1}, {"dfsssp", 4, 3, 4, 3}, {"ugal_l", 4, 1, 4, 1}} {
		if vcs, of, err := vcsOf(c.name, c.have, c.classes); err != nil || vcs != c.wantVCs || of != c.wantOf {
			t.Errorf("%s of %d VCs in %d classes: %d in %d, %v, want %d in %d", c.name, c.have, c.classes, vcs, of, err, c.wantVCs, c.wantOf)
		}
	}
}
