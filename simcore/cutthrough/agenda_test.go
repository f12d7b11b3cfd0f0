package cutthrough

type task struct {
	at   int64
	kind int
	port int32 // events of an instant come in the order of ports, as in the engine
	seq  int
	do   func()
}

type agenda []task

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	x, y := &a[i], &a[j]
	if x.at != y.at {
		return x.at < y.at
	}
	if x.kind != y.kind {
		return x.kind < y.kind
	}
	if x.port != y.port {
		return x.port < y.port
	}
	return x.seq < y.seq
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(task)) }
func (a *agenda) Pop() any {
	x := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return x
}
