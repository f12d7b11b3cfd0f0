// Package plan writes the files that a design is bought and wired from: the bill of materials, the cabling
// schedule, what stands in each rack, the floor plan and the network itself.
package plan

import (
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Export is what the folder of a design is written from.
type Export struct {
	Design topology.Design
	Plan   *evaluator.Plan
	// Supply is what evaluator.Supply says of the plan's bill.
	Supply []market.Supply
	// Grown is the way from the network that runs, nil if the study has none.
	Grown *evaluator.Grown
	// Program is the version that signs order.xlsx.
	Program string
	// EachCable streams the cables in the order of their numbers, as evaluator.EachCable does; nil:
	// no cables.csv.
	EachCable func(func(floor.Cable) bool) error
	// EachRack streams the racks by number, as evaluator.EachRack does; nil: no racks.csv.
	EachRack func(func(floor.Rack) bool) error
	// Network is the network itself, for network.json; nil: it is built from Design.
	Network *topology.Network
}
