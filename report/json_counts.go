package report

import (
	"encoding/json"
	"math/big"

	"toposearch/evaluator/metric"
)

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
	Exhausted bool        `json:"exhausted"`                       // there is none closer
	Unsettled bool        `json:"relaxations_unsettled,omitempty"` // there may be other entries of Admit
	Misses    []jsonMiss  `json:"misses"`
	Admit     []jsonAdmit `json:"admit"`
}

type jsonMiss struct {
	Constraint string   `json:"constraint"`
	Got        *float64 `json:"got"` // null: it has no finite figure
	Bound      float64  `json:"bound"`
	Absent     bool     `json:"absent,omitempty"` // the design has no such figure
	Why        string   `json:"why,omitempty"`    // why it is absent, or what got and bound count of a part that there is not
	Origin     string   `json:"origin"`
}

type jsonAdmit struct {
	Constraint string  `json:"constraint"`
	From       float64 `json:"from"`
	To         float64 `json:"to"`
	Design     string  `json:"design"`
	Origin     string  `json:"origin"`
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

func closestJSON(c *Closest) jsonClosest {
	j := jsonClosest{Family: c.Family, Design: c.Design, Exhausted: c.Exhausted, Unsettled: c.Unsettled, Misses: []jsonMiss{}, Admit: []jsonAdmit{}}
	for _, m := range c.Misses {
		j.Misses = append(j.Misses, jsonMiss{m.Constraint, known(m.Got), m.Bound, m.Absent, m.Why, m.Origin})
	}
	for _, r := range c.Relax {
		j.Admit = append(j.Admit, jsonAdmit{r.Constraint, r.Bound, r.Needed, r.Design, r.Origin})
	}
	return j
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

func limitJSON(l *Limit) jsonLimit {
	j := jsonLimit{Name: l.Name, Metric: metric.Keys[l.Key].Name, Text: l.Text, Origin: l.Origin, Require: l.Require}
	if l.Max {
		j.Max = &l.Bound
	} else {
		j.Min = &l.Bound
	}
	return j
}

type jsonFact struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}
