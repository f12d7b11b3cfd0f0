package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
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
					time.Sleep(each)
					a := answer{Run: x.Run, ID: x.ID, Worker: name}
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

// BenchmarkQueue is what queue, journal lines and coordinator take where evaluations take no time, or 10 ms: designs a second, in batches of as many as a study
// may name. The lines are those of a fat tree.
func BenchmarkQueue(b *testing.B) {
	for _, x := range []struct {
		workers, batch int
		each           time.Duration
	}{{1, 128, 0}, {8, 128, 0}, {64, 128, 0}, {64, 1024, 0}, {64, 8192, 0}, {1, 128, 10 * time.Millisecond}, {8, 128, 10 * time.Millisecond}, {64, 1024, 10 * time.Millisecond}, {64, 8192, 10 * time.Millisecond}} {
		b.Run(fmt.Sprintf("workers=%d/batch=%d/each=%s", x.workers, x.batch, x.each), func(b *testing.B) {
			_, dir := begun(b)
			at := time.Now()
			c := listening(b, dir.Path, func(o *Options) { o.Now = func() time.Time { return at } }) // nobody is taken to have gone
			leave := simulated(b, c, x.workers, x.each)
			designs := make([]string, x.batch)
			for i := range designs {
				designs[i] = c.sample.Designs[0]
			}
			var n atomic.Int64
			for b.Loop() {
				entries, err := c.Evaluate(context.Background(), designs, &c.p.Request)
				if err != nil || entries[len(entries)-1] == nil {
					b.Fatal(err)
				}
				n.Add(int64(len(entries)))
			}
			b.ReportMetric(float64(n.Load())/b.Elapsed().Seconds(), "designs/s")
			leave()
			c.Close(false)
		})
	}
}
