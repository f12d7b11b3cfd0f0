package family

import (
	"reflect"
	"testing"

	"toposearch/internal/memo"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
)

// What is kept of global links is what is found again, whatever was asked for in between.
func TestGlobalsKept(t *testing.T) {
	type answer struct {
		paths [2]topology.Paths
		ok    [2]bool
	}
	ask := func(v []int) (a answer) {
		a.ok[0] = dragonflyPaths(v, &a.paths[0])
		a.ok[1] = dragonflyDistances(v, &a.paths[1])
		return a
	}
	designs := topotest.Sample(dragonfly, stream.New(5, "globals kept"), 800, 2000)
	kept := make([]answer, len(designs))
	for range 2 {
		for i, d := range designs {
			kept[i] = ask(d.V)
		}
	}
	for i, d := range designs {
		dragonflyWalked = &memo.Memo[globalsKey, lglWalk]{Places: globalsKept}
		dragonflyNear = &memo.Memo[globalsKey, lglNear]{Places: globalsKept}
		if fresh := ask(d.V); !reflect.DeepEqual(fresh, kept[i]) {
			t.Errorf("%s: %+v, kept %+v", d, fresh, kept[i])
		}
	}
}
