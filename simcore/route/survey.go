package route

import (
	"fmt"
	"reflect"
)

// filled is what had to be filled in of published routings, for people.
var filled = map[string]string{
	"pb": "marks are of all VCs of a channel; where the detour's channel is marked, too, UGAL's rule decides; where a way divides inside the group, an exit drawn at random is " +
		"asked about; the longer of ratio and threshold counts, where FOGSim adds them; ratio where a switch has fewer than three channels to other groups",
	"par_ph": "the mean is that of the switch's other channels of the same class of links; a mean is used again for the time of a packet; the offset is a packet",
	"ectn": "the source alone decides, while the paper decides again on the way; of the detours that are not contended any is drawn; thresholds are twice what is wanted " +
		"on average where all VCs have a packet at their front (FOGSim: 3 and 8 packets)",
	"dgb": "the reports of destinations, which the published model has arrive at once, take as long as the way back, each by itself; queues at the exit of a group are told as in pb; " +
		"how much longer a detour is follows from its hops and the mean length of links",
	"ofar": "misrouting begins at a queue of a packet that is asked for in vain, and at one of a round trip and a packet at once; the ring is a VC of the network's links, " +
		"entered from links between switches only, left four times at most, and never misrouted from; a link for which others ask is none to misroute by",
	"q_adaptive": "times are from the front of a VC to the front of a VC; reports travel back over the channel; first estimates are those of an empty network; " +
		"rates of learning and thresholds, which the paper chooses for each network",
}

// Filled says what had to be filled in of a published routing; "" of those that are described in full.
func Filled(name string) string { return filled[name] }

// Unbuilt are published routings that go by a name and are not built, with the reason.
type Unbuilt struct{ Name, Doc, Why string }

var unbuilt = []Unbuilt{
	{"tpr", "traffic pattern-based routing (Faizian et al., IEEE TMSCS 4(4), 2018)",
		"of it the abstract is public: counters of how links were used tell the traffic pattern, by which the threshold of UGAL is changed. Which counters, which patterns and by how much it does not say"},
	{"ugal_le", "UGAL with latency estimation (Enhanced UGAL routing schemes for Dragonfly networks, Florida State University)",
		"of it the abstract is public: latencies of ways are estimated more accurately from what a switch knows itself. How it does not say"},
}

// AllUnbuilt lists them.
func AllUnbuilt() []Unbuilt { return unbuilt }

// refuseUnbuilt says why a routing is not built that a name is known of.
func refuseUnbuilt(name string) error {
	for _, u := range unbuilt {
		if u.Name == name {
			return fmt.Errorf("routing %s, %s, is not built: %s; ugal_l is what it begins with", name, u.Doc, u.Why)
		}
	}
	return nil
}

// Setting is one of what adaptive routings decide by, for people.
type Setting struct {
	Key, Doc string
	By       []string // routings that use it
}

// Settings lists them in the order of Tuning.
func Settings() []Setting {
	var out []Setting
	new(Tuning).eachSetting(func(key string, by []string, _ reflect.Value) {
		out = append(out, Setting{key, settingDocs[key], by})
	})
	return out
}

// settingDocs say what a setting is, and what it is if it is not set.
var settingDocs = map[string]string{
	"ugal_bias":      "flits per VC in favour of the direct way (half a packet, or of what a VC holds of it)",
	"ugal_stall":     "flits on a VC of detours that keep direct packets off it (half a credit round trip, and a packet; flit by flit for ugal_l 0 on a channel for which packets wait, more congested than its peers, more than two hops from the destination, unless detours avoid groups)",
	"ugal_draws":     "draws of an intermediate at most (32; 4 for ectn, and where a switch with endpoints has channels to such switches and to others)",
	"ugal_peers":     "times the mean queue of the switch's other channels of a kind that the direct way's must be for a detour (ugal_l where it leads to a switch with endpoints and buffers hold less than two round trips and packets: 1, as of par where others are of all kinds, some to switches with endpoints and some not; else of n others n (4^(1/n) - 1): 3 times one, 2 times two, 1.5 times nine)",
	"pb_ratio":       "a channel is congested beyond so many times the mean of the switch's channels to other groups (2; with n < 3 of them (n + 1) / 2, with one 0)",
	"pb_threshold":   "and beyond so many flits (five packets)",
	"pb_period":      "cycles between notifications (a packet)",
	"ph_offset":      "flits added to the mean queue (a packet)",
	"ph_period":      "cycles for which a mean is used again (a packet)",
	"ectn_threshold": "packets that want a channel from which on it is contended (twice the VCs)",
	"ectn_combined":  "packets of a group that want another from which on that is (twice the mean where all VCs have one)",
	"ectn_period":    "cycles between notifications (100)",
	"q_learn":        "how far an estimate goes towards a lower one (0.2)",
	"q_unlearn":      "and towards a higher one (0.04)",
	"q_explore":      "part of the choices that is drawn at random (0.001)",
	"q_first":        "by which part a channel must be better than the direct way at the source (0.2)",
	"q_second":       "and another switch of a group on the way (0.35)",
	"dgb_epoch":      "cycles after which a bias is adjusted (50)",
	"dgb_explore":    "step of a trial of the direct way, as part of what the detour is longer (0.25)",
	"dgb_learn":      "step of a bias, as part of the difference of latencies (0.25)",
}
