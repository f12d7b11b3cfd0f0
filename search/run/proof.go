package run

import (
	"context"
	"fmt"

	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/topology"
)

// ProofSchema names the form of `explain --proof --json`.
const ProofSchema = "toposearch.proof/1"

// ProofCheck says how well the bounds of a run stand a check.
type ProofCheck struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"` // the front is the whole one, but by Tolerance
	// Tolerance is by what part designs that are excluded may be better than one of the front: dominated are those that are not by more, too.
	Tolerance float64       `json:"tolerance,omitempty"`
	Proof     *search.Proof `json:"proof,omitempty"` // otherwise: how much it may lack
	Seed      uint64        `json:"seed"`
	*branch.Recheck
}

// CheckProof evaluates a sample of the designs that bounds exclude against the front of a run, drawn by a seed, and compares. families are as in
// study.Load.
func CheckProof(ctx context.Context, path string, seed uint64, sample int, families ...*topology.Family) (*ProofCheck, error) {
	p, f, err := loadFront(path, families...)
	if err != nil {
		return nil, err
	}
	if len(p.Simulated) > 0 {
		return nil, fmt.Errorf("%s: its front was judged by simulations, by which nothing was excluded before; there are no cuts to check", path)
	}
	front, err := archiveOf(p, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := branch.Check(ctx, p, 0, front, seed, sample)
	if err != nil {
		return nil, err
	}
	return &ProofCheck{Schema: ProofSchema, Complete: f.Complete, Tolerance: f.Tolerance, Proof: f.Proof, Seed: seed, Recheck: r}, nil
}
