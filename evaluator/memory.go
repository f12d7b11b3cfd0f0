package evaluator

import (
	"fmt"
	"math"

	"toposearch/internal/memory"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// smallBytes is what every machine has, and a search need not ask for thousands of times.
const smallBytes = 16 << 20

// tooMuch tells why a step, named in words, may not take that memory: "" if it may.
func (w *work) tooMuch(step string, bytes float64) string {
	if bytes <= float64(w.e.opt.MemoryBytes) {
		return ""
	}
	return fmt.Sprintf("%s takes about %s of memory, and an evaluation may take %s; level 0 takes none",
		step, bytesText(bytes), bytesText(float64(w.e.opt.MemoryBytes)))
}

// take is called before memory is taken of which tooMuch says nothing: a search runs an evaluation per worker, and they wait for one another where
// all of them together would not fit. It is an error if the machine has not that much.
func (w *work) take(step string, bytes float64) error {
	if bytes < smallBytes {
		return nil
	}
	if err := memory.Require(fmt.Sprintf("%s of %s", step, w.d), bytes); err != nil {
		return err
	}
	return w.e.memory.Grow(w.ctx, &w.held, bytes)
}

// bytesText keeps three digits: what is predicted is not known better.
func bytesText(x float64) string {
	scale := math.Pow(10, math.Floor(math.Log10(max(x, 1)))-2)
	return unit.KindBytes.Format(math.Round(x/scale) * scale)
}

// done lets evaluations go on that wait for memory.
func (w *work) done() { w.e.memory.Free(&w.held) }

// wireMostNs bounds the time that a construction may take beside emitting links, unless a metric is asked for by
// name: an evaluation wires a design up to four times.
const wireMostNs = 3e9

// longestNs bounds what one method, or a construction, may take at level 1 if no metric was asked for by name: models of
// time are good to a factor of two, and a design is to take less than a second.
const longestNs = 5e8

// wired tells why the links of the design are not streamed, "" if they are.
func (w *work) wired() string {
	ns, _ := w.d.WireTakes()
	switch {
	case w.req.Level <= 1 && ns > longestNs && ns <= wireMostNs:
		return fmt.Sprintf("the construction takes about %s: ask for level 2", seconds(ns))
	case ns > wireMostNs:
		return fmt.Sprintf("the construction takes about %s: ask for it by name", seconds(ns))
	}
	return ""
}

// networkBytes is the memory that the built network takes while it is made, scale-up domains included.
func (w *work) networkBytes() float64 {
	bytes := w.d.BuildBytes(w.size)
	if w.e.scaled(w.d.Family) { // the network, and beside it the one with domains
		bytes += 15*w.channels() + 9*w.vertices() + 36*float64(w.size.Endpoints)
	}
	return bytes
}

// graphBytes is what a method takes that looks at all of a built network, the network aside: tables of channels
// and vertices, per worker a state of all vertices, and sums of loads (routing.Router, of 512 MB at most).
func graphBytes(w *work) float64 {
	states := float64(max(w.natural.States, 1))
	return 80*w.channels() + float64(w.e.opt.Workers)*w.vertices()*(200+20*states) + 300*w.sets() + min(128*w.channels(), 512<<20)
}

// matchingBytes adds a matching of all pairs of attachment sets: weights and flows.
func matchingBytes(w *work) float64 { return graphBytes(w) + 6*w.sets()*w.sets() }

// waitingBytes adds which channels wait for which, a bit for every pair that meets at a switch and two VCs.
func waitingBytes(w *work) float64 {
	vcs := float64(max(w.natural.VCs(), 1))
	radix := 0.0
	for i := range w.d.Family.SwitchClasses {
		all := 0.0
		for c := range w.d.Family.LinkClasses {
			all += float64(w.size.Switch[i].Ports[c])
		}
		radix = max(radix, all)
	}
	return graphBytes(w) + w.channels()*vcs*vcs*radix/8
}

// sharedBytes is what a cabling schedule and maps of links by box and by plug take, for parts that several links share.
func sharedBytes(s *topology.Size) float64 {
	links := 0.0
	for c := range s.Family.LinkClasses {
		links += float64(s.Link[c])
	}
	return 180*links + 600*float64(s.AllSwitches())
}

// slowDrawNs is what a construction has to take, beside emitting links, for them to be streamed from the network once that is built.
const slowDrawNs = 1e7
