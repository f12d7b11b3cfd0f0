package evolve

import (
	"github.com/MaxHalford/eaopt"

	"toposearch/objectives"
)

// member is what an evolution breeds: a genome that is given a standing. It embeds placed.
type member interface {
	eaopt.Genome
	// key appends bytes that no genome with other values has.
	key(b []byte) []byte
	place() *standing
	put(*standing)
}

// standing is what selection knows of a member. eaopt's own record, Individual.Evaluated and
// Individual.Fitness, is never read: its Crossover leaves the mate marked as evaluated.
type standing struct {
	point  objectives.Point
	missed objectives.Vector // the objectives of one that misses a limit, if they are known
	rank   int               // of the front, 0 is the best
	crowd  float64           // crowding distance in it
	order  int               // place in the population, by rank first; no two members share one
}

// placed holds the standing of a member. A copy has none until it is scored itself.
type placed struct{ at *standing }

func (p *placed) place() *standing { return p.at }

func (p *placed) put(s *standing) { p.at = s }

// Evaluate gives eaopt the place in the population, by which it sorts: its sort is not stable, and
// a scalar of rank and crowding would have ties.
func (p *placed) Evaluate() (float64, error) { return float64(p.at.order), nil }
