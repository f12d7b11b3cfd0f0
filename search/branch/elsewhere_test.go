package branch

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// other is another process: with a problem and a front of its own. It leaves every fourth task undone.
type other struct {
	search.Remote
	p     *search.Problem
	front *search.Archive
	of    any
	known int
	asked int
	done  int
}

func (o *other) TakesBoxes(int64) bool { return true }

func (o *other) Boxes(_ context.Context, of any, front []objectives.Vector, tasks [][]byte) ([][]byte, error) {
	if of != o.of {
		o.of, o.front, o.known = of, new(search.Archive), 0
	}
	Follow(o.p, o.front, o.known, front[o.known:])
	o.known = len(front)
	out := make([][]byte, len(tasks))
	for i, x := range tasks {
		if o.asked++; o.asked%4 == 0 {
			continue
		}
		b, err := WorkTask(o.p, o.front, x)
		if err != nil {
			return nil, err
		}
		out[i] = b
		o.done++
	}
	return out, nil
}

// problems are some that are enumerated in many batches.
func problems(t *testing.T) map[string]func() *search.Problem {
	return map[string]func() *search.Problem{
		"sizes": func() *search.Problem {
			return searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
		},
		"pods": func() *search.Problem {
			return searchtest.RealModel(t, searchtest.Pods(t, "hyperx", "dragonfly", "fattree", "zcube_rect"))
		},
		"fullmesh": func() *search.Problem {
			return searchtest.RealModel(t, realSpaces[3].study(t, 1100, evaluator.Options{}))
		},
	}
}

// TestElsewhere: an enumeration and its proof are the same to the last box where tasks are worked on elsewhere.
func TestElsewhere(t *testing.T) {
	for name, problem := range problems(t) {
		t.Run(name, func(t *testing.T) {
			for _, proof := range []bool{false, true} {
				var want string
				for _, remote := range []*other{nil, {p: problem()}} {
					if racing.On && remote == nil {
						continue // the searches of TestEnumerationIsBruteForce; what they find is compared without the detector
					}
					p := problem()
					d := search.NewDriver(p, nil, search.Options{})
					if proof {
						d.Left = 40
					}
					e := NewEnumeration(p, 2, nil)
					e.most = 5000 // so that boxes are put aside, and dropped
					e.inStages(t, name)
					if remote != nil {
						e.Remote = remote
					}
					_, err := d.Search(context.Background(), e, false)
					searchtest.Must(t, err)
					if proof {
						e.Steps = 1 << 10
						searchtest.Must(t, e.Prove(context.Background(), &d.Front, d.Became, nil))
					}
					corners, open, _ := e.Left(&d.Front)
					got := fmt.Sprint(e.visits, " visits, effort ", e.effort, e.spent, e.Tally, e.outcomes, open, d.Front.Ordered(), e.pending, corners)
					switch {
					case remote == nil:
						want = got
					case got != want && !racing.On:
						t.Errorf("proof %v: with tasks elsewhere\n%.500s\nhere\n%.500s", proof, got, want)
					case remote.done < 10:
						t.Errorf("proof %v: only %d tasks were done elsewhere", proof, remote.done)
					}
				}
			}
		})
	}
}

// TestElsewhereRefused: tasks of another problem are refused.
func TestElsewhereRefused(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
	q := searchtest.ProblemOf(t, searchtest.Small(t, 500, 601), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	packed := e.packTask([]node{e.pop()}, 1, e.Steps)
	if _, err := WorkTask(q, new(search.Archive), packed); !errors.Is(err, ErrTask) {
		t.Errorf("another window: %v", err)
	}
	if _, err := WorkTask(p, new(search.Archive), packed); err != nil {
		t.Error(err)
	}
}

// FuzzTask: neither a task nor what became of one can bring a process down that reads it, and what is read is packed to what reads as the same.
func FuzzTask(f *testing.F) {
	p := searchtest.ProblemOf(f, searchtest.Small(f, 500, 600), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	e.Steps = 50
	root := e.pop()
	packed := e.packTask([]node{root}, 1e9, e.Steps)
	f.Add(packed, []byte{})
	result, err := WorkTask(p, new(search.Archive), packed)
	searchtest.Must(f, err)
	f.Add(packed[:len(packed)-3], result)
	f.Add([]byte{}, result[:len(result)/2])
	f.Fuzz(func(t *testing.T, task, result []byte) {
		if len(task) >= 25 { // steps stay few
			task = append(append([]byte{}, packed[:min(20, len(packed))]...), task[20:]...)
		}
		_, _ = WorkTask(p, new(search.Archive), task)
		x := newTask(p)
		x.begin(new(search.Archive), 0)
		left, err := x.unpackResult(result)
		if err != nil {
			return
		}
		y := newTask(p)
		y.begin(new(search.Archive), 0)
		again, err := y.unpackResult(x.packResult(left))
		if err != nil || fmt.Sprint(again, y.out, y.aside, y.tally, y.spent) != fmt.Sprint(left, x.out, x.aside, x.tally, x.spent) {
			t.Errorf("%v reads again as %v, %v", left, again, err)
		}
	})
}
