package reproduce

import (
	"fmt"
	"math"
	"strings"

	"toposearch/simcore"
)

// What counts as a finding. The paper says "below", "close", "clearly"; these are the limits taken here.
const (
	apart   = 2    // standard errors by which two latencies have to differ to be told apart
	closeBy = 0.15 // two latencies are close within this part
	clearly = 1.3  // times as high is clearly worse
	later   = 1.01 // times the load, for a curve to bend later: runs of this length tell no less apart
)

// claim is a cell: whether what the paper states came out, and the figures.
func claim(what string, holds bool, format string, args ...any) Cell {
	said := map[bool]string{true: "yes", false: "no"}
	return Cell{Column: what, Published: "yes", Computed: said[holds], Agrees: holds, Note: fmt.Sprintf(format, args...)}
}

// told is what a comparison of latencies over several loads says.
type told struct {
	ratio float64 // of the latencies of the first curve to those of the second, the mean over loads
	lower bool    // the first is lower on the whole, by more than chance
	loads int
	text  string
}

// tell compares the latencies of two curves where both accept the load.
func tell(a, b *loadCurve) (t told) {
	diff, variance := 0.0, 0.0
	var words []string
	t.loads = compared(a, b, func(load float64, p, q *simcore.Point) {
		t.ratio += p.Latency.Mean / q.Latency.Mean
		one := (p.Latency.Mean - q.Latency.Mean) / q.Latency.Mean
		diff += one
		variance += (p.Latency.StdErr*p.Latency.StdErr + q.Latency.StdErr*q.Latency.StdErr) / (q.Latency.Mean * q.Latency.Mean)
		words = append(words, fmt.Sprintf("%.3g: %.1f and %.1f", load, p.Latency.Mean, q.Latency.Mean))
	})
	if t.loads == 0 {
		t.text = "no load is accepted by both"
		return t
	}
	t.ratio /= float64(t.loads)
	t.lower = diff < -apart*math.Sqrt(variance)
	t.text = "cycles at load " + strings.Join(words, "; ")
	return t
}

// loadFindings are the six findings, a row each or two.
func loadFindings(p *loadPlan, all []*loadCurve) []Row {
	rows := []Row{processFinding(all), networkFinding(all), mixFinding(p, all)}
	rows = append(rows, localFindings(p, all)...)
	rows = append(rows, hotFinding(p, all))
	return append(rows, fftFindings(p, all)...)
}

var bothNets = []string{"torus", "tree"}

func processFinding(all []*loadCurve) Row {
	r := Row{Name: "1: long messages, large networks: Bernoulli and Poisson sources"}
	for _, net := range bothNets {
		b, q := find(all, 1, net+", "+simcore.Bernoulli), find(all, 1, net+", "+simcore.Poisson)
		t := tell(b, q)
		r.Cells = append(r.Cells, claim(net+": lower", t.lower, "Bernoulli and Poisson, %s: %.2f %% lower in the mean. With messages of s flits a source's own queue alone waits (s-1)/s as long, %.1f %% less for %d", t.text, 100*(1-t.ratio), 100.0/longMessage, longMessage))
		x, y := b.knee(), q.knee()
		r.Cells = append(r.Cells, claim(net+": later", x > later*y, "%d times the idle latency is reached at load %.4f and %.4f; accepted at load 1: %.4f and %.4f", kneeTimes, x, y, b.most(), q.most()))
	}
	return r
}

func networkFinding(all []*loadCurve) Row {
	torus, tree := find(all, 1, "torus, bernoulli"), find(all, 1, "tree, bernoulli")
	return Row{"2: uniform traffic, large networks", []Cell{
		claim("tree sustains more", tree.most() > torus.most(), "accepted at most: tree %.4f, torus %.4f; analytic throughput %.4f (%s) and %.4f (%s)",
			tree.most(), torus.most(), tree.analytic, tree.by, torus.analytic, torus.by),
	}}
}

