package topology

import (
	"errors"
	"fmt"
	"strings"

	"toposearch/diag"
)

// Design is a family with a value for each of its parameters. The zero value is no design: it prints,
// but has no network.
type Design struct {
	Family *Family
	V      []int
}

// Dims are the sizes of the grid that the design's switches form, see Family.Dims; nil: none.
func (d Design) Dims() []int {
	if d.Family == nil || d.Family.Dims == nil {
		return nil
	}
	return d.Family.Dims(d.V)
}

// String is the canonical name: parameters in order, those equal to their default left out,
// values whose order does not matter sorted. Same network parameters, same name. What is no design
// has a name that does not parse.
func (d Design) String() string {
	f := d.Family
	if f == nil {
		return "no design"
	}
	if len(d.V) != len(f.Params) {
		return fmt.Sprintf("%s%v", f.Name, d.V)
	}
	v := append([]int(nil), d.V...)
	if f.Canonical != nil && f.inRange(v) {
		f.Canonical(v)
	}
	if len(f.Params) == 0 {
		return f.Name
	}
	var b strings.Builder
	b.WriteString(f.Name)
	b.WriteByte('(')
	sep := ""
	for i, p := range f.Params {
		if p.Default != nil && f.inRange(v[:i]) && p.Default(v) == v[i] {
			continue
		}
		fmt.Fprintf(&b, "%s%s=%s", sep, p.Name, p.Format(v[i]))
		sep = ","
	}
	b.WriteByte(')')
	return b.String()
}

// Scaleup is the scale-up domain that a design names, of one endpoint if it says that there is none; ok is false if its
// family leaves that to who asks.
func (d Design) Scaleup() (dom Domain, ok bool) {
	if d.Family == nil || len(d.Family.Scaleups) == 0 {
		return Domain{}, false
	}
	return d.Family.Scaleups[d.V[len(d.V)-1]], true
}

// Base is the design without the scale-up domain that it names.
func (d Design) Base() Design {
	if d.Family == nil || d.Family.base == nil {
		return d
	}
	return Design{d.Family.base, d.V[:len(d.V)-1]}
}

// Params gives the values by name, named choices and ratios as strings, for JSON.
func (d Design) Params() map[string]any {
	m := make(map[string]any, len(d.V))
	if d.Family == nil {
		return m
	}
	for i, p := range d.Family.Params[:min(len(d.V), len(d.Family.Params))] {
		if p.Choices != nil || p.Divides != "" {
			m[p.Name] = p.Format(d.V[i])
		} else {
			m[p.Name] = d.V[i]
		}
	}
	return m
}

// ParseDesign reads "family(a=1,b=2)" against a list of families; blanks are ignored. Every
// fault in the text is reported at once. It does not check that the network exists.
func ParseDesign(s string, families []*Family) (Design, error) {
	name, args, ok := strings.Cut(strings.TrimSpace(s), "(")
	name = strings.TrimSpace(name)
	if ok {
		rest := strings.TrimSpace(args)
		if !strings.HasSuffix(rest, ")") {
			return Design{}, fmt.Errorf("design %q does not end in ); write 'family(a=1,b=2)', in quotes on a command line", s)
		}
		args = strings.TrimSuffix(rest, ")")
	}
	var f *Family
	names := make([]string, len(families))
	for i, g := range families {
		names[i] = g.Name
		if g.Name == name {
			f = g
		}
	}
	if f == nil {
		hint := diag.Hint(name, names)
		if hint == "" {
			hint = "; toposearch families lists them"
		}
		return Design{}, fmt.Errorf("there is no family %q%s", name, hint)
	}
	return f.parse(args)
}

func (f *Family) parse(args string) (Design, error) {
	if g, err := f.named(args); g != nil || err != nil {
		if err != nil {
			return Design{}, err
		}
		f = g
	}
	v := make([]int, len(f.Params))
	given := make([]bool, len(f.Params))
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	var errs []error
	for _, a := range strings.Split(args, ",") {
		if strings.TrimSpace(a) == "" && strings.TrimSpace(args) == "" {
			continue
		}
		key, val, ok := strings.Cut(a, "=")
		key, val = strings.TrimSpace(key), strings.TrimSpace(val)
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %q is not name=value", f.Name, strings.TrimSpace(a)))
			continue
		}
		i := f.Param(key)
		if i < 0 {
			errs = append(errs, fmt.Errorf("%s has no parameter %q%s", f.Name, key, diag.Hint(key, names)))
			continue
		}
		x, err := f.Params[i].ParseValue(val)
		if err == nil && given[i] {
			err = fmt.Errorf("parameter %s is given twice", key)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", f.Name, err))
			continue
		}
		v[i], given[i] = x, true
	}
	for i, p := range f.Params {
		switch {
		case given[i]:
		case p.Default != nil && f.inRange(v[:i]):
			v[i] = p.Default(v)
		case p.Default != nil:
			v[i] = p.Min // there is no such network, whatever stands here
		case len(errs) == 0 || p.Default == nil && !mentioned(errs, p.Name):
			errs = append(errs, fmt.Errorf("%s needs parameter %s: %s", f.Name, p.Name, p.Doc))
		}
	}
	if len(errs) > 0 {
		return Design{}, errors.Join(errs...)
	}
	if f.Canonical != nil && f.inRange(v) {
		f.Canonical(v)
	}
	return Design{f, v}, nil
}

// inRange reports whether values of the first parameters lie in their ranges: defaults and canonical forms
// are formulas that hold there.
func (f *Family) inRange(v []int) bool {
	for i, x := range v {
		if x < f.Params[i].Min || x > f.Params[i].Max {
			return false
		}
	}
	return true
}

// mentioned avoids a second complaint about a parameter whose value was refused.
func mentioned(errs []error, name string) bool {
	for _, e := range errs {
		if strings.Contains(e.Error(), "parameter "+name+" ") {
			return true
		}
	}
	return false
}
