package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"toposearch/diag"
)

// Snapshot is what a served page holds at a moment: its text, and the parts of it that change while runs go on.
type Snapshot struct {
	page  *page
	form  string            // template of the page
	parts map[string]string // HTML by the id of the element that holds it
	data  *payloadData
}

// liveParts are the templates that make what changes on the page of a run, by the id of the element.
var liveParts = []string{"live-status", "live-actions", "live-growth", "live-sims", "verdict", "picks", "searched", "spaces"}

// NewSnapshot makes the page of a run that somebody watches. d holds a front that the run has written, or what is journalled so far
// (Live.SoFar).
func NewSnapshot(d *Data, l *Live) (*Snapshot, error) {
	p := newPage(d, l)
	return newSnapshot(p, "page.html", liveParts, newPayload(p))
}

// NewIndex makes the page of several runs.
func NewIndex(x *Index, token string) (*Snapshot, error) {
	p := &page{Data: &Data{}, Index: x, Live: &Live{Token: token}, Style: template.CSS(asset("app.css"))}
	p.policy()
	return newSnapshot(p, "index.html", []string{"runs-list"}, &payloadData{})
}

func newSnapshot(p *page, form string, ids []string, data *payloadData) (*Snapshot, error) {
	s := &Snapshot{page: p, form: form, parts: map[string]string{}, data: data}
	for _, id := range ids {
		var b strings.Builder
		if err := pageTemplate().ExecuteTemplate(&b, id, p); err != nil {
			return nil, fmt.Errorf("report: cannot make a part of the page: %w", err)
		}
		s.parts[id] = diag.Visible(b.String())
	}
	return s, nil
}

// Write writes the whole page; version names it for the questions of its scripts.
func (s *Snapshot) Write(w io.Writer, version string) error {
	s.page.Live.Version = version
	return s.page.write(w, s.form)
}

// Policy is the content security policy of the page. It stands in its head, too.
func (s *Snapshot) Policy() string { return s.page.CSP }

// Delta is what makes one snapshot of another.
type Delta struct {
	Parts map[string]string `json:"parts,omitempty"`
	Front *frontDelta       `json:"front,omitempty"`
	// Reload: the page has other columns or sections; it is loaded anew.
	Reload bool `json:"reload,omitempty"`
}

// Empty reports whether nothing changed.
func (d *Delta) Empty() bool { return len(d.Parts) == 0 && d.Front == nil && !d.Reload }

// frontDelta changes the designs: those at Drop leave, then others come in at the places At, in order.
type frontDelta struct {
	Drop     []int         `json:"drop"` // places before, falling
	At       []int         `json:"at"`   // places after, rising
	Names    []string      `json:"names"`
	Fam      []int         `json:"fam"`
	Sim      []string      `json:"sim"`
	Axes     []payloadAxis `json:"axes"` // with the columns of the designs that come in
	Picks    []payloadPick `json:"picks"`
	Parallel []string      `json:"parallel"`
}

// To is what changes from s to t.
func (s *Snapshot) To(t *Snapshot) *Delta {
	d := &Delta{}
	if !sameForm(s.data, t.data) || s.page.Live.SoFar != t.page.Live.SoFar {
		d.Reload = true
		return d
	}
	for id := range t.parts {
		if s.parts[id] != t.parts[id] {
			if d.Parts == nil {
				d.Parts = map[string]string{}
			}
			d.Parts[id] = t.parts[id]
		}
	}
	before, after := s.data.rows(), t.data.rows()
	if !slices.Equal(before, after) {
		d.Front = t.data.since(before, after)
	}
	return d
}

// sameForm reports whether a page of b has the columns and sections of one of a.
func sameForm(a, b *payloadData) bool {
	if (len(a.Names) == 0) != (len(b.Names) == 0) || len(a.Axes) != len(b.Axes) || a.X != b.X || a.Y != b.Y ||
		!slices.Equal(a.Table, b.Table) || !slices.Equal(a.Methods, b.Methods) || !maps.Equal(a.Detail, b.Detail) {
		return false
	}
	for i := range a.Axes {
		if a.Axes[i].Key != b.Axes[i].Key {
			return false
		}
	}
	return slices.Equal(a.Families, b.Families)
}

// rows are texts of designs: equal for those that need no change.
func (p *payloadData) rows() []string {
	out := make([]string, len(p.Names))
	for i := range out {
		var b strings.Builder
		fmt.Fprint(&b, p.Names[i], " ", p.Sim[i])
		for j := range p.Axes {
			a := &p.Axes[j]
			fmt.Fprint(&b, " ", a.V[i], a.Method[i])
			if a.Lo != nil {
				fmt.Fprint(&b, " ", a.Lo[i], a.Hi[i])
			}
		}
		out[i] = b.String()
	}
	return out
}

// since is what makes rows before into those after, which are those of p.
func (p *payloadData) since(before, after []string) *frontDelta {
	f := &frontDelta{Drop: []int{}, At: []int{}, Names: []string{}, Fam: []int{}, Sim: []string{}, Picks: p.Picks, Parallel: p.Parallel}
	kept := common(before, after)
	for i := len(before) - 1; i >= 0; i-- {
		if !kept[before[i]] {
			f.Drop = append(f.Drop, i)
		}
	}
	for i, r := range after {
		if !kept[r] {
			f.At = append(f.At, i)
			f.Names, f.Fam, f.Sim = append(f.Names, p.Names[i]), append(f.Fam, p.Fam[i]), append(f.Sim, p.Sim[i])
		}
	}
	for j := range p.Axes {
		a := p.Axes[j]
		col := func(all []shortNumber) (out []shortNumber) {
			if all == nil {
				return nil
			}
			out = []shortNumber{}
			for _, i := range f.At {
				out = append(out, all[i])
			}
			return out
		}
		method := []int{}
		for _, i := range f.At {
			method = append(method, a.Method[i])
		}
		a.V, a.Lo, a.Hi, a.Method = col(a.V), col(a.Lo), col(a.Hi), method
		f.Axes = append(f.Axes, a)
	}
	return f
}

// common are rows that both have, in the same order: the front is ordered by its objectives, so that designs do not move past each
// other; one that did would leave and come in.
func common(before, after []string) map[string]bool {
	at := map[string]int{}
	for i, r := range before {
		at[r] = i
	}
	out, last := map[string]bool{}, -1
	for _, r := range after {
		if i, ok := at[r]; ok && i > last {
			out[r], last = true, i
		}
	}
	return out
}

// JSON is the delta as the page reads it.
func (d *Delta) JSON() []byte {
	b, err := json.Marshal(d)
	if err != nil {
		panic("report: " + err.Error()) // numbers that JSON lacks are null already
	}
	return b
}
