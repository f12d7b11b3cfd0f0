package branch

import (
	"context"
	"flag"
	"testing"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// For whole runs: go test -run XXX -bench Scale -benchtime 1x ./search/branch -scale 180s
var scaleTime = flag.Duration("scale", 10*time.Second, "how long BenchmarkScale enumerates each study")

// BenchmarkScale enumerates named studies of wide families for a time, and tells how far it has come: the part of the best
// hypervolume that is proved, in percent, how many designs were evaluated and stand on the front, how many boxes and tuples were looked
// at, and how many are open. At -cpu 2 it takes twice the time of a processor.
func BenchmarkScale(b *testing.B) {
	for _, name := range []string{"scale16k_enough", "scale16k", "scale65k", "scale1m"} {
		b.Run(name, func(b *testing.B) {
			st, list := study.Load("../testdata/" + name + ".toml")
			if list.HasErrors() {
				b.Fatal(list)
			}
			for range b.N {
				st.Search.Time = *scaleTime
				m, err := evaluator.New(st.Options)
				searchtest.Must(b, err)
				p := searchtest.ProblemOf(b, st, m)
				began := time.Now()
				d := search.NewDriver(p, nil, search.Options{Elapsed: func() time.Duration { return time.Since(began) }})
				e := NewEnumeration(p, d.Workers(), nil)
				_, err = d.Search(context.Background(), e, false)
				searchtest.Must(b, err)
				e.measured = 0
				proved, _ := e.Proved()
				b.ReportMetric(100*proved, "%proved")
				b.ReportMetric(float64(d.Prog.Evaluated), "evaluated")
				b.ReportMetric(float64(d.Front.Len()), "front")
				b.ReportMetric(float64(e.visits), "visits")
				b.ReportMetric(float64(e.open.len()+len(e.pending)), "open")
			}
		})
	}
}
