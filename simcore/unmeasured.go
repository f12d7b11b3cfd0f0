package simcore

import "encoding/json"

// Unmeasured, embedded in a struct beside a Point, leaves out of its JSON what was accepted: a Point that
// ended in its warm-up, or was not reached, has measured nothing, which is not 0. It is never filled.
type Unmeasured struct {
	Accepted     *struct{} `json:"accepted,omitempty"`
	AcceptedErr  *struct{} `json:"accepted_stderr,omitempty"`
	AcceptedCI95 *struct{} `json:"accepted_ci95,omitempty"`
	AcceptedMin  *struct{} `json:"accepted_min,omitempty"`
	AcceptedMax  *struct{} `json:"accepted_max,omitempty"`
}

// MarshalJSON writes the loads tried, of those that ended in their warm-up without what was accepted.
func (s Saturation) MarshalJSON() ([]byte, error) {
	type plain Saturation
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
		Points []any `json:"points"`
	}{plain(s), points})
}
