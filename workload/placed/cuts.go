package placed

import (
	"encoding/binary"
	"slices"

	"toposearch/workload"
)

// Cuts are parts of a network that share no switch, and what leads out of them. In Partitions all endpoints of a scale-up domain are in one part.
type Cuts struct {
	Of    []int32   // by endpoint: its part
	Block int       // if every part is so many consecutive endpoints, in order; else 0
	Carry []float64 // by part: what all its links to elsewhere carry each way, in units of what an endpoint sends at Link.BytesPerS
}

// rounding is what sums in another order may differ by, relative.
const rounding = 1e-9

// NewCuts are parts of endpoints with what leads out of them.
func NewCuts(of []int32, carry []float64) Cuts {
	c := Cuts{Of: of, Carry: carry}
	if parts := len(carry); parts > 0 && len(of)%parts == 0 {
		c.Block = len(of) / parts
		for e, p := range of {
			if int(p) != e/c.Block {
				c.Block = 0
				break
			}
		}
	}
	return c
}

// alike numbers the parts of cuts by what leads out of them, in the order in which different ones are met.
func (c *Cuts) alike() (kind []int, carry []float64) {
	kind = make([]int, len(c.Carry))
	for i, x := range c.Carry {
		if kind[i] = slices.Index(carry, x); kind[i] < 0 {
			kind[i], carry = len(carry), append(carry, x)
		}
	}
	return kind, carry
}

// Geometry names the cuts without how much leads out of parts: only of which it is as much.
func (c *Cuts) Geometry() string {
	kind, _ := c.alike()
	key := AppendParts([]byte("cuts "), c.Of)
	for _, k := range kind {
		key = binary.AppendUvarint(key, uint64(k))
	}
	return string(key)
}

// AppendParts adds to a key the parts of endpoints, as runs of those in a row.
func AppendParts(key []byte, of []int32) []byte {
	for at := 0; at < len(of); {
		next := at + 1
		for next < len(of) && of[next] == of[at] {
			next++
		}
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(of[at])), uint64(next-at))
		at = next
	}
	return key
}

// levels are the most that leaves or enters a part, of those alike.
func (c *Cuts) levels(leave, enter []float64) []float64 {
	kind, carry := c.alike()
	most := make([]float64, len(carry))
	for i, k := range kind {
		most[k] = max(most[k], leave[i], enter[i])
	}
	return most
}

// under is what the narrowest of the cuts takes of S, at an endpoint's rate.
func (c *Cuts) under(levels []float64) (most float64) {
	_, carry := c.alike()
	for k, x := range levels {
		if x > 0 {
			most = max(most, x/carry[k]*(1-rounding)) // of sums of parts
		}
	}
	return most
}

// closed is it of parts that are blocks of endpoints, if all groups send by a pattern (Shape.closed).
func (c *Cuts) closed(g workload.Group, p pattern, ranks int) (busiest float64, ok bool) {
	if c.Block == 0 {
		return 0, false
	}
	leave, ok := Tree{{Endpoints: c.Block, Carry: 1}}.closed(g, p)
	if !ok || leave == 0 {
		return 0, ok
	}
	return leave / slices.Min(c.Carry[:ranks/c.Block]) * (1 - rounding), true
}
