package collective

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// Shape is what algorithms are made for where their names leave it open.
type Shape struct {
	Ranks int
	Ports int     // of a rank: rings of a multi-ring
	Near  int     // ranks that are near each other, numbered one after the other: the groups of hierarchical
	Bytes float64 // S
	Link  Link    // for the number of segments
}

// named is an algorithm by its name.
type named struct {
	name, takes string
	kinds       []Kind
	make        func(s Shape, arg string) (Algorithm, error)
}

var names = []named{
	{"ring", "", []Kind{AllReduce, ReduceScatter, AllGather}, func(s Shape, _ string) (Algorithm, error) { return Ring{N: s.Ranks}, nil }},
	{"multiring", "rings", []Kind{AllReduce, ReduceScatter, AllGather}, multiRing},
	{"halving", "", []Kind{AllReduce, ReduceScatter, AllGather}, func(s Shape, _ string) (Algorithm, error) { return HalvingDoubling{s.Ranks}, nil }},
	{"tree", "segments", []Kind{AllReduce}, func(s Shape, arg string) (Algorithm, error) {
		a := DoubleTree{N: s.Ranks}
		m, err := count(arg, a.BestSegments(s.Link, s.Bytes))
		a.Segments = m
		return a, err
	}},
	{"hierarchical", "ranks of a group", []Kind{AllReduce, ReduceScatter, AllGather, AllToAll}, hierarchy},
	{"torus2d", "RxC", []Kind{AllReduce, ReduceScatter, AllGather}, torus},
	{"direct", "", []Kind{AllToAll, ReduceScatter, AllGather}, func(s Shape, _ string) (Algorithm, error) { return Direct{s.Ranks}, nil }},
	{"multipath", "percent that goes directly", []Kind{AllToAll}, multiPath},
	{"chain", "segments", []Kind{Broadcast, Pipeline}, func(s Shape, arg string) (Algorithm, error) {
		a := Chain{N: s.Ranks}
		m, err := count(arg, a.BestSegments(s.Link, s.Bytes))
		a.Segments = m
		return a, err
	}},
	{"binomial", "", []Kind{Broadcast}, func(s Shape, _ string) (Algorithm, error) { return Binomial{s.Ranks}, nil }},
	{"mesh", "ranks of a mesh", []Kind{AllReduce, ReduceScatter, AllGather, AllToAll, Broadcast}, mesh},
	{"dissemination", "", []Kind{Barrier}, func(s Shape, _ string) (Algorithm, error) { return Dissemination{s.Ranks}, nil }},
}

// count is a number that follows a name, or what stands for it.
func count(arg string, otherwise int) (int, error) {
	if arg == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > mostSegments {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", arg, mostSegments)
	}
	return n, nil
}

func multiRing(s Shape, arg string) (Algorithm, error) {
	j, err := count(arg, max(s.Ports, 2))
	a := Ring{s.Ranks, DisjointShifts(s.Ranks, j)}
	if err == nil && len(a.Shifts) < j && arg != "" {
		return nil, fmt.Errorf("there are %d disjoint rings of shifts of %d ranks, not %d", len(a.Shifts), s.Ranks, j)
	}
	return a, err
}

// multiPath reads the percentage that goes directly.
func multiPath(s Shape, arg string) (Algorithm, error) {
	a := MultiPath{Direct{s.Ranks}, -1}
	if arg == "" {
		return a, nil
	}
	x, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(x >= 0 && x <= 100) {
		return nil, fmt.Errorf("%q is no percentage from 0 to 100", arg)
	}
	a.Directly = x / 100
	return a, nil
}

func hierarchy(s Shape, arg string) (Algorithm, error) {
	inner, err := count(arg, 0)
	if err != nil {
		return nil, err
	}
	if inner == 0 { // the near ranks, or as many as divide the group
		for inner = min(max(s.Near, 1), s.Ranks); s.Ranks%inner != 0; inner-- {
		}
	}
	if s.Ranks%inner != 0 {
		return nil, fmt.Errorf("groups of %d do not divide %d ranks; write a divisor", inner, s.Ranks)
	}
	return Hierarchical{Inner: inner, Outer: s.Ranks / inner}, nil
}

