package simulate

import (
	"encoding/json"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
)

// Schemas of the documents.
const (
	Schema         = "toposearch.simulate/1"
	WorkloadSchema = "toposearch.simulate-workload/1"
	BenchSchema    = "toposearch.simulate-bench/1"
	DeadlockSchema = "toposearch.deadlock/1"
	// JobsSchema is of several jobs on one network.
	JobsSchema = "toposearch.simulate-jobs/1"
	// CollectiveSchema is of a collective that was played to completion.
	CollectiveSchema = "toposearch.simulate-collective/1"
)

// Head is what every document of a simulated design begins with.
type Head struct {
	Schema string         `json:"schema"`
	Design string         `json:"design"`
	Config map[string]any `json:"config"`
	Failed *Failed        `json:"failed,omitempty"`
}

// Point is a load of the flit model with the time it took, seconds.
type Point struct {
	simcore.Point
	WallS float64 `json:"wall_s"`
}

// MarshalJSON leaves out what was accepted where nothing was measured.
func (p Point) MarshalJSON() ([]byte, error) {
	type plain Point
	if p.Measured > 0 {
		return json.Marshal(plain(p))
	}
	return json.Marshal(struct {
		plain
		simcore.Unmeasured
	}{plain: plain(p)})
}

// Document holds loads of the flit model.
type Document struct {
	Head
	Points     []Point             `json:"points"` // one that was not reached has no cycles
	Saturation *simcore.Saturation `json:"saturation,omitempty"`
	Carried    *Carried            `json:"carried,omitempty"`
}

// CutPoint is a load of the cut-through model with the time it took and, if it was timed, the speed.
type CutPoint struct {
	cutthrough.Point
	WallS            float64 `json:"wall_s"`
	NsPerPacketHop   float64 `json:"ns_per_packet_hop,omitempty"`
	BytesPerEndpoint float64 `json:"bytes_per_endpoint,omitempty"`
}

// MarshalJSON leaves out what was accepted where nothing was measured.
func (p CutPoint) MarshalJSON() ([]byte, error) {
	type plain CutPoint
	if p.Measured > 0 {
		return json.Marshal(plain(p))
	}
	return json.Marshal(struct {
		plain
		cutthrough.Unmeasured
	}{plain: plain(p)})
}

// CutDocument holds loads of the cut-through model.
type CutDocument struct {
	Head
	Points     []CutPoint             `json:"points"` // one that was not reached has no cycles
	Saturation *cutthrough.Saturation `json:"saturation,omitempty"`
	Carried    *Carried               `json:"carried,omitempty"`
}

// LoopDocument is a closed loop of the flit model.
type LoopDocument struct {
	Head
	simcore.LoopResult
	// Phases are the cycles at which all of each phase of a script in phases has arrived.
	Phases []int64 `json:"phase_end_cycles,omitempty"`
	WallS  float64 `json:"wall_s"`
}

// CutLoopDocument is a closed loop of the cut-through model.
type CutLoopDocument struct {
	Head
	cutthrough.LoopResult
	Phases []int64 `json:"phase_end_cycles,omitempty"` // ns
	WallS  float64 `json:"wall_s"`
}

// MarshalJSON leaves out what was accepted where nothing was measured.
func (d LoopDocument) MarshalJSON() ([]byte, error) {
	type plain LoopDocument
	if d.Measured > 0 {
		return json.Marshal(plain(d))
	}
	return json.Marshal(struct {
		plain
		simcore.Unmeasured
	}{plain: plain(d)})
}

// MarshalJSON leaves out what was accepted where nothing was measured.
func (d CutLoopDocument) MarshalJSON() ([]byte, error) {
	type plain CutLoopDocument
	if d.Measured > 0 {
		return json.Marshal(plain(d))
	}
	return json.Marshal(struct {
		plain
		cutthrough.Unmeasured
	}{plain: plain(d)})
}
