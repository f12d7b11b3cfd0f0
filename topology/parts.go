package topology

// Documentation is what people are told of a family beside its parameters. All of it may be empty:
// its page is then shorter.
type Documentation struct {
	// Formulas are the counts in words of arithmetic, one assignment a line over the parameters and
	// the names before it: endpoints, switches, links (between switches), radix, and endpoint_ports
	// unless it is 1. Functions are if, min, max, floor, ceil, mod, divisor(u,x), the largest divisor
	// of u that is at most x, and square(x,q), 1 if x is a square modulo q. "where" limits a line to
	// some values, and a semicolon begins a remark. A test computes them.
	Formulas []string
	// Deployments names machines or companies that run it; Traps is what readers of its papers get
	// wrong.
	Deployments, Traps string
	// OnlyNamed is why a search that names no families leaves this one out. "": it does not.
	OnlyNamed string
}

// Routes is what is known of routes and symmetry without the network. Without it every metric of
// routes is computed on the built network, which takes milliseconds to minutes instead of a
// microsecond, and a search can reject a design for them only then.
type Routes struct {
	// Paths gives the natural routes in closed form. nil, or false: no closed form.
	Paths func(v []int, p *Paths) bool
	// Brief fills Sums, Peak and Shortest of what Paths would list, and lists nothing: for families
	// whose types are a product over dimensions. It may know more designs than Paths. nil, or false:
	// the types that Paths lists are added up.
	Brief func(v []int, p *Paths) bool
	// Distances is the same as Paths for shortest paths where natural routes can be longer. nil: as
	// Paths where those say that they are shortest, else no closed form.
	Distances func(v []int, p *Paths) bool
	// Spread gives what routing.HashSpread counts over all pairs, by link class, that of endpoints' links where these have several ports of which one is picked. nil, or false: no closed form,
	// and pairs are followed on the network.
	Spread func(v []int, out *[MaxClasses]float64) bool
	// SlowPaths says that Paths follows ports one by one rather than computing, for some microseconds:
	// a search bounds every single design by PerEndpoint before it asks Paths. It differs from
	// Walks in that level 0 still has exact routes.
	SlowPaths bool
	// Walks says that Paths takes up to milliseconds for these values: level 0 has only
	// the bounds of PerEndpoint, and exact routes wait until a design has stood every other test.
	// nil: never.
	Walks func(v []int) bool
	// Worst gives the loads of the worst traffic over natural routes in closed form. nil, or false: no closed form, and it
	// is searched for on the network.
	Worst func(v []int, w *WorstLoads) bool
	// Diameter gives how many links any two switches are apart at most, endpoints' own ones included. nil: that is searched on the
	// network, unless every switch has endpoints and Paths are shortest.
	Diameter func(v []int) int
	// GroupLinks emits the links that lead out of a group of a family whose switches are numbered group by group, those of a group all joined by one link of class 1,
	// with links of class 2 between groups, and whose natural routes take one of class 1, one of class 2 and one of class 1 at most ("lgl"); or those of the first class each have a link of class 1
	// to each of the second of their group, which are numbered likewise and bear the links between groups, and natural routes go up, over one of these at most, and down. turned: the next
	// group has the same links, one group further on. nil: the family is none of these.
	GroupLinks func(v []int, group int, emit func(from, to int)) (turned bool)
	// Cube is the side and the levels of a ZCube whose natural routes are as zcube's, and the endpoints of a switch of the lowest level: as many as the side, or fewer
	// of two levels, where endpoints take turns to hang on as many switches of the other; levels below 2 for none. nil: the family has none.
	Cube func(v []int) (row, side, levels int)
	// Lines are Layout.Dims of a family whose natural routes ("dor") are those of such a grid, though traffic patterns take its endpoints for one line. nil: none.
	Lines func(v []int) []int
	// Lattice is the grid that endpoints which forward form, whose natural routes correct one coordinate after the other; nil, or without lines: they do not.
	Lattice func(v []int) Lattice
	// Cells is the endpoints of a cell of a DCell of one level, numbered as there, with links of class 1 to switches and of class 2 between cells; 0, or nil: the design is none.
	Cells func(v []int) int
	// Racks is how UB-Mesh joins its endpoints where natural routes between two are as told there; nil, or Board 0: otherwise.
	Racks func(v []int) Racks
	// Messages are what single messages load over natural routes, of families that are no grid, tree or group of those above; nil: that is not known, and routes are searched for on the network.
	Messages func(v []int) *Messages
	// Orbits claims symmetry, which a test checks. nil: none is claimed, and distances are searched
	// from every endpoint.
	Orbits func(v []int) Symmetry
	// Automorphisms are maps of the switches that generate a group of automorphisms, under which all of each of Orbits.Endpoints are equivalent; Network.Equivalent checks them, and
	// tells which channels are. nil: Orbits.EvenLinks says it, or nothing is known of channels.
	Automorphisms func(v []int) [][]SwitchID
}

// Lattice is a grid of endpoints that forward, with routes that correct coordinates in the order of Lines.
type Lattice struct {
	Lines []Line
	// Digits number the endpoints, the fastest first, those of a line lowest first: so many values of its coordinate, or of what is left of it above the digits before.
	Digits []Digit
}

// Digit is so many values of a coordinate of a Lattice.
type Digit struct{ Line, Values int }

