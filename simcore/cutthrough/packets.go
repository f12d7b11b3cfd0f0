package cutthrough

// chain makes a list of the packets of a chunk.
func (s *Sim) chain(c int32) int32 {
	for i := range s.chunks[c] {
		s.chunks[c][i].next = c<<chunkBits + int32(i) + 1
	}
	s.chunks[c][1<<chunkBits-1].next = -1
	return c << chunkBits
}

// takeList gives a list of free packets, as many as a chunk holds.
func (s *Sim) takeList() int32 {
	s.growing.Lock()
	defer s.growing.Unlock()
	if n := len(s.lists); n > 0 {
		l := s.lists[n-1]
		s.lists = s.lists[:n-1]
		return l
	}
	if s.used == s.mostChunks {
		s.outOfChunks()
	}
	s.chunks[s.used] = new(chunk)
	if s.loop != nil {
		s.loop.tags[s.used] = new(tags)
	}
	s.used++
	return s.chain(int32(s.used - 1))
}

func (s *Sim) giveList(l int32) {
	s.growing.Lock()
	s.lists = append(s.lists, l)
	s.growing.Unlock()
}

// take gives a free packet.
func (w *worker) take() int32 {
	if w.free < 0 {
		if w.spare >= 0 {
			w.free, w.spare = w.spare, -1
		} else {
			w.free = w.s.takeList()
		}
		w.freeN = 1 << chunkBits
	}
	i := w.free
	w.free = w.s.at(i).next
	w.freeN--
	return i
}

// drop takes a packet back. A list that is full becomes the spare one; the spare one before it
// goes to whoever runs short.
func (w *worker) drop(i int32) {
	if w.freeN == 1<<chunkBits {
		if w.spare >= 0 {
			w.s.giveList(w.spare)
		}
		w.spare, w.free, w.freeN = w.free, -1, 0
	}
	w.s.at(i).next = w.free
	w.free = i
	w.freeN++
}
