package family

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// formula reads the arithmetic of Family.Formulas and Param.DefaultDoc.
type formula struct {
	text  string
	at    int
	names map[string]float64
}

func compute(text string, names map[string]float64) (x float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%q: %v", text, r)
		}
	}()
	f := formula{text: text, names: names}
	x = f.compare()
	if f.skip(); f.at < len(f.text) {
		panic("cannot read from " + f.text[f.at:])
	}
	return x, nil
}

func (f *formula) skip() {
	for f.at < len(f.text) && f.text[f.at] == ' ' {
		f.at++
	}
}

func (f *formula) take(ops ...string) string {
	f.skip()
	for _, op := range ops {
		if strings.HasPrefix(f.text[f.at:], op) {
			f.at += len(op)
			return op
		}
	}
	return ""
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (f *formula) compare() float64 {
	x := f.sum()
	switch f.take("<=", ">", "=") {
	case "<=":
		return truth(x <= f.sum())
	case ">":
		return truth(x > f.sum())
	case "=":
		return truth(x == f.sum())
	}
	return x
}

func (f *formula) sum() float64 {
	for x := f.product(); ; {
		switch f.take("+", "-") {
		case "+":
			x += f.product()
		case "-":
			x -= f.product()
		default:
			return x
		}
	}
}

func (f *formula) product() float64 {
	for x := f.power(); ; {
		switch f.take("*", "/") {
		case "*":
			x *= f.power()
		case "/":
			x /= f.power()
		default:
			return x
		}
	}
}

func (f *formula) power() float64 {
	x := f.atom()
	if f.take("^") != "" {
		return math.Pow(x, f.atom())
	}
	return x
}

func (f *formula) atom() float64 {
	if f.take("(") != "" {
		x := f.compare()
		if f.take(")") == "" {
			panic("a parenthesis is open")
		}
		return x
	}
	start := f.at
	for f.at < len(f.text) && (f.text[f.at] == '_' || f.text[f.at] >= '0' && f.text[f.at] <= '9' || f.text[f.at] >= 'a' && f.text[f.at] <= 'z') {
		f.at++
	}
	word := f.text[start:f.at]
	if x, ok := f.names[word]; ok {
		return x
	}
	if x, err := strconv.ParseFloat(word, 64); err == nil {
		return x
	}
	if f.take("(") == "" {
		panic("unknown name " + word)
	}
	args := []float64{f.compare()}
	for f.take(",") != "" {
		args = append(args, f.compare())
	}
	if f.take(")") == "" {
		panic("a parenthesis is open")
	}
	return call(word, args)
}

func call(name string, a []float64) float64 {
	switch name {
	case "if":
		if a[0] != 0 {
			return a[1]
		}
		return a[2]
	case "min", "max":
		x := a[0]
		for _, y := range a {
			if (y < x) == (name == "min") {
				x = y
			}
		}
		return x
	case "floor":
		return math.Floor(a[0])
	case "ceil":
		return math.Ceil(a[0])
	case "mod":
		return math.Mod(a[0], a[1])
	case "divisor":
		for x := min(a[0], math.Floor(a[1])); x > 1; x-- {
			if math.Mod(a[0], x) == 0 {
				return x
			}
		}
		return 1
	case "square":
		for y := 1.; y < a[1]; y++ {
			if math.Mod(y*y, a[1]) == math.Mod(a[0], a[1]) {
				return 1
			}
		}
		return 0
	}
	panic("unknown function " + name)
}

// whole is a number without what the rounding of a ratio adds to it.
func whole(x float64) float64 {
	if n := math.Round(x); math.Abs(x-n) <= 1e-9*n {
		return n
	}
	return x
}

// namesOf are the values of the parameters, and of their choices.
func namesOf(f *topology.Family, v []int) map[string]float64 {
	names := map[string]float64{}
	for i, p := range f.Params {
		for c, name := range p.Choices {
			names[name] = float64(c)
		}
		names[p.Name] = float64(v[i])
		if p.Divides != "" {
			down, up, _ := strings.Cut(p.Format(v[i]), ":")
			x, _ := strconv.ParseFloat(down, 64)
			y, _ := strconv.ParseFloat(up, 64)
			names[p.Name] = x / y
		}
	}
	return names
}

// drawValues takes a random design that is small often enough.
func drawValues(f *topology.Family, n int, use func(v []int, s *topology.Size)) {
	rng := stream.New(1, "formulas "+f.Name)
	v := make([]int, len(f.Params))
	var s topology.Size
	for found, tries := 0, 0; found < n && tries < 200*n; tries++ {
		for i, p := range f.Params {
			switch {
			case p.Divides != "" && rng.IntN(4) == 0:
				v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
			case p.Divides != "" || p.Default != nil && rng.IntN(2) == 0:
				v[i] = p.Default(v)
			default:
				v[i] = p.Min + rng.IntN(min(p.Max-p.Min+1, 1+rng.IntN(24)))
			}
		}
		if f.Size(v, &s) == nil {
			found++
			use(v, &s)
		}
	}
}

// TestFormulas computes the printed formulas of every family on a sample of its designs, and
// compares them with the counts that the contract proves on the construction.
func TestFormulas(t *testing.T) {
	for _, f := range All() {
		checked := map[string]int{}
		drawValues(f, 300, func(v []int, s *topology.Size) {
			want := map[string]int64{"endpoints": s.Endpoints, "switches": s.Switches(), "links": s.SwitchLinks(),
				"radix": int64(s.Radix()), "endpoint_ports": int64(s.EndpointPorts)}
			names := namesOf(f, v)
			if s.EndpointPorts == 1 {
				checked["endpoint_ports"]++
			}
			for _, line := range f.Formulas {
				text, _, _ := strings.Cut(line, ";")
				text, where, limited := strings.Cut(text, " where ")
				if limited {
					if ok, err := compute(where, names); err != nil || ok == 0 {
						if err != nil {
							t.Fatalf("%s: %v", f.Name, err)
						}
						continue
					}
				}
				name, expression, ok := strings.Cut(text, " = ")
				x, err := compute(expression, names)
				if !ok || err != nil {
					t.Fatalf("%s: %q: %v", f.Name, line, err)
				}
				names[name] = whole(x)
				if w, ok := want[name]; ok {
					checked[name]++
					// A mesh divides by its sides.
					if math.Abs(x-float64(w)) > 1e-9*float64(w) {
						t.Errorf("%s: %q is %v, want %d", topology.Design{Family: f, V: v}, line, x, w)
					}
				}
			}
		})
		for _, name := range []string{"endpoints", "switches", "links", "radix", "endpoint_ports"} {
			if least := min(10, checked["endpoint_ports"]); checked[name] < max(1, least) {
				t.Errorf("%s: formula of %s was computed %d times", f.Name, name, checked[name])
			}
		}
	}
}

// TestDefaultDocs: the formula of a default gives it; without a formula it is a constant.
func TestDefaultDocs(t *testing.T) {
	for _, f := range All() {
		for i, p := range f.Params {
			if p.Default == nil {
				if p.DefaultDoc != "" {
					t.Errorf("%s: %s has a formula for a default that it does not have", f.Name, p.Name)
				}
				continue
			}
			drawValues(f, 40, func(v []int, _ *topology.Size) {
				want := float64(p.Default(v))
				got := float64(p.Default(make([]int, len(v))))
				if p.DefaultDoc != "" {
					text, _, _ := strings.Cut(p.DefaultDoc, ";")
					var err error
					if got, err = compute(text, namesOf(f, v)); err != nil {
						t.Fatalf("%s: %s: %v", f.Name, p.Name, err)
					}
				}
				if got != want {
					t.Fatalf("%s: default %q of %s is %v for %v, want %v", f.Name, p.DefaultDoc, f.Params[i].Name, got, v, want)
				}
			})
		}
	}
}
