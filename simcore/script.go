package simcore

import "math"

// Never is a time that does not come, in cycles and in ps.
const Never = math.MaxInt64 / 4

// Drawn is a drawn time as a whole number, Never where it is longer: a float beyond the range of integers has none.
func Drawn(x float64) int64 {
	if x < Never {
		return int64(x)
	}
	return Never
}

// Message is what an endpoint sends to another; the model cuts it into packets.
type Message struct {
	Dst  int32
	Size int32 // flits, or bytes; at least 1
	// Via is 1 + the endpoint by way of whose switches all packets go, if the routing makes detours; the destination's stands for the direct way, and
	// 0 leaves it to the routing.
	Via int32
	Tag int64 // of the script's own: it is told of it again as packets of the message arrive
}

// Script is a closed loop that says itself what is sent when: it is asked for the messages of each endpoint, and told
// of every packet that arrives. Times are cycles in the flit model and ps in the cut-through one.
//
// Calls for one endpoint come one after the other; those for different endpoints may come from several goroutines at
// the same time, and in any order. So what a call for an endpoint changes, and what it depends on, belongs to that
// endpoint; that is also why results do not depend on the number of workers.
type Script interface {
	// Begin is called before each run: nothing has been sent.
	Begin()
	// Total is what all messages have together. The loop is completed when as much has arrived.
	Total() int64
	// Sizes are those that messages have, each once.
	Sizes() []int32
	// AtOnce is how many messages an endpoint sends at the same time, a packet of each in turn; the others wait in the order
	// in which Next gives them.
	AtOnce() int
	// Due is from when on endpoint e may begin its next message: Never if that has to wait for an arrival, or there is none.
	Due(e int32) int64
	// Next takes that message up.
	Next(e int32) Message
	// Arrived says that a packet of so many flits or bytes of a message with this tag is whole at endpoint e: what waits
	// for it may be sent from a time on.
	Arrived(e int32, tag int64, size int32, from int64)
}

// Sending is the messages that an endpoint has begun to send: packets are taken of each in turn.
type Sending struct {
	open []sending
	turn int
}

type sending struct {
	Message
	left  int32 // of it that is in no packet yet
	since int64
}

// Open is the number of messages that are not yet sent whole.
func (s *Sending) Open() int { return len(s.open) }

// Since is from when on the packet that Take gives next could be sent. There has to be one.
func (s *Sending) Since() int64 { return s.open[s.turn].since }

// Begin takes up a message that could be sent from a time on.
func (s *Sending) Begin(m Message, since int64) {
	s.open = append(s.open, sending{m, m.Size, since})
}

// Take cuts a packet of at most most from the message whose turn it is.
func (s *Sending) Take(most int32) (m Message, since int64) {
	x := &s.open[s.turn]
	m, since = x.Message, x.since
	m.Size = min(x.left, most)
	if x.left -= m.Size; x.left == 0 {
		s.open = append(s.open[:s.turn], s.open[s.turn+1:]...)
	} else {
		s.turn++
	}
	if s.turn >= len(s.open) {
		s.turn = 0
	}
	return m, since
}

// Inbox counts the messages of a stream of equal ones that are received whole, in their order: pieces of later ones may
// come first where routes differ.
type Inbox struct {
	got   int32
	early []int32 // what has come of those behind, the first not yet whole
}

// Got is the number of messages received whole, with all before them.
func (b *Inbox) Got() int32 { return b.got }

// Receive counts a piece of a message by its number, and gives how many messages it completes.
func (b *Inbox) Receive(number, piece, message int32) (whole int) {
	k := number - b.got
	for int(k) >= len(b.early) {
		b.early = append(b.early, 0)
	}
	b.early[k] += piece
	for len(b.early) > 0 && b.early[0] == message {
		b.early = append(b.early[:0], b.early[1:]...)
		b.got++
		whole++
	}
	return whole
}

// Empty forgets everything.
func (b *Inbox) Empty() { b.got, b.early = 0, b.early[:0] }
