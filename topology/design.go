package topology

import (
	"errors"
	"fmt"
	"strings"
)

// Design is a family with a value for each of its parameters.
type Design struct {
	Family *Family
	V      []int
}

// String is the canonical name: parameters in order, those equal to their default left out,
// values whose order does not matter sorted. Same network parameters, same name.
func (d Design) String() string {
	f := d.Family
	v := append([]int(nil), d.V...)
	if f.Canonical != nil {
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
		if p.Default != nil && p.Default(v) == v[i] {
			continue
		}
		fmt.Fprintf(&b, "%s%s=%s", sep, p.Name, p.Format(v[i]))
		sep = ","
	}
	b.WriteByte(')')
	return b.String()
}

// Params gives the values by name, named choices as strings, for JSON.
func (d Design) Params() map[string]any {
	m := make(map[string]any, len(d.V))
	for i, p := range d.Family.Params {
		if p.Choices != nil {
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
			return Design{}, fmt.Errorf("design %q does not end in a parenthesis; write family(a=1,b=2)", s)
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
		return Design{}, fmt.Errorf("there is no family %q%s", name, Suggest(name, names))
	}
	return f.parse(args)
}

func (f *Family) parse(args string) (Design, error) {
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
			errs = append(errs, fmt.Errorf("%s has no parameter %q%s", f.Name, key, Suggest(key, names)))
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
		case p.Default != nil:
			v[i] = p.Default(v)
		case len(errs) == 0 || p.Default == nil && !mentioned(errs, p.Name):
			errs = append(errs, fmt.Errorf("%s needs parameter %s: %s", f.Name, p.Name, p.Doc))
		}
	}
	if len(errs) > 0 {
		return Design{}, errors.Join(errs...)
	}
	if f.Canonical != nil {
		f.Canonical(v)
	}
	return Design{f, v}, nil
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

// Suggest gives `; did you mean "x"?` for the nearest of names within two edits, or "" if none
// is near; for a short list without a near one it lists them.
func Suggest(got string, names []string) string {
	best, bestD := "", 3
	for _, n := range names {
		d := editDistance(got, n)
		if d < bestD || d == bestD && best == "" {
			if d <= 2 {
				best, bestD = n, d
			}
		}
		if best == "" && len(got) >= 3 && strings.HasPrefix(n, got) {
			best, bestD = n, 2
		}
	}
	if best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	if len(names) > 0 && len(names) <= 12 {
		return "; there is " + strings.Join(names, ", ")
	}
	return ""
}

// editDistance is the optimal string alignment distance: insertions, deletions, replacements
// and swaps of neighbours.
func editDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			c := 1
			if a[i-1] == b[j-1] {
				c = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+c)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
