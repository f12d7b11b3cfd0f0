package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/search"
	"toposearch/search/run"
)

// liveOf is a run under way.
func liveOf() *Live {
	return &Live{Name: "pod-001", Token: "token", SoFar: true, Now: time.Unix(2000, 0), Actions: []string{"pause", "stop"}, Status: &run.RunStatus{State: run.StateRunning,
		Manifest: &run.Manifest{Study: "<script>alert(1)</script>", Started: time.Unix(1000, 0)},
		Progress: search.Progress{Phase: search.PhaseSearch, Stage: "enumerate", Evaluated: 4120, Feasible: 388, Front: 12, Fraction: 0.5, Since: 10, Best: map[string]float64{"cost": 4.1e6}}}}
}

// some keeps those designs of a report.
func some(d *Data, keep func(i int) bool) *Data {
	out := *d
	out.Points, out.Details, out.Incumbents, out.Complete = nil, nil, nil, false
	for i := range d.Points {
		if keep(i) {
			out.Points = append(out.Points, d.Points[i])
		}
	}
	return &out
}

func snapshotOf(t testing.TB, d *Data) *Snapshot {
	t.Helper()
	s, err := NewSnapshot(d, liveOf())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The page of a run under way shows its state, escapes its name, and allows its own scripts only, and what comes from where it came.
func TestLivePage(t *testing.T) {
	s := snapshotOf(t, some(fixture(12), func(int) bool { return true }))
	var b bytes.Buffer
	if err := s.Write(&b, "e.7"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{`data-version="e.7"`, `data-base="/run/pod-001/"`, `>Running</span>`, "16 min 40 s", `4` + "\u202f" + `120`, `data-do="pause"`, "connect-src &#39;self&#39;", `src="/assets/echarts-6.1.0.min.js" integrity="sha256-`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, bad := range []string{"<script>alert(1)", "unsafe-eval", "script-src 'self'", "Nothing was rejected"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	if len(text) > 300<<10 {
		t.Errorf("the page of 12 designs has %d bytes without ECharts", len(text))
	}
}

// The page of a finished run is that of report.html but for the live part, and for ECharts, which it loads.
func TestLiveIsReport(t *testing.T) {
	d := fixture(12)
	plain := pageOf(t, "plain", d)
	l := liveOf()
	l.SoFar, l.Status.State = false, run.StateFinished
	s, err := NewSnapshot(d, l)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b, "e.1"); err != nil {
		t.Fatal(err)
	}
	cut := func(text, from, to string) string {
		before, rest, ok := strings.Cut(text, from)
		_, after, ok2 := strings.Cut(rest, to)
		if !ok || !ok2 {
			t.Fatalf("no %s to %s", from, to)
		}
		return before + after
	}
	got := b.String()
	got = cut(got, "\n<section id=\"live\"", "</section>\n")
	got = cut(got, `<meta http-equiv="Content-Security-Policy"`, `>`)
	got = strings.Replace(got, `<div id="verdict">`, "", 1)
	got = strings.Replace(got, "</div>\n</header>", "\n</header>", 1)
	got = strings.Replace(got, `<a href="#live">Live</a>`, "", 1)
	got = strings.Replace(got, "from toposearch serve, and nothing from elsewhere", "", 1)
	got = cut(got, `<script src="/assets/`, `</script>`)
	got = cut(got, "<script>"+asset(liveScript), `</script>`)
	want := cut(plain, `<meta http-equiv="Content-Security-Policy"`, `>`)
	want = strings.Replace(want, "This page loads nothing and sends nothing", "This page loads what is new ", 1)
	want = strings.Replace(want, "<script>"+asset(scripts[0])+"</script>", "", 1)
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if g, w := squeeze(got), squeeze(want); g != w {
		i := 0
		for i < min(len(g), len(w)) && g[i] == w[i] {
			i++
		}
		t.Errorf("differs from report.html:\n%.300s\nwant\n%.300s", g[max(0, i-80):], w[max(0, i-80):])
	}
}

// applied is a payload with an increment, as model.js does it.
func applied(t *testing.T, p *payloadData, f *frontDelta) {
	t.Helper()
	for _, i := range f.Drop {
		p.Names, p.Fam, p.Sim = slices.Delete(p.Names, i, i+1), slices.Delete(p.Fam, i, i+1), slices.Delete(p.Sim, i, i+1)
		for j := range p.Axes {
			p.Axes[j].V = slices.Delete(p.Axes[j].V, i, i+1)
		}
	}
	for k, i := range f.At {
		p.Names, p.Fam, p.Sim = slices.Insert(p.Names, i, f.Names[k]), slices.Insert(p.Fam, i, f.Fam[k]), slices.Insert(p.Sim, i, f.Sim[k])
		for j := range p.Axes {
			p.Axes[j].V = slices.Insert(p.Axes[j].V, i, f.Axes[j].V[k])
		}
	}
}

// An increment makes one page of another; where nothing changed there is none; where columns or sections changed the page is loaded anew.
func TestDelta(t *testing.T) {
	d := fixture(60)
	for _, c := range []struct {
		name          string
		before, after func(i int) bool
	}{
		{"grows", func(i int) bool { return i%3 == 0 }, func(i int) bool { return i%3 < 2 }},
		{"loses", func(i int) bool { return i%2 == 0 }, func(i int) bool { return i%4 == 0 }},
		{"all others", func(i int) bool { return i%2 == 0 }, func(i int) bool { return i%2 == 1 }},
	} {
		a, b := snapshotOf(t, some(d, c.before)), snapshotOf(t, some(d, c.after))
		delta := a.To(b)
		if delta.Reload || delta.Front == nil || delta.Parts["verdict"] == "" {
			t.Errorf("%s: %+v", c.name, delta)
			continue
		}
		applied(t, a.data, delta.Front)
		got, _ := json.Marshal([]any{a.data.Names, a.data.Fam, a.data.Sim, a.data.Axes[0].V})
		want, _ := json.Marshal([]any{b.data.Names, b.data.Fam, b.data.Sim, b.data.Axes[0].V})
		if string(got) != string(want) {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	all := func(int) bool { return true }
	a := snapshotOf(t, some(d, all))
	if x := a.To(snapshotOf(t, some(d, all))); !x.Empty() {
		t.Errorf("nothing changed: %s", x.JSON())
	}
	// One design more of 60 is an increment of a few kilobytes.
	if x := snapshotOf(t, some(d, func(i int) bool { return i != 30 })).To(a); len(x.Front.At) != 1 || len(x.JSON()) > 40<<10 {
		t.Errorf("one design takes %d bytes: %.300s", len(x.JSON()), x.JSON())
	}
	if x := snapshotOf(t, some(d, func(int) bool { return false })).To(a); !x.Reload {
		t.Error("the first design needs a table")
	}
	l := liveOf()
	l.SoFar = false
	if done, err := NewSnapshot(d, l); err != nil || !a.To(done).Reload {
		t.Errorf("the end of a run loads the report: %v", err)
	}
}
