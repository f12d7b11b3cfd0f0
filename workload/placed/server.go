package placed

import (
	"math"
	"slices"
)

// server is a link or a port. Queues with packets take turns, a packet each, as the inputs of a switch do at an output; those of a queue go in order. Nothing is done packet by
// packet: whole rounds are taken at once, up to the one in which a message is through.
type server struct {
	queues map[int32]*queue
	turn   []*queue // those with jobs, in the order of their turns
	at     float64  // when the packet of the first of them was begun
	due    float64  // when a job is done, if no other queue gets one sooner
	until  float64  // when all that there is will have been carried
	given  float64  // s of all that there were
}

// queue is what goes in order.
type queue struct {
	jobs []job
	head int
}

// job is what a message has left for a server: packets, the first of which may be under way, and what each takes, s.
type job struct {
	message       int32
	packets, each float64
}

func (q *queue) first() *job { return &q.jobs[q.head] }

// add puts a job behind those of a queue; next: it is the next of the queue, and its first packet is begun at begin.
func (s *server) add(now float64, key int32, j job) (begin float64, next bool) {
	q := s.queues[key]
	if q == nil {
		q = &queue{}
		if s.queues == nil {
			s.queues = make(map[int32]*queue)
		}
		s.queues[key] = q
	}
	seconds := j.packets * j.each
	s.until = max(s.until, now) + seconds
	s.given += seconds
	if q.jobs = append(q.jobs, j); len(q.jobs) > q.head+1 {
		return 0, false
	}
	s.advance(now)
	begin = max(now, s.join(q))
	s.due = max(s.due, now) // whatever is rounded
	return begin, true
}

// join gives a queue the last turn, and tells when that begins.
func (s *server) join(q *queue) (begin float64) {
	begin = s.at
	for _, o := range s.turn {
		begin += o.first().each
	}
	s.turn = append(s.turn, q)
	s.foresee()
	return begin
}

// waits is how long what is there will take.
func (s *server) waits(now float64) float64 { return max(0, s.until-now) }

// ahead is how many rounds it is until the last packet of a job is the next, and what a round takes, s.
func (s *server) ahead() (rounds, round float64) {
	rounds = s.turn[0].first().packets
	for _, q := range s.turn {
		j := q.first()
		rounds, round = min(rounds, j.packets), round+j.each
	}
	return rounds - 1, round
}

// pass takes whole rounds.
func (s *server) pass(rounds float64) {
	for _, q := range s.turn {
		q.first().packets -= rounds
	}
}

// rotate lets the first of so many queues send a packet each, and puts them at the end.
func (s *server) rotate(queues int) {
	for _, q := range s.turn[:queues] {
		q.first().packets--
	}
	all := len(s.turn)
	s.turn = append(s.turn, s.turn[:queues]...)
	s.turn = s.turn[:copy(s.turn, s.turn[queues:queues+all])]
}

// advance takes what is sent until now, when no job is done yet.
func (s *server) advance(now float64) {
	if len(s.turn) == 0 {
		s.at = now
		return
	}
	rounds, round := s.ahead()
	rounds = min(rounds, math.Floor((now-s.at)/round))
	s.pass(rounds)
	s.at += rounds * round
	sent := 0
	for _, q := range s.turn {
		j := q.first()
		if s.at+j.each > now || j.packets == 1 {
			break
		}
		s.at += j.each
		sent++
	}
	s.rotate(sent)
}

// foresee finds when the next job is done.
func (s *server) foresee() {
	rounds, round := s.ahead()
	s.due = s.at + rounds*round
	for _, q := range s.turn {
		j := q.first()
		if s.due += j.each; j.packets == rounds+1 {
			return
		}
	}
}

// served ends the job that is done when due. The next of its queue, if there is one, begins at begin.
func (s *server) served() (done int32, next *job, begin float64) {
	rounds, _ := s.ahead()
	s.pass(rounds)
	s.rotate(slices.IndexFunc(s.turn, func(q *queue) bool { return q.first().packets == 1 }))
	q := s.turn[0]
	done, s.at = q.first().message, s.due
	s.turn = append(s.turn[:0], s.turn[1:]...)
	if q.head++; q.head < len(q.jobs) {
		return done, q.first(), s.join(q)
	}
	q.jobs, q.head = q.jobs[:0], 0
	if len(s.turn) > 0 {
		s.foresee()
	}
	return done, nil, 0
}
