package main

import (
	"math"
	"strings"
	"testing"
)

// eval --traffic: what a design carries, in both forms; what does not fit says why, and a wrong name is refused.
func TestEvalTraffic(t *testing.T) {
	var doc evalDoc
	args := []string{"eval", "torus(k1=8,k2=8)", "--metrics", "endpoints", "--traffic", "hotspot(0.25,9)", "--traffic", "fft(8,8,1)", "--traffic", "fft(3,4)"}
	decode(t, "toposearch.eval/1", &doc, args...)
	got := doc.Designs[0].Traffic
	if len(got) != 3 || math.Abs(got[0].Throughput-1/(0.25*63)) > 1e-9 || got[0].LimitedBy != "endpoint 9, which takes 15.75 of what one can send" ||
		math.Abs(got[1].Throughput-0.875) > 1e-9 || !got[1].Exact || got[2].Routing != "" || !strings.Contains(got[2].Absent, "write 8,8") {
		t.Errorf("%+v %+v %+v", got[0], got[1], got[2])
	}
	status, out, _ := call(args...)
	for _, want := range []string{"traffic hotspot(0.25,9): throughput 0.06349", "traffic fft(3,4): absent: a grid of 3 x 4 has 12 processes"} {
		if flat := strings.Join(strings.Fields(out), " "); status != 0 || !strings.Contains(flat, want) {
			t.Errorf("exit status %d, no %q in\n%s", status, want, out)
		}
	}
	// By the routing that the design takes, whatever is asked beside.
	for _, beside := range [][]string{{"--metrics", "cost"}, {"--metrics", "uniform_throughput"}, {"--level", "0"}, {"--level", "1"}} {
		var doc evalDoc
		decode(t, "toposearch.eval/1", &doc, append([]string{"eval", "hyperx(s1=4,s2=4,t=4)", "--routing", "ugal_l,natural", "--vcs", "4", "--traffic", "tornado"}, beside...)...)
		if x := doc.Designs[0].Traffic[0]; x.Routing != "ugal_l" || x.Throughput <= 0.25 {
			t.Errorf("%v: %+v", beside, x)
		}
	}
	status, _, errs := call("eval", "torus(k1=4,k2=4)", "--traffic", "locla(1,1)")
	if status != exitUsage || !strings.Contains(errs, `--traffic: there is no traffic "locla"; did you mean "local"?`) {
		t.Errorf("exit status %d: %s", status, errs)
	}
}
