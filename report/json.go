package report

import (
	"encoding/json"
	"fmt"
	"io"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
	"toposearch/study"
)

// jsonReport is the report for a machine; help json lists its keys.
type jsonReport struct {
	Schema     string             `json:"schema"`
	Study      string             `json:"study"`
	Program    string             `json:"program"`
	Evaluator  string             `json:"evaluator"`
	Seed       uint64             `json:"seed"`
	Strategy   string             `json:"strategy"`
	Complete   bool               `json:"complete"`
	Tolerance  float64            `json:"tolerance,omitempty"`
	Stopped    string             `json:"stopped,omitempty"`
	Verdict    string             `json:"verdict"`
	Asked      []jsonFact         `json:"asked"`
	Assumed    []study.Assumption `json:"assumed,omitempty"`
	Objectives []string           `json:"objectives"`
	Limits     []jsonLimit        `json:"limits"`
	Counts     jsonCounts         `json:"counts"`
	Picks      map[string]string  `json:"picks"` // design by name of the pick
	Front      []jsonPoint        `json:"front"`
	Incumbents []jsonIncumbent    `json:"incumbents,omitempty"`
	Rejected   []jsonReject       `json:"rejected"`
	Closest    []jsonClosest      `json:"closest"`
	Catalogue  string             `json:"catalogue,omitempty"`
	// NeverBought are priced parts that no design in full buys, of the kinds that they do.
	NeverBought []string          `json:"never_bought,omitempty"`
	Inputs      map[string]string `json:"inputs"` // SHA-256 by path
	Warnings    []string          `json:"warnings,omitempty"`
	// Sensitivity is what limits and prices are worth, as what-if --json has it, of less effort.
	Sensitivity *Sensitivity `json:"sensitivity,omitempty"`
	// Convergence compares fronts of the search with the last.
	Convergence []run.Moment `json:"convergence,omitempty"`
}

// WriteJSON writes the report for a machine, with its schema named. front.json of the run holds
// what the search found; this adds picks, verdict, the places of the limits, and what is bought for
// the designs shown in full.
func WriteJSON(w io.Writer, d *Data) error {
	_, text := verdict(d)
	r := jsonReport{Schema: Schema, Study: d.Study, Program: d.Program, Evaluator: d.Evaluator, Seed: d.Seed,
		Strategy: d.Strategy, Complete: d.Complete, Tolerance: d.Tolerance, Stopped: d.Stopped, Verdict: number.Plain(text), Asked: []jsonFact{}, Assumed: d.Assumed, Objectives: []string{},
		Limits: []jsonLimit{}, Counts: countsJSON(d), Picks: map[string]string{}, Front: []jsonPoint{}, Rejected: []jsonReject{},
		Closest: []jsonClosest{}, Catalogue: d.Catalogue, NeverBought: d.NeverBought, Inputs: map[string]string{}, Warnings: d.Warnings, Sensitivity: d.Sensitivity, Convergence: d.Convergence}
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
	for i := range d.Incumbents {
		r.Incumbents = append(r.Incumbents, incumbentJSON(d, &d.Incumbents[i]))
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
