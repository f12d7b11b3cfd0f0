package evaluator

// lowBound is the largest lower bound known of a figure, and what proves it.
type lowBound struct {
	x   float64
	why string
}

func (b *lowBound) raise(x float64, why string) {
	if x > b.x {
		b.x, b.why = x, why
	}
}

// twoPhases is what is carried of any traffic if a load of uniform traffic is.
func (w *work) twoPhases(uniform float64) float64 {
	n := float64(w.size.Endpoints)
	return uniform / 2 * n / (n - 1)
}

// treeBound is what is carried of any traffic over the top of a tree, if the network is one.
func (w *work) treeBound() lowBound {
	low := lowBound{why: "no lo above 0 is proven"}
	if x, ok := w.hoseThroughput(); ok {
		low.raise(x, "lo carries anything spread over the top of the tree")
	}
	return low
}

// hoseThroughput is that of the network, found once: several metrics rest on it.
func (w *work) hoseThroughput() (x float64, ok bool) {
	t := &w.overTops
	if !t.known {
		classes := w.classIn(w.net)
		t.known = true
		t.x, t.ok = contracted(w.net).fabric(w.net, &classes, w.rates.Bandwidth).HoseThroughput()
	}
	return t.x, t.ok
}
