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
//	  ]
//	}
//
// Switches are numbered from 0, class by class in the order of switch_classes. A switch class may
// be "embedded" (inside an endpoint) and also "relay", and has a home: inside, with_endpoints,
// in_block or central. The first link class is the one by which endpoints hang, nic or internal;
// "board": true marks traces that need no cable. The rate of a class is either "lanes" or "gbps",
// a multiple of lane_gbps. An entry of endpoints is a number of endpoints that share the switches
// named after it, one per port; an entry of ends is a link (a channel from the first to the second
// switch if unidirectional) and its length in metres, if known. Only schema, switch_classes,
// link_classes and endpoints are required.
const Schema = "toposearch.network/1"

// homes are the words for topology.Home, by value.
var homes = []string{"inside", "with_endpoints", "in_block", "central"}
