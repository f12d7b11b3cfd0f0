package report

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
)

// card shows a pick.
type card struct {
	Names, Design, ID, Marker string
	Rules                     []string
	Style                     int
	Big                       []Fact
	Small                     string
	Check                     badge
}

// head fills what stands above everything: the question, and how far the answer can be trusted.
func (p *page) head() {
	d := p.Data
	p.Question = regroup(question(d))
	p.Badge, p.Verdict = verdict(d)
	for i := range d.Limits {
		if l := &d.Limits[i]; l.Require {
			p.Required = append(p.Required, required(d, l))
		}
	}
	if text := wayOut(d); text != "" {
		p.Required = append(p.Required, note{Badge: badge{"warn", "Way out"}, Text: text})
	}
	if n, ok := contradictions(d); ok {
		p.Required = append(p.Required, n)
	}
	p.Footer = fmt.Sprintf("Written by toposearch %s, evaluator %s, seed %d. This page loads nothing and sends nothing. Charts by Apache ECharts 6.1.0 (Apache License 2.0).",
		d.Program, d.Evaluator, d.Seed)
}

// wayOut is the smallest single change of a limit that would admit a design where there is none. The
// number of endpoints is what was asked, and comes last.
func wayOut(d *Data) string {
	if len(d.Points) > 0 {
		return ""
	}
	var best *Relaxation
	asked, least := false, math.Inf(1)
	for i := range d.Closest {
		for j := range d.Closest[i].Relax {
			r := &d.Closest[i].Relax[j]
			size, count := math.Abs(r.Needed-r.Bound)/math.Max(math.Abs(r.Bound), 1e-12), r.Constraint == constraints.Window
			if best == nil || asked && !count || asked == count && size < least {
				best, asked, least = r, count, size
				if r.Design == "" {
					best = &Relaxation{r.Constraint, r.Key, r.HasKey, r.Bound, r.Needed, d.Closest[i].Design, r.Origin}
				}
			}
		}
	}
	if best == nil {
		return ""
	}
	s := "The smallest change of a single limit that is known to admit a design: " + relaxText(d, *best, "")
	if best.Origin != "" {
		s += " (" + shortOrigin(best.Origin) + ")"
	}
	return s + "."
}

// contradictions names the designs whose simulation lies outside what the model certifies: on top, since
// one of the two is wrong.
func contradictions(d *Data) (note, bool) {
	const most = 3 // names; the table marks all
	var names []string
	n := 0
	for i := range d.Points {
		if s := d.Points[i].Sim; s != nil && s.Contradicts {
			if n++; n <= most {
				names = append(names, d.Points[i].Name)
			}
		}
	}
	if n == 0 {
		return note{}, false
	}
	if n > most {
		names = append(names, fmt.Sprintf("%d more", n-most))
	}
	return note{Badge: badge{"bad", "Contradiction"}, Text: fmt.Sprintf("The simulation of %s lies outside what the model certifies: one of the two is wrong. Do not rely on either before it is explained.", listed(names))}, true
}

// question says in a sentence what was asked.
func question(d *Data) string {
	s := "Networks"
	if d.Wanted != "" {
		s = "Networks for " + d.Wanted
	}
	var goals []string
	for _, o := range d.Objectives {
		word := "least "
		if o.Better == metric.Higher {
			word = "most "
		}
		goals = append(goals, word+strings.ToLower(Title(o.Key)[:1])+Title(o.Key)[1:])
	}
	if len(goals) > 0 {
		s += ", wanted with " + listed(goals)
	}
	return s + "."
}

