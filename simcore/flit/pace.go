package flit

// Patience is counted in looks at a counter, of about a nanosecond, and work in flit-hops, which take some hundred:
// a clock would tell no more, and no result may come near one.
const (
	// leastPatience is what parts that work for microseconds differ by.
	leastPatience = 2000
	// looksPerHop is the patience of a part for each flit-hop of its own stage, a quarter of what it took. Of two parts
	// one waits, so that waiting takes at most an eighth of the processors' time before the pace falls.
	looksPerHop = 25
	// leastRest is how long a team stays small after it had to wait, in flit-hops: some 10 ms, a
	// few times what the scheduler of the system gives a thread before the next.
	leastRest = 1 << 17
	// mostRest is the longest, a second: then one attempt in it costs nothing that could be measured.
	mostRest = 1 << 23
	// calm is how many times as long as a team rested it has to get on without waiting for the next rest to be short.
	calm = 4
)

// pace is how many goroutines a team works with. Half as many after a Step in which one had to wait, for
// longer each time if it happens soon again; twice as many after a rest.
type pace struct {
	full, crew int
	rest, left int64 // flit-hops of the last rest, and of what is left of it
	since      int64 // flit-hops since it began
}

func (p *pace) reset(full int) {
	*p = pace{full: full, crew: full, rest: leastRest, since: calm * leastRest}
}

// note takes a Step of so many flit-hops into account.
func (p *pace) note(hops int64, late bool) {
	p.since += hops
	switch {
	case late:
		if p.since < calm*p.rest {
			p.rest = min(2*p.rest, mostRest)
		} else {
			p.rest = leastRest
		}
		p.crew, p.left, p.since = max(1, p.crew/2), p.rest, 0
	case p.crew < p.full:
		if p.left -= max(1, hops); p.left <= 0 {
			p.crew, p.left = min(2*p.crew, p.full), p.rest
		}
	}
}
