package routing

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"toposearch/topology"
)

// AddressTable is what a switch stores to find the next hops of every endpoint.
type AddressTable struct {
	Flat int64 // an entry an endpoint
	// Segments: addresses consist of segments (pod, rack, board, NPU), and each lookup indexes one linear table by one
	// segment, or by several side by side; the entries of all its tables. Which table it is follows from the
	// segments in which the address agrees with the switch's own, which comparators tell.
	Segments int64
	// Indices of the tables: a bit for each segment by which a table is indexed, the last segment first.
	Indices []uint32
}

// addressValues of each segment are looked at: the switch's own, and two others, so that what depends on a
// segment's value is told from what depends on whether it is the own.
const addressValues = 3

// SegmentTable finds the smallest linear tables by which a switch, in a state of the rule, can choose the next
// hops that the rule has for every endpoint. Segments are the digits of an endpoint's number, the
// last first, in the bases given, and `own` those that the switch stands for. Of a segment with more than
// three values three are looked at: the numbers of a family's endpoints are alike in the others. Time is a search of
// the network for each endpoint looked at, 3^5 for five segments.
func SegmentTable(r *Router, sw topology.SwitchID, state uint8, bases, own []int) AddressTable {
	out := AddressTable{Flat: int64(r.Net.Endpoints())}
	type dest struct {
		digits []int
		hops   string
	}
	groups := make(map[uint32][]dest) // by the segments that are the own
	s := newSearch(r)
	s.full = true
	var hops []Hop
	digits := make([]int, len(bases))
	var walk func(i, at, step int, same uint32)
	walk = func(i, at, step int, same uint32) {
		if i == len(bases) {
			f := s.run(int(r.SetOf[r.Net.GroupOf(topology.EndpointID(at))]))
			hops = r.Next(f, sw, state, hops[:0])
			var key []byte
			for _, h := range hops {
				key = append(binary.LittleEndian.AppendUint32(key, uint32(h.Channel)), h.State)
			}
			groups[same] = append(groups[same], dest{slices.Clone(digits), string(key)})
			return
		}
		for k := range min(bases[i], addressValues) {
			digits[i] = (own[i] + k) % bases[i]
			bit := uint32(0)
			if k == 0 {
				bit = 1 << i
			}
			walk(i+1, at+digits[i]*step, step*bases[i], same|bit)
		}
	}
	walk(0, 0, 1, 0)
	size := func(set uint32) int64 {
		n := int64(1)
		for i, b := range bases {
			if set>>i&1 != 0 {
				n *= int64(b)
			}
		}
		return n
	}
	sets := make([]uint32, 0, 1<<len(bases))
	for set := range uint32(1) << len(bases) {
		sets = append(sets, set)
	}
	slices.SortStableFunc(sets, func(a, b uint32) int {
		if d := size(a) - size(b); d != 0 {
			return int(d)
		}
		return bits.OnesCount32(a) - bits.OnesCount32(b)
	})
	for _, group := range groups {
		for _, set := range sets {
			seen, ok := make(map[string]string), true
			for _, d := range group {
				var key []byte
				for i, x := range d.digits {
					if set>>i&1 != 0 {
						key = binary.LittleEndian.AppendUint32(key, uint32(x))
					}
				}
				if was, there := seen[string(key)]; there && was != d.hops {
					ok = false
					break
				}
				seen[string(key)] = d.hops
			}
			if ok {
				if set != 0 && !slices.Contains(out.Indices, set) {
					out.Indices = append(out.Indices, set)
				}
				break
			}
		}
	}
	slices.Sort(out.Indices)
	for _, set := range out.Indices {
		out.Segments += size(set)
	}
	return out
}

// SourceHeader is the header of UB-Mesh's source routes (arXiv:2503.20377, section 4.1): 8 bytes with a pointer of 4 bits to
// the current hop, a bitmap of 12 bits that says which hops are source-routed, and 6 instructions, which
// share the other 48 bits.
var SourceHeader = struct{ Hops, Instructions, Ports int }{Hops: 12, Instructions: 6, Ports: 1 << ((64 - 4 - 12) / 6)}

// HeaderFits says whether a route of so many hops fits into a header, of which some are source-routed and the others
// looked up, over switches of at most so many ports.
func HeaderFits(hops, sourceRouted, ports int) bool {
	h := &SourceHeader
	return hops <= h.Hops && sourceRouted <= min(hops, h.Instructions) && (sourceRouted == 0 || ports <= h.Ports)
}
