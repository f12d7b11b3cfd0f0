// Package netfile reads networks from files and writes them. What is read: network.json
// (Schema), which holds all that the network model knows and is the one that Write writes; cables as CSV, one a row, with columns
// of our own or NetBox's; GraphML; what ibnetdiscover prints of an InfiniBand fabric; BookSim2's anynet; and plain lists of
// edges. Package foreign writes them.
//
// Load (a path) and Parse (bytes) give a File: the network as a topology.Family without parameters,
// which replays the links as they stand in the file, and beside it the names, lengths and parts
// that the network model does not hold. A reader per format collects a graph and every fault of the text
// with its line and column; what only the whole graph tells is checked once, for all formats.
package netfile
