package route

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"toposearch/simcore"
	"toposearch/topology"
)

// Tuning is what the adaptive routings decide by; "by" are those that a setting is for. What is nil follows from
// packets, buffers and round trips, as said there.
type Tuning struct {
	// Bias favours the direct way: flits per VC of its queue that do not count. Negative: towards detours.
	// nil: half of a packet, or of what a VC holds of it, while one passes through it and nothing waits (with packets of 16 flits over buffers of 8
	// a whole one would hide half of the queue: 0.80 of Valiant's load under group_shift instead of 1.08). More delays the answer to
	// congestion: a whole packet left 0.85 of Valiant's load on slimfly(q=7) under its worst permutation, half of one 0.90. Less takes for a
	// queue what is none: without any, uniform traffic loses 4 % on dragonflyplus(l=4,m=4,p=4,h=2), with half a packet 2.8 %.
	Bias *int `json:"ugal_bias" by:"ugal_l ugal_g par pb"`
	// Stall is the number of flits on a VC of the last leg of detours beyond which packets on the direct way
	// leave that VC alone, at least 0. nil: half of the flits of a credit round trip on the channel, and a packet. A VC that flows, packet by
	// packet in turn with those of the other leg, has no more flits and credits under way; one that has more stands, and what enters it on the
	// direct way would block the detours that are to relieve that way. (With all of the round trip packets of one flit carried 0.82 of Valiant's load
	// on dragonflyplus(l=4,m=4,p=4,h=4) under group_shift instead of 0.92, and 0.86 instead of 0.91 over links of 20 cycles; uniform traffic carries the same.) For ugal_l it is 0 on a channel more congested than its peers
	// behind which more channels follow than the source sees (Native.unseen).
	Stall *int `json:"ugal_stall" by:"ugal_l ugal_g par pb par_ph ectn dgb"`
	// Draws is the number of intermediates that are drawn at most, until one is found to which the packet
	// would leave by another channel than on the direct way; at least 1. nil: 32 where all channels of every switch with endpoints lead to others with endpoints, or all to others without, with which 1.4 % of the packets find none where seven of eight detours
	// begin alike, as on a server of bcube(n=8,l=2), whose other port leads to 7 of 63. (With 4 more than half of these found none and went directly: of the worst permutation
	// ugal_l accepted 0.12 there instead of 0.19 to 0.21, by Valiant's routing 0.25.) Where detours begin elsewhere one or two are drawn. Where such a switch has channels of both sorts, as in a DCell or a HammingMesh, 4, and for ectn, which draws until a way is not contended: one channel is asked for more than another on the mean, and every
	// draw is one more chance to go round without need (with 32 ugal_l accepted of uniform traffic 0.098 on hammingmesh(a=4,b=1,x=4,y=5,k=10) instead of 0.122, natural 0.148, and 0.227 on dcell(n=6,l=1) instead of 0.26).
	Draws *int `json:"ugal_draws" by:"ugal_l ugal_g par pb ectn"`
	// Peers is how many times the mean queue of the switch's other channels of its kind (routing.Router.Peers) that of the direct way must be, less the bias,
	// for a detour; at least 0. nil: of n others n (4^(1/n) - 1), which is 3 times a single one, 2 times two, 1.5 times nine, 1.39 times many. Queues
	// that are equal but for chance are distributed geometrically at worst; that one is more than f times the mean of n others has the probability
	// (1 + f/n)^-n, which this keeps at a quarter whatever n. (With 1.5 times however few there are uniform traffic on dragonflyplus(l=4,m=2,p=2,h=2), whose
	// leaves have two uplinks, carried 0.943 of natural.) With one half queues that differ by chance pass (1 time two: uniform traffic on
	// dragonfly(p=3,a=4,h=3), buffers of 128 flits: 0.98 of natural, without this rule 0.88); with an eighth detours come late (2 times six: slimfly(q=5), worst: 0.97 of
	// Valiant's load instead of 1.01).
	//
	// For ugal_l, which decides once, it is 1 time where the direct way leads to a switch with endpoints and buffers are shallow (shallow): the few channels of a
	// switch of a flat network are full one by one, and none of them ever holds twice the mean of others that carry detours. With buffers of 11 flits it carries of
	// Valiant's load under the worst permutation 0.95 on polarstar_iq(q=2,d=3,p=2), with the other rule 0.79, 0.98 on polarstar_paley(q=2,s=5,p=2) (0.80) and 0.82
	// on spectralfly(x=3,q=5,p=1) (0.73); of uniform traffic on polarstar_iq(q=2,d=3,p=2) 1.02 of natural (with half a time 0.94; with 64 MB by cut-through 0.89, with the
	// other rule 0.94). Behind a switch without endpoints detours and direct ways go on together (dragonflyplus(l=4,m=3,p=3,h=3), uniform: 0.94 of natural, with the
	// other rule 0.98), and par, which decides twice, would pass twice what differs by chance (hyperx(s1=6,s2=6,t=6), uniform: 0.956 of natural).
	//
	// For par it is 1 time, too, where peers are of all kinds and some lead to switches with endpoints, some to others, as at a server of a DCell: one channel is then asked for more than others on the mean, and
	// not by chance. (With 3 times par accepted of uniform traffic 0.341 on dcell(n=4,l=1) instead of 0.360, natural 0.353, and of the worst permutation 0.202 instead of 0.212. ugal_l, which cannot
	// go back on a detour, loses by it: 0.235 of uniform traffic on dcell(n=6,l=1) instead of 0.258.) The levels of a BCube are alike; by 1 time par loses 7 % of uniform traffic on bcube(n=8,l=2).
	Peers *float64 `json:"ugal_peers" by:"ugal_l par pb"`

	PiggyBack
	Phantom
	Contention
	Learning
	Gradient
}

