package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"toposearch/search"
	"toposearch/search/run"
)

// plain is a text without line breaks, and digits of numbers together.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return regexp.MustCompile(`(\d),(\d{3})`).ReplaceAllString(s, "$1$2")
}

// Progress line, log line and status say the same of one state, in the study's currency.
func TestProgressAndStatusAgree(t *testing.T) {
	began := time.Date(2026, 11, 23, 8, 0, 0, 0, time.Local)
	now := began.Add(10 * time.Minute)
	for _, c := range []struct {
		p    search.Progress
		want map[string]string // what each says, by figure
	}{
		{search.Progress{Phase: search.PhaseSearch, Stage: "local", Evaluated: 1234, Feasible: 987, Front: 56, Done: 2, Families: 7, Fraction: 0.25, Since: 600, Elapsed: 600,
			Best: map[string]float64{"cost": 2.5e6}, Currency: "EUR"},
			map[string]string{"evaluated": "1234", "front": "56", "families": "2 7", "ends": "08:40", "percent": "25", "best": "2.5 MEUR"}},
		{search.Progress{Phase: search.PhaseVerify, Evaluated: 1234, Front: 56, Simulated: 3, Finalists: 12, Fraction: 0.4, Since: 120, Elapsed: 600},
			map[string]string{"simulated": "3 12", "ends": "08:13", "percent": "40"}},
		{search.Progress{Phase: search.PhaseVerify, Simulated: 0, Finalists: 12, Left: 1800, Elapsed: 600},
			map[string]string{"simulated": "0 12", "ends": "08:40", "percent": "0"}},
	} {
		var line, log, status bytes.Buffer
		clock := now
		for _, x := range []struct {
			w   *bytes.Buffer
			tty bool
		}{{&line, true}, {&log, false}} {
			p := newProgress(x.w, func() time.Time { return clock })
			p.tty, p.started, p.last = x.tty, began, began
			p.show(c.p)
		}
		a := &app{out: &status, now: func() time.Time { return clock }}
		a.printStatus(&run.RunStatus{Dir: "r", State: run.StateRunning, Progress: c.p, Saved: now, Manifest: &run.Manifest{Started: began}})
		find := map[string]map[string]*regexp.Regexp{
			"line": {"evaluated": regexp.MustCompile(`eval (\d+)`), "front": regexp.MustCompile(`front (\d+)`), "families": regexp.MustCompile(`families (\d+)/(\d+)`),
				"simulated": regexp.MustCompile(`simulated (\d+)/(\d+)`), "ends": regexp.MustCompile(`ends (\S+)`), "percent": regexp.MustCompile(`(\d+)%`), "best": regexp.MustCompile(`cost (\S+ \S+)`)},
			"log": {"evaluated": regexp.MustCompile(`evaluated=(\d+)`), "front": regexp.MustCompile(`front=(\d+)`), "families": regexp.MustCompile(`families=(\d+)/(\d+)`),
				"simulated": regexp.MustCompile(`simulated=(\d+)/(\d+)`), "ends": regexp.MustCompile(`ends=(\S+)`), "percent": regexp.MustCompile(`done=(\d+)\.0%`), "best": regexp.MustCompile(`best="cost (\S+ \S+)"`)},
			"status": {"evaluated": regexp.MustCompile(`evaluated (\d+)`), "front": regexp.MustCompile(`front (\d+)`), "families": regexp.MustCompile(`(\d+) of (\d+) families`),
				"simulated": regexp.MustCompile(`simulated (\d+) of (\d+)`), "ends": regexp.MustCompile(`ends (\S+)`), "percent": regexp.MustCompile(`(\d+)\.0 %`), "best": regexp.MustCompile(`cost (\S+ \S+)`)},
		}
		for who, text := range map[string]string{"line": plain(line.String()), "log": plain(log.String()), "status": plain(status.String())} {
			for figure, want := range c.want {
				if m := find[who][figure].FindStringSubmatch(text); m == nil || strings.Join(m[1:], " ") != want {
					t.Errorf("%s of %s: %q, want %s in %q", figure, who, m, want, text)
				}
			}
		}
	}
}

// What a run prints at its end, status, front.json and report say the same of one run.
func TestEndAndReportAgree(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	var runs struct {
		Runs []ended `json:"runs"`
	}
	decode(t, "toposearch.run/1", &runs, "run", "study.toml", "--out", "r", "--quiet")
	var status struct {
		Runs []*run.RunStatus `json:"runs"`
	}
	decode(t, "toposearch.status/1", &status, "status", "r")
	type design struct {
		Simulation *struct{}
		Metrics    map[string]struct{ Value float64 }
	}
	var rep struct {
		Counts struct{ Evaluated, Feasible int64 }
		Front  []design
	}
	decode(t, "toposearch.report/1", &rep, "report", "r", "--format", "json")
	f, err := run.ReadFront("r")
	if err != nil {
		t.Fatal(err)
	}
	p := status.Runs[0].Progress
	points, simulated := len(rep.Front), 0
	for _, x := range rep.Front {
		if x.Simulation != nil {
			simulated++
		}
	}
	if points == 0 || p.Front != points || runs.Runs[0].Front != points || f.Points() != points || !strings.HasPrefix(runs.Runs[0].Reason, fmt.Sprint(points, " design")) {
		t.Errorf("front: %d in the report, %d in status, %d in front.json, %+v", points, p.Front, f.Points(), runs.Runs[0])
	}
	if p.Evaluated != rep.Counts.Evaluated || p.Evaluated != f.Counts.Evaluated || p.Feasible != rep.Counts.Feasible || p.Feasible != f.Counts.Feasible {
		t.Errorf("counts: %+v in the report, %+v in status, %d and %d in front.json", rep.Counts, p, f.Counts.Evaluated, f.Counts.Feasible)
	}
	if p.Simulated != simulated || p.Finalists != simulated {
		t.Errorf("simulated: %d in the report, %d of %d in status", simulated, p.Simulated, p.Finalists)
	}
	for name, best := range p.Best {
		if !slices.ContainsFunc(rep.Front, func(x design) bool { return x.Metrics[name].Value == best }) {
			t.Errorf("%s: the best of status, %s, is of no design in the report", name, strconv.FormatFloat(best, 'g', -1, 64))
		}
	}
	if _, out, _ := command(t, "status", "r"); !strings.Contains(plain(out), fmt.Sprintf("evaluated %d, feasible %d, front %d", p.Evaluated, p.Feasible, points)) {
		t.Errorf("status prints %q", out)
	}
}
