package routing

import (
	"slices"

	"toposearch/topology"
)

// sightedWays are the hops towards one destination: of place after place, a switch in a state of the rule, the nearest first.
type sightedWays struct {
	until   []int32     // of each place, in by and on
	by      []int32     // channels
	on      []int32     // the places behind them
	start   []int32     // of each port of all sets
	hops    []uint16    // of each place, to go
	nearest [][]int     // of each set: its ports, of those it has, that are nearest
	end     [][]float64 // of each place: the part of what comes there that leaves by each port of the destination
}

// fill finds the hops towards a set, in whose field they lead to it; false: not from everywhere.
func (w *sightedWays) fill(r *Router, f *Field, t int) (all bool) {
	all = true
	own := r.Sets[t].Ports
	place := make([]int32, len(f.Dist))
	var hops []Hop
	for i, x := range f.order {
		place[x] = int32(i)
		w.hops = append(w.hops, f.Dist[x])
		end := make([]float64, len(own))
		if f.Dist[x] == 0 {
			k := slices.IndexFunc(own, func(p Port) bool { return int(p.Switch) == int(x)/r.states })
			end[k] = 1
		} else {
			hops = r.Next(f, topology.SwitchID(int(x)/r.states), uint8(int(x)%r.states), hops[:0])
			for _, h := range hops {
				w.by = append(w.by, int32(h.Channel))
				on := place[int(r.Net.To(h.Channel))*r.states+int(h.State)]
				w.on = append(w.on, on)
				for k, y := range w.end[on] {
					end[k] += y / float64(len(hops))
				}
			}
		}
		w.until, w.end = append(w.until, int32(len(w.by))), append(w.end, end)
	}
	for m := range r.Sets {
		at, d := r.Inject(f, m, nil)
		all = all && d != Unreachable
		w.nearest = append(w.nearest, at)
		for _, p := range r.Sets[m].Ports {
			node := int(p.Switch) * r.states
			if f.Dist[node] == Unreachable {
				w.start = append(w.start, -1)
			} else {
				w.start = append(w.start, place[node])
			}
		}
	}
	return all
}

// span is where the hops of a place are, in by and on.
func (w *sightedWays) span(place int32) (from, until int32) {
	if place > 0 {
		from = w.until[place-1]
	}
	return from, w.until[place]
}

// begin is how the ways from a place begin.
func (w *sightedWays) begin(place int32) (by, on []int32) {
	from, until := w.span(place)
	return w.by[from:until], w.on[from:until]
}

// ahead appends the channels of the ways from a place on, so many hops far.
func (w *sightedWays) ahead(place int32, hops int, list []int32) []int32 {
	for at := []int32{place}; hops > 0 && len(at) > 0; hops-- {
		var on []int32
		for _, i := range at {
			from, until := w.span(i)
			list, on = append(list, w.by[from:until]...), append(on, w.on[from:until]...)
		}
		slices.Sort(on)
		at = slices.Compact(on)
	}
	return list
}

// reaches computes what arrives of what comes to each place.
func (w *sightedWays) reaches(reach, pass []float64) {
	from := int32(0)
	for i, until := range w.until {
		if reach[i] = 1; from < until {
			sum := 0.0
			for j := from; j < until; j++ {
				sum += pass[w.by[j]] * reach[w.on[j]]
			}
			reach[i] = sum / float64(until-from)
		}
		from = until
	}
}
