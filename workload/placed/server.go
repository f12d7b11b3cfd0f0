package placed

// server is a link or a port, which serves queues in turn, some packets of each.
type server struct {
	queues map[int32]*queue
	waits  float64 // s of all jobs
	given  float64 // s of all that there were
	turn   []int32 // keys of queues with jobs; the first is served
}

// queue is what goes in order.
type queue struct {
	jobs []job
	head int
}

// job is what a message has left for a server, and what of it is served at a time, s.
type job struct {
	message     int32
	left, serve float64
}

// add puts a job behind those of a queue; idle: the server has to begin.
func (s *server) add(key int32, j job) (idle bool) {
	q := s.queues[key]
	if q == nil {
		q = &queue{}
		if s.queues == nil {
			s.queues = make(map[int32]*queue)
		}
		s.queues[key] = q
	}
	s.waits += j.left
	s.given += j.left
	if q.jobs = append(q.jobs, j); len(q.jobs) == q.head+1 {
		s.turn = append(s.turn, key)
	}
	return len(s.turn) == 1 && len(q.jobs) == q.head+1
}

// first is the job that is served.
func (s *server) first() *job {
	q := s.queues[s.turn[0]]
	return &q.jobs[q.head]
}

// served ends a turn; done: all of the job is served.
func (s *server) served() (done bool) {
	key := s.turn[0]
	s.turn = append(s.turn[:0], s.turn[1:]...)
	q := s.queues[key]
	j := &q.jobs[q.head]
	s.waits -= j.serve
	if j.left -= j.serve; j.left <= rounding*j.serve {
		done = true
		if q.head++; q.head == len(q.jobs) {
			q.jobs, q.head = q.jobs[:0], 0
			return true
		}
	}
	s.turn = append(s.turn, key)
	return done
}
