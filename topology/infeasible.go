package topology

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrInfeasible is wrapped by every error that says there is no such network.
var ErrInfeasible = errors.New("no such network")

// Infeasible says which rule a design breaks and by how much. Words are made when printed.
type Infeasible struct {
	Param string // the parameter to blame
	Got   int
	Rule  string // what must hold, as a constant text: "g <= a*h+1"
	Bound int    // the nearest allowed value of the parameter, the others fixed; Got where none is known
	// Others says that no value of the parameter is enough by itself; Bound is then the least.
	Others bool

	params *[]Param // of the family; nil: values are numbers
}

// Rules of a single parameter's range.
const (
	belowMin = "at least its minimum"
	aboveMax = "at most its maximum"
)

func (e *Infeasible) Error() string {
	got, bound := e.text(e.Got), e.text(e.Bound)
	switch e.Rule {
	case belowMin:
		return fmt.Sprintf("%v: %s = %s is below its least value; the nearest %s is %s", ErrInfeasible, e.Param, got, e.Param, bound)
	case aboveMax:
		return fmt.Sprintf("%v: %s = %s is above its largest value; the nearest %s is %s", ErrInfeasible, e.Param, got, e.Param, bound)
	}
	if e.Others {
		return fmt.Sprintf("%v: %s = %s breaks the rule %s; so does even %s = %s, unless other parameters shrink too",
			ErrInfeasible, e.Param, got, e.Rule, e.Param, bound)
	}
	if e.Bound == e.Got {
		return fmt.Sprintf("%v: %s = %s breaks the rule %s", ErrInfeasible, e.Param, got, e.Rule)
	}
	return fmt.Sprintf("%v: %s = %s breaks the rule %s; the nearest %s is %s",
		ErrInfeasible, e.Param, got, e.Rule, e.Param, bound)
}

// text is a value as a design's name writes it, where it is a ratio.
func (e *Infeasible) text(x int) string {
	if e.params != nil {
		for i := range *e.params {
			if p := &(*e.params)[i]; p.Name == e.Param && p.Divides != "" {
				return ratioText(x)
			}
		}
	}
	return strconv.Itoa(x)
}

// Unwrap makes errors.Is(err, ErrInfeasible) true.
func (e *Infeasible) Unwrap() error { return ErrInfeasible }
