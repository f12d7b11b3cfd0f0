package search

import (
	"context"
	"errors"
)

// Explanation says why a design is in a run's front or not.
type Explanation struct {
	Schema  string `json:"schema"` // toposearch.explain/1
	Design  string `json:"design"`
	OnFront bool   `json:"on_front"`
	// Verdict is one of "on the front", "dominated", "rejected", "outside the space", "no network".
	Verdict string `json:"verdict"`
	// Why is the verdict in a sentence.
	Why string `json:"why"`
	// Misses are the limits that it does not meet.
	Misses []Miss `json:"misses,omitempty"`
	// DominatedBy names designs on the front that are nowhere worse and somewhere better.
	DominatedBy []string `json:"dominated_by,omitempty"`
	// Admit says what would admit it, one sentence each.
	Admit []string `json:"admit,omitempty"`
	// Objectives are its values, by metric key, where they are known.
	Objectives map[string]float64 `json:"objectives,omitempty"`
}

// Explain says why a design, by name, is on the front of a run or not.
func Explain(ctx context.Context, path, design string) (*Explanation, error) {
	return nil, errors.New("search: not yet")
}
