package floor

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// Rack is one rack with what stands in it, from the bottom up.
type Rack struct {
	Number   int // as in Floor: counted along the rows
	Building int // from 0
	Row      int // from 0
	Place    int // in its row, from 0
	Kind     uint8
	Boxes    []Box
}

// Box is a server or a switch in a rack.
type Box struct {
	Pos    int                 // from 1 at the bottom
	Switch topology.SwitchID   // -1 for a server; beyond those of the network an optical circuit switch
	Shared bool                // the switch is in the same box as the one before it
	Class  string              // of the switch; ocs for a circuit switch
	First  topology.EndpointID // endpoints [First, End) of a server
	End    topology.EndpointID
	Rest   bool          // the server's first endpoints stand in another rack, where it counts
	Part   *catalog.Part // of the switch
}
