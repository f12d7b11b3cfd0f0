package topology

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// line is four switches in a row with a double link in the middle and two endpoints on each, of
// which those of switch 3 have a second port on switch 0.
func line(t *testing.T) *Network {
	t.Helper()
	b := NewBuilder([]SwitchClass{{Name: "switch"}}, []LinkClass{{Name: ClassNic}, {Name: "link"}})
	b.Switch(0, 4)
	b.Link(1, 0, 1)
	b.Link(1, 1, 2)
	b.Link(1, 1, 2)
	b.Link(1, 2, 3)
	for s := range SwitchID(3) {
		b.Endpoints(2, []SwitchID{s})
	}
	b.Endpoints(2, []SwitchID{3, 0})
	n, err := b.Build("line")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func neighbors(n *Network) (all [][]SwitchID) {
	for s := range SwitchID(n.Switches()) {
		all = append(all, slices.Clone(n.Neighbors(s)))
	}
	return all
}

// One of the two middle links fails, by either of its channels: the other stays, pairs stay pairs.
func TestWithoutLink(t *testing.T) {
	n := line(t)
	first, _ := n.Out(1)
	for _, c := range []ChannelID{first + 1, n.Rev(first + 1)} {
		m, err := n.Without(&Failures{Links: []ChannelID{c}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := neighbors(m), [][]SwitchID{{1}, {0, 2}, {1, 3}, {2}}; !reflect.DeepEqual(got, want) {
			t.Errorf("channel %d failed: neighbours %v, want %v", c, got, want)
		}
		for c := range ChannelID(m.Channels()) {
			if r := m.Rev(c); m.Rev(r) != c || m.To(r) != m.From(c) || m.LinkClass(r) != m.LinkClass(c) {
				t.Errorf("channel %d and its opposite %d do not fit", c, r)
			}
		}
	}
	if m, _ := n.Without(&Failures{}); !reflect.DeepEqual(m, n) {
		t.Errorf("nothing failed, and the network is another")
	}
}

// Switch 2 fails: its endpoints 4 and 5 have no port left, and the row falls into parts that only
// the second port of endpoints 6 and 7 still serves.
func TestWithoutSwitch(t *testing.T) {
	n := line(t)
	m, err := n.Without(&Failures{Switches: []SwitchID{2}, Ports: []PortFailure{{6, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := neighbors(m), [][]SwitchID{{1}, {0}, nil, nil}; !reflect.DeepEqual(got, want) {
		for i := range got {
			if len(got[i]) != len(want[i]) {
				t.Errorf("neighbours %v, want %v", got, want)
			}
		}
	}
	want := map[EndpointID][]SwitchID{0: {0}, 3: {1}, 4: {}, 5: {}, 6: {3}, 7: {3, 0}}
	for e, ports := range want {
		if _, _, got := m.Group(m.GroupOf(e)); !slices.Equal(got, ports) {
			t.Errorf("endpoint %d: ports %v, want %v", e, got, ports)
		}
	}
	if m.Endpoints() != 8 || !slices.Equal(m.Parts(), []SwitchID{0, 0, 2, 3}) {
		t.Errorf("%d endpoints, parts %v", m.Endpoints(), m.Parts())
	}
	for _, f := range []Failures{{Switches: []SwitchID{4}}, {Links: []ChannelID{99}}, {Ports: []PortFailure{{1, 3}}}, {Ports: []PortFailure{{8, 3}}}} {
		if _, err := n.Without(&f); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
}

// More failures of one seed contain fewer; all links can fail.
func TestDraw(t *testing.T) {
	n := line(t)
	draw := func(k int) []ChannelID {
		l, err := n.DrawLinks(k, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	if all := draw(4); !slices.Equal(all[:2], draw(2)) {
		t.Errorf("4 links %v, 2 links %v", all, draw(2))
	}
	if m, err := n.Without(&Failures{Links: draw(4)}); err != nil || m.Channels() != 0 {
		t.Errorf("all links failed, %d channels left (%v)", m.Channels(), err)
	}
	if _, err := n.DrawLinks(5, rand.New(rand.NewPCG(1, 2))); err == nil {
		t.Error("5 links of 4 fail")
	}
	if s, err := n.DrawSwitches(4, rand.New(rand.NewPCG(1, 2))); err != nil || len(s) != 4 {
		t.Errorf("switches %v, %v", s, err)
	}
}
