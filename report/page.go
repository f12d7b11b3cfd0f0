package report

import (
	"html/template"
)

// page is what the templates show: every figure is text already.
type page struct {
	Data                        *Data
	Live                        *Live  // nil: nobody serves the page
	Index                       *Index // of the page of several runs
	LiveScript                  template.JS
	EChartsHash                 string
	Growth                      template.HTML // chart; "" if there is nothing to draw
	GrowthNote                  string
	LiveSims                    []liveSim
	LiveFamilies                []liveFamily
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
	NearText                    string // how many rows are left out; "" if none
	Legend                      []legend
	Columns                     []columnView
	Rows                        []row
	Details                     []detailView
	Sensitivity                 *sensitivityView
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

// SoFar reports whether the page shows what is journalled, and not a front that the run has written.
func (p *page) SoFar() bool { return p.Live != nil && p.Live.SoFar }

// liveSim is what was simulated of a design while the run goes on.
type liveSim struct {
	Name  string
	Check badge
	Notes []string
	Sim   *simView
}

// liveFamily is how far a family is; Part is what it has of all evaluations, in percent.
type liveFamily struct {
	Name, Marker, Evaluated, Feasible, Front, Part string
	Style                                          int
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
	Near   bool // left out until all are asked for
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
	Buying                    []Fact // spares, dates, what the order waits for
	Alternates                []Fact // part, and what would do in its place
	Stack                     []stackView
	StackLabel                string
	Cables                    []cableView
	Floor                     template.HTML
	Pictures                  []pictureView
	Dir                       string
}

type pictureView struct {
	Title, About string
	SVG          template.HTML
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
	Part, Description, UsedIn, Need, Order, Spares, Unit, Total, Currency, Lead string
	Derived                                                                     bool
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

// sensitivityView is the part of the page on what limits and prices are worth.
type sensitivityView struct {
	Curves []curveView
	Evens  []string
	Picks  [][]string
	Notes  []string
}

type curveView struct {
	Lead  string
	Lines []string
	Chart template.HTML
}
