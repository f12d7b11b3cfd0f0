package route

import "toposearch/simcore"

// KeepsState says whether switches keep state for the routing.
func (r *Native) KeepsState() bool { return r.plan.keepsState() }

// NewState makes it.
func (r *Native) NewState(v *simcore.View) (*simcore.State, error) {
	switch r.plan {
	case pb:
		return r.newPiggyBack(v), nil
	case parPh:
		return r.newPhantom(v), nil
	case ectn:
		return r.newContention(v)
	case dgb:
		return r.newGradient(v)
	case qAdaptive:
		return r.newLearner(v)
	}
	panic("route: " + r.name + " keeps no state")
}
