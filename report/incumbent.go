package report

import (
	"fmt"

	"toposearch/search/run"
)

// title names it for a reader.
func (x *Incumbent) title() string {
	if x.Name != "" {
		return x.Name
	}
	return x.Asked
}

// text says in a sentence how it stands.
func (x *Incumbent) text() string {
	s := x.Asked
	if x.Name != "" {
		s = x.Name + " (" + x.Asked + ")"
	}
	if x.Chosen != "" && !x.None {
		s += fmt.Sprintf(", %s, %s", x.Point.Name, x.Chosen)
	}
	return s + ": " + x.Verdict + "; " + x.Why + "."
}

// badge colours the verdict.
func (x *Incumbent) badge() badge {
	switch x.Verdict {
	case run.OnFront, run.Equals:
		return badge{"good", "Incumbent"}
	case run.Rejected, run.NoDesign:
		return badge{"bad", "Incumbent"}
	}
	return badge{"warn", "Incumbent"}
}
