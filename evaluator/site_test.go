package evaluator

import (
	"context"
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestRackCablesTwin: the fullest rack by the cable schedule, cable by cable.
func TestRackCablesTwin(t *testing.T) {
	racing.Figures(t)
	sites := []floor.Site{{}, {RackSwitches: 3, Rows: 2}, {Buildings: 2, BuildingDistM: 50}, {RackServers: 1}}
	for _, f := range family.All() {
		if f.Place == nil || f.Unidirectional {
			continue
		}
		rng := rngOf("rack cables " + f.Name)
		for _, site := range sites {
			e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
			for _, d := range topotest.Sample(f, rng, few(2), 300) {
				r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.RackCables}})
				cross := map[int]int{}
				most := 0
				err := e.EachCable(d, func(c floor.Cable) bool {
					if c.FromRack != c.ToRack {
						cross[c.FromRack]++
						cross[c.ToRack]++
						most = max(most, cross[c.FromRack], cross[c.ToRack])
					}
					return true
				})
				if (err == nil) != r.Have[metric.RackCables] {
					t.Errorf("%s: schedule %v, rack_cables absent: %q", d, err, r.Absent[metric.RackCables])
					continue
				}
				if err == nil && r.Metrics[metric.RackCables].Value != float64(most) {
					t.Errorf("%s: rack_cables = %g, by the schedule %d", d, r.Metrics[metric.RackCables].Value, most)
				}
			}
		}
	}
}

// TestRackCablesByHand: 128 endpoints on 16 leaves of 8. 32 endpoints stand in each of four racks
// with the 4 leaves that serve them, from which 32 cables leave to the 8 spines; these stand
// together in the middle of the hall, where all 128 arrive.
func TestRackCablesByHand(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	r := evaluate(t, e, parse(t, "fattree(k=16,l=2)"), Request{Keys: []metric.Key{metric.RackCables}})
	if got := value(t, r, metric.RackCables); got != 128 {
		t.Errorf("fattree(k=16,l=2): rack_cables = %g, want 128 of the spines' rack (%s)", got, r.Metrics[metric.RackCables].Method)
	}
}

// TestTableEntriesTwin floods addresses over the built network.
func TestTableEntriesTwin(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, f := range family.All() {
		rng := rngOf("tables " + f.Name)
		for _, d := range topotest.Sample(f, rng, few(3), 300) {
			r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.TableEntries}})
			n, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			want := floodedEntries(n)
			if got := r.Metrics[metric.TableEntries].Value; !r.Have[metric.TableEntries] || got != float64(want) {
				t.Errorf("%s: table_entries = %g (%s), flooding finds %d", d, got, r.Absent[metric.TableEntries], want)
			}
		}
	}
}

func floodedEntries(n *topology.Network) (most int) {
	known := make([]map[[2]int]bool, n.Switches()) // addresses by (endpoint or terminal, port)
	for s := range known {
		known[s] = map[[2]int]bool{}
	}
	learn := func(at topology.SwitchID, address [2]int) {
		list := []topology.SwitchID{at}
		seen := map[topology.SwitchID]bool{at: true}
		for len(list) > 0 {
			s := list[0]
			list = list[1:]
			known[s][address] = true
			most = max(most, len(known[s]))
			for _, v := range n.Neighbors(s) {
				if !seen[v] && !n.Embedded(v) {
					seen[v] = true
					list = append(list, v)
				}
			}
			if !n.Unidirectional {
				continue
			}
			for v := range topology.SwitchID(n.Switches()) { // addresses spread against the channels
				for _, u := range n.Neighbors(v) {
					if u == s && !seen[v] && !n.Embedded(v) {
						seen[v] = true
						list = append(list, v)
					}
				}
			}
		}
	}
	if n.LinkClasses[0].Name != topology.ClassInternal {
		for g := range n.Groups() {
			first, end, ports := n.Group(g)
			for e := first; e < end; e++ {
				for p, s := range ports {
					learn(s, [2]int{int(e), p})
				}
			}
		}
		return most
	}
	for s := range topology.SwitchID(n.Switches()) {
		for p, v := range n.Neighbors(s) {
			// A link of a terminal is seen from both ends; in networks of channels only the switch
			// before a terminal leads to it.
			if n.Unidirectional && n.Embedded(v) && !n.Embedded(s) {
				learn(s, [2]int{int(v), 0})
			} else if !n.Unidirectional && n.Embedded(s) && !n.Embedded(v) {
				learn(v, [2]int{int(s), p})
			}
		}
	}
	return most
}

func TestSiteMetricsKnown(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for _, c := range []struct {
		design string
		key    metric.Key
		want   float64
	}{
		{"fattree(k=4,l=3)", metric.TableEntries, 16},
		{"zcube(n=4,k=2)", metric.TableEntries, 32},                  // 16 endpoints of two ports in one network
		{"multirail(k=8,l=2,r=2,planes=2)", metric.TableEntries, 32}, // of 32 endpoints, one port each in a plane
		{"bcube(n=4,l=2)", metric.TableEntries, 4},                   // servers relay: a switch has four
		{"railonly(k=8,g=4)", metric.TableEntries, 32},               // a rail: 8 leaves of 4
		{"dragonfly(p=2,a=4,h=2)", metric.VCsFixed, 2},               // groups ascending in one layer, descending in the other
		{"fattree(k=4,l=3)", metric.VCsFixed, 1},                     // up, then down
		{"ring(n=8)", metric.VCsFixed, 2},                            // see routing.TestLayersKnown
		{"slimfly(q=5)", metric.VCsFixed, 2},                         // ascending and descending; one layer has cycles
		{"fullmesh(d1=4,d2=4)", metric.VCsFixed, 1},                  // dimension order
		{"complete(n=5)", metric.VCsFixed, 1},                        // one hop
	} {
		r := evaluate(t, e, parse(t, c.design), Request{Keys: []metric.Key{c.key}})
		if got := value(t, r, c.key); got != c.want {
			t.Errorf("%s: %s = %g, want %g (%s)", c.design, metric.Keys[c.key].Name, got, c.want, r.Metrics[c.key].Method)
		}
	}
	// What is not found is absent, not a number.
	r, err := e.Evaluate(context.Background(), parse(t, "spectralfly(x=3,q=5,p=3)"), Request{Keys: []metric.Key{metric.VCsFixed}})
	if err != nil || r.Have[metric.VCsFixed] || r.Absent[metric.VCsFixed] == "" {
		t.Errorf("spectralfly: vcs_fixed %+v, %q, %v", r.Metrics[metric.VCsFixed], r.Absent[metric.VCsFixed], err)
	}
}
