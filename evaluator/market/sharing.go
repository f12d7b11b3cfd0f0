package market

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// Sharing is how switches of a class share boxes: groups of Together in order, of which Per are in one box, the
// last box of a group perhaps fewer. The zero value has each in a box of its own.
type Sharing struct{ Together, Per int64 }

// sharing is that of a model.
func sharing(c catalog.SwitchChoice, k *topology.SwitchCount) Sharing {
	per := min(int64(c.Part.Ports/max(c.PhysicalPorts, 1)), k.Together)
	if per <= 1 || k.Count%k.Together != 0 {
		return Sharing{}
	}
	return Sharing{k.Together, per}
}

// InOne is how many switches the fullest box holds, at least 1.
func (s Sharing) InOne() int64 { return max(s.Per, 1) }

// boxesOfGroup is the boxes of a group.
func (s Sharing) boxesOfGroup() int64 { return (s.Together + s.Per - 1) / s.Per }

// Boxes is the number of boxes that so many switches take.
func (s Sharing) Boxes(switches int64) int64 {
	if s.Per <= 1 {
		return switches
	}
	return switches / s.Together * s.boxesOfGroup()
}

// Box is the box of switch j, and how many are before it in that.
func (s Sharing) Box(j int64) (box, before int64) {
	if s.Per <= 1 {
		return j, 0
	}
	in := j % s.Together
	return j/s.Together*s.boxesOfGroup() + in/s.Per, in % s.Per
}

// First is the first switch that is in a box or in one behind it.
func (s Sharing) First(box int64) int64 {
	if s.Per <= 1 {
		return box
	}
	each := s.boxesOfGroup()
	return box/each*s.Together + min(box%each*s.Per, s.Together)
}
