package selftest

// Check is a kind of check.
type Check uint8

// The checks, in the order in which they are reported.
const (
	Finite Check = iota
	Bounds
	Zero
	Reason
	Bill
	Steps
	Levels
	Rejection
	Renamed
	Throughput
	Cut
	LoadSum
	Renumbered
	AddedLink
	Doubled
	Union
	checks
)

// Checks describes every check, by Check.
var Checks = [checks]struct{ Name, Doc string }{
	Finite:     {"finite", "no figure is negative, infinite or not a number"},
	Bounds:     {"bounds", "every figure lies between its bounds"},
	Zero:       {"zero", "no length, latency, throughput, cost or power is 0 by accident"},
	Reason:     {"reason", "every figure says by what method it was found, and every absent one why it is"},
	Bill:       {"bill", "cost is the sum of the bill of materials, which buys no more switches and cables than there are"},
	Steps:      {"steps", "each step of the ladder of bounds lies inside the one before"},
	Levels:     {"levels", "figures of a level lie inside the bounds of the level before"},
	Rejection:  {"rejection", "what bounds reject for want of a part, an evaluation rejects for the same part"},
	Renamed:    {"renamed", "other names of parts change no figure"},
	Throughput: {"throughput", "no routing does better than the best, no worst case better than uniform traffic"},
	Cut:        {"cut", "no more passes a cut than its links carry"},
	LoadSum:    {"loads", "loads of links sum up to the lengths of paths, and the largest bounds throughput"},
	Renumbered: {"renumbered", "other numbers of switches, endpoints and links change no figure, nor do closed forms"},
	AddedLink:  {"added link", "further links make no path longer"},
	Doubled:    {"doubled", "a second link beside every one halves the load of each"},
	Union:      {"union", "two networks side by side cost and draw the sum of both"},
}

// String is the name of the check.
func (c Check) String() string { return Checks[c].Name }
