package collective

import (
	"fmt"
	"math"
)

// MultiPath is the direct all-to-all whose messages are divided over several paths ahead of time, the same way whatever is in their way: a share goes by the
// network's own routes, the rest in equal parts by way of the switches of all endpoints, as sources write it into their packets. Packets of one part keep
// their order as far as the routes do. Where all endpoints send to all others the routes load a network evenly, and detours only load it twice; where groups do, most
// links are idle. Adaptive routings find such paths by their queues, and the source routes of UB-Mesh (Liao et al., arXiv:2503.20377, multi-path all-to-all) name them.
type MultiPath struct {
	Direct
	// Directly is the share of each message that makes no detour; negative: that of the best split, which the network decides.
	Directly float64
}

// MultiPathName begins the name of every MultiPath.
const MultiPathName = "multi-path"

// Name of the algorithm.
func (a MultiPath) Name() string {
	if a.Directly < 0 {
		return MultiPathName
	}
	return fmt.Sprintf("%s, %.3g %% directly", MultiPathName, 100*a.Directly)
}

// Ports are all that a rank has: parts leave by different links.
func (MultiPath) Ports() int { return math.MaxInt }
