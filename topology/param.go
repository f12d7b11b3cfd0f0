package topology

import (
	"fmt"
	"strconv"
)

// Param is one parameter of a family: an integer, a named choice whose value is its index, or a ratio (RatioOf).
type Param struct {
	Name string // the letter of the source paper
	Doc  string // what it is, in words
	// Min and Max are the widest inclusive range that makes sense; rules that join several
	// parameters are in Family.Check.
	Min, Max int
	// Default gives the value when the parameter is not written; v holds all values before it.
	// nil means that it must be given.
	Default func(v []int) int
	// DefaultDoc is Default as a formula over the parameters before, as in Family.Formulas; empty
	// if it is a constant.
	DefaultDoc string
	Choices    []string // names of the values, if it is a choice; Min = 0 and Max = len-1 then
	// Divides names the parameter before it that a ratio divides; "": it is no ratio. Min and Max of a ratio are values
	// of ratios, and the least value is its default. A search keeps it there unless a study names other values: nearly
	// every ratio divides some number, and several of them multiply the designs of a family by thousands.
	Divides string
	// Draw says that the value picks one of many alike, as the seed of a random wiring does, or how many are drawn: a search
	// leaves it at its default, which depends on nothing, unless a study names other values; so does an option beside a
	// construction that does not change what its network carries (a spare).
	Draw bool
}

// ParamScaleup is the parameter of families whose designs name their scale-up domain, see WithScaleup.
const ParamScaleup = "scaleup"

// Const is a Default that does not depend on other parameters.
func Const(x int) func([]int) int { return func([]int) int { return x } }

// Format gives the value as it stands in a design's name.
func (p Param) Format(x int) string {
	if p.Choices != nil && x >= 0 && x < len(p.Choices) {
		return p.Choices[x]
	}
	if p.Divides != "" {
		return ratioText(x)
	}
	return strconv.Itoa(x)
}

// ParseValue reads a value as written in a design or a study.
func (p Param) ParseValue(s string) (int, error) {
	if p.Choices != nil {
		for i, c := range p.Choices {
			if c == s {
				return i, nil
			}
		}
		return 0, fmt.Errorf("parameter %s has no choice %q; it is one of %v", p.Name, s, p.Choices)
	}
	if p.Divides != "" {
		x, err := parseRatio(s)
		if err == nil && (x < p.Min || x > p.Max) {
			err = fmt.Errorf("%s is outside its range, %s to %s", s, ratioText(p.Min), ratioText(p.Max))
		}
		if err != nil {
			return 0, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		return x, nil
	}
	x, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("parameter %s = %q is not a whole number", p.Name, s)
	}
	return x, nil
}

// Range is what a search takes of a parameter of which a study says nothing.
func (p Param) Range() (least, most int) {
	switch {
	case p.Divides != "":
		return p.Min, p.Min
	case p.Draw:
		x := p.Default(nil)
		return x, x
	}
	return p.Min, p.Max
}
