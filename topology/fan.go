package topology

// Fan describes how widely the links of a class spread over the floor, which bounds their lengths
// before any cable is laid. A link has a near end, a switch or all switches of a class in one
// rack, and a far end. Each near end has several far ends, with equally many links to each. Racks are
// filled with endpoints in order, and far ends have endpoints between them in that order: many far ends
// with many endpoints between them cannot all be close. Values hold for every design of a box; the
// zero value says nothing.
type Fan struct {
	// Ends is the least number of far ends of a near end, at least 1. If links are shared unequally, it is
	// the number of links of a near end divided by the most to one far end.
	Ends float64
	// Every is the least number of endpoints between neighbouring far ends; with Step, the endpoints
	// of a block.
	Every float64
	// Step is the least distance between neighbouring far ends in blocks of the placement. 0: they may
	// stand in the same block.
	Step float64
	// Near is, with Step, the most far ends in one block; 0 counts as 1. With is the most switches that
	// stand with the endpoints of a block, far ends included.
	Near, With float64
	// Together is the most switches that form one near end; 0 counts as 1.
	Together float64
	// Around is the least number of other blocks, where the links of a block, by switches in order, lead to all of them in turn, round after
	// round; one of a block may be missing. Ports is, with Together, how many links of each of these switches there are at least, Few the least number of these switches.
	Around, Ports, Few float64
	// Each is the least number of links of every two blocks, which are linked as Cables.Pairs says; 0 says nothing.
	Each int
	// Share is the least part of the links of any two blocks that ends at each switch of a block but one, on either side.
	Share float64
	// Spread is how many ports each switch of a block has for RoundsOf, at least and at most, where blocks and these switches are as many in all designs; 0 says
	// nothing.
	Spread [2]int
	// Apart: no far end stands in the rack of its near end. OtherBlocks: none stands in its block.
	Apart, OtherBlocks bool
	// Anywhere: they stand at any endpoints of their blocks, so that Step and Every tell how far apart they are on average alone.
	Anywhere bool
	// Switches: far ends stand with endpoints, but in racks of their own where there is no
	// room for them.
	Switches bool
}