func mixFinding(p *loadPlan, all []*loadCurve) Row {
	r := Row{Name: fmt.Sprintf("3: more short messages (%d flits among those of %d) at equal load, large networks", shortMessage, longMessage)}
	gain := map[string]float64{}
	for _, net := range bothNets {
		before := find(all, 1, net+", bernoulli")
		lower, words := true, []string{}
		for _, share := range mixShares {
			c := find(all, 3, fmt.Sprintf("%s, %d %% short", net, share))
			t := tell(c, before)
			lower = lower && t.lower
			gain[net] = 1 - t.ratio
			words = append(words, fmt.Sprintf("%d %% short against none, %s", share, t.text))
			before = c
			if share == mixShares[len(mixShares)-1] {
				gain[net] = 1 - tell(c, find(all, 1, net+", bernoulli")).ratio
			}
		}
		r.Cells = append(r.Cells, claim(net+": lower", lower, "each share against the one before: %s", strings.Join(words, "; ")))
	}
	last := mixShares[len(mixShares)-1]
	r.Cells = append(r.Cells, claim("torus gains more", gain["torus"] > gain["tree"], "latency with %d %% short messages is lower by %.1f %% on the torus, %.1f %% on the tree", last, 100*gain["torus"], 100*gain["tree"]))
	return r
}

// localFindings are those of local traffic.
func localFindings(p *loadPlan, all []*loadCurve) []Row {
	general := Row{Name: "4: local traffic, 512 endpoints"}
	which := Row{Name: "4: which parameter of local traffic matters more"}
	for k, net := range bothNets {
		uniform := find(all, 4, net+", uniform")
		lower, higher, words := true, true, []string{fmt.Sprintf("uniform: accepts %.3f, analytic %.3f", uniform.most(), uniform.analytic)}
		get := func(d int, r float64) *loadCurve { return find(all, 4, fmt.Sprintf("%s, D = %d, R = %g", net, d, r)) }
		for _, d := range p.radii[k] {
			for _, share := range p.shares {
				c := get(d, share)
				t := tell(c, uniform)
				lower, higher = lower && t.lower, higher && c.most() > uniform.most()
				words = append(words, fmt.Sprintf("D = %d, R = %g: latency %.2f times that of uniform, accepts %.3f, analytic %.3f", d, share, t.ratio, c.most(), c.analytic))
			}
		}
		general.Cells = append(general.Cells, claim(net+": lower latency", lower, "%s", strings.Join(words, "; ")),
			claim(net+": more throughput", higher, "as above"))
		ends := func(x []float64) (lo, hi float64) { return x[0], x[len(x)-1] }
		lo, hi := ends(p.shares)
		first, last := p.radii[k][0], p.radii[k][len(p.radii[k])-1]
		var ofR, ofD, moreR, moreD float64 // effects on latency and on throughput
		for _, d := range p.radii[k] {
			ofR += math.Abs(1-tell(get(d, hi), get(d, lo)).ratio) / float64(len(p.radii[k]))
			moreR += math.Abs(get(d, hi).most()/get(d, lo).most()-1) / float64(len(p.radii[k]))
		}
		for _, share := range p.shares {
			ofD += math.Abs(1-tell(get(first, share), get(last, share)).ratio) / float64(len(p.shares))
			moreD += math.Abs(get(first, share).most()/get(last, share).most()-1) / float64(len(p.shares))
		}
		what, holds := "torus: R, not D", ofR > ofD
		if net == "tree" {
			what, holds = "tree: D, not R", ofD > ofR
		}
		which.Cells = append(which.Cells, claim(what, holds, "R from %g to %g changes latency by %.1f %% and throughput by %.1f %% (mean over D), D from %d to %d by %.1f %% and %.1f %% (mean over R)",
			lo, hi, 100*ofR, 100*moreR, first, last, 100*ofD, 100*moreD))
	}
	return []Row{general, which}
}

// hotAt is the part of the hot endpoint's limit at which latencies are compared: high, and accepted.
const hotAt = 3 // of hotLoads

