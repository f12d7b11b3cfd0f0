package report

import (
	"toposearch/compare"
	"toposearch/search/run"
)

// SensitivitySchema names the form of `what-if --json` without changes.
const SensitivitySchema = "toposearch.sensitivity/1"

// Sensitivity is what limits and prices of a run are worth, and how stable its picks are.
type Sensitivity struct {
	Schema   string      `json:"schema"`
	Study    string      `json:"study"`
	Currency string      `json:"currency"`
	Curves   []run.Curve `json:"curves"` // of the limits
	// BreakEvens are prices of single parts at which one of picks, incumbents and the first of the front overtakes another in cost, the nearest first.
	BreakEvens []compare.BreakEven `json:"break_evens"`
	Picks      []StablePick        `json:"picks"`
	// Notes say what could not be answered, and why.
	Notes []string `json:"notes,omitempty"`
}

// StablePick says under which prices a pick stays what it is.
type StablePick struct {
	Pick   string `json:"pick"`
	Design string `json:"design"`
	Prices int    `json:"prices"` // lists of prices that were tried: each kind of parts, and all but one of them, 30 % dearer and cheaper
	Kept   int    `json:"kept"`   // under which it stays the pick
	// Loses says under which it does not, and to which design.
	Loses []Loss `json:"loses,omitempty"`
	// Rivals are designs that may be better in what it was picked for, since the bounds of the figures overlap.
	Rivals []string `json:"rivals,omitempty"`
}

// Loss is a list of prices under which another design is the pick.
type Loss struct {
	Prices string `json:"prices"`
	To     string `json:"to"`
}
