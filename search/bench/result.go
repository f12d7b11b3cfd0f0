package bench

import (
	"encoding/json"
	"math"

	"toposearch/objectives"
)

// Schema names the form of a Result in JSON.
const Schema = "toposearch.bench/1"

// Result is a space measured.
type Result struct {
	Schema      string   `json:"schema"`
	Space       string   `json:"space"`
	Objectives  []string `json:"objectives"`
	Front       int      `json:"front"` // designs on the exact front
	Vectors     int      `json:"vectors"`
	Enumerated  int64    `json:"enumerated"` // evaluations that the exact front took
	Seeds       int      `json:"seeds"`
	Evaluations int64    `json:"evaluations"`
	Strategies  []Trial  `json:"strategies"`
}

// Trial is what one strategy reached.
type Trial struct {
	Strategy string `json:"strategy"`
	Runs     int    `json:"runs"`
	// Quartiles over the runs at the end.
	Hypervolume Quartiles `json:"hypervolume"`
	Recall      Quartiles `json:"recall"`
	IGDPlus     Quartiles `json:"igd_plus"`
	Epsilon     Quartiles `json:"epsilon"`
	Factor      Quartiles `json:"epsilon_factor"`
	Used        Quartiles `json:"evaluations"`
	Seconds     Quartiles `json:"cpu_seconds"`
	// To90, To95 and To99 are the evaluations after which the median run has so much of the hypervolume; 0: not in the budget.
	To90   int64   `json:"evaluations_to_90"`
	To95   int64   `json:"evaluations_to_95"`
	To99   int64   `json:"evaluations_to_99"`
	Points []Point `json:"curve"`
}

// snap is the front of a run at a border between two batches.
type snap struct {
	evaluations int64
	seconds     float64
	front       []objectives.Vector
	objectives.Indicators
}

// Quartiles of a figure over runs: the least values that a quarter, half and three quarters of them do not exceed.
type Quartiles struct {
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
}

// MarshalJSON writes null for what is infinite: the distance to a front without points.
func (q Quartiles) MarshalJSON() ([]byte, error) {
	number := func(x float64) *float64 {
		if math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(map[string]*float64{"q1": number(q.Q1), "median": number(q.Median), "q3": number(q.Q3)})
}

// Point is what runs had after so many evaluations, and the median of the processor time that these took.
type Point struct {
	Evaluations int64     `json:"evaluations"`
	Seconds     float64   `json:"cpu_seconds"`
	Hypervolume Quartiles `json:"hypervolume"`
	Recall      Quartiles `json:"recall"`
}
