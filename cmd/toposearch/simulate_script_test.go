package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/simulate"
)

// simulate --workload fft and replay, of both models: what arrives in each phase, and what is wrong with a request.
func TestSimulateScripts(t *testing.T) {
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, model := range [][]string{{"--packet", "4"}, {"--model", "cut_through"}} {
		var doc simulate.LoopDocument
		args := append([]string{"simulate", "torus(k1=4,k2=4)", "-q"}, model...)
		decode(t, "toposearch.simulate-workload/1", &doc, append(args, "--workload", "fft=2,8,blocked(1,4)", "--message", "32")...)
		if !doc.Completed || len(doc.Phases) != 2 || doc.Phases[1] != doc.Completion || doc.Phases[0] >= doc.Phases[1] || doc.Config["workload"] != "fft=2,8,blocked(1,4)" {
			t.Errorf("%v: %+v, phases %v", model, doc.LoopResult, doc.Phases)
		}
		// The second message begins 5,000 cycles or ns after the first, when all is long idle.
		doc = simulate.LoopDocument{}
		decode(t, "toposearch.simulate-workload/1", &doc, append(args, "--workload", "replay="+file("t.csv", "0,0,1,64\n5000,0,1,64\n"))...)
		if half := doc.Completion - 5000; !doc.Completed || half <= 0 || half > 2000 {
			t.Errorf("%v: completed after %d", model, doc.Completion)
		}
	}
	for want, args := range map[string][]string{
		"a grid of 5 x 4 has 20 processes, and the network 16 endpoints": {"--workload", "fft=5,4", "--message", "4"},
		"needs --message FLITS":                                  {"--workload", "fft"},
		"write replay=FILE":                                      {"--workload", "replay"},
		"--message does not go with --workload replay":           {"--workload", "replay=x", "--message", "3"},
		"back.csv:2: error: time 4 is before 5 on line 1":        {"--workload", "replay=" + file("back.csv", "5 0 1 1\n4 0 1 1\n")},
		`out.csv:1: error: destination "16" is not an endpoint;`: {"--workload", "replay=" + file("out.csv", "0 16 1\n")},
		`did you mean "replay"?`:                                 {"--workload", "repaly=x"},
	} {
		status, _, errs := call(append([]string{"simulate", "torus(k1=4,k2=4)", "-q"}, args...)...)
		if status != exitUsage || !strings.Contains(strings.Join(strings.Fields(errs), " "), want) {
			t.Errorf("%v: exit status %d, no %q in %s", args, status, want, errs)
		}
	}
}
