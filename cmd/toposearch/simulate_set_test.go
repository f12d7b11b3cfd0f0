package main

import (
	"slices"
	"strings"
	"testing"
)

// On/off sources that are on a tenth of the time send a packet of 2 flits in at most every cycle of
// it, a load of 0.2; a rate of its own that makes another load than is asked for is refused too.
func TestOnOffLoads(t *testing.T) {
	onOff := []string{"simulate", "ring(n=4)", "-q", "--cycles", "400", "--packet", "2", "--set", "injection=on_off", "--set", "alpha=0.1", "--set", "beta=0.9"}
	for _, c := range []struct {
		args []string
		want string // "": it runs
	}{
		{[]string{"--load", "0.05,0.19"}, ""},
		{[]string{"--load", "0.1,0.21"}, "load 0.21: sources with --set alpha = 0.1 and --set beta = 0.9 are on 10 % of the time and make a load of at most 0.2"},
		{[]string{"--load", "0.1", "--saturation"}, "--saturation begins with load 1: load 1: "},
		{[]string{"--load", "0.1", "--set", "burst_rate=0.5"}, ""},
		{[]string{"--load", "0.12", "--set", "burst_rate=0.5"}, "make a load of 0.1; leave --set burst_rate out"},
		{[]string{"--load", "0.1", "--set", "alpha=2"}, "--set alpha = 2 is not in (0, 1]"},
	} {
		status, _, errs := call(append(slices.Clone(onOff), c.args...)...)
		if c.want == "" && status != 0 || c.want != "" && (status != exitUsage || !strings.Contains(errs, c.want)) {
			t.Errorf("%v: exit status %d, %s; want %q", c.args, status, errs, c.want)
		}
	}
}

// Every bad setting at once, by the name of its flag, names of routing and traffic included.
func TestEveryFaultAtOnce(t *testing.T) {
	status, _, errs := call("simulate", "ring(n=4)", "--load", "2", "--routing", "natral", "--traffic", "unifrom", "--vcs", "99", "--heatmap", "x.png",
		"--bench", "--saturation", "--cycles", "3000000000")
	for _, want := range []string{`--load "2"`, `did you mean "natural"?`, `did you mean "uniform"?`, "--vcs = 99", "--heatmap x.png", "--saturation does not go with --bench",
		"2 --cycles + --set drain_limit = "} {
		if status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("exit status %d: no %q in\n%s", status, want, errs)
		}
	}
}
