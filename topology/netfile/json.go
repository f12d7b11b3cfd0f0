package netfile

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"

	"toposearch/topology"
)

func parseJSON(src *source) *graph {
	r := &networkReader{tokens: tokens{src: src}, g: &graph{portStart: []int32{0}}, names: map[string]int{}}
	r.g.place.Blocks = 1
	r.dec = json.NewDecoder(bytes.NewReader(src.data))
	r.dec.UseNumber()
	seen := r.object("the network", map[string]func(){
		"schema":         func() { r.schema() },
		"design":         func() { r.g.design, _ = r.text("design") },
		"unidirectional": func() { r.g.unidirectional = r.flag("unidirectional") },
		"lane_gbps":      func() { r.g.laneGbps = r.positive("lane_gbps") },
		"unstated":       func() { r.g.unstated = r.flag("unstated") },
		"endpoint_lanes": func() { r.g.endpointLanes = int32(r.whole("endpoint_lanes", 1, math.MaxInt32)) },
		"blocks":         func() { r.g.place.Blocks = int(r.whole("blocks", 1, maxEndpoints)) },
		"switch_classes": func() { r.array("switch_classes", r.switchClass) },
		"link_classes":   func() { r.array("link_classes", r.linkClass) },
		"endpoints":      func() { r.array("endpoints", r.endpoints) },
		"links":          func() { r.array("links", r.linkGroup) },
		"media":          func() { r.array("media", r.medium) },
		"routing":        func() { r.routing() },
		"own_racks":      func() { r.g.known.OwnRacks = r.flag("own_racks") },
		"nonblocking_region": func() {
			r.g.known.NonBlocking = r.whole("nonblocking_region", 1, maxEndpoints)
		},
	})
	if r.end == nil {
		if _, err := r.dec.Token(); err != io.EOF {
			src.at(r.next(), "", "text after the end of the network")
		}
		for _, k := range []string{"schema", "switch_classes", "link_classes", "endpoints"} {
			if !slices.Contains(seen, k) {
				src.at(0, "", "the network has no %q", k)
			}
		}
	}
	if src.list.HasErrors() {
		return nil
	}
	return r.finish()
}

// finish turns rates into lanes and runs the checks that had to wait.
func (r *networkReader) finish() *graph {
	for _, f := range r.late {
		f()
	}
	if len(r.g.switchClasses) == 0 || len(r.g.linkClasses) == 0 {
		r.src.at(0, "", "a network has at least one switch class and one link class")
	}
	if n := r.g.switches(); !r.src.list.HasErrors() {
		// Only what stood before switch_classes can still be wrong, past the checks kept for it.
		for _, list := range [][]topology.SwitchID{r.g.ports, r.g.a, r.g.b} {
			for _, s := range list {
				if int64(s) >= n {
					r.src.at(0, "put switch_classes first", "there is no switch %d; they are numbered 0 to %d", s, n-1)
					return nil
				}
			}
		}
	}
	r.rates()
	if r.src.list.HasErrors() {
		return nil
	}
	return r.g
}

// rates turns Gb/s into lanes: multiples of lane_gbps, or of the largest common divisor.
func (r *networkReader) rates() {
	lane := int64(math.Round(r.g.laneGbps * 1000))
	given := lane > 0
	for i, x := range r.gbps {
		if x > 0 && !given {
			lane = gcd(lane, int64(math.Round(x*1000)))
			if r.anyLanes() {
				r.src.at(0, "", "link class %s gives gbps and others give lanes: lane_gbps is needed", r.g.linkClasses[i].Name)
				return
			}
		}
	}
	for i, x := range r.gbps {
		if x <= 0 {
			continue
		}
		m := int64(math.Round(x * 1000))
		if lane <= 0 || m%lane != 0 || m/lane > math.MaxInt32 || m == 0 {
			r.src.at(0, "", "the rate of link class %s, %g Gb/s, is not a multiple of lane_gbps", r.g.linkClasses[i].Name, x)
			continue
		}
		r.g.lanes[i] = int32(m / lane)
	}
	if r.g.laneGbps == 0 && lane > 0 {
		r.g.laneGbps = float64(lane) / 1000
	}
}

func (r *networkReader) anyLanes() bool { return slices.Contains(r.lanes, true) }
