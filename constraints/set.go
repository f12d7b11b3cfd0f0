package constraints

import (
	"toposearch/evaluator"
)

// Set is all limits that a study puts on its designs.
type Set struct {
	Limits   []Limit  // by level of the metric, then by key, minimum before maximum
	Settings []Origin // what was written that changes evaluation, by name
	settings []setting
}

// setting is something that changes evaluation. Values are compared when two files say it.
type setting struct {
	Origin
	value float64 // or 0, 1 for a bool
	text  string  // for what is not a number
	// strict is the side that wins where two files differ: -1 the smaller, +1 the larger, 0
	// neither, which is an error.
	strict int
	apply  func(*evaluator.Options)
}

// Apply merges what changes evaluation into o; fields that no file sets stay as they are.
func (s *Set) Apply(o *evaluator.Options) {
	for i := range s.settings {
		s.settings[i].apply(o)
	}
}

// OriginOf finds where the limit or setting of a name was written: the name of a rejection.
func (s *Set) OriginOf(name string) (Origin, bool) {
	for i := range s.Limits {
		if s.Limits[i].Name == name {
			return s.Limits[i].Origin, true
		}
	}
	for _, o := range s.Settings {
		if o.Name == name {
			return o, true
		}
	}
	return Origin{}, false
}
