package branch

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// modelled sums what the evaluations of a model are modelled to take, each times as much as it is, and counts those that ran to the end.
type modelled struct {
	search.Model
	times float64
	mu    sync.Mutex
	ns    float64
	ended map[string]int
}

func (m *modelled) Evaluate(ctx context.Context, d topology.Design, req evaluator.Request) (*evaluator.Result, error) {
	trace, ns, skipped := req.Trace, 0.0, false
	req.Trace = func(s evaluator.Step, run func() error) error {
		s.Ns *= m.times
		err := error(nil)
		if trace != nil {
			err = trace(s, run)
		} else {
			err = run()
		}
		if err == evaluator.ErrSkipped {
			skipped = true
		} else {
			ns += s.Ns
		}
		return err
	}
	r, err := m.Model.Evaluate(ctx, d, req)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ns += ns; !skipped {
		m.ended[d.String()]++
	}
	return r, err
}

// failing is a study of 16 endpoints whose VCs after a failure no dcell keeps within a limit that is the only one.
func failing(t *testing.T, times float64) (*search.Problem, *modelled) {
	st := searchtest.Small(t, 16, 16, searchtest.LimitOn(metric.VCsAfterFailure, true, 1))
	f, _ := family.ByName("dcell")
	st.Options, st.Space = evaluator.Options{BandwidthGbps: 400}, []study.FamilySpace{{Family: f}}
	p := searchtest.RealModel(t, st)
	m := &modelled{Model: p.Model, times: times, ended: map[string]int{}}
	p.Model = m
	return p, m
}

// Where only an evaluation shows whether a limit is met, and the more it takes the larger designs are, the search for the closest
// design ends after the work that it is allowed, with the same answer for any number of workers; and judges nothing twice.
func TestClosestEndsAsEvaluationsTakeLong(t *testing.T) {
	racing.Figures(t)
	var said string
	for _, workers := range []int{1, 3} {
		p, m := failing(t, 1)
		got, err := Closest(context.Background(), p, workers, []int{0})
		searchtest.Must(t, err)
		const rounds, searches = 4, 3
		if most := rounds * searches * evaluationsMost * 1.0; m.ns > most || m.ns < evaluationsMost/10 {
			t.Errorf("evaluations are modelled to take %.3g ns, want at most %.3g, and some", m.ns, most)
		}
		for d, n := range m.ended {
			if n > searches {
				t.Errorf("%s was evaluated %d times", d, n)
			}
		}
		if len(got) != 1 || got[0].Design != "dcell(n=4,l=1)" || !got[0].Unsettled || len(got[0].Misses) != 2 {
			t.Fatalf("%+v: want the dcell of 20 endpoints, and that it is not settled what admits one", got)
		}
		if x := fmt.Sprintf("%+v", got); said == "" {
			said = x
		} else if x != said {
			t.Errorf("with %d workers %s, with one %s", workers, x, said)
		}
	}
}

// Where no evaluation is short enough the design with the least bound is the answer, and it says what was not evaluated.
func TestClosestWithoutEvaluations(t *testing.T) {
	p, _ := failing(t, 1e9)
	got, err := Closest(context.Background(), p, 2, []int{0})
	searchtest.Must(t, err)
	if len(got) != 1 || got[0].Design != "dcell(n=4,l=1)" || got[0].Exhausted || !got[0].Unsettled {
		t.Fatalf("%+v: want the dcell of 20 endpoints, not for certain", got)
	}
	said := map[string]string{}
	for _, m := range got[0].Misses {
		said[m.Constraint] = m.Why
	}
	if why, ok := said[constraints.Window]; len(said) != 2 || !ok || why != "" || said["limits.vcs_after_failure"] != notEvaluated {
		t.Errorf("%+v: want the window and VCs after a failure, which were not evaluated", got[0].Misses)
	}
}
