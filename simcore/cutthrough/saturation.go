package cutthrough

import (
	"context"
	"encoding/json"
	"slices"

	"toposearch/simcore"
)

// Saturation is the result of a search for the saturation load.
type Saturation struct {
	simcore.Saturation
	LoadGbps float64 `json:"load_gbps"`
	Points   []Point `json:"points"` // the loads tried, in order, but those of Superseded
}

// Saturation finds the largest load accepted to 97 %, to a tolerance (0: 2 %), as the flit engine
// does. Config.Precision is not asked of these points, and MaxMeasureNs bounds what decides whether one is accepted.
func (s *Sim) Saturation(ctx context.Context, tolerance float64) (Saturation, error) {
	s.probing = true
	defer func() { s.probing, s.short, s.known = false, false, simcore.Spread{} }()
	var r Saturation
	f, err := simcore.SearchSaturation(tolerance, func(load float64, long bool, known simcore.Spread) (simcore.Point, error) {
		s.short, s.known = !long, known
		p, err := s.Run(ctx, load)
		if err == nil {
			r.Points = append(r.Points, p)
		}
		return p.Point, err
	})
	r.Points = slices.DeleteFunc(r.Points, func(p Point) bool { return f.Superseded(&p.Point) })
	f.Points = nil // r has them with all that this model knows
	r.Saturation = f
	r.LoadGbps = f.Load * s.cfg.BandwidthGbps
	return r, err
}

// MarshalJSON writes the loads tried, of those that ended in their warm-up without what was accepted.
func (s Saturation) MarshalJSON() ([]byte, error) {
	type plain simcore.Saturation // without its own MarshalJSON
	points := make([]any, len(s.Points))
	for i, p := range s.Points {
		if points[i] = p; p.Measured == 0 {
			points[i] = struct {
				*Point
				Unmeasured
			}{&p, Unmeasured{}}
		}
	}
	return json.Marshal(struct {
		plain
		LoadGbps float64 `json:"load_gbps"`
		Points   []any   `json:"points"`
	}{plain(s.Saturation), s.LoadGbps, points})
}
