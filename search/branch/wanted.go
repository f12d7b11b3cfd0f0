package branch

import (
	"slices"

	"toposearch/topology"
	"toposearch/topology/survey"
)

// Wanted is what a family is searched for.
type Wanted struct {
	Radix     int     // most ports of a switch; of an endpoint, where there are no switches
	Endpoints int64   // at least; 0: as many as possible
	Uniform   float64 // the least share of uniform traffic that the links may bound
}

// Fit is the best design of a family for what is wanted: the closest with endpoints enough in steps of 10 %,
// or that with the most; then the one with the fewest switches, the fewest endpoints, the most links.
type Fit struct {
	V        []int // nil: nothing was found
	Size     topology.Size
	Complete bool // the whole family was searched
}

// keptDefaults are parameters that stay at their default where they have one: they change no count
// (wirings, lanes), or trade bandwidth for size (tapers).
var keptDefaults = []string{"seed", "tries", "spread", "mix", "arrangement", "twist", "lx", "ly", "lz", "lw", "d", "up"}

// KeptName reports whether a parameter of a name stays at its default where it has one.
func KeptName(param string) bool { return slices.Contains(keptDefaults, param) }

// AtDefault reports whether FindFit leaves a parameter at its default.
func AtDefault(p *topology.Param) bool {
	return p.Default != nil && (p.Divides != "" || KeptName(p.Name))
}

// admits reports whether a size is one that is wanted.
func (w *Wanted) admits(s *topology.Size) bool {
	return ports(s) <= w.Radix && s.Endpoints >= max(2, w.Endpoints) && survey.UniformBound(s) >= w.Uniform
}

// ports is what the radix limits: those of the fullest switch, or of an endpoint that forwards.
func ports(s *topology.Size) int {
	if s.Switches() == 0 {
		return int(s.EndpointPorts)
	}
	return s.Radix()
}

// better is the rule by which designs are chosen.
func (w *Wanted) better(a, b *topology.Size) bool {
	if c := w.compare(a.Endpoints, b.Endpoints); c != 0 {
		return c < 0
	}
	if a.Switches() != b.Switches() {
		return a.Switches() < b.Switches()
	}
	if a.Endpoints != b.Endpoints {
		return a.Endpoints < b.Endpoints
	}
	return a.SwitchLinks() > b.SwitchLinks()
}

// sameSize is the share of the endpoints asked for by which two designs may differ and count as
// equally close: otherwise a design with one endpoint less would win over one with half the switches.
const sameSize = 0.1

// compare is negative if a endpoints are better than b: more of them, or closer by a step.
func (w *Wanted) compare(a, b int64) int {
	if w.Endpoints == 0 {
		return int(max(-1, min(1, b-a)))
	}
	steps := func(n int64) int { return int(float64(n-w.Endpoints) / (sameSize * float64(w.Endpoints))) }
	return steps(a) - steps(b)
}
