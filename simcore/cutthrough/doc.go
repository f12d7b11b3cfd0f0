// Package cutthrough simulates a network of today's switches packet by packet: ports with rates in
// Gb/s, cables in ns, virtual cut-through, virtual output queues or output queues, credits or
// priority flow control, ECN marks. Results come in ns and Gb/s, exact to a picosecond.
//
// What a packet costs. One event per switch, when its head has passed the switch's pipeline; one
// when its buffer space comes back to the sender; and one more where it has to wait for a port.
// A packet starts on an output as soon as its head is there, the port is idle, and the far buffer
// has room for all of it (virtual cut-through: Kermani and Kleinrock, Computer Networks 3, 1979).
// It occupies the port for its size at the port's rate, and its tail leaves no sooner than it
// came: after a slower link a packet is spread out, and cells of others fill the gaps. So a lone
// packet is serialised once, at its slowest link, as the evaluator's latency has it.
//
// Time is cut into windows shorter than anything takes from one switch to another (a cable and
// the pipeline, or a cable and the processing of a credit). Within a window switches are
// independent of each other: each sorts its events by time, port and kind and works through them,
// on any worker. Results therefore depend on the seed alone, not on the number of workers.
// Endpoints create packets at the start of a window, so that an adaptive choice among several
// ports of an endpoint sees their queues as they were then.
//
// A workload is a closed loop (RunWorkload): what an arrival lets happen happens at its instant,
// at any endpoint. Its windows are also shorter than the last link of a packet takes.
//
// Nothing is an object: ports, queues and packets (64 bytes) are flat slices with int32 indices,
// queues are lists threaded through the packets, so that empty buffers take no memory, however deep.
package cutthrough
