package plan

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/topology/family/familytest"
)

// TestTraysAddUp: what lies in the trays is every cable of the plan, and the ways through the trays are as long as the cables: along
// rows, across them, up and down, to the other building, and in a rack, slack included.
func TestTraysAddUp(t *testing.T) {
	for _, design := range []string{"fattree(k=16,l=3)", "dragonfly(p=4,a=8,h=4)", "torus(k1=8,k2=8,k3=4)", "zcube(n=16,k=2)", "hyperx(s1=6,s2=6,t=6)", "dragonfly(p=2,a=4,h=2)"} {
		for _, buildings := range []int{1, 2} {
			site := floor.Site{Buildings: buildings, BuildingDistM: 20, RackPitchM: 0.7, RowPitchM: 2.5, Slack: 0.2, RiseM: 1.5, InRackM: 3}
			ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400, Site: site})
			if err != nil {
				t.Fatal(err)
			}
			d := familytest.Parse(t, design)
			r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Level: 1})
			if err != nil {
				t.Fatal(err)
			}
			s, err := ev.Schedule(d)
			if err != nil {
				t.Fatal(err)
			}
			trays, err := LayTrays(&r.Plan.Floor, s)
			if err != nil {
				t.Fatal(err)
			}
			checkTrays(t, design, trays, r.Plan, &site)
			checkXML(t, CablePlan(design, &r.Plan.Floor, trays, true))
			checkXML(t, CablePlan(design, &r.Plan.Floor, trays, false))
		}
	}
}

func checkTrays(t *testing.T, design string, trays *Trays, p *evaluator.Plan, site *floor.Site) {
	t.Helper()
	cables, bought := int64(0), 0.0
	for _, c := range p.Classes {
		cables, bought = cables+c.Count, bought+float64(c.Count)*c.StockM
	}
	bundled := trays.InRack
	for _, b := range trays.Bundles {
		bundled += b.Cables
	}
	if trays.Cables != cables || bundled != cables || math.Abs(trays.BoughtM-bought) > 1e-6*bought {
		t.Errorf("%s: %d cables in trays, %d in bundles and racks, %d in the plan; %g m bought, %g in the plan", design, trays.Cables, bundled, cables, trays.BoughtM, bought)
	}
	m := 0.0
	for _, n := range trays.Along {
		m += float64(n) * site.RackPitchM
	}
	for _, n := range trays.Across {
		m += float64(n) * site.RowPitchM
	}
	m += float64(trays.Between)*site.BuildingDistM + float64(trays.Cables-trays.InRack)*2*site.RiseM
	if m = m*(1+site.Slack) + float64(trays.InRack)*site.InRackM; math.Abs(m-trays.LaidM) > 1e-6*m {
		t.Errorf("%s: the ways of the trays are %g m, the cables %g m", design, m, trays.LaidM)
	}
}

var switchesOf = regexp.MustCompile(`: ([0-9,]+) switch(?:es)? in ([0-9,]+) rack`)

// TestRackPlanCounts: the floor plan has every switch that is bought, and no rack that is not there.
func TestRackPlanCounts(t *testing.T) {
	for _, design := range []string{"fattree(k=16,l=3)", "dragonfly(p=4,a=8,h=4)", "zcube(n=16,k=2)"} {
		ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
		if err != nil {
			t.Fatal(err)
		}
		d := familytest.Parse(t, design)
		r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		s, err := ev.Schedule(d)
		if err != nil {
			t.Fatal(err)
		}
		svg := RackPlan(design, &r.Plan.Floor, s)
		checkXML(t, svg)
		all := 0
		drawn := svg[strings.Index(svg, "</style>"):]
		for _, m := range switchesOf.FindAllStringSubmatch(drawn, -1) {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
			all += n
		}
		if want := int(r.Size.Switches()); all != want {
			t.Errorf("%s: %d switches on the floor, %d in the network", design, all, want)
		}
		in := 0
		for _, m := range regexp.MustCompile(`</title><text class="pn"[^>]*>(\d+)</text></g>`).FindAllStringSubmatch(svg, -1) {
			n, _ := strconv.Atoi(m[1])
			in += n
		}
		if in != all {
			t.Errorf("%s: the numbers under the racks add up to %d switches of %d", design, in, all)
		}
	}
}

// TestBigFloorIsSmall: racks whose kinds change from place to place are drawn in few bytes.
func TestBigFloorIsSmall(t *testing.T) {
	f := floor.Summary{Racks: 100_000, Rows: 250, PerRow: 400, Buildings: 1, PerBuilding: 100_000, WidthM: 240, DepthM: 750, Kind: make([]uint8, 100_000)}
	for i := range f.Kind {
		f.Kind[i] = uint8(i % 3 % 2)
	}
	trays := &Trays{Rows: 250, PerRow: 400, Buildings: 1, Along: make([]int64, 100_000), Across: make([]int64, 100_000)}
	for i := range trays.Along {
		trays.Along[i], trays.Across[i] = int64(i*7919%1000), int64(i*104729%1000)
	}
	svg := CablePlan("big", &f, trays, true)
	checkXML(t, svg)
	if len(svg) > 300_000 || !strings.Contains(svg, `class="tr h5"`) || !strings.Contains(svg, `class="tr h0"`) {
		t.Errorf("%d bytes", len(svg))
	}
}
