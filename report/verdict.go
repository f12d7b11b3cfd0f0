package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
)

type badge struct{ Class, Text string }

type note struct {
	Badge       badge
	Class       string
	Label, Text string
}

// check says in two words what simulation said of a design.
func check(p *Point) badge {
	switch {
	case p.Sim == nil && strings.Contains(p.Vouched, search.VouchCorrected):
		return badge{"warn", search.VouchCorrected}
	case p.Sim == nil && p.Finalist:
		return badge{"warn", "not simulated"}
	case p.Sim == nil:
		return badge{"", "–"}
	case p.Sim.Contradicts:
		return badge{"bad", "contradicts"}
	case !p.Sim.Agrees:
		return badge{"warn", "differs"}
	}
	return badge{"good", "agrees"}
}

// Check says in two words what simulation said of a design; "-": nothing.
func Check(r *search.Record) string {
	p := pointOf(r)
	return strings.ReplaceAll(check(&p).Text, "–", "-")
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

// question says in a sentence what was asked.
func question(d *Data) string {
	s := "Networks"
	if d.Wanted != "" {
		s = "Networks for " + d.Wanted
	}
	var goals []string
	for _, o := range d.Objectives {
		word := "lowest "
		if o.Better == metric.Higher {
			word = "highest "
		}
		goals = append(goals, word+strings.ToLower(Title(o.Key)[:1])+Title(o.Key)[1:])
	}
	if len(goals) > 0 {
		s += ", wanted with " + listed(goals)
	}
	return s + "."
}

// verdict says how many designs were found and what is known of those that were not.
func verdict(d *Data) (badge, string) {
	n, fams := d.onFront(), countFamilies(d)
	found := fmt.Sprintf("%s of %s", number.Count(n, "design", "designs"), number.Count(fams, "family", "families"))
	space := fmt.Sprintf("%s parameter combinations of %s", number.BigCount(d.Counts.Enumerated), number.Count(len(d.Families), "family", "families"))
	switch {
	case d.Complete && n == 0:
		s := "The search is complete: none of the " + space + " keeps every limit"
		if slices.ContainsFunc(d.Reject, func(r Rejection) bool { return strings.HasPrefix(r.Constraint, "absent ") }) {
			s += " and has a figure for every objective"
		}
		return badge{"bad", "No design"}, s + "."
	case d.Complete:
		by := "by one on the front"
		if d.Tolerance > 0 {
			by += ", or better than it by at most " + number.Tolerance(d.Tolerance)
		}
		s := fmt.Sprintf("%s. The search is complete: all %s were decided, and every other design that keeps the limits is matched or beaten in every objective %s.", found, space, by)
		if d.Stopped == "interrupted" {
			s += " The run was interrupted before every finalist was simulated; it can be resumed."
		}
		return badge{"good", "Complete"}, s
	case n == 0:
		return badge{"warn", "Not complete"}, fmt.Sprintf("No design that keeps every limit was found in %s evaluations, and there may be one. %s", number.PageFigure(float64(d.Counts.Evaluated)), stoppedText(d))
	}
	s := fmt.Sprintf("%s, found by %s in %s evaluations.", found, searchWords.Replace(d.Strategy), number.PageFigure(float64(d.Counts.Evaluated)))
	if d.LocallyComplete {
		return badge{"warn", "Not complete"}, s + " The space is too large to decide in full. The front is locally complete: no change of a single parameter improves it, but better designs may exist." + after(d.Proved)
	}
	return badge{"warn", "Not complete"}, s + " " + stoppedText(d) + " Better designs may exist." + after(d.Proved)
}

// after is a further sentence, "" if there is none.
func after(sentence string) string {
	if sentence == "" {
		return ""
	}
	return " " + sentence
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
		number.PageQuantity(l.Bound, d.unitOf(l.Key)), number.PageFigure(float64(met)), number.Count(known, "design", "designs"))
	if met > 0 {
		return note{Badge: badge{"good", "Met"}, Text: text + " meet it."}
	}
	return note{Badge: badge{"bad", "Missed"}, Text: text + " meet it (" + l.Origin + ")."}
}

// frontTitle does not let a part of a front pass for all of it.
func frontTitle(d *Data) string {
	if d.Complete && d.Tolerance > 0 {
		return "The front (complete within " + number.Tolerance(d.Tolerance) + ")"
	}
	if d.Complete {
		return "The front"
	}
	return "The front so far (not complete)"
}

func missText(d *Data, m Miss) string {
	u := ""
	if m.HasKey {
		u = d.unitOf(m.Key)
	}
	if m.Absent {
		why := ""
		if m.Why != "" {
			why = " (" + m.Why + ")"
		}
		if objective, ok := strings.CutPrefix(m.Constraint, constraints.AbsentPrefix); ok {
			return fmt.Sprintf("%s: an objective of which it has no figure%s", objective, why)
		}
		return fmt.Sprintf("%s: it has no such figure%s, the limit is %s", m.Constraint, why, number.PageQuantity(m.Bound, u))
	}
	if part := (metric.Reject{Constraint: m.Constraint, Got: m.Got, Bound: m.Bound}); part.Remedy() != "" {
		return m.Constraint + ": " + part.Words()
	}
	s := fmt.Sprintf("%s: %s, the limit is %s", m.Constraint, number.PageQuantity(m.Got, u), number.PageQuantity(m.Bound, u))
	if m.Bound != 0 {
		s += fmt.Sprintf(" (by %s)", number.Percent(math.Abs(m.Got-m.Bound)/math.Abs(m.Bound)))
	}
	return s
}

func relaxText(d *Data, r Relaxation, closest string) string {
	u := ""
	if r.HasKey {
		u = d.unitOf(r.Key)
	}
	s := fmt.Sprintf("%s from %s to %s", r.Constraint, number.PageQuantity(r.Bound, u), number.PageLimit(r.Needed, u, r.Needed > r.Bound))
	if r.Design != "" && r.Design != closest {
		s += ", for " + r.Design
	}
	return s
}

func limitText(l *Limit, unit string) string {
	if l.Max {
		return "≤" + number.UnitSpace + number.PageQuantity(l.Bound, unit)
	}
	return "≥" + number.UnitSpace + number.PageQuantity(l.Bound, unit)
}

// summary is the size of a design in a line.
func summary(d *Data, p *Point) string {
	var parts []string
	part := func(k metric.Key, noun string) {
		if p.Have[k] {
			s := number.PageQuantity(p.Value(k), d.unitOf(k))
			if noun != "" {
				s += number.UnitSpace + noun
			}
			parts = append(parts, s)
		}
	}
	part(metric.Endpoints, "endpoints")
	part(metric.Switches, "switches")
	part(metric.Power, "")
	part(metric.Racks, "racks")
	if len(p.Also) > 0 {
		parts = append(parts, "also "+listed(p.Also))
	}
	return strings.Join(parts, " · ")
}
