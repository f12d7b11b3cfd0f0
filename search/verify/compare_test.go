package verify

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/search"
)

// TestMilder: where worst_throughput is of other traffic than the permutation that was simulated, and of the same routing, a note says so.
func TestMilder(t *testing.T) {
	record := func(worst float64) *search.Record {
		return &search.Record{Routing: "natural", Metrics: map[string]metric.Figure{"worst_throughput": {Value: worst}}}
	}
	for _, c := range []struct {
		line *Result
		r    *search.Record
		note bool
	}{
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, record(0.03), true},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 0.25}, record(0.25), false},
		{&Result{Traffic: "worst", Routing: "valiant", Predicted: 1}, record(0.03), false},
		{&Result{Traffic: "uniform", Routing: "natural", Predicted: 1}, record(0.03), false},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, &search.Record{Routing: "natural"}, false},
		{&Result{Traffic: "worst", Routing: "natural", Predicted: 1}, nil, false},
	} {
		v := Combine(nil, []*Result{c.line}, c.r)
		if got := strings.Contains(strings.Join(v.Notes, " "), "not simulated"); got != c.note {
			t.Errorf("%s %s of %v: notes %q", c.line.Routing, c.line.Traffic, c.line.Predicted, v.Notes)
		}
	}
}

// A measurement off by more than a tenth of what is expected does not agree, above as below, and the note names what is not in the model.
func TestCompareExpected(t *testing.T) {
	part := 0.2
	for _, c := range []struct {
		line   *Result
		agrees bool
		note   string // "": none
	}{
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.43, Certified: 1, Sighted: true, Direct: &part}, true, ""},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.45, Certified: 1, Sighted: true, Direct: &part}, false, "differ by chance"},
		{&Result{Predicted: 0.5, Expected: 0.4, Left: 0.9, Saturation: 0.45, Certified: 1, Sighted: true, Direct: &part}, false, "cost less than the 10.0 %"},
		{&Result{Predicted: 0.5, Expected: 0.4, Left: 0.95, Saturation: 0.47, Certified: 1, Sighted: true, Direct: &part}, false, "differ by chance"},
		{&Result{Predicted: 0.5, Expected: 0.4, Limit: LimitBuffers, Saturation: 0.45, Certified: 1, Direct: &part}, false, "the same for all flows, does not"},
		{&Result{Predicted: 0.5, Expected: 0.5, Saturation: 0.4, Certified: 1, Curve: []search.CurvePoint{{Offered: 0.41, Accepted: 0.3, Saturated: true}, {Offered: 1, Accepted: 0.2, Saturated: true}}}, false, "accepts 0.300"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.45, Above: 0.46, Share: 0.92, Certified: 1, Sighted: true, Direct: &part}, false, "of load 0.460, of which 97 % or a little less are accepted, it expects 92.0 % to be"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.35, Certified: 1, Sighted: true, Direct: &part}, false, "by which detours packets go"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.35, Certified: 1, Sighted: true, Direct: &part, Tried: &Tried{AsIs: 0.77, Buffer: 176, Deeper: 0.88, VCs: 16, Wider: 0.8}}, false,
			"what buffers hold up that are full: of load 0.400 it accepts 77.0 % as it is, 88.0 % with buffers of 176 flits, 80.0 % with 16 VCs"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.35, Certified: 1, Sighted: true, Direct: &part, Seen: 2, Way: 3, Tried: &Tried{AsIs: 0.77, Buffer: 176, Deeper: 0.88}}, false,
			"that are full, as sources see 2 of up to 3 channels of direct ways by credits"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.35, Certified: 1, Tried: &Tried{AsIs: 0.77, Deeper: 0.88, Wider: 0.89}}, false, "wait in a VC before others"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.35, Certified: 1, Tried: &Tried{AsIs: 0.77, Deeper: 0.86}}, false, "nothing that is known, as neither"},
		{&Result{Predicted: 0.5, Expected: 0.4, Saturation: 0.45, Certified: 1}, false, "20.0 % that queues which fill by chance would, as of packets that come evenly"},
		{&Result{Predicted: 0.4, Expected: 0.4, Saturation: 0.45, Certified: 1}, false, "leave room"},
		{&Result{Predicted: 0.3, Expected: 0.33, Saturation: 0.34, Certified: 1, Sighted: true, Direct: &part}, true, "the same for all flows, 20 % direct, fills a channel at load 0.3"},
		{&Result{Predicted: 0.3, Expected: 0.33, Saturation: 0.34, Certified: 1}, true, "so little traffic needs the full ones"},
	} {
		c.line.Traffic = "worst"
		v := Combine(nil, []*Result{c.line}, nil)
		line, err := json.Marshal(simNote{c.line})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := resultOf(line); err != nil || !reflect.DeepEqual(Combine(nil, []*Result{again}, nil), v) {
			t.Errorf("%+v: another verdict of its line in the journal, %v", c.line, err)
		}
		notes := strings.Join(v.Notes, "; ")
		if v.Agrees != c.agrees || !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "saturates") {
			t.Errorf("expected %v, measured %v: agrees %v, notes %q, want %v and %q", c.line.Expected, c.line.Saturation, v.Agrees, notes, c.agrees, c.note)
		}
	}
}

