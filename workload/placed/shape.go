package placed

import "toposearch/workload"

// Shape is a network whose loads are counted without building it: a Grid, a Tree, Groups, Cubes, Pods or, from below, Blocks.
type Shape interface {
	// home numbers the switch, or the set of switches, of an endpoint.
	home(endpoint int) int32
	// loads are those of no messages yet.
	loads() shapeLoads
	// closed is what the busiest links take of S, at an endpoint's rate, if the groups of endpoints all send by a pattern, each message
	// S; false: groups do not lie alike, and messages have to be counted one by one.
	closed(g workload.Group, p pattern) (busiest float64, ok bool)
	// under is what the busiest links take of S at an endpoint's rate, by what those of each level carry (shapeLoads.levels).
	under(levels []float64) float64
	// split is it if as many packets as is best make detours (shapeLoads.ways); what is not known of them counts as nothing.
	split(levels []busiest) float64
	// Geometry names the shape without what its links carry, on which levels do not depend.
	Geometry() string
	// blocks are blocks of consecutive endpoints with all that leads out of them: cuts.
	blocks() []Subtree
}

// Whole tells whether domains of so many consecutive endpoints hang on one switch each.
func Whole(s Shape, domain int) bool {
	for _, b := range s.blocks() {
		if b.Endpoints%domain != 0 || b.Across > 0 && domain > 1 {
			return false
		}
	}
	return true
}

// detoured is a shape of which it is known in closed form what packets load that may go by way of another switch.
type detoured interface {
	// divided is closed where so many ranks, on the first endpoints, each send to the one so much further on in its group, and as many packets as is best make
	// the detours of BySwitches; false: messages have to be counted.
	divided(g workload.Group, shift, ranks int) (busiest float64, ok bool)
}

// loaded is what a pattern loads a shape or cuts with, whatever their links carry: what an endpoint sends or receives, links by level, links by level where packets
// may make detours, and domains.
type loaded struct {
	own    float64
	levels []float64
	ways   []busiest
	inside float64
	share  float64 // of S that each message is
}

// byRuns is a shape that counts what ranks in a row send together.
type byRuns interface {
	// byRuns is what a pattern loads it with, of so many ranks on the first endpoints in order, where packets may make detours or not.
	byRuns(g workload.Group, p pattern, ranks int, detours bool) *loaded
}

// Counted tells whether what patterns take of a shape is worth remembering for others of its geometry: messages are counted one by one.
func Counted(s Shape) bool {
	_, runs := s.(byRuns)
	return !runs
}

// shapeLoads are what the links of a shape carry.
type shapeLoads interface {
	// add is a message between two endpoints, a share of S.
	add(from, to int, share float64)
	// levels are what the busiest link of each dimension or level carries, in shares of S.
	levels() []float64
	// ways are what those links carry that are the busiest if packets make detours; nil: they make none.
	ways() []busiest
}

// pattern is who sends to whom in a group: each place to the one Shift further on, or, if All, to all others.
type pattern struct {
	Shift int // from 1 to the size of the group - 1, coprime to it
	All   bool
	// Folded: not these, but places of collective.Folded so far from one another (Shift).
	Folded bool
}

// sends is how many messages each rank sends and receives.
func (p pattern) sends(of workload.Group) int {
	if p.All {
		return of.Size - 1
	}
	return 1
}

// backward are the signs of shifts to count what ranks send and what they receive, which is once where each sends to those from which it receives.
func (p pattern) backward(of workload.Group) []int {
	if p.All || 2*p.Shift == of.Size {
		return []int{1}
	}
	return []int{1, -1}
}

// together tells whether what all send to all is one traffic, which makes no detours; of two there is one message each.
func (p pattern) together(of workload.Group) bool { return p.All && of.Size > 2 }

// Subtree is each block of so many consecutive endpoints, from a multiple of it, with what its links to the rest carry together each
// way, in units of what an endpoint sends at Link.BytesPerS.
type Subtree struct {
	Endpoints int
	// Across is how many such blocks endpoints in a row take turns in, each of which has every Across-th of Across times as many; 0: they are in a row.
	Across int
	Carry  float64 // of none is it more
	// Each is what the links of one of them carry, and Whole those of all, if they differ; nil: all carry as much.
	Each  func(block int) float64
	Whole float64
}
