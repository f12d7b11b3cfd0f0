package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/internal/tool/tooltest"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/foreign"
)

func built(t *testing.T, text string) *topology.Network {
	t.Helper()
	d, err := topology.ParseDesign(text, family.Known())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var oursAll = map[string]func(context.Context, *topology.Network) (*routing.Layered, error){"lash": routing.LASH, "dfsssp": routing.DFSSSP}

// A ring, a tree and a dragonfly: OpenSM finds every cable; what ibdmchk says of its tables is what our walk says; our tables are taken
// over entry by entry and have no loop with our service levels, but one without them where the network has circles.
func TestTrial(t *testing.T) {
	for _, name := range []string{"ibsim", "opensm", "ibnetdiscover", "ibdmchk"} {
		tooltest.Need(t, name)
	}
	for _, c := range []struct {
		design  string
		engines []string
		fits    string // of each engine
		circles bool
	}{
		{"ring(n=5,t=2)", []string{"minhop", "ftree"}, "[true false]", true}, {"fattree(k=4,l=3)", []string{"updn", "ftree"}, "[true true]", false},
		{"dragonfly(p=2,a=4,h=2)", []string{"minhop", "dfsssp", "nue"}, "[true true true]", true},
	} {
		r, err := Run(t.Context(), built(t, c.design), oursAll, Options{Engines: c.engines, Timeout: time.Minute})
		if err != nil {
			t.Fatalf("%s: %v", c.design, err)
		}
		var fits []bool
		for _, e := range r.Engines {
			fits = append(fits, e.Fits)
			if e.Fits && (e.OneLaneLoops != e.OurLoops || e.Lost != 0 || e.MeanHops <= 0) {
				t.Errorf("%s: %+v", c.design, e)
			}
		}
		if fmt.Sprint(fits) != c.fits || !r.DiscoveryAgrees || r.DiscoveredCables != r.Cables || len(r.Ours) != 2 {
			t.Errorf("%s: %+v, want engines that fit %s", c.design, r, c.fits)
		}
		for _, o := range r.Ours {
			if !o.Loaded || o.Loops || o.OneLane != c.circles || o.Layers < 1 {
				t.Errorf("%s: %+v", c.design, o)
			}
		}
	}
}

// Whatever ends a trial, nothing of it stays: no folder, and no ibsim, which would hold the folder's files.
func TestCancelled(t *testing.T) {
	tooltest.Need(t, "ibsim")
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if r, err := Run(ctx, built(t, "ring(n=5)"), nil, Options{Engines: Engines, Timeout: time.Minute}); err == nil {
		t.Errorf("a cancelled trial gave %+v", r)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	processes, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, p := range processes {
		env, _ := os.ReadFile(p) // it may be gone by now, or another's
		if strings.Contains(string(env), fmt.Sprintf("IBSIM_SOCKNAME=toposearch-%d-", os.Getpid())) {
			t.Errorf("%s still runs", p)
		}
	}
}

// Without the tools the error names their packages; what InfiniBand cannot express is refused before.
func TestCannot(t *testing.T) {
	t.Setenv("PATH", "")
	var missing *Missing
	if _, err := Run(t.Context(), built(t, "ring(n=5)"), nil, Options{Engines: Engines, Timeout: time.Minute}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "ibsim-utils") {
		t.Errorf("without tools: %v", err)
	}
	var cannot *Cannot
	if _, err := Run(t.Context(), built(t, "zcube(n=4,k=2)"), nil, Options{}); !errors.As(err, &cannot) || !strings.Contains(err.Error(), "2 ports") {
		t.Errorf("two ports: %v", err)
	}
}

// A contradiction is told, and none is claimed to be agreement.
func TestWords(t *testing.T) {
	r := Result{Design: "x", Cables: 5, DiscoveredCables: 5, DiscoveryAgrees: true, Engines: []EngineResult{{Engine: "lash", Fits: true, Lanes: 3, OneLaneLoops: true, OurLoops: true}},
		Ours: []OursResult{{Routing: "lash", Layers: 2, Loaded: true, OneLane: true}}}
	if w := r.Words(); !strings.Contains(w, "Agrees") || !strings.Contains(w, "needs 3, ours has 2") || !strings.Contains(w, "cannot express") {
		t.Error(w)
	}
	for name, wrong := range map[string]func(*Result){
		"ibdmchk says": func(r *Result) { r.Engines[0].OurLoops = false }, "lose 4": func(r *Result) { r.Engines[0].Lost = 4 }, "by our proof": func(r *Result) { r.Ours[0].Loops = true },
		"not what OpenSM dumped": func(r *Result) { r.Ours[0].Loaded = false }, "discovery found": func(r *Result) { r.DiscoveryAgrees = false },
	} {
		bad := r
		bad.Engines, bad.Ours = slices.Clone(r.Engines), slices.Clone(r.Ours)
		wrong(&bad)
		if w := bad.Words(); !strings.Contains(w, name) || strings.Contains(w, "Agrees") || len(bad.Contradictions()) != 1 {
			t.Errorf("%s: %s", name, w)
		}
	}
}

// ibsim plays what is exported as ibnetdiscover prints it, and ibnetdiscover finds every cable again; endpoints with several ports, parallel
// links and endpoints that forward included.
func TestDiscovery(t *testing.T) {
	for _, name := range []string{"ibsim", "ibnetdiscover"} {
		tooltest.Need(t, name)
	}
	for _, text := range []string{"zcube(n=4,k=2)", "hyperx(s1=3,s2=3,k2=2,t=2)", "bcube(n=4,l=2)"} {
		n := built(t, text)
		var b bytes.Buffer
		if err := foreign.New(n, foreign.Lanes(n, 400)).IBNet(&b); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f.net"), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		tools, err := findTools()
		if err != nil {
			t.Fatal(err)
		}
		s, err := start(t.Context(), tools, dir, "f.net", 200, 100, 2000, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		out, err := s.run(t.Context(), s.discover)
		s.stop()
		if err != nil {
			t.Fatal(err)
		}
		got, errGot := cablesIn(out)
		want, errWant := cablesIn(b.Bytes())
		if errGot != nil || errWant != nil || len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s: ibnetdiscover finds %d cables (%v), want %d (%v)", text, len(got), errGot, len(want), errWant)
		}
	}
}