// A throughput of which its simulation carries a tenth less says so beside the figure, once, and whether that is more than VCs and buffers explain; one that agrees, or
// was simulated over another routing, does not, nor one of which the simulation carries what is predicted and more than is expected. What is less
// than is predicted where nothing is expected of VCs and buffers has a note with the reason, too.
func TestDoubt(t *testing.T) {
	part := 0.2
	for _, c := range []struct {
		line    *Result
		routing string
		doubted string // metric
		word    string
		note    string
	}{
		{&Result{Traffic: "worst", Predicted: 0.5, Expected: 0.5, Saturation: 0.4, Above: 0.41, Certified: 1}, "ugal_l", "worst_throughput", "NOT CONFIRMED: ", "82 %"},
		{&Result{Traffic: "uniform", Predicted: 0.5, Expected: 0.5, Saturation: 0.4, Above: 0.41, Certified: 1}, "ugal_l", "uniform_throughput", "NOT CONFIRMED: ", "82 %"},
		{&Result{Traffic: "worst", Predicted: 0.5, Expected: 0.5, Saturation: 0.4, Above: 0.41, Certified: 1}, "valiant", "", "", "82 %"},
		{&Result{Traffic: "worst", Predicted: 0.5, Expected: 0.5, Saturation: 0.48, Certified: 1}, "ugal_l", "", "", ""},
		{&Result{Traffic: "worst", Predicted: 0.5, Expected: 0.4, Saturation: 0.5, Above: 0.51, Certified: 1}, "ugal_l", "", "", "125 %"},
		{&Result{Traffic: "worst", Predicted: 0.5, Expected: 0.5, Saturation: 0.6, Above: 0.61, Certified: 0.5}, "ugal_l", "worst_throughput", "NOT CONFIRMED: ", "certifies"},
		{&Result{Traffic: "uniform", Predicted: 0.5, Expected: 0.4, Saturation: 0.4, Above: 0.41, Certified: 1}, "ugal_l", "uniform_throughput", "", "expected to saturate"},
		{&Result{Traffic: "worst", Predicted: 0.00431, Expected: 0.00404, Saturation: 0.00404, Above: 0.0042, Certified: 1}, "ugal_l", "worst_throughput", "", "expected to saturate at load 0.00404 of the 0.00431"},
		{&Result{Traffic: "worst", Predicted: 0.5, Saturation: 0.4, Above: 0.42, Certified: 1, Exact: true, Direct: &part}, "ugal_l", "worst_throughput", "", "decisions by what a switch sees"},
		{&Result{Traffic: "worst", Predicted: 0.5, Saturation: 0.46, Certified: 1, Exact: true, Direct: &part}, "ugal_l", "", "", ""},
		{&Result{Traffic: "worst", Predicted: 0.5, Saturation: 0.3, Certified: 1, Exact: true, Direct: &part}, "ugal_l", "worst_throughput", "NOT CONFIRMED: ", "70 %"},
	} {
		c.line.Routing = "ugal_l"
		r := &search.Record{Routing: c.routing, Metrics: map[string]metric.Figure{"worst_throughput": {Value: 0.5, Method: "closed form"}, "uniform_throughput": {Value: 0.5, Method: "closed form"}}}
		v := Combine(nil, []*Result{c.line}, r)
		Combine(nil, []*Result{c.line}, r)
		for name, m := range r.Metrics {
			want := "closed form"
			if name == c.doubted {
				want += "; " + c.word + "its simulation saturates " + c.line.where()
				if c.word != "" {
					want += " (see its notes)"
				}
			}
			if m.Method != want {
				t.Errorf("%+v: method of %s %q, want %q", c.line, name, m.Method, want)
			}
		}
		if notes := strings.Join(v.Notes, "; "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%+v: notes %q", c.line, notes)
		}
	}
}

// Where the busiest channel is full by the hash that is simulated is set beside what is expected of hashes, unless they are one.
func TestOfHashes(t *testing.T) {
	for _, c := range []struct {
		routing string
		full    float64
		want    bool
	}{{"natural+hash", 0.816, true}, {"natural+hash", 0.791, false}, {"natural", 0.816, false}} {
		r := &search.Record{Routing: c.routing, Metrics: map[string]metric.Figure{"uniform_throughput": {Value: 0.791}}}
		v := Combine(nil, []*Result{{Traffic: "uniform", Routing: c.routing, Predicted: c.full, Expected: c.full, Saturation: 0.8, Above: 0.81, Certified: 1}}, r)
		if notes := strings.Join(v.Notes, "; "); strings.Contains(notes, "full at load 0.816 by the one hash") != c.want {
			t.Errorf("%s, full at %g: notes %q", c.routing, c.full, notes)
		}
	}
}
