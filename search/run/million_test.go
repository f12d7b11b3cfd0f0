package run

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// million is how many designs TestMillion has journalled: go test ./search/run -run TestMillion -v -million 1000000
var million = flag.Int64("million", 20_000, "how many designs TestMillion journals")

// vague knows nothing of costs before an evaluation, so that nothing is decided without one.
type vague struct{ *searchtest.SizeModel }

func (m vague) Enclose(b bound.Box, l *bound.Ladder, out *metric.Intervals) {
	m.SizeModel.Enclose(b, l, out)
	if out.Have[metric.Cost] {
		out.Set(metric.Cost, 0, out.At[metric.Cost].Hi*1e9)
	}
}

// TestMillion journals many designs, whose evaluation takes next to nothing, is stopped when nine tenths are done, and goes on, with a savepoint and without
// one: to the same bytes. It tells how long that took, and the memory that it held.
func TestMillion(t *testing.T) {
	racing.Figures(t)
	designs := *million
	if testing.Short() {
		designs = min(designs, 4_000)
	}
	st := searchtest.Small(t, 64, 100_000)
	for i := range st.Space {
		for k := range st.Space[i].Domains {
			st.Space[i].Domains[k].Max *= 4
		}
	}
	st.Search.Strategy, st.Search.Evaluations = study.Random, designs
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	p.Model = vague{p.Model.(*searchtest.SizeModel)}
	begun := time.Now()
	clock := func() time.Duration { return time.Since(begun) }
	told := func(text string) { t.Error(text) }
	dir := create(t, st)
	evaluated := int64(0)
	progress := func(pr search.Progress) { evaluated = pr.Evaluated }
	out, _, _ := runIn(t, p, dir, search.Options{Shown: clock, Tell: told, Progress: progress, Savepoints: time.Millisecond, Stop: func() bool { return evaluated > designs*9/10 }})
	if out.Front.Stopped != search.StopInterrupted {
		t.Fatalf("it was not stopped: %d evaluated", evaluated)
	}
	took := time.Since(begun)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	size := func(name string) int64 {
		info, err := os.Stat(filepath.Join(dir.Path, name))
		searchtest.Must(t, err)
		return info.Size()
	}
	t.Logf("%d designs in %s, %d on the front; journal %d MB, savepoint %d MB, memory %d MB", evaluated, took.Round(time.Millisecond), out.Front.Points(), size(journalName)>>20, size(savepointName)>>20, mem.HeapInuse>>20)
	again := create(t, st)
	for _, name := range []string{journalName, checkpointName} {
		searchtest.Must(t, os.WriteFile(filepath.Join(again.Path, name), []byte(read(t, filepath.Join(dir.Path, name))), 0o644))
	}
	var ends [2][2]string
	for i, d := range []*RunDir{dir, again} {
		begun, first := time.Now(), time.Duration(0)
		_, ends[i][0], ends[i][1] = runIn(t, p, d, search.Options{Shown: clock, Tell: told, Progress: func(pr search.Progress) {
			if pr.Stage != "" && pr.Evaluated >= evaluated && first == 0 {
				first = time.Since(begun)
			}
		}})
		t.Logf("goes on after %s (%s)", first.Round(time.Millisecond), []string{"from its savepoint", "without one"}[i])
	}
	if ends[0] != ends[1] {
		t.Error("with a savepoint and without one the run ends otherwise")
	}
}
