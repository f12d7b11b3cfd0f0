package remote

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"toposearch/internal/chart"
)

// simulated are workers that take as long for a task as they are told and answer with the line of the sample: what is left is the queue.
func simulated(t testing.TB, c *Coordinator, n int, each time.Duration) (leave func()) {
	line := c.proof[0]
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range n {
		name := fmt.Sprint("simulated ", i)
		c.mu.Lock()
		c.workers[name] = &Worker{Name: name, Cores: 1, Joined: c.opt.Now(), Seen: c.opt.Now()}
		c.mu.Unlock()
		conn, err := nats.Connect(c.URL(), nats.Token("secret"))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer conn.Close()
			js, err := jetstream.New(conn)
			if err != nil {
				t.Error(err)
				return
			}
			q, err := js.Consumer(ctx, streamName, streamName)
			if err != nil {
				t.Error(err)
				return
			}
			for ctx.Err() == nil {
				batch, err := q.Fetch(1, jetstream.FetchMaxWait(Beat))
				if err != nil {
					continue
				}
				for m := range batch.Messages() {
					var x task
					if err := json.Unmarshal(m.Data(), &x); err != nil {
						t.Error(err)
					}
					time.Sleep(each * time.Duration(len(x.Designs)))
					a := answer{Run: x.Run, ID: x.ID, Worker: name, Took: max(1e-6, each.Seconds()) * float64(len(x.Designs))}
					for range x.Designs {
						a.Lines = append(a.Lines, line)
					}
					if _, err := conn.RequestWithContext(ctx, doneSubject, a.encode()); err == nil {
						_ = m.Ack()
					}
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// loads are those of BenchmarkQueue and of the table of the model.
var loads = []struct {
	workers, batch int
	each           time.Duration // of a design
}{{1, 8192, 0}, {64, 8192, 0}, {64, 128, 0}, {1, 128, time.Millisecond}, {2, 128, time.Millisecond}, {4, 128, time.Millisecond}, {8, 128, time.Millisecond}, {16, 128, time.Millisecond},
	{64, 128, time.Millisecond}, {1, 1024, time.Millisecond}, {8, 1024, time.Millisecond}, {16, 1024, time.Millisecond}, {32, 1024, time.Millisecond}, {64, 1024, time.Millisecond}, {64, 8192, time.Millisecond},
	{1, 128, 10 * time.Millisecond}, {2, 128, 10 * time.Millisecond}, {8, 1024, 10 * time.Millisecond}}

// measured is the designs a second that simulated workers do, s each.
func measured(t testing.TB, workers, batch int, each time.Duration, more func() bool) float64 {
	_, dir := begun(t)
	at := time.Now()
	c := listening(t, dir.Path, func(o *Options) {
		o.Now = func() time.Time { return at } // nobody is taken to have gone
		o.Log = nil
	})
	defer c.Close(false)
	defer simulated(t, c, workers, each)()
	designs := slices.Repeat(c.sample.Designs[:1], batch)
	n, begun := 0, time.Now()
	for more() {
		entries, err := c.Evaluate(context.Background(), designs, &c.p.Request)
		if err != nil || slices.Contains(entries, nil) {
			t.Fatal(err)
		}
		n += len(entries)
	}
	return float64(n) / time.Since(begun).Seconds()
}

// BenchmarkQueue is what queue and coordinator take where evaluations take no time, or as long as small ones: designs a second. The lines are those of a fat tree;
// the simulated workers have the same cores as the coordinator.
func BenchmarkQueue(b *testing.B) {
	for _, x := range loads {
		b.Run(fmt.Sprintf("workers=%d/batch=%d/each=%s", x.workers, x.batch, x.each), func(b *testing.B) {
			b.ReportMetric(measured(b, x.workers, x.batch, x.each, b.Loop), "designs/s")
		})
	}
}

// printModel prints what the model of a run gives beside measurements, and draws its curves: go test ./search/remote -run TestModel -v -model
var printModel = flag.Bool("model", false, "print the model of runs with workers beside measurements, and draw docs/scaling.svg")

// TestModel holds the model to its limits, and prints it beside measurements where that is asked for.
func TestModel(t *testing.T) {
	c := onTwoCores
	if got := c.Rate(1, 1024, 1); got < 0.98 || got > 1 {
		t.Errorf("one worker of designs of 1 s does %v a second", got)
	}
	if got := c.Rate(100, 128, 1) / c.Rate(1, 128, 1); got < 60 || got > 65 {
		t.Errorf("100 workers on batches of 128 are %v times as fast as one; in two rounds they are 64", got)
	}
	if a, b := c.Rate(128, 128, 0.01), c.Rate(10_000, 128, 0.01); a != b {
		t.Errorf("a batch of 128 keeps more than 128 busy: %v, then %v a second", a, b)
	}
	if a, b := c.Rate(100, 8192, 0.1), c.Rate(1, 8192, 0.1); a < 90*b {
		t.Errorf("100 workers are %v times as fast as one", a/b)
	}
	if got := c.Rate(10_000, 1<<16, 1e-4); got > 1/c.Design {
		t.Errorf("%v a second are more than the coordinator reads", got)
	}
	if !*printModel {
		return
	}
	points := map[int]chart.Series{}
	for _, x := range loads {
		n := 0
		got := measured(t, x.workers, x.batch, x.each, func() bool { n++; return n <= 4 })
		t.Logf("| %d | %d | %s | %.0f | %.0f |", x.workers, x.batch, x.each, got, c.Rate(x.workers, x.batch, x.each.Seconds()))
		if x.each == time.Millisecond {
			q := points[x.batch]
			q.X, q.Y = append(q.X, float64(x.workers)), append(q.Y, got)
			points[x.batch] = q
		}
	}
	draw(t, c, points)
}

// draw draws what was measured, designs of 1 ms, and the model up to 10,000 workers.
func draw(t *testing.T, c Costs, measured map[int]chart.Series) {
	panel := func(title string, each float64) chart.Panel {
		p := chart.Panel{Title: title, X: chart.Axis{Title: "Workers of one core", Log: true}, Y: chart.Axis{Title: "Designs a second", Log: true}}
		for style, batch := range []int{128, 1024, 8192} {
			model := chart.Series{Name: fmt.Sprintf("batch %d", batch), Style: style, Line: true, Bare: true}
			for w := 1.0; w < 10_100; w *= math.Pow(10, 0.05) {
				model.X, model.Y = append(model.X, math.Round(w)), append(model.Y, c.Rate(int(math.Round(w)), batch, each))
			}
			p.Series = append(p.Series, model)
			if q, ok := measured[batch]; ok && each == 1e-3 {
				q.Name, q.Style = model.Name, style
				p.Series = append(p.Series, q)
			}
		}
		return p
	}
	f := &chart.Figure{Across: 2, Width: chart.Page, Panels: []chart.Panel{panel("1 ms a design: model and measured", 1e-3), panel("100 ms a design: model", 0.1)}}
	if err := chart.Write("../../docs/scaling.svg", f); err != nil {
		t.Fatal(err)
	}
}
