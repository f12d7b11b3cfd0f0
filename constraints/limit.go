package constraints

import (
	"math"
	"path/filepath"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

// Origin is where something was written, and how.
type Origin struct {
	Name string   // constraint or setting: "building.power"
	Text string   // as written: `2 MW`
	Pos  diag.Pos // of the value
}

// Place is file:line:column by the name of the file alone: results must not depend on where the inputs lay,
// since a resumed run reads copies.
func (o Origin) Place() string {
	pos := o.Pos
	if pos.File != "" {
		pos.File = filepath.Base(pos.File)
	}
	return pos.String()
}

// Limit is a bound on a metric that must hold.
type Limit struct {
	Key   metric.Key
	Name  string // as printed in rejections: "switch.ports", "limits.mean_hops"
	Max   bool   // at most Bound; otherwise at least Bound
	Bound float64
	// Origin is the strictest; Weaker are the others in force on the same metric and side.
	Origin Origin
	Weaker []Origin
}

// Violation is 0 if got meets the limit, else the fraction of the bound by which it misses; past
// a bound of 0, the excess itself. An absent value (NaN) meets nothing: it counts as 1.
func (l *Limit) Violation(got float64) float64 {
	if math.IsNaN(got) {
		return 1
	}
	over := got - l.Bound
	if !l.Max {
		over = -over
	}
	// The slack forgives the last bits of sums, not a difference that anyone states.
	if scale := math.Abs(l.Bound); over > scale*1e-12 {
		if scale > 0 {
			over /= scale
		}
		return over
	}
	return 0
}

// AtBest is the violation by the best value that the intervals allow, 0 if they do not say.
func (l *Limit) AtBest(iv *metric.Intervals) float64 {
	switch {
	case iv.Lacks.Has(l.Key):
		return l.Violation(math.NaN())
	case !iv.Have[l.Key]:
		return 0
	case l.Max:
		return l.Violation(iv.At[l.Key].Lo)
	}
	return l.Violation(iv.At[l.Key].Hi)
}

// Miss is a limit that a design does not meet. Violation is a fraction of the bound; of a number of endpoints
// below the window, of that number.
type Miss struct {
	Constraint string  `json:"constraint"`
	Metric     string  `json:"metric,omitempty"`
	Got        float64 `json:"got"`
	Bound      float64 `json:"bound"`
	Violation  float64 `json:"violation"`
	Origin     string  `json:"origin,omitempty"` // file:line:column of the limit
	// Absent: the design has no value of the metric, which meets no limit; Got is then 0, and Why the reason,
	// where it is known. An objective without a value is missed as "absent" and its name. Of a part that there is not Why says what Got and Bound count.
	Absent bool   `json:"absent,omitempty"`
	Why    string `json:"why,omitempty"`
}

// Miss is how a value misses the limit, if it does.
func (l *Limit) Miss(got float64) (m Miss, missed bool) {
	m = Miss{Constraint: l.Name, Metric: metric.Keys[l.Key].Name, Got: got, Bound: l.Bound, Violation: l.Violation(got),
		Origin: l.Origin.Place(), Absent: math.IsNaN(got)}
	if math.IsNaN(got) || math.IsInf(got, 0) { // which JSON cannot hold
		m.Got = 0
	}
	return m, m.Violation > 0
}

// Text says the limit in words: `switch.ports at most 64 (site.toml:4:18)`.
func (l *Limit) Text() string {
	side := "at least "
	if l.Max {
		side = "at most "
	}
	s := l.Name + " " + side + l.Amount(l.Bound)
	if p := l.Origin.Pos.String(); p != "" {
		s += " (" + p + ")"
	}
	return s
}

// Amount writes a value of the metric, as its bound is written in Text.
func (l *Limit) Amount(x float64) string {
	switch metric.Keys[l.Key].Unit {
	case "W":
		return unit.Power{W: x}.String()
	case "ns":
		return unit.Latency{Ns: x}.String()
	case "m":
		return unit.Length{M: x}.String()
	case "m2":
		return unit.Area{M2: x}.String()
	case "weeks":
		return unit.Lead{Weeks: x}.String()
	case "1":
		return trim(x)
	case "1/USD": // billionths
		return unit.Number(x)
	}
	return trim(x) + " " + metric.Keys[l.Key].Unit
}

// trim prints a number with at most six digits behind the point.
func trim(x float64) string { return unit.Number(math.Round(x*1e6) / 1e6) }
