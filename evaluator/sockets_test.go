package evaluator

import (
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// checkSockets: every cable ends in a socket that the box bought has, and in one of its own; a
// switch occupies no more physical ports than the plan says of the fullest of its class; a server
// has no more units than asked.
func checkSockets(t *testing.T, r *Result, cables []floor.Cable) {
	t.Helper()
	part := map[string]*SwitchBuy{}
	for i := range r.Plan.BOM {
		if p := r.Plan.BOM[i].Part; p.Kind == catalog.KindOCS {
			part[catalog.KindOCS] = &SwitchBuy{Part: p, PhysicalPorts: p.Ports}
		}
	}
	for i := range r.Plan.Switches {
		part[r.Plan.Switches[i].Class] = &r.Plan.Switches[i]
	}
	var class []string
	for i, c := range r.Size.Family.SwitchClasses {
		for range r.Size.Switch[i].Count {
			class = append(class, c.Name)
		}
	}
	type plug struct {
		box int64
		at  floor.Socket
	}
	used := map[plug]bool{}
	ports := map[topology.SwitchID]map[int]bool{}
	end := func(id int, sw topology.SwitchID, ep topology.EndpointID, at floor.Socket) {
		box := int64(sw)
		if sw < 0 {
			box = -1 - int64(ep)
		}
		if used[plug{box, at}] || at.Port < 1 {
			t.Errorf("%s: cable %d ends in socket %+v of box %d, which has a cable", r.Design, id, at, box)
		}
		used[plug{box, at}] = true
		if sw < 0 {
			if at.Unit != int(ep)%8+1 || at.Lane != 0 {
				t.Errorf("%s: cable %d ends at %+v of endpoint %d", r.Design, id, at, ep)
			}
			return
		}
		if ports[sw] == nil {
			ports[sw] = map[int]bool{}
		}
		ports[sw][at.Port] = true
		of := catalog.KindOCS
		if int(sw) < len(class) {
			of = class[sw]
		}
		buy := part[of]
		if at.Unit != 0 || buy == nil || buy.Part == nil || at.Port > buy.Part.Ports {
			if (of == catalog.KindOCS || of == "spare") && buy == nil {
				return // not on the list; an accelerator
			}
			t.Errorf("%s: cable %d ends in socket %+v of switch %d, %+v", r.Design, id, at, sw, buy)
		} else if n := len(ports[sw]); n > buy.PhysicalPorts {
			t.Errorf("%s: %d physical ports of switch %d are in use, the plan has %d", r.Design, n, sw, buy.PhysicalPorts)
		}
	}
	for i := range cables {
		c := &cables[i]
		end(c.ID, c.FromSwitch, c.Endpoint, c.From)
		end(c.ID, c.ToSwitch, c.ToEndpoint, c.To)
	}
}

// TestSocketsByHand: ZCube(4,2) at 400 Gb/s has two ports of 200 Gb/s per endpoint; an edge switch
// has four links to the other level and four to endpoints, on four physical ports of 400 split in
// two: links between switches on ports 1 and 2, endpoints on 3 and 4. In a BCube, endpoint 9 is the
// second of the second server, and its port of level 1 is its second.
func TestSocketsByHand(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{SwitchPortGbps: 400}}})
	want := map[int]floor.Socket{1: {Port: 3, Lane: 1}, 3: {Port: 3, Lane: 2}, 5: {Port: 4, Lane: 1}, 7: {Port: 4, Lane: 2}}
	got := map[int]floor.Socket{}
	var first []floor.Socket
	err := e.EachCable(parse(t, "zcube(n=4,k=2)"), func(c floor.Cable) bool {
		if _, ok := want[c.ID]; ok {
			got[c.ID] = c.To
		}
		if c.FromSwitch == 0 {
			first = append(first, c.From)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, s := range want {
		if got[id] != s {
			t.Errorf("cable %d ends at %+v, want %+v", id, got[id], s)
		}
	}
	for i, s := range first {
		if w := (floor.Socket{Port: i/2 + 1, Lane: i%2 + 1}); s != w {
			t.Errorf("link %d of switch 0 begins at %+v, want %+v", i, s, w)
		}
	}
	if len(first) != 4 {
		t.Errorf("%d links of switch 0 to the other level, want 4", len(first))
	}
	// Two cables in one cage are said, unless the switch has a port of its own for each.
	for _, gbps := range []int{400, 200} {
		x := newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{SwitchPortGbps: gbps}}})
		notes := strings.Join(evaluate(t, x, parse(t, "zcube(n=4,k=2)"), Request{Level: 1}).Notes, "\n")
		if said := strings.Contains(notes, "split into 2 of 200 Gb/s"); said != (gbps == 400) {
			t.Errorf("switches of %d Gb/s: notes %q", gbps, notes)
		}
	}
	found := false
	err = e.EachCable(parse(t, "bcube(n=4,l=2)"), func(c floor.Cable) bool {
		if c.Endpoint == 9 && c.FromSwitch < 0 && c.From == (floor.Socket{Unit: 2, Port: 2}) {
			found = true
		}
		return true
	})
	if err != nil || !found {
		t.Errorf("bcube(n=4,l=2): no cable from unit 2, port 2 of a server (%v)", err)
	}
}

// Ports of two rates on one switch stand side by side: HPN's leaves have 200 Gb/s down and 400 up.
func TestSocketsOfTwoRates(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	d := parse(t, "hpn(k=32,segments=2)")
	r := evaluate(t, e, d, Request{Level: 1})
	if r.Plan == nil {
		t.Fatal(r.Reject.Words())
	}
	var cables []floor.Cable
	lanes := map[string]map[bool]int{}
	err := e.EachCable(d, func(c floor.Cable) bool {
		cables = append(cables, c)
		if lanes[c.Link] == nil {
			lanes[c.Link] = map[bool]int{}
		}
		lanes[c.Link][c.To.Lane > 0]++
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	checkSockets(t, r, cables)
	if len(lanes) < 2 {
		t.Fatalf("links %v, want two classes", lanes)
	}
	for link, n := range lanes {
		if n[true] > 0 && n[false] > 0 {
			t.Errorf("%s: %d links on split ports and %d on whole ones", link, n[true], n[false])
		}
	}
}
