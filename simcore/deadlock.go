package simcore

import (
	"fmt"
	"strings"

	"toposearch/topology"
)

// Deadlock is a cycle of packets of which each waits for the next.
type Deadlock struct {
	Since   int64  `json:"since"` // the last cycle in which a flit moved
	InFlits int    `json:"flits"` // in the network
	Cycle   []Wait `json:"cycle"`
}

// Wait is one packet of the cycle: where its front flit stands and what it waits for.
type Wait struct {
	Switch int32 `json:"switch"`
	InPort int32 `json:"in_port"`
	VC     int32 `json:"vc"`
	// OutPort of the switch and the VC there that it has, or the first that it may have; held by
	// the next packet of the cycle.
	OutPort int32               `json:"out_port"`
	OutVC   int32               `json:"out_vc"`
	Source  topology.EndpointID `json:"source"`
	Dest    topology.EndpointID `json:"destination"`
}

func (w *Wait) String() string {
	return fmt.Sprintf("switch %d port %d VC %d (packet %d to %d) waits for port %d VC %d",
		w.Switch, w.InPort, w.VC, w.Source, w.Dest, w.OutPort, w.OutVC)
}

func (d *Deadlock) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock: no flit has moved since cycle %d, %d flits are in the network", d.Since, d.InFlits)
	for _, w := range d.Cycle {
		b.WriteString("\n  " + w.String())
	}
	return b.String()
}
