package cutthrough

// overdue is what a switch knows of the buffer behind an output port by its credits: the bytes whose credits
// would be back if nothing had waited there. What is on the cable, and what passes the next switch at once, is none of them: the
// more a channel carries the more of that there is, wait or not (phantom congestion: Won et al., HPCA 2015).
type overdue struct {
	sent  []sent // whose credits are not due yet, from first on
	first int
	late  int32 // bytes that were due when settle was last called, less those whose credits have come
}

// sent is a packet by when its credit comes if it does not wait, in ps.
type sent struct {
	due   int64
	bytes int32
}

// note adds a packet that is sent now. Each is copied once at most while the list keeps its size: half of it is past when it moves.
func (q *overdue) note(now, due int64, bytes int32) {
	q.settle(now)
	if len(q.sent) == cap(q.sent) && 2*q.first > len(q.sent) {
		q.sent, q.first = q.sent[:copy(q.sent, q.sent[q.first:])], 0
	}
	q.sent = append(q.sent, sent{due, bytes})
}

// settle takes in what has become due.
func (q *overdue) settle(now int64) {
	for q.first < len(q.sent) && q.sent[q.first].due <= now {
		q.late += q.sent[q.first].bytes
		q.first++
	}
	if q.first == len(q.sent) {
		q.sent, q.first = q.sent[:0], 0
	}
}
