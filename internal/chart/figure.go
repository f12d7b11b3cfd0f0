// Package chart draws what a paper or a slide shows: panels of points and lines with axes, one
// legend above them, as SVG, PDF and PNG. Callers describe a figure in the units that they want to
// print; here stand its looks: column widths of a paper, letters that can be read at that size,
// colours that colour-blind readers can distinguish, each with a marker of its own.
//
// figure.go says what a figure is; axis.go finds ranges and ticks, panel.go and marks.go draw a
// panel, label.go finds room for names, legend.go sets the legend, and layout.go puts the parts on
// a page. encode.go turns the page into bytes, which depend on the figure alone: no clock, no map
// order; files.go writes them.
package chart

// Widths of a figure in inches: of one column of a paper and of both.
const (
	Column = 3.5
	Page   = 7.16
)

// Figure is a grid of panels with a legend above them.
type Figure struct {
	Panels []Panel // row by row
	Across int     // panels in a row; 0 is 1
	Width  float64 // in inches; 0 is Column
	Height float64 // of a row of panels in inches; 0 is 2.3
}

// Panel is a plot with its own axes.
type Panel struct {
	Title  string // above the panel; "" for none
	X, Y   Axis
	Series []Series
	Rules  []Rule
	Labels []Label
	// Diagonal names a line of y = x, "" for none.
	Diagonal string
	// Square gives both axes one range.
	Square bool
}

// Axis of a panel. Its range covers series, rules and Cover.
type Axis struct {
	Title string // the quantity with its unit: "Cost (MUSD)"
	// Log asks for a logarithmic axis; it is linear all the same if a value is not above 0.
	Log bool
	// Zero makes a linear axis start at 0 or below.
	Zero  bool
	Cover []float64
	// Names stand at 0, 1, 2 and so on instead of numbers.
	Names []string
}

// Series is points of one kind. A point with a coordinate that is not finite is left out and
// interrupts the line.
type Series struct {
	Name   string // in the legend; "" for none. Equal names share an entry, grey where colours differ
	Style  int    // colour and marker, from 0; Grey is neutral
	X, Y   []float64
	Line   bool   // joins the points
	Dashed bool   // the line is dashed
	Bare   bool   // without markers
	Hollow []bool // markers drawn as outlines; nil for none
}

// Grey is the style of what belongs to no series.
const Grey = -1

// Rule is a thin line across a panel, such as a prediction.
type Rule struct {
	Name     string // in the legend; "" for none
	Style    int
	At       float64
	Vertical bool
	Dotted   bool
}

// Label names a point of the panel.
type Label struct {
	X, Y float64
	Text string
}