const (
	manyDraws, fewDraws = 32, 4  // see Tuning.Draws
	chancePeers         = 1. / 4 // see Tuning.Peers
)

// mostDraws bounds the time of a decision; switches with a single channel would otherwise draw for long.
const mostDraws = 1000

const (
	endless = 1 << 31 // no setting comes near
	// mostCycles between two notifications: nothing is simulated for much longer.
	mostCycles = 100000
)

// ranges are those of the settings that have one.
var ranges = map[string]struct{ least, most float64 }{
	"ugal_stall": {0, endless}, "ugal_draws": {1, mostDraws}, "ugal_peers": {0, endless},
	"pb_ratio": {0, endless}, "pb_threshold": {0, endless}, "pb_period": {1, mostCycles},
	"ph_offset": {0, endless}, "ph_period": {1, mostCycles},
	"ectn_threshold": {1, endless}, "ectn_combined": {1, endless}, "ectn_period": {1, mostCycles},
	"q_learn": {0, 1}, "q_unlearn": {0, 1}, "q_explore": {0, 1}, "q_first": {0, 1}, "q_second": {0, 1},
	"dgb_epoch": {1, mostCycles}, "dgb_explore": {0, 1}, "dgb_learn": {0, 1},
}

// eachSetting visits the settings: the key, the routings that it is for, and a pointer to its value, which may be nil.
func (t *Tuning) eachSetting(f func(key string, by []string, value reflect.Value)) {
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		for i := range v.NumField() {
			x := v.Type().Field(i)
			if x.Anonymous {
				visit(v.Field(i))
				continue
			}
			f(x.Tag.Get("json"), strings.Fields(x.Tag.Get("by")), v.Field(i))
		}
	}
	visit(reflect.ValueOf(t).Elem())
}

// check refuses values out of range, and settings that are for other routings than the one of a plan's name.
func (t *Tuning) check(name, plan string, decides bool) error {
	var faults []error
	t.eachSetting(func(key string, by []string, value reflect.Value) {
		if value.IsNil() {
			return
		}
		if !slices.Contains(by, plan) {
			why := "does not decide by queues"
			if decides {
				why = "does not use it"
			}
			faults = append(faults, fmt.Errorf("routing %s %s: %s is for %s", name, why, key, strings.Join(by, ", ")))
			return
		}
		x := value.Elem()
		number := 0.0
		if x.CanInt() {
			number = float64(x.Int())
		} else {
			number = x.Float()
		}
		switch r, ok := ranges[key]; {
		case !ok:
		case number < 0 && r.least == 0 && r.most == endless:
			faults = append(faults, fmt.Errorf("%s = %v is negative", key, x))
		case number < r.least || number > r.most:
			faults = append(faults, fmt.Errorf("%s = %v is not in %g..%g", key, x, r.least, r.most))
		}
	})
	return errors.Join(faults...)
}

// of gives the settings that a plan uses.
func (t *Tuning) of(plan string) map[string]any {
	out := map[string]any{}
	t.eachSetting(func(key string, by []string, value reflect.Value) {
		if slices.Contains(by, plan) {
			out[key] = value.Interface()
		}
	})
	return out
}

// draws is Draws, or what stands for it.
func (t *Tuning) draws(others int) int { return orElse(t.Draws, others) }

// peers is Peers of a channel that has n others of its kind.
func (t *Tuning) peers(n int) float64 {
	if t.Peers != nil {
		return *t.Peers
	}
	return timesPeers[min(n, len(timesPeers)-1)]
}

// timesPeers is Tuning.Peers by the number of peers, up to where it is within a hundredth of that of many.
var timesPeers = func() (times [100]float64) {
	for n := 1; n < len(times); n++ {
		times[n] = float64(n) * (math.Pow(chancePeers, -1/float64(n)) - 1)
	}
	return times
}()

// orElse is a setting, or what stands for it.
func orElse[T any](set *T, otherwise T) T {
	if set != nil {
		return *set
	}
	return otherwise
}

// bias is the default for what waits ahead of the first hop alone.
func (t *Tuning) bias(v *simcore.View, c topology.ChannelID) int {
	if t.Bias != nil {
		return *t.Bias
	}
	l := v.Line(c)
	return (min(l.Packet, l.Buffer) + 1) / 2 // half of what a VC holds of a packet that passes
}

func (t *Tuning) stall(v *simcore.View, c topology.ChannelID) int {
	if t.Stall != nil {
		return *t.Stall
	}
	l := v.Line(c)
	return max(0, min(l.Trip/2+l.Packet, l.Buffer-l.Packet)) // a buffer of less than a round trip and a packet never shows more
}
