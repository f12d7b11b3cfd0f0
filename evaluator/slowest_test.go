package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/netfile"
	"toposearch/topology/topotest"
)

// A line of three switches with two endpoints each, the first link of 100 Gb/s and the second of 400, as ports are: of 30 pairs 6 stay at a switch, 16 cross the slow link, and 8 the other alone. A packet of 4,096 B
// is sent once at 100 or 400 Gb/s, (16/100 + 14/400)/30 x 32,768 ns = 213.0 ns in the mean, where the slowest class for all was 327.7 ns. Switches: (6 x 1 + 16 x 2 + 8 x 3)/30 of 400 ns; cables take nothing.
func TestLatencyOfSeveralRates(t *testing.T) {
	f, list := netfile.Parse("line.csv", []byte(`a,b,gbps,length_m,class
s1,s2,100,3,slow
s2,s3,400,3,fast
s1,h1,400,3,nic
s1,h2,400,3,nic
s2,h3,400,3,nic
s2,h4,400,3,nic
s3,h5,400,3,nic
s3,h6,400,3,nic
`))
	if f == nil {
		t.Fatal(list)
	}
	o := Options{BandwidthGbps: 400}
	o.Latency.CableNsPerM = 1e-12
	e := newEvaluator(t, o)
	x := evaluate(t, e, topology.Design{Family: f.Family}, Request{Level: 1, Keys: []metric.Key{metric.Latency}}).Metrics[metric.Latency]
	switches := (6*1 + 16*2 + 8*3.0) / 30
	want := switches*400 + (16/100.0+14/400.0)/30*32768
	if math.Abs(x.Value-want) > 1e-6*want || x.Lo != x.Hi {
		t.Errorf("latency %.6f in [%g, %g], want %.6f: %s", x.Value, x.Lo, x.Hi, want, x.Method)
	}
}

// The same network has the latency of its family's closed form, by types of routes, and of loads of routes where its links are known alone: random designs of all families whose routes differ in their slowest link.
func TestSlowestAsByTypes(t *testing.T) {
	compared, several := 0, 0
	for _, f := range families() {
		for _, d := range topotest.Sample(f, stream.New(7, "slowest "+f.Name), few(20), 300) {
			var x [2]metric.Figure
			have := true
			for i, built := range []bool{false, true} {
				r := evaluate(t, newEvaluator(t, Options{built: built}), d, Request{Level: 1, Keys: []metric.Key{metric.Latency}})
				x[i], have = r.Metrics[metric.Latency], have && r.Have[metric.Latency]
			}
			if !have || x[0].Lo != x[0].Hi {
				continue
			}
			compared++
			if math.Abs(x[1].Value/x[0].Value-1) > 1e-9 {
				t.Errorf("%s: %.9f in closed form, %.9f from loads: %s", d, x[0].Value, x[1].Value, x[1].Method)
			}
			if len(rated(t, d)) > 1 {
				several++
			}
		}
	}
	t.Logf("%d compared, %d of them with links of several rates", compared, several)
	if several < few(10) {
		t.Error("too few have links of several rates")
	}
}

// rated are the rates of a design's links.
func rated(t *testing.T, d topology.Design) map[float64]bool {
	t.Helper()
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	gbps, _, _, err := newEvaluator(t, Options{}).LinkGbps(d, n)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[float64]bool)
	for c := range n.Channels() {
		out[gbps[n.LinkClass(topology.ChannelID(c))]] = true
	}
	return out
}
