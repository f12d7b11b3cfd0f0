package multicast

import (
	"fmt"
	"strings"

	"toposearch/topology"
)

// Level is a level of a Tree, from the leaves up.
type Level struct {
	Down     int // subtrees below a switch; on level 1 its endpoints
	Up       int // switches of the level above to which a switch of this level is linked; 0 on the last
	Parallel int // links to each of these
}

// Tree is an extended generalised fat tree with parallel links (Öhring, Ibel, Das, Kumar, "On
// generalized fat trees", IPPS 1995; Zahavi, "D-Mod-K routing providing non-blocking traffic for
// shift permutations on real life fat trees", CCIT report 776, 2010), with one static route for each pair
// of endpoints.
//
// A switch of level h is known by the subtree of height h that it belongs to and by its number in
// it, of which the last digit says which of the upper ports led there.
type Tree struct {
	*Fabric
	Network *topology.Network
	levels  []Level
	first   []int32 // switches of level h (from 0) are [first[h], first[h+1])
	own     []int   // switches of level h in a subtree of height h
	under   []int   // endpoints of a subtree of height h
}

// TH1A are the levels of a tree like that of the TH-1A: 7,168 endpoints, 16-port switches, height 5,
// modules of 32 endpoints on 8 switches (4 with 8 endpoints each, 4 above them). The source says of the
// three levels above only that they stand in switches built of cards of 6 and 2 switches, so their wiring is
// ours: full bisection in 16 ports, 8 modules, then 7 and 4 subtrees.
func TH1A() []Level { return []Level{{8, 4, 2}, {4, 8, 1}, {8, 8, 1}, {7, 2, 4}, {4, 0, 0}} }

// MaxHops is the longest source route: a head flit has room for 9 ports.
const MaxHops = 9

// maxSwitches bounds a tree well above the 4,224 switches of TH1A, so that no product below overflows.
const maxSwitches = 1 << 20

// NewTree builds a tree of up to 5 levels, whose routes have at most MaxHops hops.
func NewTree(levels []Level) (*Tree, error) {
	t := &Tree{levels: levels}
	if len(levels) < 1 || len(levels) > (MaxHops+1)/2 {
		return nil, fmt.Errorf("multicast: a tree of %d levels: routes of at most %d hops allow 1 to %d", len(levels), MaxHops, (MaxHops+1)/2)
	}
	own, under := 1, 1
	for h, l := range levels {
		top := h == len(levels)-1
		if l.Down < 1 || !top && (l.Up < 1 || l.Parallel < 1) || top && (l.Up != 0 || l.Parallel != 0) {
			return nil, fmt.Errorf("multicast: level %d of a tree has %d subtrees, %d switches above and %d links to each: all must be at least 1, and above the last level there are 0",
				h+1, l.Down, l.Up, l.Parallel)
		}
		if under *= l.Down; own > maxSwitches || under > maxSwitches {
			return nil, fmt.Errorf("multicast: a tree with more than %d endpoints or switches on a level", maxSwitches)
		}
		t.own, t.under = append(t.own, own), append(t.under, under)
		own *= l.Up
	}
	t.first = []int32{0}
	for h := range levels {
		t.first = append(t.first, t.first[h]+int32(under/t.under[h]*t.own[h]))
	}
	return t, t.build()
}

// build wires the tree: level by level, so that lower ports come first, then upper ones, then endpoints.
func (t *Tree) build() (err error) {
	classes := []topology.SwitchClass{}
	links := []topology.LinkClass{{Name: topology.ClassNic}}
	for h := range t.levels {
		classes = append(classes, topology.SwitchClass{Name: fmt.Sprint("level", h+1)})
		links = append(links, topology.LinkClass{Name: fmt.Sprint("up", h+1)})
	}
	b := topology.NewBuilder(classes, links[:len(t.levels)])
	for h := range t.levels {
		b.Switch(h, int(t.first[h+1]-t.first[h]))
	}
	for h, l := range t.levels[:len(t.levels)-1] {
		for s := t.first[h]; s < t.first[h+1]; s++ {
			sub, w := int(s-t.first[h])/t.own[h], int(s-t.first[h])%t.own[h]
			for j := range l.Up * l.Parallel {
				parent := t.switchOf(h+1, sub/t.levels[h+1].Down, w*l.Up+j/l.Parallel)
				b.Link(h+1, topology.SwitchID(s), topology.SwitchID(parent))
			}
		}
	}
	for s := range t.first[1] {
		b.Endpoints(t.levels[0].Down, []topology.SwitchID{topology.SwitchID(s)})
	}
	if t.Network, err = b.Build(t.String()); err != nil {
		return err
	}
	t.Fabric, err = FromNetwork(t.Network)
	return err
}

// String is the tree's name: subtrees, switches above and links to each, level by level.
func (t *Tree) String() string {
	var parts []string
	for _, l := range t.levels {
		parts = append(parts, fmt.Sprintf("%d/%d/%d", l.Down, l.Up, l.Parallel))
	}
	return "tree(" + strings.Join(parts, ",") + ")"
}

// switchOf is the switch with number w in a subtree of level h, counted from 0.
func (t *Tree) switchOf(h, sub, w int) int32 { return t.first[h] + int32(sub*t.own[h]+w) }

// level is the level of a switch, from 0.
func (t *Tree) level(s int32) int {
	h := 0
	for s >= t.first[h+1] {
		h++
	}
	return h
}

// Up reports whether a port leads to a switch of the level above.
func (t *Tree) Up(p Tie) bool {
	h := t.level(p.Switch)
	if h == 0 {
		return int(p.Port) < t.levels[0].Up*t.levels[0].Parallel
	}
	return int(p.Port) >= t.levels[h].Down*t.levels[h-1].Parallel
}

// Route appends the ports of the route from one endpoint to another: up to the lowest level with a
// common ancestor, then down.
//
// Which upper switch it takes on level h follows from the number of the destination's subtree of
// height h, as in D-mod-K, plus the source's place in its subtree, modulo the number of upper switches; which of
// parallel links, from the source's number. So routes of equal height are balanced over all ports. Two
// routes of one source into the same subtree take the same switches above it: hence all routes of a source
// form a tree, without which the union of its routes to a group could hold a circle, in which copies
// would run for ever. The source asks for balance, and does not say how it is got.
func (t *Tree) Route(buf []uint8, src, dst int) []uint8 {
	top := 0
	for src/t.under[top] != dst/t.under[top] {
		top++
	}
	for h, l := range t.levels[:top] {
		base, own := 0, src
		if h > 0 {
			base, own = t.levels[h].Down*t.levels[h-1].Parallel, src/t.under[h-1]
		}
		buf = append(buf, uint8(base+(dst/t.under[h]+own)%l.Up*l.Parallel+src%l.Parallel))
	}
	for h := top; h > 0; h-- {
		parallel := t.levels[h-1].Parallel
		buf = append(buf, uint8(dst/t.under[h-1]%t.levels[h].Down*parallel+src%parallel))
	}
	return append(buf, t.at[dst].Port)
}
