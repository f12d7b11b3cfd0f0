package simcore

import "toposearch/topology"

// Stateful is a Routing that keeps state in the switches and has them tell one another about it. A model that knows
// nothing of states refuses it.
type Stateful interface {
	Routing
	// KeepsState says whether it does: NewState is only called then.
	KeepsState() bool
	// NewState makes the state of all switches for one simulation, as it is in cycle 0. The view is that of any
	// switch: of it Line, Lag and Network may be asked. It is an error if there is no room for the state.
	NewState(v *View) (*State, error)
}

// State is what the switches of one simulation remember for a Stateful, and what they have to be told. What belongs to a
// switch is changed in calls for that switch alone, and what others may read of it (Board, Note) has travelled for at least as
// long as flits between the two do; so no result depends on the order of switches, nor on how many cores share them.
// What is nil is not called.
type State struct {
	// Of is the routing's own, which View.State gives to its Route and Inject.
	Of any
	// Reset goes back to cycle 0.
	Reset func()
	// Tick is called for every switch at the beginning of each cycle that is a multiple of Period, which is
	// at least 1 where Tick is not nil.
	Tick   func(sw topology.SwitchID, v *View)
	Period Cycle
	// Enter is called when the head of a packet has come to the front of an input VC of a switch, just before Route
	// is. Its answer is given to Leave when the tail leaves that VC.
	Enter func(sw topology.SwitchID, p *Packet, v *View) (mark int32)
	Leave func(sw topology.SwitchID, mark int32)
	// Hear is called for every note (View.Tell) at the beginning of the cycle in which it arrives, before Tick; of several at
	// one switch by channel, row and value.
	Hear func(n Note)
	// CountSent has the model keep what View.Sent gives.
	CountSent bool
}

// Board has what every switch puts up for others to read from time to time, as they see it when it has travelled:
// each switch has a row of numbers per period.
type Board struct {
	period Cycle
	width  int
	slots  int // kept of each switch
	rows   []int32
}

// NewBoard makes the boards of a number of switches, with rows of a width, for readers that are at most so many cycles away.
func NewBoard(switches, width int, period, farthest Cycle) *Board {
	// A writer may be ahead of a reader by the cycles that parts of a network run alone, which is less than
	// what anything takes between the two.
	slots := int(2*farthest/period) + 3
	return &Board{period, width, slots, make([]int32, switches*slots*width)}
}

// Reset empties the boards.
func (b *Board) Reset() { clear(b.rows) }

// Row is that of a switch for the period of a cycle, to be written in State.Tick, or to be read by a switch that is as far
// away as that cycle is past; nil before cycle 0.
func (b *Board) Row(sw topology.SwitchID, at Cycle) []int32 {
	if at < 0 {
		return nil
	}
	k := (int(sw)*b.slots + int(at/b.period)%b.slots) * b.width
	return b.rows[k : k+b.width]
}
