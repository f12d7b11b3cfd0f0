package placed

import (
	"math"
	"math/rand/v2"
	"testing"
)

// arrival is a job that comes to a queue at a time.
type arrival struct {
	at  float64
	key int32
	job
}

// byPacket is when each of some arrivals, in the order of time, is carried if a server sends packet by packet, and when it is begun.
func byPacket(list []arrival) (done, begun []float64) {
	type waiting struct{ of []int }
	done, begun = make([]float64, len(list)), make([]float64, len(list))
	queues := make(map[int32]*waiting)
	var turn []int32
	left := make([]float64, len(list))
	next, now := 0, 0.0
	come := func() {
		for ; next < len(list) && list[next].at <= now; next++ {
			k := list[next].key
			if queues[k] == nil {
				queues[k] = &waiting{}
			}
			left[next] = list[next].packets
			if queues[k].of = append(queues[k].of, next); len(queues[k].of) == 1 {
				turn = append(turn, k)
			}
		}
	}
	for next < len(list) || len(turn) > 0 {
		if len(turn) == 0 {
			now = max(now, list[next].at)
			come()
			continue
		}
		k := turn[0]
		i := queues[k].of[0]
		if left[i] == list[i].packets {
			begun[i] = now
		}
		end := now + list[i].each
		for ; next < len(list) && list[next].at < end; come() { // behind the one that is served
			now = list[next].at
		}
		now = end
		turn = turn[1:]
		if left[i]--; left[i] == 0 {
			queues[k].of, done[i] = queues[k].of[1:], now
		}
		if len(queues[k].of) > 0 {
			turn = append(turn, k)
		}
	}
	return done, begun
}

// TestServer: of jobs of up to 40 packets of different sizes that come to six queues at random times each is begun and carried when it is if a server sends packet by packet.
func TestServer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var list []arrival
		at := 0.0
		for i := range 40 {
			at += rng.ExpFloat64() * 10
			list = append(list, arrival{at, int32(rng.IntN(6)), job{int32(i), float64(1 + rng.IntN(40)), 0.5 + rng.Float64()}})
		}
		done, begun := byPacket(list)
		var s server
		check := func(what string, job int32, got, want float64) {
			if math.Abs(got-want) > 1e-9*want {
				t.Fatalf("job %d of %v is %s at %g, want %g", job, list, what, got, want)
			}
		}
		serve := func(until float64) {
			for len(s.turn) > 0 && s.due <= until {
				now := s.due
				m, next, begin := s.served()
				check("carried", m, now, done[m])
				if done[m] = math.Inf(1); next != nil {
					check("begun", next.message, begin, begun[next.message])
				}
			}
		}
		for _, a := range list {
			serve(a.at)
			if begin, next := s.add(a.at, a.key, a.job); next {
				check("begun", a.message, begin, begun[a.message])
			}
		}
		serve(math.Inf(1))
		for i, x := range done {
			if !math.IsInf(x, 1) {
				t.Fatalf("job %d of %v is not carried", i, list)
			}
		}
	}
}
