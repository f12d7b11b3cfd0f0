package search

import (
	"fmt"
	"math/big"
	"slices"
	"sort"

	"toposearch/study"
	"toposearch/topology"
)

// MaxParams bounds the parameters of a family: what holds the values of a tuple at hand has so many places and is not allocated.
const MaxParams = topology.MaxParams

// Dim is the ascending list of values that a parameter may take, by index.
type Dim struct {
	N      int // values
	min    int
	values []int // nil: min, min+1, ...
}

// NewDim holds all values from least to most.
func NewDim(least, most int) Dim { return Dim{min: least, N: max(most-least+1, 0)} }

// At is the i-th value.
func (d *Dim) At(i int) int {
	if d.values != nil {
		return d.values[i]
	}
	return d.min + i
}

// Index gives the place of a value; ok reports whether it is in the domain. Otherwise it is the
// place of the next larger value, n if there is none.
func (d *Dim) Index(x int) (i int, ok bool) {
	if d.values != nil {
		i = sort.SearchInts(d.values, x)
		return i, i < d.N && d.values[i] == x
	}
	return min(max(x-d.min, 0), d.N), x >= d.min && x < d.min+d.N
}

// Space is a family with the domains of its parameters.
type Space struct {
	Fam  *topology.Family
	Dims []Dim
	// Whole means that no domain is narrowed: every canonical form of a tuple is then in the space.
	Whole bool
	// order is the parameter that a search fixes at a depth.
	order []int
	// after[d] is the number of tuples of the parameters behind depth d: what a value there stands for.
	after []*big.Int
	Size  *big.Int
	// drawnLo and drawnHi are the corners of the box in which tuples are drawn, where the family draws them.
	drawnLo, drawnHi []int
}

func newSpace(fs study.FamilySpace) (*Space, error) {
	f := fs.Family
	if len(f.Params) > MaxParams {
		return nil, fmt.Errorf("search: family %s has %d parameters; at most %d are foreseen", f.Name, len(f.Params), MaxParams)
	}
	sp := &Space{Fam: f, Dims: make([]Dim, len(f.Params)), Whole: true}
	for i := range f.Params {
		p := &f.Params[i]
		var d study.Domain
		d.Min, d.Max = p.Range()
		if i < len(fs.Domains) && fs.Domains[i].Given {
			d = fs.Domains[i]
			sp.Whole = false
			if p.Divides != "" && d.Values == nil {
				d.Values = ratios(&sp.Dims[f.Param(p.Divides)], d.Min, d.Max)
			}
		}
		if d.Values != nil {
			sp.Dims[i] = Dim{N: len(d.Values), values: d.Values}
			continue
		}
		lo, hi := max(d.Min, p.Min), min(d.Max, p.Max)
		sp.Dims[i] = NewDim(lo, hi)
	}
	sp.order = slices.Clone(f.Order)
	for i := len(sp.order); i < len(sp.Dims); i++ { // all, or that of the scale-up domain
		sp.order = append(sp.order, i)
	}
	sp.after = make([]*big.Int, len(sp.Dims))
	sp.Size = big.NewInt(1)
	for d := len(sp.Dims) - 1; d >= 0; d-- {
		sp.after[d] = new(big.Int).Set(sp.Size)
		sp.Size.Mul(sp.Size, big.NewInt(int64(sp.Dims[sp.order[d]].N)))
	}
	return sp, nil
}

// ParamAt is the parameter that a search fixes at a depth, by index: that of Family.Order.
func (sp *Space) ParamAt(depth int) int {
	if sp.order == nil { // made by hand
		return depth
	}
	return sp.order[depth]
}

// DimAt is its domain.
func (sp *Space) DimAt(depth int) *Dim { return &sp.Dims[sp.ParamAt(depth)] }

// drawWithin sets the corners of the box in which tuples are drawn, of a space whose family has Draws.
func (sp *Space) drawWithin(least, most int64) {
	sp.drawnLo, sp.drawnHi = make([]int, len(sp.Dims)), make([]int, len(sp.Dims))
	for i := range sp.Dims {
		d := &sp.Dims[i]
		sp.drawnLo[i], sp.drawnHi[i] = d.At(0), d.At(d.N-1)
	}
	if d := sp.Fam.Draws.Endpoints; d >= 0 {
		a, b := int(max(int64(sp.drawnLo[d]), least)), int(min(int64(sp.drawnHi[d]), most))
		if a <= b {
			sp.drawnLo[d], sp.drawnHi[d] = a, b
		}
	}
}

// ratios are all ratios from least to most in which some value of a domain, of ports of switches, can be divided.
func ratios(of *Dim, least, most int) []int {
	out := []int{}
	for i := range of.N {
		n := of.At(i)
		for p := topology.RatioPart(least, n); p < n; p++ {
			if x := topology.RatioOf(p, n-p); x >= least && x <= most {
				out = append(out, x)
			}
		}
		if i%64 == 0 || i == of.N-1 {
			slices.Sort(out)
			out = slices.Compact(out)
		}
	}
	return out
}

// holds reports whether every value lies in its domain.
func (sp *Space) holds(v []int) bool {
	for i, x := range v {
		if _, ok := sp.Dims[i].Index(x); !ok {
			return false
		}
	}
	return true
}

// Duplicate reports whether v is another way to write a design that the space also holds in its
// canonical form. c is scratch of the same length and holds the canonical form afterwards.
func (sp *Space) Duplicate(v, c []int) bool {
	copy(c, v)
	if sp.Fam.Canonical == nil {
		return false
	}
	sp.Fam.Canonical(c)
	for i := range v {
		if v[i] != c[i] {
			return sp.Whole || sp.holds(c)
		}
	}
	return false
}

// Key packs a space and values into a map key, shorter and faster than the design's name.
func Key(sp int, v []int) string {
	b := make([]byte, 0, 4+4*len(v))
	b = append(b, byte(sp), byte(sp>>8))
	for _, x := range v {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return string(b)
}
