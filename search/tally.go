package search

import "math/big"

// What becomes of tuples that are not rejected by a limit.
const (
	Dominated = "dominated"
	Duplicate = "duplicate"
	Feasible  = "feasible"
)

// Tally counts tuples of one space by what became of them, exactly: whole boxes are counted by
// the depth of the parameter at which they were cut, and multiplied out when read.
type Tally struct {
	names []string
	at    [][MaxParams]int64 // at[name][depth]: values of that parameter, the ones behind free
}

// Add counts values of the parameter at depth, each with all tuples of the parameters behind it.
func (t *Tally) Add(name string, depth int, values int64) {
	for i, n := range t.names {
		if n == name {
			t.at[i][depth] += values
			return
		}
	}
	t.names = append(t.names, name)
	t.at = append(t.at, [MaxParams]int64{})
	t.at[len(t.at)-1][depth] = values
}

// Merge adds another tally.
func (t *Tally) Merge(o *Tally) { o.Each(t.Add) }

// Each visits what was added, in the order of names as they came.
func (t *Tally) Each(visit func(name string, depth int, values int64)) {
	for i, n := range t.names {
		for d, x := range t.at[i] {
			if x != 0 {
				visit(n, d, x)
			}
		}
	}
}

// Tuples gives the number of tuples per name.
func (t *Tally) Tuples(sp *Space) map[string]*big.Int {
	m := make(map[string]*big.Int, len(t.names))
	var x big.Int
	for i, n := range t.names {
		sum := new(big.Int)
		for d := range sp.Dims {
			if c := t.at[i][d]; c != 0 {
				sum.Add(sum, x.Mul(sp.after[d], big.NewInt(c)))
			}
		}
		m[n] = sum
	}
	return m
}
