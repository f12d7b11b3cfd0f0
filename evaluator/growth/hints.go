package growth

import (
	"cmp"
	"slices"
)

// Closed forms of how a family grows. Switches of a class are numbered by coordinates whose ranges are parameters: a larger member holds a
// smaller one as the switches with the smaller coordinates. Which parameters number which class is not asked: all runs of parameters
// whose product is the number of boxes are tried, either end counting fastest, and so are blocks of fixed size (groups, pods).

// mostHints is how many of the maps of boxes found are tried in full: the first one is nearly always it.
const mostHints = 3

// hints are maps of old boxes to new ones, those that keep most cables between boxes first.
func (m *matcher) hints() [][]int32 {
	if !m.rules.Switches {
		return nil
	}
	classes := m.classes()
	all := [][]int32{m.byClass(classes, nil)}
	if m.old.Design.Family == m.to.Design.Family && m.old.Design.Family != nil {
		for i := range classes {
			for _, f := range m.forms(&classes[i]) {
				all = append(all, m.byClass(classes, map[int]func(int) int{i: f}))
			}
		}
	}
	type scored struct {
		hint []int32
		kept int
	}
	order := make([]scored, len(all))
	for i, h := range all {
		order[i] = scored{h, m.keptBoxes(h)}
	}
	slices.SortStableFunc(order, func(a, b scored) int { return cmp.Compare(b.kept, a.kept) })
	out := [][]int32{}
	for _, s := range order[:min(len(order), mostHints)] {
		out = append(out, s.hint)
	}
	return out
}

// class is the boxes of one class in both networks, in order.
type class struct{ old, to []int32 }

// classes pairs those of the same name.
func (m *matcher) classes() (out []class) {
	var names []string
	for u := range m.old.Boxes {
		name := m.old.Boxes[u].Class
		i := slices.Index(names, name)
		if i < 0 {
			i = len(names)
			names, out = append(names, name), append(out, class{})
		}
		out[i].old = append(out[i].old, int32(u))
	}
	for v := range m.to.Boxes {
		if i := slices.Index(names, m.to.Boxes[v].Class); i >= 0 {
			out[i].to = append(out[i].to, int32(v))
		}
	}
	return out
}

// byClass maps boxes class by class: by a form, else the i-th to the i-th.
func (m *matcher) byClass(classes []class, forms map[int]func(int) int) []int32 {
	hint := make([]int32, m.old.vertices())
	for i := range hint {
		hint[i] = -1
	}
	for i := range classes {
		c, f := &classes[i], forms[i]
		for j, u := range c.old {
			at := j
			if f != nil {
				at = f(j)
			}
			if at >= 0 && at < len(c.to) {
				hint[u] = c.to[at]
			}
		}
	}
	return hint
}

// mostForms bounds the maps of a class that are compared: families have at most a dozen parameters.
const mostForms = 200

// forms are maps of the boxes of a class by what the parameters of the two designs may number.
func (m *matcher) forms(c *class) (out []func(int) int) {
	a, b := m.old.Design.V, m.to.Design.V
	if len(a) != len(b) {
		return nil
	}
	for i := range a {
		for j := i + 1; j <= len(a); j++ {
			x, y := a[i:j], b[i:j]
			p, q := product(x), product(y)
			if p <= 0 || q < p {
				continue
			}
			if p == len(c.old) && q == len(c.to) && j > i+1 {
				out = append(out, digits(x, y, false), digits(x, y, true))
			}
			if p > 1 && len(c.old)%p == 0 && len(c.to)%q == 0 && len(c.to)/q >= len(c.old)/p {
				out = append(out, func(k int) int { return k/p*q + k%p })
			}
		}
	}
	return out[:min(len(out), mostForms)]
}

// product of parameters, 0 if one is below 1 or it is beyond counting.
func product(v []int) int {
	p := 1
	for _, x := range v {
		if x < 1 || p > 1<<30/x {
			return 0
		}
		p *= x
	}
	return p
}

// digits maps a number of coordinates below x to that of the same coordinates below y, -1 where one is too large. The last
// counts fastest, or the first.
func digits(x, y []int, first bool) func(int) int {
	return func(k int) int {
		out, weight := 0, 1
		for i := range x {
			at := len(x) - 1 - i
			if first {
				at = i
			}
			d := k % x[at]
			if k /= x[at]; d >= y[at] {
				return -1
			}
			out, weight = out+d*weight, weight*y[at]
		}
		return out
	}
}

// sampled is how many cables a map of boxes is judged by at most.
const sampled = 2000

// keptBoxes is how many of a sample of the cables between boxes a map keeps, parallel ones as one.
func (m *matcher) keptBoxes(hint []int32) (kept int) {
	step := max(1, len(m.old.Cables)/sampled)
	for i := 0; i < len(m.old.Cables); i += step {
		a := &m.old.Cables[i]
		if m.old.isEndpoint(a.A) || m.old.isEndpoint(a.B) || hint[a.A] < 0 || hint[a.B] < 0 || !m.alike(a.A, hint[a.A]) || !m.alike(a.B, hint[a.B]) {
			continue
		}
		u, v := hint[a.A], hint[a.B]
		for _, k := range m.to.cables(u) {
			if b := &m.to.Cables[k]; b.far(u) == v && m.serves(a, b) {
				kept++
				break
			}
		}
	}
	return kept
}
