// Package study reads what an architect asks for: a study file with the constraint files and
// catalogues it names, merged into everything a search needs to know. All faults of all files
// are reported at once, each with its place and remedy.
package study

import (
	"slices"
	"time"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/objectives"
	"toposearch/topology"
)

// Study is a complete question: what to search, what matters, what is allowed.
type Study struct {
	Name string
	Seed uint64
	Path string // of the study file, as it was given

	MinEndpoints, MaxEndpoints int64 // inclusive
	BandwidthGbps              float64
	PerServer                  int
	Scaleup                    bool
	ScaleupGbps                float64
	Domain                     topology.Domain // how a scale-up domain is joined, and of how many endpoints
	// Scaleups are the scale-up domains among which the search chooses, of one endpoint none; nil if there is no choice:
	// Scaleup and Domain then say what every design has.
	Scaleups []topology.Domain

	Known      []*topology.Family // families that could be named
	Space      []FamilySpace      // in the order of the study
	LeftOut    []string           // families that are searched only when they are named, and are not
	Objectives []objectives.Objective
	Incumbents []Incumbent // judged beside the front, in the order of the study
	Search     Search
	Verify     Verify
	// Require holds thresholds that at least one design on the front must meet (exit status 5).
	Require []constraints.Limit

	Constraints *constraints.Set
	Catalogue   *catalog.Catalogue
	Currency    catalog.Currency
	Index       *catalog.Index // the catalogue prepared for the limits of the constraint files
	// Options is the evaluation as study and constraint files ask for it, catalogue included.
	Options evaluator.Options

	// Warnings are the findings that did not keep the study from being read, sorted.
	Warnings diag.List

	Inputs []Input // every file that was read, the study first, in the order of naming

	given []string // dotted paths of the keys that the study file has
}

// Incumbent is a network that somebody has in mind or runs: judged beside the front whatever that says.
type Incumbent struct {
	Name   string // "" if it has none
	Asked  string // as written: a design, a family, or "file:PATH"
	Family *topology.Family
	// Values of its parameters; nil with Best: the best design of the family is taken.
	Values []int
	Best   bool
	Pos    diag.Pos
}

// Design is the incumbent, unless the best of a family is to be taken.
func (x *Incumbent) Design() topology.Design { return topology.Design{Family: x.Family, V: x.Values} }

// FamilySpace is a family with the values that its parameters may take.
type FamilySpace struct {
	Family  *topology.Family
	Domains []Domain // one per parameter
}

// Domain is the set of values of a parameter.
type Domain struct {
	// Given: the study narrows the domain; otherwise it is the whole range of the parameter.
	Given    bool
	Min, Max int
	Values   []int // ascending; nil: every integer in Min..Max
}

// Strategies of a search.
const (
	Auto      = "auto"
	Enumerate = "enumerate"
	NSGA2     = "nsga2"
	Local     = "local"
	Random    = "random"
)

// Search says how to search and for how long.
type Search struct {
	Strategy    string
	Time        time.Duration // 0: no limit of time
	Evaluations int64         // 0: no limit of evaluations
	// EvaluationsAt is where it is written.
	EvaluationsAt diag.Pos `json:"-"`
	// Batch is how many designs are evaluated before the front is read again, DefaultBatch at least: part of the result, and as many as can be computed at once. 0 is DefaultBatch.
	Batch int
	// Tolerance is by what part a design may be better than one of the front in any objective and still be left out.
	Tolerance float64
}

// Auto tells whether the strategy is chosen by how large the spaces are.
func (s *Search) Auto() bool { return s.Strategy == Auto || s.Strategy == "" }

// DefaultBatch is enough for the cores of a machine, and few enough that what is found excludes others soon; mostTogether is as many cores as large systems have.
const DefaultBatch, mostTogether = 128, 1 << 16

// Verify says how finalists are simulated.
type Verify struct {
	Finalists int      // 0: no simulation
	Traffic   []string // "uniform", "worst", Workload
	Cycles    int      // measured per load point; ns under CutThrough; 0: as many as Precision needs
	Precision float64  // of mean latency and accepted load, half their 95 % interval as a part of them; 0: not asked, DefaultPrecision without Cycles
	Packet    int      // flits
	Loads     int      // points of the curve
	VCs       int      // of a link; 0: what [routing] vcs allows, or what the routing needs, at least 4
	Routing   string   // as simcore/route names it; "": the one chosen for each design
	Model     string   // Flit, "" or CutThrough
	// Fidelity says what measured objectives do: FidelityFinalists, "": finalists of the front by their stand-ins are measured;
	// FidelitySearch: measurements correct the stand-ins and the front is found again, with at most Simulations designs.
	Fidelity    string
	Simulations int
}

// DefaultPrecision is that of a simulated load where the study does not say: a tenth of what a saturation load may differ
// from its prediction.
const DefaultPrecision = 0.01

// Workload is the traffic of the heaviest communication of the step that [workload] describes.
const Workload = "workload"

// What [verify] fidelity says.
const (
	FidelityFinalists = "finalists"
	FidelitySearch    = "search"
)

// DefaultSimulations is how many designs a search at two fidelities simulates at most where the study does not say: those of 64 to 256
// endpoints take some seconds each on one core.
const DefaultSimulations = 60

// Models of a verification.
const (
	Flit       = "flit"
	CutThrough = "cut_through"
)

// Input is a file that a study depends on.
type Input struct {
	Path   string // as named
	SHA256 string // of Bytes, in hexadecimal
	Bytes  []byte
}

// Families lists the families of the space, in the order of the study.
func (s *Study) Families() []*topology.Family {
	out := make([]*topology.Family, len(s.Space))
	for i := range s.Space {
		out[i] = s.Space[i].Family
	}
	return out
}

// Size is the number of values of the domain.
func (d *Domain) Size() int {
	if d.Values != nil {
		return len(d.Values)
	}
	return d.Max - d.Min + 1
}

// Contains reports whether x is a value of the domain.
func (d *Domain) Contains(x int) bool {
	if d.Values != nil {
		_, ok := slices.BinarySearch(d.Values, x)
		return ok
	}
	return d.Min <= x && x <= d.Max
}
