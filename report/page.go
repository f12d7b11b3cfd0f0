package report

import (
	"html/template"
)

// page is what the templates show: every figure is text already.
type page struct {
	Data                        *Data
	CSP                         string
	Style                       template.CSS
	Scripts                     []template.JS
	JSON                        template.JS
	Question, Verdict           string
	Badge                       badge
	Required                    []note
	Cards                       []card
	Incumbents                  []incumbentView
	Scatter, Parallel           template.HTML
	ScatterLabel, ParallelLabel string
	FrontTitle, FrontNote       string
	Legend                      []legend
	Columns                     []columnView
	Rows                        []row
	Details                     []detailView
	Rejections                  []rejectView
	RejectNote                  string
	Closest                     []closestView
	Families                    []familyView
	Asked, Searched, Levels     []Fact
	PickRules, Footer           string
	picks                       []Pick
	styles                      styles
	detailOf                    map[int]string // id of the detail of a point
}

// legend is a family with its marker.
type legend struct {
	Name, Marker string
	Style        int
	Count        string
}

type columnView struct{ Key, Title, Unit, Doc string }

// row is a design of the table.
type row struct {
	I      int
	ID     string
	Name   string
	Also   []string
	Marker string
	Style  int
	Picks  []string
	Cells  []cell
	Check  badge
}

type cell struct{ Text, Bounds string }

// card shows a pick.
type card struct {
	Names, Design, ID, Marker string
	Rules                     []string
	Style                     int
	Big                       []Fact
	Small                     string
	Check                     badge
}

// rejectView is a constraint with the combinations that it cut.
type rejectView struct {
	Name, Doc, Text, Origin, Count, Share string
	Width                                 string
}

type familyView struct{ Name, Space, Decided, Evaluated, Feasible, Front, How string }

// closestView is the design of a family that comes nearest.
type closestView struct {
	Family, Design string
	Misses, Relax  []Fact // Label is the place of the limit
}

// detailView is a design shown in full.
type detailView struct {
	ID, Name, Marker, Summary string
	Style                     int
	Open                      bool
	Badges                    []badge
	Title, Source             string
	Notes                     []note
	Params                    []Param
	Slacks                    []slackView
	Sim                       *simView
	Groups                    []groupView
	Absent                    string
	Switches                  []switchView
	BOM                       []bomView
	BOMTotal                  []Fact
	Stack                     []stackView
	StackLabel                string
	Cables                    []cableView
	Floor                     template.HTML
	Dir                       string
}

type slackView struct{ Name, Origin, Value, Bound, Margin, Class string }

// simView is what was simulated of a design.
type simView struct {
	Unit  string // of latencies
	Chart template.HTML
	Rows  []simRow
	Note  string
}

type simRow struct {
	Name  string
	Cells []string
}

// groupView is a group of metrics.
type groupView struct {
	Name string
	Rows []metricView
}

type metricView struct{ Title, Doc, Value, Bounds, Level, Method string }

type switchView struct{ Class, Model, Description, Count, Ports string }

// bomView is a line of the bill of materials.
type bomView struct {
	Part, Description, UsedIn, Need, Order, Unit, Total, Currency, Lead string
	Derived                                                             bool
}

// stackView is a part of the cost bar.
type stackView struct {
	Name, Text, Grow string
	Style            int
}

type cableView struct{ Link, Gbps, Medium, Count, Total, Max, Lengths string }

// incumbentView is an incumbent as the page shows it.
type incumbentView struct {
	Title, Verdict, Chosen, Why string
	Badge                       badge
	Admit                       []string
	Card                        *card
	Detail                      detailView
}
