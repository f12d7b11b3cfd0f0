// Package trial has OpenSM, the subnet manager that runs InfiniBand clusters, discover and route a network in simulation, and judges
// the tables. ibsim plays the fabric from the file that package foreign writes; OpenSM brings it up with one engine after another;
// ibdmchk, of ibutils, looks for credit loops in what it dumped; and a walk of our own over the same tables does, too. Then the
// tables of package routing go the same way: OpenSM loads them (engine file) and ibdmchk judges them with the service level of
// each pair, and with all pairs on one.
//
// No hardware and no kernel module is needed. Every process is one that was started here; all are ended before Run returns,
// whatever happens, and files stand in a folder that is removed.
package trial
