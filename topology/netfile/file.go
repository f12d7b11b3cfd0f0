package netfile

import (
	"encoding/binary"
	"sync"

	"toposearch/diag"
	"toposearch/topology"
)

// File is a network read from a file, as a family without parameters and what the network model
// does not hold.
type File struct {
	// Family is named file:BASE@HASH, by the first 8 hex digits of the SHA-256 of the content.
	Family *topology.Family
	// LaneGbps is the rate of one lane in Gb/s; 0 if the file gives no rates.
	LaneGbps float64
	// Unstated: nobody asked for what LaneGbps makes of an endpoint's lanes; its bandwidth is what its ports carry.
	Unstated bool
	// SwitchNames and EndpointNames are by ID; nil where the format has no names.
	SwitchNames, EndpointNames []string
	// Links is by order of Wire, Nics by endpoint, port by port; nil if nothing is said of them.
	Links, Nics []LinkInfo
	// Warnings are findings that do not keep the network from being used.
	Warnings diag.List
}

// file makes the family that replays the graph.
func (g *graph) file(name, base string) *File {
	size := g.size()
	region, of := g.known.NonBlocking, "largest block of the construction with full bisection, as the network file says"
	shared := region == 0 || region > size.Endpoints
	if shared {
		region, of = g.sharedSwitches(), "endpoints on the same switches: the network file names no larger block"
	}
	what := g.design
	if what == "" {
		what = "network"
	}
	f := &topology.Family{
		Name:           name,
		Title:          what + " read from " + base,
		Source:         topology.Source{Authors: "the file's author", Title: "network file " + base, Departures: "replayed as it stands; no symmetry is claimed"},
		LinkClasses:    g.linkClasses,
		SwitchClasses:  g.switchClasses,
		Unidirectional: g.unidirectional,
		Counted:        "counted in the network file, exact",
		Count: func(_ []int, s *topology.Size) {
			f := s.Family
			*s = size
			s.Family = f
		},
		Wire: func(_ []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
			for i := range g.a {
				emit(int(g.class[i]), g.a[i], g.b[i])
			}
		},
		Attach: func(_ []int, emit func(int, []topology.SwitchID)) {
			for i, n := range g.groupCount {
				emit(int(n), g.ports[g.portStart[i]:g.portStart[i+1]])
			}
		},
		Place: func([]int) topology.Placement {
			p := g.place
			p.Homes = append([]topology.Home(nil), p.Homes...)
			p.Boards = append([]int(nil), p.Boards...)
			return p
		},
		Layout:   topology.Layout{Media: g.known.Media, OwnRacks: g.known.OwnRacks},
		VCReason: "nothing is known of the construction: virtual channels count the hops so far, which rules out deadlock on any network, unless all shortest routes together have no cycle of dependencies",
		Figures: topology.Figures{
			NonBlocking:       func([]int) int64 { return region },
			NonBlockingFrom:   of,
			NonBlockingShared: shared,
		},
	}
	f.Natural = g.natural(f)
	return &File{Family: f, LaneGbps: g.laneGbps, Unstated: g.unstated, SwitchNames: g.switchNames, EndpointNames: g.endpointNames, Links: g.links, Nics: g.nics}
}

// natural gives the rule that the file states, or that of all shortest paths.
func (g *graph) natural(f *topology.Family) func([]int) topology.Rule {
	if rule := g.known.Rule; rule != nil {
		f.VCReason = "the network file says so"
		if g.known.VCReason != "" {
			f.VCReason += ": " + g.known.VCReason
		}
		return func([]int) topology.Rule { return *rule }
	}
	once := sync.OnceValue(func() topology.Rule {
		r := topology.Minimal()
		if n, err := (topology.Design{Family: f}).Build(); err == nil && oneVCMinimal(n) {
			r.HopVCs = false
		}
		return r
	})
	return func([]int) topology.Rule { return once() }
}

// sharedSwitches is the largest number of endpoints that hang on the same switches: the largest
// block known to have full bisection inside.
func (g *graph) sharedSwitches() int64 {
	count := map[string]int64{}
	var most int64
	var key []byte
	for i, n := range g.groupCount {
		key = key[:0]
		for _, x := range g.ports[g.portStart[i]:g.portStart[i+1]] {
			key = binary.AppendVarint(key, int64(x))
		}
		count[string(key)] += int64(n)
		most = max(most, count[string(key)])
	}
	return most
}
