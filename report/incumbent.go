package report

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
)

// Incumbent is a network that the study names to be judged beside the front.
type Incumbent struct {
	Name, Asked string
	Chosen      string // how the design was chosen where a family was named
	Verdict     string // as explain says it
	Why         string
	Admit       []string // what would put it on the front
	None        bool     // there is no such network: Point and Detail are empty
	Point       Point
	Detail      Detail
}

// title names it for a reader.
func (x *Incumbent) title() string {
	if x.Name != "" {
		return x.Name
	}
	return x.Asked
}

// text says in a sentence how it stands.
func (x *Incumbent) text() string {
	s := x.Asked
	if x.Name != "" {
		s = x.Name + " (" + x.Asked + ")"
	}
	if x.Chosen != "" && !x.None {
		s += fmt.Sprintf(", %s, %s", x.Point.Name, x.Chosen)
	}
	return s + ": " + x.Verdict + ". It " + x.Why + "."
}

// badge colours the verdict.
func (x *Incumbent) badge() badge {
	switch x.Verdict {
	case run.OnFront:
		return badge{"good", "Incumbent"}
	case run.Rejected, run.NoDesign:
		return badge{"bad", "Incumbent"}
	}
	return badge{"warn", "Incumbent"}
}

// incumbentsOf takes them from a front.
func incumbentsOf(f *search.Front, st *study.Study) (out []Incumbent) {
	for i := range f.Incumbents {
		x := &f.Incumbents[i]
		in := Incumbent{Name: x.Name, Asked: x.Asked, Chosen: x.Chosen, Verdict: x.Verdict, Why: x.Why, Admit: x.Admit, None: x.Verdict == run.NoDesign, Point: pointOf(&x.Record)}
		nameParams(&in.Point, st)
		out = append(out, in)
	}
	return out
}

// incumbents evaluates them for their plans, as details does designs of the front.
func (r *loaded) incumbents(ctx context.Context) error {
	for i := range r.data.Incumbents {
		x := &r.data.Incumbents[i]
		var d topology.Design
		if i < len(r.study.Incumbents) && !r.study.Incumbents[i].Best {
			d = r.study.Incumbents[i].Design()
		} else if !x.None {
			var err error
			if d, err = topology.ParseDesign(x.Point.Name, r.study.Known); err != nil {
				return fmt.Errorf("report: front.json holds %s: %w", x.Point.Name, err)
			}
		}
		r.beside = append(r.beside, d)
		if x.None {
			continue
		}
		res, err := r.eval.Evaluate(ctx, d, evaluator.Request{Level: 2, BudgetNs: detailBudgetNs})
		if err != nil {
			return fmt.Errorf("report: cannot plan %s: %w", x.Point.Name, err)
		}
		alone := *r.data
		alone.Points = []Point{x.Point}
		x.Detail = (&loaded{data: &alone}).detail(0, d.Family, res)
		x.Point = alone.Points[0]
	}
	return nil
}

// incumbentView is an incumbent as the page shows it.
type incumbentView struct {
	Title, Verdict, Chosen, Why string
	Badge                       badge
	Admit                       []string
	Card                        *card
	Detail                      detailView
}

// incumbents fills their part of the page: a card as picks have, why it wins or loses, and the design in full.
func (p *page) incumbents() {
	for i := range p.Data.Incumbents {
		x := &p.Data.Incumbents[i]
		v := incumbentView{Title: x.title(), Verdict: x.Verdict, Chosen: x.Chosen, Why: x.Why, Badge: badge{x.badge().Class, x.Verdict}, Admit: x.Admit}
		if !x.None {
			alone := *p.Data
			alone.Points = []Point{x.Point}
			q := &page{Data: &alone, styles: p.styles, detailOf: map[int]string{0: fmt.Sprintf("i-%d", i+1)}}
			c := q.card(0)
			v.Card, v.Detail = &c, q.detail(&x.Detail)
		}
		p.Incumbents = append(p.Incumbents, v)
	}
}