// listed joins words: "a, b and c".
func listed(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func bigCount(n *big.Int) string {
	if n == nil {
		return "–"
	}
	return group(n.String())
}

// verdict says how many designs were found and what is known of those that were not.
func verdict(d *Data) (badge, string) {
	n, fams := len(d.Points), countFamilies(d)
	found := fmt.Sprintf("%s of %s", count(n, "design", "designs"), count(fams, "family", "families"))
	space := fmt.Sprintf("%s parameter combinations of %s", bigCount(d.Counts.Enumerated), count(len(d.Families), "family", "families"))
	switch {
	case d.Complete && n == 0:
		s := "The search is complete: none of the " + space + " keeps every limit"
		if slices.ContainsFunc(d.Reject, func(r Rejection) bool { return strings.HasPrefix(r.Constraint, "absent ") }) {
			s += " and has a figure for every objective"
		}
		return badge{"bad", "No design"}, s + "."
	case d.Complete:
		s := fmt.Sprintf("%s. The search is complete: all %s were decided, and every other design that keeps the limits is matched or beaten in every objective by one on the front.", found, space)
		if d.Stopped == "interrupted" {
			s += " The run was interrupted before every finalist was simulated; it can be resumed."
		}
		return badge{"good", "Complete"}, s
	case n == 0:
		return badge{"warn", "Not complete"}, fmt.Sprintf("No design that keeps every limit was found in %s evaluations, and there may be one. %s", figure(float64(d.Counts.Evaluated)), stoppedText(d))
	}
	s := fmt.Sprintf("%s, found by %s in %s evaluations.", found, searchWords.Replace(d.Strategy), figure(float64(d.Counts.Evaluated)))
	if d.LocallyComplete {
		return badge{"warn", "Not complete"}, s + " The space is too large to decide in full. The front is locally complete: no change of a single parameter improves it, but better designs may exist."
	}
	return badge{"warn", "Not complete"}, s + " " + stoppedText(d) + " Better designs may exist."
}

// stoppedText says what ended a search before its space was decided.
func stoppedText(d *Data) string {
	switch d.Stopped {
	case "interrupted":
		return "The search was interrupted before the space was decided; toposearch resume continues it."
	case "time", "evaluations":
		return "The budget of " + d.Stopped + " ended before the space was decided."
	}
	return "The space is too large to decide in full."
}

// searchWords are the strategies for a reader.
var searchWords = strings.NewReplacer("enumerate", "enumeration", "+", " and ", "nsga2", "NSGA-II", "local", "local search", "random", "random sampling")

func countFamilies(d *Data) int {
	seen := map[string]bool{}
	for i := range d.Points {
		seen[d.Points[i].Family] = true
	}
	return len(seen)
}

// required says how a threshold fared.
func required(d *Data, l *Limit) note {
	met, known := 0, 0
	asked := constraints.Limit{Key: l.Key, Max: l.Max, Bound: l.Bound}
	for i := range d.Points {
		v := d.Points[i].Value(l.Key)
		if math.IsNaN(v) {
			continue
		}
		known++
		if asked.Violation(v) == 0 {
			met++
		}
	}
	sign := "at least "
	if l.Max {
		sign = "at most "
	}
	text := fmt.Sprintf("Required: %s %s%s. %s of %s with this figure", strings.ToLower(Title(l.Key)), sign,
		quantity(l.Bound, d.unitOf(l.Key)), figure(float64(met)), count(known, "design", "designs"))
	if met > 0 {
		return note{Badge: badge{"good", "Met"}, Text: text + " meet it."}
	}
	return note{Badge: badge{"bad", "Missed"}, Text: text + " meet it (" + l.Origin + ")."}
}

// cards merges picks that name the same design.
func (p *page) cards() {
	d := p.Data
	done := map[int]bool{}
	for _, pick := range p.picks {
		if done[pick.Point] {
			continue
		}
		done[pick.Point] = true
		var rules []string
		for _, q := range p.picks {
			if q.Point == pick.Point {
				rules = append(rules, strings.ToUpper(q.Rule[:1])+q.Rule[1:])
			}
		}
		pt := &d.Points[pick.Point]
		st := p.styles.of(pt.Family)
		names := listed(picksOf(p.picks, pick.Point))
		if !d.Complete {
			names += " so far"
		}
		c := card{Names: names, Rules: rules,
			Design: pt.Name, ID: p.detailOf[pick.Point], Style: st % colours, Marker: legendMarker(st)}
		for _, k := range d.mentioned() {
			text := "not stated"
			if pt.Have[k] {
				text = quantity(pt.Value(k), d.unitOf(k))
			}
			c.Big = append(c.Big, Fact{Title(k), text})
		}
		c.Small = summary(d, pt)
		c.Check = check(pt)
		if c.Check.Text == "–" {
			c.Check.Text = "not simulated"
		} else if pt.Sim != nil {
			c.Check.Text = "simulation " + c.Check.Text
		}
		p.Cards = append(p.Cards, c)
	}
}

// summary is the size of a design in a line.
func summary(d *Data, p *Point) string {
	var parts []string
	add := func(k metric.Key, noun string) {
		if p.Have[k] {
			s := quantity(p.Value(k), d.unitOf(k))
			if noun != "" {
				s += unitSpace + noun
			}
			parts = append(parts, s)
		}
	}
	add(metric.Endpoints, "endpoints")
	add(metric.Switches, "switches")
	add(metric.Power, "")
	add(metric.Racks, "racks")
	return strings.Join(parts, " · ")
}
