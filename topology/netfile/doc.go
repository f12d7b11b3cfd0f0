// Package netfile reads networks from files and writes them. Three formats are read: network.json
// (Schema), which holds all that the network model knows and is the one that Write writes; a CSV edge
// list, one cable a row; and BookSim2's anynet.
//
// Load (a path) and Parse (bytes) give a File: the network as a topology.Family without parameters,
// which replays the links as they stand in the file, and beside it the names, lengths and parts
// that the network model does not hold. A reader per format collects a graph and every fault of the text
// with its line and column; what only the whole graph tells is checked once, for all formats.
package netfile