func hotFinding(p *loadPlan, all []*loadCurve) Row {
	r := Row{Name: "5: hot spots, 512 endpoints"}
	slow := map[string]float64{}
	for _, net := range bothNets {
		uniform := find(all, 4, net+", uniform")
		idle := uniform.points[0].Latency.Mean
		early, strongly, words := true, true, []string{}
		for _, f := range p.hot {
			c := find(all, 5, fmt.Sprintf("%s, f = %g", net, f))
			x := &c.points[hotAt]
			ratio := x.Latency.Mean / idle
			slow[net] += ratio / float64(len(p.hot))
			early = early && c.analytic < uniform.most()/10
			strongly = strongly && ratio > clearly
			words = append(words, fmt.Sprintf("f = %g: full at load %.4f (%s); at %.2g of it %.0f cycles, %.1f times those of uniform traffic of load %.2g; offered %.2g times it, %.4f accepted",
				f, c.analytic, c.by, hotLoads[hotAt], x.Latency.Mean, ratio, uniform.points[0].Offered, hotLoads[len(hotLoads)-1], c.points[len(c.points)-1].Accepted))
		}
		r.Cells = append(r.Cells, claim(net+": slow", strongly, "%s", strings.Join(words, "; ")), claim(net+": full early", early, "below a tenth of what uniform traffic reaches, %.3f", uniform.most()))
	}
	r.Cells = append(r.Cells, claim("tree suffers less", slow["tree"] < slow["torus"], "near the limit latency is %.2f times that of an idle tree and %.2f times that of an idle torus, mean over f. The limit is the hot endpoint's, the same on both", slow["tree"], slow["torus"]))
	return r
}

// fftFindings are those of the two phases of an FFT.
func fftFindings(p *loadPlan, all []*loadCurve) []Row {
	var curves [2][2]map[string]*loadCurve // phase, small or large
	for i := range curves {
		curves[i] = [2]map[string]*loadCurve{{}, {}}
	}
	for _, c := range all {
		if c.finding != 6 {
			continue
		}
		phase := 0
		if strings.HasSuffix(c.name, "2") {
			phase = 1
		}
		large := 0
		if p.isLarge(c.net) {
			large = 1
		}
		curves[phase][large][c.net.short] = c
	}
	figures := func(t told, tree, torus *loadCurve) string {
		return fmt.Sprintf("tree and torus, %s; accepted at most %.3f and %.3f, analytic %.3f and %.3f", t.text, tree.most(), torus.most(), tree.analytic, torus.analytic)
	}
	at := func(phase, large int) (tree, torus *loadCurve, t told) {
		m := curves[phase][large]
		return m["tree"], m["torus"], tell(m["tree"], m["torus"])
	}
	better := func(a, b *loadCurve, t float64) bool { return t < 1/clearly || a.most() > clearly*b.most() }
	first, second := Row{Name: "6: FFT, phase 1 (rows)"}, Row{Name: "6: FFT, phase 2 (columns)"}
	tree, torus, t := at(0, 0)
	first.Cells = append(first.Cells, claim("512: close", math.Abs(t.ratio-1) <= closeBy, "%s: within %.0f %%", figures(t, tree, torus), 100*closeBy),
		claim("512: tree better", t.lower, "%.1f %% lower", 100*(1-t.ratio)))
	small := tree
	tree, torus, t = at(0, 1)
	own := tell(tree, small)
	first.Cells = append(first.Cells, claim("4,096: tree clearly", better(tree, torus, t.ratio), "%s", figures(t, tree, torus)),
		claim("4,096: tree as 512", own.loads > 0 && math.Abs(own.ratio-1) <= closeBy, "4,096 and 512, %s", own.text))
	tree, torus, t = at(1, 0)
	back := tell(torus, tree)
	second.Cells = append(second.Cells, claim("512: torus better", back.lower, "%s", figures(t, tree, torus)))
	tree, torus, t = at(1, 1)
	second.Cells = append(second.Cells, claim("4,096: tree clearly", better(tree, torus, t.ratio), "%s", figures(t, tree, torus)))
	return []Row{first, second}
}