// mesh is one mesh of all ranks where no number is given.
func mesh(s Shape, arg string) (Algorithm, error) {
	s.Near = s.Ranks
	a, err := hierarchy(s, arg)
	if h, ok := a.(Hierarchical); ok {
		h.Mesh = true
		a = h
	}
	return a, err
}

func torus(s Shape, arg string) (Algorithm, error) {
	if arg != "" {
		r, c, _ := strings.Cut(arg, "x")
		rows, err1 := count(r, 0)
		cols, err2 := count(c, 0)
		if err1 != nil || err2 != nil || rows*cols != s.Ranks {
			return nil, fmt.Errorf("%q is not rows x columns, such as 4x8, of %d ranks", arg, s.Ranks)
		}
		return Torus{rows, cols}, nil
	}
	rows := int(math.Sqrt(float64(s.Ranks)))
	for rows > 1 && s.Ranks%rows != 0 {
		rows--
	}
	if rows < 2 {
		return nil, fmt.Errorf("%d ranks are no rectangle of at least 2 x 2; use ring", s.Ranks)
	}
	return Torus{rows, s.Ranks / rows}, nil
}

// spelled are the kinds as commands write them.
func (k Kind) spelled() string { return strings.ReplaceAll(kinds[k], "-", "") }

// usual is the algorithm of a kind that no name asks for.
func (k Kind) usual() string {
	for _, a := range names {
		if slices.Contains(a.kinds, k) {
			return a.name
		}
	}
	return ""
}

// ParseKind reads what a text such as "allreduce:tree=16" asks for: a kind, and behind a colon an algorithm with its
// number, if there is one.
func ParseKind(text string) (k Kind, algorithm string, err error) {
	word, algorithm, _ := strings.Cut(text, ":")
	var spelled []string
	for _, k := range Kinds() {
		if k.usual() == "" {
			continue // an exchange is no collective
		}
		if word == k.spelled() || word == k.String() {
			if algorithm == "" {
				algorithm = k.usual()
			}
			name, _, _ := strings.Cut(algorithm, "=")
			if name == (HalvingDoubling{}).Name() { // as steps of a workload print it
				name, algorithm = "halving", "halving"+strings.TrimPrefix(algorithm, name)
			}
			if by := Names(k); !slices.Contains(by, name) {
				return k, "", fmt.Errorf("there is no %s by %q%s", k, name, diag.Hint(name, by))
			}
			return k, algorithm, nil
		}
		spelled = append(spelled, k.spelled())
	}
	return 0, "", fmt.Errorf("%q is no collective%s", word, diag.Hint(word, spelled))
}

// Names are those of the algorithms of a kind.
func Names(k Kind) (out []string) {
	for _, a := range names {
		if slices.Contains(a.kinds, k) {
			out = append(out, a.name)
		}
	}
	return out
}

// Named is an algorithm by its name and number, such as "tree=16", for a shape. The error says what it can do.
func Named(k Kind, text string, s Shape) (Algorithm, error) {
	name, arg, given := strings.Cut(text, "=")
	for _, a := range names {
		if a.name != name || !slices.Contains(a.kinds, k) {
			continue
		}
		if given && a.takes == "" {
			return nil, fmt.Errorf("%s takes no number, got %q", name, arg)
		}
		x, err := a.make(s, arg)
		if err != nil {
			return nil, fmt.Errorf("%s=%s (%s): %w", name, arg, a.takes, err)
		}
		if _, err := x.Cost(k); err != nil {
			return nil, err
		}
		return x, nil
	}
	return nil, fmt.Errorf("there is no %s by %q; there are %s", k, name, strings.Join(Names(k), ", "))
}
