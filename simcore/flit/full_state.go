package flit

import "toposearch/simcore"

// fullState is what the general cycle needs beside the plain state: allocators of every kind,
// speedups, speculation, switch hold, priorities and output queues. It is written to be plainly
// the description (simcore.md 1.3 to 1.6) rather than fast; with the plain settings it gives the
// same results as the plain cycle, which a test relies on.
type fullState struct {
	vcAlloc, swAlloc, specAlloc []matcher // by switch; specAlloc nil if it is shared, vcAlloc nil for piggyback
	turn                        []uint8   // piggyback: by output port, the VC to try first
	m, spec                     *matching
	pri                         int

	vcReqs         []request
	reqs, specReqs []request
	reqAt          []int32 // index of the request of (crossbar input, output), -1: none
	rng            simcore.Rand
	steps          float64 // internal steps that are due, in fractions
	step           int64   // internal steps so far

	offset  []uint8 // by crossbar input: the VC from which several for one output are tried
	hold    []int16 // by crossbar input: the VC that holds it, -1: none
	holdOut []bool  // by crossbar output
	xIn     []int32 // first crossbar input of each switch
	xOut    []int32

	crossbar []transit
	grants   []grant
	held     int     // of grants: those of VCs that hold the switch
	dropped  []grant // holders whose next buffer is full
	fifoHead []int32 // by output port, into nodes
	fifoTail []int32
	fifoLen  []int32
	fifoOn   []uint64
	nodes    []node
	freeNode int32

	creditAt, creditStep []int64         // by input port: when the last credit message left, in which step
	arrivedAt            []simcore.Cycle // by buffer slot, for local_age
	hopsAt               []uint16        // by input VC, for hop_count: switches passed by the packet at the front
	left                 []uint16        // by input VC, for network_age: flits of that packet that have left
	batch                *batchStages    // nil: stages are pipelined
}

// transit is a flit between its switch grant and the output queue.
type transit struct {
	ov  int32
	f   uint32
	due simcore.Cycle // -1: the traversal has not begun
}

type grant struct {
	iv, xi, xo int32
}

type node struct {
	ov   int32
	f    uint32
	next int32
}

// batchStages are the stages of several cycles of BookSim2 (simcore.md 1.3): one takes all that waits
// when it is free, and nothing more until that is done. A nil one pipelines its switches' traversal.
type batchStages struct {
	heads     []batchHead     // waiting for their route, or being routed
	routeDue  []simcore.Cycle // by switch: when the heads that are being routed are done; -1: none are
	crossDue  []simcore.Cycle // by switch: the same for the flits in the crossbar
	crossStep []int64         // by switch: the step in which those flits began
	crossing  []int32         // switches whose crossbar is at work
	outOf     []int32         // switch of each output port
	delay     simcore.Cycle   // of routing
}

type batchHead struct {
	iv, sw int32
	due    simcore.Cycle // -1: waits for the stage
}

// join lets a head wait for the routing stage of its switch.
func (b *batchStages) join(iv, sw int32) { b.heads = append(b.heads, batchHead{iv, sw, -1}) }
