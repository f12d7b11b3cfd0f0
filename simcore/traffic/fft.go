package traffic

import (
	"fmt"
	"strings"

	"toposearch/diag"
	"toposearch/internal/stream"
	"toposearch/simcore"
)

// Grid is P x Q processes of a 3D FFT with a decomposition in two dimensions (pencils): process i stands in row i / Q and
// column i mod Q. Between its three passes of one-dimensional transforms the data are exchanged twice: in phase 1 within
// each row, in phase 2 within each column, every process with every other of equal volumes.
type Grid struct {
	P, Q int
	// To is the endpoint of each process, and From the process of each endpoint.
	To, From []int32
}

// Phases of a Grid.
const (
	fftBoth = iota
	fftRows
	fftColumns
)

// fft is either exchange of a Grid as a steady traffic, or both.
func fft(o Options, args []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	g, rest, err := ParseGrid(args, n, o.Seed)
	if err != nil {
		return nil, err
	}
	phase := fftBoth
	if len(rest) > 0 {
		switch rest[0] {
		case "1":
			phase = fftRows
		case "2":
			phase = fftColumns
		case "both":
		default:
			return nil, fmt.Errorf("the phase %q is not 1 (rows), 2 (columns) or both", rest[0])
		}
	}
	if phase != fftColumns && g.Q < 2 || phase != fftRows && g.P < 2 {
		return nil, fmt.Errorf("in a grid of %d x %d processes those of a row or a column have nobody to send to in phase %s; take P and Q of 2 or more", g.P, g.Q, words(phase))
	}
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		rows := phase == fftRows
		if phase == fftBoth {
			rows = r.Coin()
		}
		return g.partner(src, rows, r)
	}, rest: func(src int, add func(int, float64)) {
		for _, p := range []struct {
			phase int
			rows  bool
		}{{fftRows, true}, {fftColumns, false}} {
			part := 1.0
			switch phase {
			case fftBoth:
				part = 0.5
			case p.phase:
			default:
				continue
			}
			k := g.ring(p.rows)
			for step := 1; step < k; step++ {
				add(g.other(src, p.rows, step), part/float64(k-1))
			}
		}
	}}, nil
}

func words(phase int) string { return [...]string{"1 or 2", "1", "2"}[phase] }

// ring is the number of processes of a row or a column.
func (g *Grid) ring(rows bool) int {
	if rows {
		return g.Q
	}
	return g.P
}

// other is the endpoint of the process so many steps on in the row or column of an endpoint's.
func (g *Grid) other(e int, rows bool, step int) int {
	i := int(g.From[e])
	row, col := i/g.Q, i%g.Q
	if rows {
		col = (col + step) % g.Q
	} else {
		row = (row + step) % g.P
	}
	return int(g.To[row*g.Q+col])
}

func (g *Grid) partner(e int, rows bool, r *simcore.Rand) int {
	return g.other(e, rows, 1+r.IntN(g.ring(rows)-1))
}

// Exchanges lists what every endpoint sends in both phases, so many flits or bytes to each other of its row and column, in
// the order in which it does: to the next process first, so that at any time no two send to the same.
func (g *Grid) Exchanges(size int32) []simcore.Send {
	var out []simcore.Send
	for phase, rows := range []bool{true, false} {
		for e := range g.To {
			for step := 1; step < g.ring(rows); step++ {
				out = append(out, simcore.Send{From: int32(e), To: int32(g.other(e, rows, step)), Size: size, Phase: int32(phase)})
			}
		}
	}
	return out
}

// GridOf reads "P,Q" or "P,Q,mapping" for n endpoints; "" is the grid that is as square as it can be.
func GridOf(text string, n int, seed uint64) (*Grid, error) {
	var args []string
	if text != "" {
		_, list, err := split("fft(" + text + ")")
		if err != nil {
			return nil, err
		}
		args = list
	}
	if len(args) > 2 { // no phase stands between
		args = append(append(args[:2:2], "both"), args[2:]...)
	}
	g, _, err := ParseGrid(args, n, seed)
	return g, err
}

// ParseGrid reads P, Q and a mapping for n endpoints; what stands between them is left over. Without arguments the grid is
// as square as n allows, with the longer rows.
func ParseGrid(args []string, n int, seed uint64) (g *Grid, rest []string, err error) {
	g = new(Grid)
	g.P, g.Q = Square(n)
	if len(args) == 1 {
		return nil, nil, fmt.Errorf("one side of a process grid, %q, is not enough; write P,Q, such as %d,%d", args[0], g.P, g.Q)
	}
	mapping := "row"
	if len(args) > 1 {
		v, err := ints(args[:2], 1, n)
		if err != nil {
			return nil, nil, err
		}
		if v[0]*v[1] != n {
			return nil, nil, fmt.Errorf("a grid of %d x %d has %d processes, and the network %d endpoints: each takes one; write %d,%d", v[0], v[1], v[0]*v[1], n, g.P, g.Q)
		}
		g.P, g.Q, rest = v[0], v[1], args[2:]
	}
	if len(rest) > 2 {
		return nil, nil, fmt.Errorf("it has four arguments at most, P, Q, phase and mapping, got %d", len(args))
	}
	if len(rest) == 2 {
		mapping = rest[1]
	}
	if err = g.place(mapping, seed); err != nil {
		return nil, nil, err
	}
	g.From = make([]int32, n)
	for i, e := range g.To {
		g.From[e] = int32(i)
	}
	return g, rest, nil
}

// Square are the factors of n next to each other, the smaller first.
func Square(n int) (p, q int) {
	p = 1
	for k := 1; k <= n/k; k++ {
		if n%k == 0 {
			p = k
		}
	}
	return p, n / p
}

// place puts the processes on endpoints.
func (g *Grid) place(mapping string, seed uint64) error {
	name, args, err := split(mapping)
	if err != nil {
		return err
	}
	n := g.P * g.Q
	g.To = make([]int32, n)
	put := func(at func(row, col int) int) {
		for i := range g.To {
			g.To[i] = int32(at(i/g.Q, i%g.Q))
		}
	}
	names := []string{"row", "column", "random", "blocked"}
	switch {
	case (name == "row" || name == "column") && len(args) > 0:
		return fmt.Errorf("mapping %s takes no arguments, got %q", name, strings.Join(args, ","))
	case name == "row":
		put(func(row, col int) int { return row*g.Q + col })
	case name == "column":
		put(func(row, col int) int { return col*g.P + row })
	case name == "random":
		if len(args) > 0 {
			v, err := ints(args, 0, 1<<62)
			if err != nil || len(v) > 1 {
				return fmt.Errorf("mapping %q: write random(seed) with one whole number", mapping)
			}
			seed = uint64(v[0])
		}
		for i, e := range stream.New(seed, "traffic fft").Perm(n) {
			g.To[i] = int32(e)
		}
	case name == "blocked":
		r, _ := Square(g.P)
		c, _ := Square(g.Q)
		if len(args) > 0 {
			v, err := ints(args, 1, n)
			if err != nil || len(v) != 2 || g.P%v[0] != 0 || g.Q%v[1] != 0 {
				return fmt.Errorf("mapping %q: tiles of r x c have to divide the grid of %d x %d; write blocked(%d,%d)", mapping, g.P, g.Q, r, c)
			}
			r, c = v[0], v[1]
		}
		put(func(row, col int) int {
			return ((row/r)*(g.Q/c)+col/c)*r*c + row%r*c + col%c
		})
	default:
		return fmt.Errorf("there is no mapping %q%s", name, diag.Hint(name, names))
	}
	return nil
}
