// Package opensm writes a network and its tables with layers (routing.LASH, routing.DFSSSP) as the files that InfiniBand's
// subnet manager OpenSM and its tools read:
//
//   - fabric.net, the network as ibnetdiscover prints it, from which ibsim simulates a fabric;
//   - guid2lid, the LIDs, which OpenSM takes over from its cache directory (OSM_CACHE_DIR, option -y or reassign_lids FALSE);
//   - lfts, the linear forwarding table of each switch (opensm -R file -U lfts);
//   - paths.sl, the service level of each pair, which is its layer (ibdmchk -c paths.sl);
//   - opensm.conf, lines for as many virtual lanes as there are layers, a service level on each.
//
// Endpoints have the first LIDs, then come switches, in the order of their numbers. Ports of a switch are numbered from 1: its channels
// in their order, then its endpoints. Forwarding tables lead to endpoints alone: switches are managed by directed routes. What InfiniBand
// cannot express is refused: an address is one port's, so endpoints with several ports have no common table; more layers than
// data lanes.
//
// OpenSM's engine "file" loads forwarding tables, but answers queries for paths with one service level for all: those who
// open connections have to take theirs from paths.sl.
package opensm
