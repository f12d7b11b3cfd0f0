package multicast

import (
	"math"
	"math/rand/v2"

	"toposearch/internal/stream"
)

// Sim is a simulation of a fabric with multicast. It is deterministic, and not safe for concurrent use.
//
// A switch has one queue at each input port. The packet at its front asks for all outputs that it needs a
// copy on; each output serves those who ask in turn (round-robin) as soon as it is free and the next buffer has
// room for the whole copy, and then sends it without a gap. The packet leaves when the last copy has.
// Outputs read the same buffer at the same time without getting in each other's way.
type Sim struct {
	f      *Fabric
	r      Routing
	cfg    Config
	now    int64
	in     []input
	out    []output // those of ports, then one for each endpoint, into its switch
	source [][]int32
	tables []map[ID]*entry
	notes  map[note]bool

	wheel  [][]event // a list for each cycle ahead
	active []int32   // outputs that are asked
	calls  []func()
	due    int // calls not made
	packet []packet
	spare  []int32

	messages []message
	open     int // messages not yet delivered
	live     int // packets in queues and on links
	moved    int64

	background *rand.Rand
	next       int64 // next packet of the background: cycle times endpoints plus endpoint

	Count Count
	tally
}

// Count is what a simulation has counted since it began.
type Count struct {
	Heads      [KindHead + 1]int64 // head flits that endpoints have sent, by kind; the background is not in it
	Missed     int64               // packets of a group that came to a switch which knew nothing of it, and were dropped
	Aged       int64               // entries forgotten because of their age
	Duplicates int64               // deliveries of a message to a member that had it, or to its sender
	Strangers  int64               // deliveries to an endpoint outside the group
	Notified   int64
}

type note struct {
	member int32
	id     ID
}

// entry is what a switch holds of a group.
type entry struct {
	ports Ports
	used  int64 // when a packet of the group passed last
}

type packet struct {
	kind    Kind
	pos     uint8 // hops made
	src     int32
	dst     int32 // -1 if there is none
	size    int32
	message int32 // -1: background, or of the protocol
	id      ID
	route   []uint8
	lists   []Ports // of a create packet
	heads   []head  // of a multi-head packet
	born    int64
}

type head struct {
	dst   int32
	route []uint8
}

type input struct {
	queue  []int32 // packets; those at the front ask for outputs
	copies []copied
	left   int   // copies not granted
	done   int64 // when the last of them will have left
	held   int32 // flits of packets in the queue
}

type copied struct {
	port   uint8
	packet int32
}

type output struct {
	asks   Ports // inputs that ask, by port
	last   uint8 // input served last
	listed bool  // in active
	credit int32 // room in the next buffer
	free   int64 // when the last packet will have been sent
	flits  int64
}

// event is something that happens in a cycle to come.
type event struct {
	what uint8
	at   int32 // input, output, endpoint or call
	of   int32 // packet, or flits
}

const (
	arrives  = iota // a head comes into a buffer
	bids            // the packet at the front of a buffer asks for its outputs
	leaves          // the last flit of the packet at the front has left
	frees           // room in the buffer behind an output
	delivers        // the last flit of a packet comes to an endpoint
	calls           // an endpoint acts
)

type message struct {
	left  int
	sent  int64
	last  int64
	group *Group // nil: one destination
	got   []bool // by place
	then  func(endpoint int)
}

// tally is what is measured in a window: since Restart.
type tally struct {
	since    int64
	offered  int64 // packets of the background created
	accepted int64 // flits of the background delivered
	delay    int64 // sum over those packets of it that were created in the window too
	delayed  int64
	held     int64 // flits in buffers now
	heldSum  int64 // held, summed over cycles up to heldAt
	heldAt   int64
	heldMost int32   // in one buffer
	flitsAt  []int64 // of each output when the window began
}

// NewSim makes a simulation. It is an error if a setting is bad.
func NewSim(f *Fabric, r Routing, cfg Config) (*Sim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Sim{f: f, r: r, cfg: cfg, notes: map[note]bool{}}
	s.in, s.out = make([]input, len(f.to)), make([]output, len(f.to)+f.Endpoints())
	s.source, s.tables = make([][]int32, f.Endpoints()), make([]map[ID]*entry, f.Switches())
	for o := range s.out {
		s.out[o].credit = int32(cfg.BufferFlits)
	}
	size := 1
	for size <= cfg.RouteCycles+cfg.LinkCycles+cfg.InjectCycles+cfg.CreditCycles+cfg.SoftwareCycles+2*cfg.BufferFlits {
		size *= 2
	}
	s.wheel = make([][]event, size)
	s.background = stream.New(cfg.Seed, "multicast background")
	s.next = s.gap() - 1
	return s, nil
}

// Entries is the number of groups that a switch knows.
func (s *Sim) Entries(sw int) int {
	for id := range s.tables[sw] {
		s.lookup(int32(sw), id)
	}
	return len(s.tables[sw])
}

// lookup is the entry of a group, nil if the switch has none or has forgotten it.
func (s *Sim) lookup(sw int32, id ID) *entry {
	e := s.tables[sw][id]
	if e != nil && s.cfg.Age > 0 && s.now-e.used > s.cfg.Age {
		delete(s.tables[sw], id)
		s.Count.Aged++
		return nil
	}
	return e
}

// install writes an entry.
func (s *Sim) install(sw int32, id ID, p Ports) {
	if s.tables[sw] == nil {
		s.tables[sw] = map[ID]*entry{}
	}
	s.tables[sw][id] = &entry{p, s.now}
}

// hold takes up a packet and gives its number.
func (s *Sim) hold(p packet) int32 {
	if s.live++; s.live == 1 {
		s.moved = s.now // what was idle is not stuck
	}
	if n := len(s.spare); n > 0 {
		i := s.spare[n-1]
		s.spare = s.spare[:n-1]
		s.packet[i] = p
		return i
	}
	s.packet = append(s.packet, p)
	return int32(len(s.packet) - 1)
}

func (s *Sim) release(i int32) {
	s.live--
	s.packet[i] = packet{}
	s.spare = append(s.spare, i)
}

// file files an event for a cycle at least 1 ahead.
func (s *Sim) file(ahead int64, e event) {
	b := &s.wheel[(s.now+ahead)&int64(len(s.wheel)-1)]
	*b = append(*b, e)
}

// list lets an output look at what asks for it.
func (s *Sim) list(o int32) {
	if !s.out[o].listed {
		s.out[o].listed = true
		s.active = append(s.active, o)
	}
}

// gap is the distance to the next packet of the background, in cycles times endpoints.
func (s *Sim) gap() int64 {
	if s.cfg.Load <= 0 {
		return math.MaxInt64
	}
	p := s.cfg.Load / float64(s.cfg.Flits)
	if p >= 1 {
		return 1
	}
	return 1 + int64(math.Log(1-s.background.Float64())/math.Log1p(-p))
}
