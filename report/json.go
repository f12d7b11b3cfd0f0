package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"

	"toposearch/evaluator/metric"
)

// jsonReport is the report for a machine; help json lists its keys.
type jsonReport struct {
	Schema     string            `json:"schema"`
	Study      string            `json:"study"`
	Program    string            `json:"program"`
	Evaluator  string            `json:"evaluator"`
	Seed       uint64            `json:"seed"`
	Strategy   string            `json:"strategy"`
	Complete   bool              `json:"complete"`
	Stopped    string            `json:"stopped,omitempty"`
	Verdict    string            `json:"verdict"`
	Asked      []jsonFact        `json:"asked"`
	Objectives []string          `json:"objectives"`
	Limits     []jsonLimit       `json:"limits"`
	Counts     jsonCounts        `json:"counts"`
	Picks      map[string]string `json:"picks"` // design by name of the pick
	Front      []jsonPoint       `json:"front"`
	Rejected   []jsonReject      `json:"rejected"`
	Closest    []jsonClosest     `json:"closest"`
	Catalogue  string            `json:"catalogue,omitempty"`
	Inputs     map[string]string `json:"inputs"` // SHA-256 by path
	Warnings   []string          `json:"warnings,omitempty"`
}

type jsonFact struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// jsonLimit has one of Min and Max.
type jsonLimit struct {
	Name    string   `json:"name"`
	Metric  string   `json:"metric"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Text    string   `json:"text"`
	Origin  string   `json:"origin"`
	Require bool     `json:"require,omitempty"`
}

type jsonCounts struct {
	Enumerated json.Number  `json:"enumerated"`
	Dominated  json.Number  `json:"dominated"`
	Evaluated  int64        `json:"evaluated"`
	Feasible   int64        `json:"feasible"`
	Families   []jsonFamily `json:"families"`
}

type jsonFamily struct {
	Family    string      `json:"family"`
	Space     json.Number `json:"space"`
	Decided   json.Number `json:"decided"`
	Evaluated int64       `json:"evaluated"`
	Feasible  int64       `json:"feasible"`
	OnFront   int         `json:"on_front"`
	Complete  bool        `json:"complete"`
}

type jsonReject struct {
	Constraint string      `json:"constraint"`
	Count      json.Number `json:"count"`
	Limit      string      `json:"limit,omitempty"`
	Origin     string      `json:"origin,omitempty"`
}

type jsonClosest struct {
	Family    string      `json:"family"`
	Design    string      `json:"design,omitempty"`
	Exhausted bool        `json:"exhausted"` // there is none closer
	Misses    []jsonMiss  `json:"misses"`
	Admit     []jsonAdmit `json:"admit"`
}

type jsonMiss struct {
	Constraint string   `json:"constraint"`
	Got        *float64 `json:"got"` // null: it has no finite figure
	Bound      float64  `json:"bound"`
	Absent     bool     `json:"absent,omitempty"` // the design has no such figure
	Origin     string   `json:"origin"`
}

type jsonAdmit struct {
	Constraint string  `json:"constraint"`
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Design     string  `json:"design"`
	Origin     string  `json:"origin"`
}

// WriteJSON writes the report for a machine, with its schema named. front.json of the run holds
// what the search found; this adds picks, verdict, the places of the limits, and what is bought for
// the designs shown in full.
func WriteJSON(w io.Writer, d *Data) error {
	_, text := verdict(d)
	r := jsonReport{Schema: Schema, Study: d.Study, Program: d.Program, Evaluator: d.Evaluator, Seed: d.Seed,
		Strategy: d.Strategy, Complete: d.Complete, Stopped: d.Stopped, Verdict: plain(text), Asked: []jsonFact{}, Objectives: []string{},
		Limits: []jsonLimit{}, Counts: countsJSON(d), Picks: map[string]string{}, Front: []jsonPoint{}, Rejected: []jsonReject{},
		Closest: []jsonClosest{}, Catalogue: d.Catalogue, Inputs: map[string]string{}, Warnings: d.Warnings}
	for _, f := range d.Asked {
		r.Asked = append(r.Asked, jsonFact(f))
	}
	for _, o := range d.Objectives {
		r.Objectives = append(r.Objectives, metric.Keys[o.Key].Name)
	}
	for i := range d.Limits {
		r.Limits = append(r.Limits, limitJSON(&d.Limits[i]))
	}
	picks := Picks(d)
	for _, p := range picks {
		r.Picks[p.Name] = d.Points[p.Point].Name
	}
	for i := range d.Points {
		r.Front = append(r.Front, jsonOf(d, i, picks))
	}
	for i := range d.Details {
		r.Front[d.Details[i].Point].Detail = detailJSON(&d.Details[i])
	}
	for _, x := range d.Reject {
		r.Rejected = append(r.Rejected, jsonReject{x.Constraint, bigJSON(x.Count), x.Text, x.Origin})
	}
	for i := range d.Closest {
		r.Closest = append(r.Closest, closestJSON(&d.Closest[i]))
	}
	for _, in := range d.Inputs {
		r.Inputs[in.Path] = in.SHA256
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func bigJSON(n *big.Int) json.Number {
	if n == nil {
		return "0"
	}
	return json.Number(n.String())
}

func countsJSON(d *Data) jsonCounts {
	c := jsonCounts{bigJSON(d.Counts.Enumerated), bigJSON(d.Counts.Dominated), d.Counts.Evaluated, d.Counts.Feasible, []jsonFamily{}}
	for _, f := range d.Counts.Families {
		c.Families = append(c.Families, jsonFamily{f.Family, bigJSON(f.Space), bigJSON(f.Enumerated), f.Evaluated, f.Feasible, f.OnFront, f.Complete})
	}
	return c
}

func limitJSON(l *Limit) jsonLimit {
	j := jsonLimit{Name: l.Name, Metric: metric.Keys[l.Key].Name, Text: l.Text, Origin: l.Origin, Require: l.Require}
	if l.Max {
		j.Max = &l.Bound
	} else {
		j.Min = &l.Bound
	}
	return j
}

func closestJSON(c *Closest) jsonClosest {
	j := jsonClosest{Family: c.Family, Design: c.Design, Exhausted: c.Exhausted, Misses: []jsonMiss{}, Admit: []jsonAdmit{}}
	for _, m := range c.Misses {
		j.Misses = append(j.Misses, jsonMiss{m.Constraint, known(m.Got), m.Bound, m.Absent, m.Origin})
	}
	for _, r := range c.Relax {
		j.Admit = append(j.Admit, jsonAdmit{r.Constraint, r.Bound, r.Needed, r.Design, r.Origin})
	}
	return j
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// known is a figure for JSON: null if it is not known.
func known(v float64) *float64 {
	if !isFinite(v) {
		return nil
	}
	return &v
}
