package report

import (
	"slices"
	"testing"
)

// TestShown: points that another stands for are left out, but not if they are picks.
func TestShown(t *testing.T) {
	d := &Data{Points: []Point{{Name: "a"}, {Name: "b", ShownBy: "a"}, {Name: "c", ShownBy: "a"}, {Name: "d"}}}
	if got := d.shown([]Pick{{Point: 2}}); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("shown: %v", got)
	}
}
