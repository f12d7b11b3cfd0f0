package reproduce

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// castQuick is a plan of some seconds.
var castQuick = castPlan{sizes: []int{4, 32}, loads: []float64{0, 0.1, 0.2}, groups: 2, jamDraws: 2, networks: []string{"torus(k1=4,k2=4)"}}

// TestMulticast: the worked example and the counts come out but for the paper's multi-head count; everything is
// delivered; where the paper's methods differ, they do as it says: a table needs fewer cycles and less of the
// busiest link than multi-head packets, and those than unicast.
func TestMulticast(t *testing.T) {
	table, err := multicastTable(context.Background(), 2, castQuick)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Disagreements(); got != 1 {
		t.Errorf("%d figures disagree, want 1", got)
	}
	rows := map[string]map[string]Cell{}
	for _, r := range table.Rows {
		rows[r.Name] = map[string]Cell{}
		for _, c := range r.Cells {
			rows[r.Name][c.Column] = c
			if !c.Agrees && c.Column != "multi-head: heads" || strings.Contains(c.Note, "not everything") {
				t.Errorf("%s, %s: published %v, computed %v, %s", r.Name, c.Column, c.Published, c.Computed, c.Note)
			}
		}
	}
	busy := rows["tree of 256 endpoints, background 0.2, groups of 32"]
	last := func(name string) float64 { x, _ := asNumber(busy[name].Computed); return x }
	if !(last("table") > 0 && last("table") < last("multi-head") && last("multi-head") < last("unicast")) {
		t.Errorf("last member: table %v, multi-head %v, unicast %v", last("table"), last("multi-head"), last("unicast"))
	}
	figures := table.Plots()
	if n := len(figures); n < 2 || figures[n-1].Name != "multicast-collectives" || len(figures[n-2].Figure.Panels) != 6 {
		t.Errorf("%d figures", n)
	}
	if racing.On {
		return // one worker races with nobody
	}
	again, err := multicastTable(context.Background(), 1, castQuick)
	if err != nil || !reflect.DeepEqual(table, again) {
		t.Errorf("two workers and one do not agree, %v", err)
	}
}
