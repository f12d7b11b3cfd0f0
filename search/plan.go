package search

import (
	"math/big"

	"toposearch/study"
)

// PlanSchema names the form of `plan --json`.
const PlanSchema = "toposearch.plan/1"

// Plan is what a search would do, before it does it.
type Plan struct {
	Schema   string       `json:"schema"`
	Study    string       `json:"study"`
	Strategy string       `json:"strategy"` // that will run
	Reason   string       `json:"reason"`   // why, in a sentence
	Families []FamilyPlan `json:"families"`
	// Seconds is an estimate on one worker, from fixed costs per step and no clock.
	Seconds   float64 `json:"seconds"`
	Finalists int     `json:"finalists"`
}

// FamilyPlan is the space of one family.
type FamilyPlan struct {
	Family string   `json:"family"`
	Tuples *big.Int `json:"tuples"` // product of the parameters' domains
	// Designs counts the tuples that no bound on size or limits excludes; if Stopped there are at
	// least that many.
	Designs  int64   `json:"designs"`
	Stopped  bool    `json:"stopped"`
	Strategy string  `json:"strategy"`
	Seconds  float64 `json:"seconds"`
}

// NewPlan counts the spaces of a study and decides how to search it.
func NewPlan(st *study.Study) (*Plan, error) { return nil, nil }
