package simcore

import "fmt"

// Saturation is the result of a search for the saturation load.
type Saturation struct {
	// Load is the largest load tried that was accepted to 97 %, Above the smallest that was not
	// (0 if load 1 is accepted). Above - Load <= Tolerance * Above, unless there is no load above
	// 1/1024 that is accepted.
	Load  float64 `json:"load"`
	Above float64 `json:"above"`
	// Deadlocked reports whether a load above Load deadlocked rather than saturated.
	Deadlocked bool    `json:"deadlocked"`
	Tolerance  float64 `json:"tolerance"`
	// Interrupted: the context ended; Load and Above are what was known then.
	Interrupted bool    `json:"interrupted,omitempty"`
	Points      []Point `json:"points"` // every load tried, in order
}

// satTolerance is the default of Config.SatTolerance.
const satTolerance = 0.02

// satFloor is the load below which the search gives up.
const satFloor = 1.0 / 1024

// SearchSaturation finds the largest load accepted to 97 %: load 1 first; then what was accepted there,
// which is near the answer; from there in growing steps until the answer is enclosed to a tolerance
// (0: 2 %); then by bisection. run simulates one load from an empty network, of any model.
func SearchSaturation(tolerance float64, run func(load float64) (Point, error)) (Saturation, error) {
	if tolerance == 0 {
		tolerance = satTolerance
	}
	r := Saturation{Tolerance: tolerance}
	next, step := 1.0, 0.05
	for {
		p, err := run(next)
		if err != nil {
			r.Interrupted = true
			return r, fmt.Errorf("saturation: %w", err)
		}
		r.Points = append(r.Points, p)
		if p.Saturated {
			r.Above, r.Deadlocked = next, r.Deadlocked || p.Deadlocked
		} else {
			r.Load = next
		}
		switch {
		case r.Above == 0 || r.Above-r.Load <= r.Tolerance*r.Above || r.Above <= satFloor:
			return r, nil
		case len(r.Points) == 1:
			next = min(clampLoad(p.Accepted), 0.99)
		case r.Load == 0:
			next = clampLoad(r.Above * (1 - step))
			step = min(2*step, 0.5)
		case r.Above > r.Load*(1+2*step):
			next = r.Load * (1 + step)
			step *= 2
		default:
			next = (r.Load + r.Above) / 2
		}
	}
}

func clampLoad(x float64) float64 { return min(max(x, satFloor), 1) }
