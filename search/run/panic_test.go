package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"toposearch/internal/crew"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// TestPanicInWorker: a panic in a worker, of any strategy, comes out of the run with what was being done,
// after all workers have ended, and leaves a run directory from which a program without the fault goes on
// to the bytes of a run without it.
func TestPanicInWorker(t *testing.T) {
	for _, s := range tested {
		st := studyOf(t, s)
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		_, journal, front := runIn(t, p, create(t, st), search.Options{})
		d := create(t, st)
		faulty := searchtest.ProblemOf(t, st, &searchtest.SizeModel{Hook: func(n int64) {
			if n == 20 {
				panic("a fault of the model")
			}
		}})
		err := attempt(faulty, d, 3)
		var fault *crew.Panic
		if !errors.As(err, &fault) || fault.Value != "a fault of the model" || !strings.Contains(err.Error(), "running study") || !strings.Contains(err.Error(), "seed") {
			t.Fatalf("%s: %v", s, err)
		}
		if _, j, f := runIn(t, p, d, search.Options{Workers: 2}); j != journal || f != front {
			t.Errorf("%s: after the panic: journal equal %v, front equal %v", s, j == journal, f == front)
		}
	}
}

// attempt is run with a panic as its error, as the command has it.
func attempt(p *search.Problem, d *RunDir, workers int) (err error) {
	defer crew.Catch(&err)
	_, err = run(context.Background(), p, d, search.Options{Workers: workers})
	return err
}
