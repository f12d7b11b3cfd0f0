package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"toposearch/evaluator"
)

// WriteCSV writes the front as one line a design: name, family, parameters, then each metric that
// some design has in full precision, with its bounds where one of them is not exact, and what
// simulation said. Units stand in the heads: "cost [USD]". Absent figures are empty.
func WriteCSV(w io.Writer, d *Data) error {
	c := csv.NewWriter(w)
	for _, r := range frontTable(d) {
		line := make([]string, len(r))
		for i, x := range r {
			switch v := x.(type) {
			case float64:
				line[i] = fullNumber(v)
			case string:
				line[i] = safeCell(v)
			}
		}
		if err := c.Write(line); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// fullNumber is the shortest text that reads back as v; "" for what is missing.
func fullNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// safeCell keeps a spreadsheet from taking a text for a formula.
func safeCell(s string) string {
	if s != "" && strings.ContainsAny(s[:1], "=+-@\t\r") {
		return "'" + s
	}
	return s
}

// frontTable is the front as cells, each a string or a float64 (NaN is empty), the head first.
func frontTable(d *Data) [][]any {
	keys := d.allKeys()
	head := []any{"design", "family", "parameters"}
	inexact := make([]bool, len(keys))
	for j, k := range keys {
		name := evaluator.Keys[k].Name
		if u := d.unitOf(k); u != "1" && u != "" {
			name += " [" + u + "]"
		}
		head = append(head, name)
		for i := range d.Points {
			m := d.Points[i].Metrics[k]
			inexact[j] = inexact[j] || d.Points[i].Have[k] && m.Lo != m.Hi
		}
		if inexact[j] {
			head = append(head, evaluator.Keys[k].Name+" lo", evaluator.Keys[k].Name+" hi")
		}
	}
	head = append(head, "picks", "simulation")
	out := [][]any{head}
	picks := Picks(d)
	for i := range d.Points {
		p := &d.Points[i]
		row := []any{p.Name, p.Family, paramText(p)}
		for j, k := range keys {
			row = append(row, p.Value(k))
			if inexact[j] {
				lo, hi := math.NaN(), math.NaN()
				if p.Have[k] {
					lo, hi = p.Metrics[k].Lo, p.Metrics[k].Hi
				}
				row = append(row, lo, hi)
			}
		}
		sim := check(p).Text
		if sim == "–" {
			sim = ""
		}
		out = append(out, append(row, strings.Join(picksOf(picks, i), "; "), sim))
	}
	return out
}

// paramText lists every parameter, defaults included: "a=4 p=8 h=4 g=33".
func paramText(p *Point) string {
	var parts []string
	for _, x := range p.Params {
		parts = append(parts, x.Name+"="+x.Value)
	}
	return strings.Join(parts, " ")
}

// jsonPoint is a design of the JSON form.
type jsonPoint struct {
	Design    string                      `json:"design"`
	Family    string                      `json:"family"`
	Params    map[string]string           `json:"params"`
	Picks     []string                    `json:"picks,omitempty"`
	Metrics   map[string]evaluator.Metric `json:"metrics"`
	Absent    map[string]string           `json:"absent,omitempty"`
	Simulated string                      `json:"simulated,omitempty"` // agrees, differs, contradicts
	Notes     []string                    `json:"notes,omitempty"`
}

type jsonReject struct {
	Constraint string      `json:"constraint"`
	Count      json.Number `json:"count"`
	Limit      string      `json:"limit,omitempty"`
	Origin     string      `json:"origin,omitempty"`
}

type jsonReport struct {
	Schema     string            `json:"schema"`
	Study      string            `json:"study"`
	Program    string            `json:"program"`
	Evaluator  string            `json:"evaluator"`
	Seed       uint64            `json:"seed"`
	Strategy   string            `json:"strategy"`
	Complete   bool              `json:"complete"`
	Verdict    string            `json:"verdict"`
	Objectives []string          `json:"objectives"`
	Picks      map[string]string `json:"picks"` // design by name of the pick
	Front      []jsonPoint       `json:"front"`
	Rejected   []jsonReject      `json:"rejected"`
	Inputs     map[string]string `json:"inputs"` // SHA-256 by path
	Warnings   []string          `json:"warnings,omitempty"`
}

// WriteJSON writes the report for a machine, with its schema named. front.json of the run holds
// what the search found; this adds picks, verdict and the places of the limits.
func WriteJSON(w io.Writer, d *Data) error {
	_, text := verdict(d)
	r := jsonReport{Schema: Schema, Study: d.Study, Program: d.Program, Evaluator: d.Evaluator, Seed: d.Seed,
		Strategy: d.Strategy, Complete: d.Complete, Verdict: plain(text), Objectives: []string{}, Picks: map[string]string{},
		Front: []jsonPoint{}, Rejected: []jsonReject{}, Inputs: map[string]string{}, Warnings: d.Warnings}
	for _, o := range d.Objectives {
		r.Objectives = append(r.Objectives, evaluator.Keys[o.Key].Name)
	}
	picks := Picks(d)
	for _, p := range picks {
		r.Picks[p.Name] = d.Points[p.Point].Name
	}
	for i := range d.Points {
		r.Front = append(r.Front, jsonOf(d, i, picks))
	}
	for _, x := range d.Reject {
		n := "0"
		if x.Count != nil {
			n = x.Count.String()
		}
		r.Rejected = append(r.Rejected, jsonReject{x.Constraint, json.Number(n), x.Text, x.Origin})
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

func jsonOf(d *Data, i int, picks []Pick) jsonPoint {
	p := &d.Points[i]
	j := jsonPoint{Design: p.Name, Family: p.Family, Params: map[string]string{}, Picks: picksOf(picks, i),
		Metrics: map[string]evaluator.Metric{}, Absent: map[string]string{}}
	for _, x := range p.Params {
		j.Params[x.Name] = x.Value
	}
	for k := range evaluator.NumKeys {
		m := d.metric(p, k)
		switch {
		case p.Have[k] && isFinite(m.Value) && isFinite(m.Lo) && isFinite(m.Hi):
			j.Metrics[evaluator.Keys[k].Name] = m
		case p.Have[k]:
			j.Absent[evaluator.Keys[k].Name] = "not finite"
		case p.Absent[k] != "":
			j.Absent[evaluator.Keys[k].Name] = p.Absent[k]
		}
	}
	if p.Sim != nil {
		j.Simulated, j.Notes = check(p).Text, p.Sim.Notes
	}
	return j
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
