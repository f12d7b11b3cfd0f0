package simcore

// Message is what an endpoint sends to another, in units of Workload.Message: flits, or bytes.
type Message struct {
	Src, Dst int32
	Size     int32
	At       int64 // when it may begin, cycles (of the cut-through model ns) after its phase
}
