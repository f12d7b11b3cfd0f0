package multicast

// Example is the worked example of the source: creator, routes, and the wiring that they and the
// printed port lists imply.
type Example struct {
	*Fabric
	Creator int
	Members []int
	routes  map[int][]uint8
}

// NewExample makes the example. The ports by which packets arrive are not in the routes; they are what
// the printed lists hold beside the branches. Which of the tree's levels the switches are on is not printed, and
// cannot be that of modules of 32 endpoints: 280 and 292 hang on one switch, and 288 begins a module.
func NewExample() (*Example, error) {
	x := &Example{Creator: 211, routes: map[int][]uint8{}}
	var err error
	// Endpoints up to 292, 16-port switches: the creator's, one above it by each of its ports 3 and 7, and the members'.
	if x.Fabric, err = NewFabric("worked example", 6, 16, 293); err != nil {
		return nil, err
	}
	const creator, above3, above7, members1, membersF, membersE = 0, 1, 2, 3, 4, 5
	for _, l := range [][2]Tie{
		{{creator, 3}, {above3, 0}}, {{above3, 1}, {members1, 8}}, {{above3, 0xf}, {membersF, 5}},
		{{creator, 7}, {above7, 0xc}}, {{above7, 0xe}, {membersE, 0xa}},
	} {
		if err := x.Join(l[0], l[1]); err != nil {
			return nil, err
		}
	}
	if err := x.Attach(x.Creator, Tie{creator, 1}); err != nil {
		return nil, err
	}
	for _, m := range []struct {
		member int
		at     int32
		route  []uint8
	}{
		{17, members1, []uint8{3, 1, 1}}, {22, members1, []uint8{3, 1, 6}}, {26, members1, []uint8{3, 1, 0xa}},
		{99, membersF, []uint8{3, 0xf, 3}}, {107, membersF, []uint8{3, 0xf, 0xb}},
		{280, membersE, []uint8{7, 0xe, 0}}, {284, membersE, []uint8{7, 0xe, 4}},
		{288, membersE, []uint8{7, 0xe, 8}}, {292, membersE, []uint8{7, 0xe, 0xc}},
	} {
		x.Members, x.routes[m.member] = append(x.Members, m.member), m.route
		if err := x.Attach(m.member, Tie{m.at, m.route[2]}); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Route appends the creator's route to a member, as printed; there are no others.
func (x *Example) Route(buf []uint8, src, dst int) []uint8 {
	if src != x.Creator {
		return buf
	}
	return append(buf, x.routes[dst]...)
}

// Group is the example's group.
func (x *Example) Group() (*Group, error) {
	return NewGroup(x.Fabric, x, ID{Creator: x.Creator}, x.Members)
}
