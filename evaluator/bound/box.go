package bound

import (
	"math"

	"toposearch/topology"
)

var inf = math.Inf(1)

// Box is designs of one family: all whose size lies between two corners, class by class and port by port, or
// one design, whose corners are equal.
type Box struct {
	Lo, Hi *topology.Size
	V      []int                 // values of the one design; nil of several
	Per    *topology.PerEndpoint // what is known of the routes and cables of several; nil if nothing is
}

// One is the box of one design, with values v and size s.
func One(v []int, s *topology.Size) Box { return Box{Lo: s, Hi: s, V: v} }

// Between is the box of the designs between two sizes; per, unless it is nil, bounds their routes and how far
// their cables spread.
func Between(lo, hi *topology.Size, per *topology.PerEndpoint) Box {
	return Box{Lo: lo, Hi: hi, Per: per}
}

// Single tells whether the box is one design.
func (b *Box) Single() bool { return b.V != nil }
