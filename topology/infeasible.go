package topology

import (
	"errors"
	"fmt"
)

// ErrInfeasible is wrapped by every error that says there is no such network.
var ErrInfeasible = errors.New("no such network")

// Infeasible says which rule a design breaks and by how much. Words are made when printed.
type Infeasible struct {
	Param string // the parameter to blame
	Got   int
	Rule  string // what must hold, as a constant text: "g <= a*h+1"
	Bound int    // the nearest allowed value of the parameter, the others fixed
	// Others says that no value of the parameter is enough by itself; Bound is then the least.
	Others bool
}

// Rules of a single parameter's range.
const (
	belowMin = "at least its minimum"
	aboveMax = "at most its maximum"
)

func (e *Infeasible) Error() string {
	switch e.Rule {
	case belowMin:
		return fmt.Sprintf("%v: %s = %d is below its least value; the nearest %s is %d", ErrInfeasible, e.Param, e.Got, e.Param, e.Bound)
	case aboveMax:
		return fmt.Sprintf("%v: %s = %d is above its largest value; the nearest %s is %d", ErrInfeasible, e.Param, e.Got, e.Param, e.Bound)
	}
	if e.Others {
		return fmt.Sprintf("%v: %s = %d breaks the rule %s; so does even %s = %d, unless other parameters shrink too",
			ErrInfeasible, e.Param, e.Got, e.Rule, e.Param, e.Bound)
	}
	return fmt.Sprintf("%v: %s = %d breaks the rule %s; the nearest %s is %d",
		ErrInfeasible, e.Param, e.Got, e.Rule, e.Param, e.Bound)
}

// Unwrap makes errors.Is(err, ErrInfeasible) true.
func (e *Infeasible) Unwrap() error { return ErrInfeasible }
