package catalog

import "toposearch/diag"

// column is a column of a price list.
type column int

const (
	colPartNo column = iota
	colKind
	colVendor
	colDescription
	colFormFactor
	colRate
	colLanes
	colPorts
	colBreakouts
	colLength
	colReach
	colMedium
	colPower
	colPowerTyp
	colPowerSplit
	colLatency
	colBuffer
	colReduction
	colPrice
	colCurrency
	colBreaks
	colMOQ
	colPack
	colLead
	colFrom
	colUntil
	colEOL
	colStock
	colApproved
	colAFR
	colWeight
	colSource
	colNote
	colDerived
	numColumns
)

// ColumnRule says which head of a price list stands for a column: [catalog.columns] of a study, or --column.
type ColumnRule struct {
	Field string   // canonical name of the column: "unit_price"
	Head  string   // as it stands in the list, whatever its case and blanks; of two rows, both with a blank between
	Unit  string   // of bare numbers: "kW", "weeks", "EUR"; "": what the head says, else that of the column
	Pos   diag.Pos // where the rule stands
}
