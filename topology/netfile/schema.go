package netfile

// Schema names the format of network.json:
//
//	{
//	  "schema": "toposearch.network/1",
//	  "design": "fattree(k=4,l=2)",
//	  "unidirectional": false,
//	  "lane_gbps": 200,
//	  "endpoint_lanes": 1,
//	  "blocks": 4,
//	  "switch_classes": [
//	    {"name": "leaf", "count": 4, "home": "with_endpoints"},
//	    {"name": "spine", "count": 2, "home": "central"}
//	  ],
//	  "link_classes": [
//	    {"name": "nic", "lanes": 1},
//	    {"name": "spine", "lanes": 1}
//	  ],
//	  "endpoints": [[2, 0], [2, 1], [2, 2], [2, 3]],
//	  "links": [
//	    {"class": "spine", "ends": [[0, 4], [0, 5], [1, 4, 12.5], [1, 5], [2, 4], [2, 5], [3, 4], [3, 5]]}
//	  ],
//	  "media": [],
//	  "nonblocking_region": 8,
//	  "routing": {"name": "updown", "states": 2, "why": "up then down has no circle",
//	    "steps": [[0, "*", "leaf", "spine", 0, 0], [0, "*", "spine", "leaf", 1, 0], [1, "*", "spine", "leaf", 1, 0]]}
//	}
//
// Switches are numbered from 0, class by class in the order of switch_classes. A switch class may
// be "embedded" (inside an endpoint) and also "relay", or "on_chip" (without network cards), or "stands_in" (of a spare endpoint of its
// equal part of the endpoints, with_endpoints); others may have "shares_box", a
// number: so many, in order, may share boxes that have the ports for several. It has a home: inside, with_endpoints,
// in_block or central. The first link class is the one by which endpoints hang, nic or internal;
// "board": true marks traces that need no cable. The rate of a class is either "lanes" or "gbps",
// a multiple of lane_gbps. "unstated": true says that nobody asked for the bandwidth that lane_gbps gives endpoint_lanes: ports have at least
// their share, rounded up to rates on sale, and throughputs are fractions of what they carry. An entry of endpoints is a number of endpoints that share the switches
// named after it, one per port; an entry of ends is a link (a channel from the first to the second
// switch if unidirectional) and its length in metres, if known. Only schema, switch_classes,
// link_classes and endpoints are required.
//
// The last keys hold what the graph does not tell. own_racks: true says that each of the blocks is a rack. An entry of media is {"medium": "ocs", "groups": 16,
// "classes": ["ocs1", "wrap1"]}: links of these classes run over optical circuit switches ("ocs", shared by
// the links of each of so many groups) or are traces ("pcb", "backplane"). nonblocking_region is the
// endpoints of the largest block with full bisection. routing is the natural routing, a topology.Rule: a
// step [state, link class, class of the switch that it leaves, class of that it enters, next state, VC] may be
// taken by a packet in the state, 0 at first, with "*" for any class; with "vcs_by_hop": true the VC is the
// number of hops so far. Without routing, packets take all shortest paths.
const Schema = "toposearch.network/1"

// homes are the words for topology.Home, by value.
var homes = []string{"inside", "with_endpoints", "in_block", "central"}
