package report

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// wanted is what was asked in a few words.
func wanted(st *study.Study) string {
	s := number.Span(st.MinEndpoints, st.MaxEndpoints) + " endpoints"
	if st.BandwidthGbps > 0 {
		s += " at " + number.Quantity(st.BandwidthGbps, "Gb/s")
	}
	return s
}

// scaleupText says how endpoints are joined beside the network.
func scaleupText(d *topology.Domain, per int) string {
	s := "joined by a scale-up mesh"
	switch d.Levels {
	case 1:
		s = fmt.Sprintf("joined by a level of %d scale-up switches", d.Switches)
	case 2:
		s = fmt.Sprintf("joined by two levels of scale-up switches: %d leaves for every %d, %d spines", d.Switches, d.Box, d.Spines)
	}
	if d.Endpoints > 0 && d.Endpoints != per {
		s += fmt.Sprintf(" in domains of %d", d.Endpoints)
	}
	return s
}

// asked is what was asked, setting by setting.
func asked(st *study.Study) []Fact {
	out := []Fact{{"Endpoints", number.Span(st.MinEndpoints, st.MaxEndpoints)}}
	if st.BandwidthGbps > 0 {
		out = append(out, Fact{"Bandwidth of an endpoint", number.Quantity(st.BandwidthGbps, "Gb/s") + ", all its network ports together"})
	}
	if st.PerServer > 0 {
		s := fmt.Sprint(st.PerServer)
		if st.Scaleup {
			s += ", " + scaleupText(&st.Domain, st.PerServer)
		}
		for i := range st.Scaleups {
			s += map[bool]string{true: "; scale-up domains searched: ", false: ", "}[i == 0] + st.Scaleups[i].Name()
		}
		out = append(out, Fact{"Endpoints in a server", s})
	}
	for _, o := range st.Constraints.Settings {
		out = append(out, Fact{o.Name, o.Text})
	}
	for i := range st.Constraints.Limits {
		l := &st.Constraints.Limits[i]
		// A limit that the evaluation needs to know, such as that on ports, is a setting too.
		if f := (Fact{l.Name, l.Origin.Text}); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// limitsOf are the limits in force, then the thresholds of [require].
func limitsOf(st *study.Study) []Limit {
	var out []Limit
	gather := func(ls []constraints.Limit, require bool) {
		for _, l := range ls {
			out = append(out, Limit{l.Name, l.Key, l.Max, l.Bound, l.Origin.Text, place(l.Origin), require})
		}
	}
	gather(st.Constraints.Limits, false)
	gather(st.Require, true)
	return out
}

// mostWarnings is how many a report has; toposearch check prints all.
const mostWarnings = 10

// warnings are the findings about the inputs that did not keep the study from running.
func warnings(st *study.Study) []string {
	var out []string
	for i, w := range st.Warnings {
		if i == mostWarnings {
			out = append(out, fmt.Sprintf("The inputs gave %d more warnings; toposearch check prints them all.", len(st.Warnings)-i))
			break
		}
		s := strings.TrimSuffix(strings.ToUpper(w.Summary[:1])+w.Summary[1:], ".")
		if w.Pos.File != "" {
			s += " (" + place(constraints.Origin{Pos: w.Pos}) + ")"
		}
		if w.Detail != "" {
			s += ": " + w.Detail
		}
		out = append(out, s+".")
	}
	return out
}

// measuredText says how measured metrics made the front.
func measuredText(s *search.Simulated) string {
	text := strings.ToUpper(s.Note[:1]) + s.Note[1:] + fmt.Sprintf(". %d of %d candidates were simulated", s.Measured, s.Candidates)
	if n := len(s.Rejected); n > 0 {
		text += fmt.Sprintf("; %d misses of measured limits", n)
	}
	if n := len(s.Dominated); n > 0 {
		text += fmt.Sprintf("; %d turned out to be dominated", n)
	}
	if x := s.Fidelity; x != nil {
		if n := len(s.NotMeasured); n > 0 {
			text += fmt.Sprintf("; %d on the front were not simulated: their values are corrected, with intervals", n)
		}
		return text + ". " + fidelityText(x)
	}
	if n := len(s.NotMeasured); n > 0 {
		text += fmt.Sprintf("; %d were not simulated and may be as good (more finalists in [verify] simulates more)", n)
	}
	return text + "."
}
