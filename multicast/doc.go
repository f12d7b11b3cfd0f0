// Package multicast sends packets to groups of endpoints over source-routed networks, as a paper
// on multicast in the TH-1A describes it (16-port switches, source routes of up to 9 hops of 4
// bits, a head flit of 256 bits), and measures what that gains over unicast packets.
//
// fabric.go is a network of numbered ports, tree.go the fat tree with its static balanced routes,
// routes.go up*/down* routes of any other network. group.go makes the tree of a group and the packets
// that distribute it; flit.go puts packets into bits; example.go is the paper's worked example, counts.go its
// table of counts. deadlock.go looks for cycles among the channels that groups and routes take.
//
// sim.go and the files around it are a simulator of its own, cycle by cycle and packet by packet: input
// buffers that hold whole packets, one FIFO queue each, from which every output takes its copy when it is
// granted (asynchronous replication). It has one virtual channel, no speedup, and moves a packet on only
// when the next buffer has room for all of it. A test compares it with simcore/flit, which has no multicast,
// on the same tree with the same routes. measure.go and collective.go run experiments on it.
//
// Departures and gaps. The layout of the flit's fields, the size of the tables, what distinguishes kinds
// of packet, when a creator knows that its group is in place, and how old an entry may grow are not in the
// source; what was chosen stands beside each. The fat tree's modules (32 endpoints on 8 switches) are
// the paper's, the wiring above them is an extended generalised fat tree (see TH1A).
package multicast