// Line is the endpoints that differ in one coordinate of a Lattice: in a ring of one link between neighbours, or each with one link to a switch.
type Line struct {
	Ring    bool
	Classes []int // of the links
}

// Sides are which endpoints of a rack share their switches.
type Sides int

// Those of a board, those at one place of their boards, or all.
const (
	BoardSides Sides = iota
	ColumnSides
	RackSides
)

// Racks are racks of boards of endpoints that forward, numbered board by board, racks along the second dimension first. Endpoints are all joined along a board, and across boards at one place of these;
// each is linked to all switches of its board, of which each is linked to that at the same place of other racks along two dimensions, and to others of its rack that routes do not pass.
// Routes take a link along the board, where the racks are the same, one across boards, and then up, along the first dimension of racks, along the second, and down.
//
// Or switches are those of a column, the endpoints at one place of their boards, or of a rack, and boards are not joined: endpoints that share switches and no board go up and down, and those of a board may
// change columns first. What is said of a board's switches is that of a column's or a rack's then.
type Racks struct {
	Sides                                    Sides
	Board, Boards, First, Second, Switches   int    // endpoints of a board; boards of a rack; racks along the dimensions; switches of a board
	Along, Across, Up, FirstLink, SecondLink int    // classes of links
	Beside                                   [2]int // of those that a switch has besides,
	Each                                     [2]int // and how many
	// Pods of such racks are numbered one after the other. Each switch of a board has so many links Above, of class AboveLink, to switches that it shares with those at the same
	// place of all racks and of Shared boards in a row, if there are several pods: routes between switches that share one may take it, where that is as short, in equal parts.
	Pods, Above, AboveLink, Shared int
}

// Layout is what is known of links in bulk and of what they are made of. Without it cables are laid
// link by link, and are cables only.
type Layout struct {
	// Bundles streams the links of Wire in bulk, in any order: for counting them by where they
	// lead. nil: link by link.
	Bundles func(v []int, emit func(b Bundle))
	// Cables says what is known of where the cables of a link class run; see Cables. nil: nothing,
	// and their lengths are bounded less tightly before they are laid.
	Cables func(v []int, class int) Cables
	// Media names link classes that are made of something else than cables, or of something beside
	// them. nil: cables, and what Placement.Boards says.
	Media []LinkMedium
	// WireCost is the time (ns) and the memory (bytes) that Wire takes beside emitting links one after the other:
	// random constructions remember what they have joined. Good to a factor of two. nil: next to nothing.
	WireCost func(v []int) (ns, bytes float64)
	// OwnRacks says that every block of the placement is a rack of the construction, with the switches that
	// stand with its endpoints, however many: it is divided only where the site limits what a rack
	// holds or draws.
	OwnRacks bool
	// Dims are the sizes of a grid of switches whose numbers have the first dimension fastest, with
	// endpoints in the order of switches, as many on each; ones included. nil: no such grid, and
	// traffic patterns of grids take the endpoints for one line.
	Dims func(v []int) []int
	// Subtrees are the blocks of consecutive endpoints of a tree, the smallest first, that natural routes leave and enter over all
	// links to the rest alike, whoever sends to whom. nil, or none: no such tree.
	Subtrees func(v []int) []Subtree
	// Nets are the leaves of groups, the groups, so many to a sub-network, and as many of the links that lead out of a group for each of the other sub-networks: natural routes leave and enter a leaf over
	// all its links alike, and a group over all those which it shares with the sub-network of the other end, which for its own are all. joined: all leaves of a group are joined, each by one of its links to each other, and have as many of those that
	// lead out of it: routes go to the leaf of the source's group that is at the place of their destination, and on from there over its own. nil: there are none.
	Nets func(v []int) (leaf, group Subtree, groups, nets int, joined bool)
}

// Subtree is each block of so many consecutive endpoints, from a multiple of it, and the links that lead out of it.
type Subtree struct {
	// Across is how many rails there are where endpoints in a row take turns to hang on the leaf of each: a leaf has every Across-th of Across times as many
	// endpoints in a row. 0: it has endpoints in a row.
	Across           int
	Endpoints, Links int64
	Class            int   // of the links
	Sharing          int64 // blocks that all use the links, in equal parts; 0: one alone
}

// Holding is how many of the blocks have some of the first endpoints.
func (s *Subtree) Holding(endpoints int64) float64 {
	turns := max(int64(s.Across), 1)
	row := turns * s.Endpoints
	return float64(endpoints/row*turns + min(endpoints%row, turns))
}

// Figures are numbers that publications give for a family. Without one its metric is absent.
type Figures struct {
	// Regular: the switches are one connected network, of which each is linked to as many others as it has ports towards switches, none twice.
	Regular bool
	// NonBlocking is the number of endpoints of the largest block of the construction that has
	// full bisection inside by the cut through its middle (metric nonblocking_region).
	NonBlocking func(v []int) int64
	// NonBlockingFrom says in words what that block is. "": such a block of the construction.
	NonBlockingFrom string
	// NonBlockingShared: such blocks are the endpoints that are on the same switches, wherever these are in the order of endpoints, and NonBlocking
	// is the largest. Else the endpoints of a block follow one another, from a multiple of their number.
	NonBlockingShared bool
	// Middle is the survey's bisection by the cut through the middle of levels or dimensions, as a
	// fraction of (endpoints/2 x bandwidth), at most 1. nil: not defined.
	Middle func(v []int) float64
}
