package topotest

import (
	"testing"

	"toposearch/topology"
)

// checkReach asks that no switch has more endpoints, or more ports to other switches, than the fullest of its class:
// bounds of distances count on it.
func checkReach(t testing.TB, d topology.Design, n *topology.Network) {
	t.Helper()
	var want topology.Size
	if d.Family.Size(d.V, &want) != nil {
		return // as checkCounts says
	}
	for x, p := range portsOf(n) {
		c := &want.Switch[n.Class(topology.SwitchID(x))]
		var has, said int32
		for k := 1; k < len(p); k++ {
			has, said = has+p[k], said+c.Ports[k]
		}
		if c.Also == 0 && (p[0] > c.Ports[0] || has > said) {
			t.Errorf("%s: switch %d has %d ports to endpoints and %d to switches, more than %d and %d of the fullest of its class", d, x, p[0], has, c.Ports[0], said)
			return
		}
	}
}
