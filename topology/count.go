package topology

import "fmt"

// Size checks the values and counts. It costs under a microsecond and does not allocate; the
// error, if any, wraps ErrInfeasible and lives in s.
func (f *Family) Size(v []int, s *Size) error {
	s.Reset(f)
	if len(v) != len(f.Params) {
		panic(fmt.Sprintf("topology: %s takes %d values, got %d", f.Name, len(f.Params), len(v)))
	}
	for i := range f.Params {
		p := &f.Params[i]
		if v[i] < p.Min {
			return s.Fail(p.Name, v[i], belowMin, p.Min)
		}
		if v[i] > p.Max {
			return s.Fail(p.Name, v[i], aboveMax, p.Max)
		}
	}
	if f.Check != nil {
		if err := f.Check(v, s); err != nil {
			return err
		}
	}
	f.Count(v, s)
	if len(f.Scaleups) > 0 {
		if per := f.Scaleups[s.Scaleup].Endpoints; s.Endpoints%int64(per) != 0 {
			return s.Fail(ParamScaleup, per, wholeDomains, divisor(int64(per), s.Endpoints))
		}
	}
	if !s.numbered() {
		return f.tooLarge(v, s)
	}
	return nil
}

// wholeDomains is the rule of ParamScaleup.
const wholeDomains = "endpoints are whole scale-up domains"

// divisor is the largest of a and b in common.
func divisor(a, b int64) int {
	for b != 0 {
		a, b = b, a%b
	}
	return int(a)
}
