package route

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// A packet leaves by the channel that was compared: where one of two parallel channels of the direct way is congested, nobody takes
// it, whichever of the two the decision has looked at.
func TestTakesWhatWasCompared(t *testing.T) {
	for _, name := range []string{"ugal_l", "ugal_g", "par", "par_ph"} {
		n, opt := built(t, "hyperx(s1=5,k1=2,t=2)")
		r := native(t, name, n, opt)
		s := &still{used: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}}
		v := simcore.NewView(n, s, nil).WithState(nil, s)
		if name == "par_ph" {
			state, err := r.NewState(&v)
			if err != nil {
				t.Fatal(err)
			}
			state.Reset()
			v = v.WithState(state.Of, s)
		}
		dst := topology.EndpointID(n.Endpoints() - 1)
		h, _ := choose(r.t, int(r.setOf[dst]), r.t.Node(0, 0), random, &simcore.Packet{Rand: simcore.NewRand(1, 2)}, nil)
		s.waiting[h.Channel] = 200
		direct, detours := 0, 0
		for seed := range uint64(100) {
			p := simcore.Packet{Dst: dst, Mid: -1, Phase: probing, Rand: simcore.NewRand(seed, 2)}
			switch hop := r.Route(0, &p, &v); {
			case hop.Channel == h.Channel:
				t.Fatalf("%s: a packet joins a queue of 200 flits beside an empty parallel channel", name)
			case n.To(hop.Channel) == n.To(h.Channel):
				direct++
			default:
				detours++
			}
		}
		if direct < 30 || detours < 30 { // of 50 each on average, with a standard deviation of 5
			t.Errorf("%s: %d packets by the empty channel, %d by detours", name, direct, detours)
		}
	}
}
