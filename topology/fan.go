package topology

// Fan says how widely the links of a class spread over the floor, so that a search can bound their
// lengths before it lays them: a near end (a switch, or all of a kind that stand in one rack) is
// linked to far ends, to each by equally many links, and these are so many endpoints apart in the
// order in which endpoints fill the racks. The zero value says nothing. Numbers hold for all designs
// of a box.
type Fan struct {
	// Ends is the least number of far ends of a near end, at least 1; where some have more links than
	// others, the number of links over the most of one.
	Ends float64
	// Every is the least number of endpoints from one far end to the next; of a block, if Step is not 0.
	Every float64
	// Step tells that far ends are in different blocks of the placement, at least so many apart; 0:
	// they may share a block.
	Step float64
	// Near is the most far ends in a block, where Step is not 0; 0 is 1. With is the most switches that
	// stand with the endpoints of a block, the far ends among them.
	Near, With float64
	// Together is the most switches that count as one near end; 0 is 1.
	Together float64
	// Apart tells that no far end is in the rack of its near end; OtherBlocks, that none is in its block.
	Apart, OtherBlocks bool
	// Switches tells that far ends stand with endpoints, but in racks of their own where there is no
	// room for them.
	Switches bool
}
