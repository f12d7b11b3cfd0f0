package workload

import (
	"fmt"

	"toposearch/workload/collective"
)

// Group says which ranks take part: rank r with all that differ from it in the coordinate r/Stride modulo
// Size alone. Ranks/Size such groups are at work at the same time.
type Group struct{ Stride, Size int }

// Within is how many members of a group are in the same domain, one after the other, and how many such parts there are.
// Domains are of so many consecutive ranks; parts are as large as can be with all of them inside domains, whichever
// group it is.
func (g Group) Within(domain int) (inner, outer int) {
	for inner = min(g.Size, domain); inner > 1; inner-- {
		if g.Size%inner == 0 && domain%(g.Stride*inner) == 0 {
			break
		}
	}
	inner = max(inner, 1)
	return inner, g.Size / inner
}

// When says what a collective can be hidden behind.
type When uint8

// Whether what comes next waits for it, or what runs meanwhile.
const (
	Exposed         When = iota
	BesideCore           // the core of attention of the same layer
	BesideWeights        // the gradients of a layer's weights
	BesideBackward       // the backward pass of the last microbatch
	BesideForward        // the forward pass of the first microbatch, of the next step
	BesideBackwards      // the backward passes of all microbatches
	BesideForwards       // the forward passes of all
)

var whens = [...]string{"exposed", "beside attention", "beside weight gradients", "beside the last backward pass", "beside the first forward pass",
	"beside backward passes", "beside forward passes"}

func (w When) String() string { return whens[w] }

// Communication is collectives of one kind and size of a step, as a rank of a stage with the most layers sees
// them.
type Communication struct {
	Parallelism string // tp, cp, ep, pp, dp, or dp of experts
	Kind        collective.Kind
	Group
	Bytes float64 // S of the kind, at each rank
	Count int     // in a step, one after the other
	When  When
}

// Wire is what a rank sends of it in a step, in bytes, by an algorithm that sends no more than it must.
func (c Communication) Wire() float64 {
	return float64(c.Count) * c.Bytes * c.Kind.WireShare(c.Size)
}

func (c Communication) String() string {
	return fmt.Sprintf("%s: %d x %s of %.0f B among %d ranks of stride %d, %s", c.Parallelism, c.Count, c.Kind, c.Bytes, c.Size, c.Stride, c.When)
}

// Communications lists the collectives of a step. Left out are those of the two ends of a pipeline alone: for
// each microbatch one of a layer's size of the embeddings and one of the loss, and once a step the sum of the
// gradients of a tied embedding.
func (t *Training) Communications() []Communication {
	out := make([]Communication, 0, 12) // as many as there are of all kinds but of few models
	t.communicate(func(c Communication) { out = append(out, c) })
	return out
}

// communicate gives them to f.
func (t *Training) communicate(f func(Communication)) {
	add := func(c Communication) {
		if c.Size > 1 && c.Count > 0 {
			f(c)
		}
	}
	all, moe := t.stageLayers()
	m := t.Microbatches()
	t.tensor(add, m*all, m*moe)
	t.context(add, m*all)
	if moe > 0 {
		// To the experts and back, forward and backward, and again where it is computed again.
		n := 4
		if t.Recompute == Full {
			n = 6
		}
		add(Communication{"ep", collective.AllToAll, Group{t.TP, t.EP},
			t.tokens() / t.along() * float64(t.Model.Hidden*t.Model.Experts.Active) * elementBytes, n * m * moe, Exposed})
	}
	message, messages := t.inputBytes(), 2*m*t.Interleave
	if t.PP > 1 && t.ScatterGather && !t.SP {
		add(Communication{"pp", collective.AllGather, Group{1, t.TP}, message, messages, Exposed})
		message /= float64(t.TP)
	}
	add(Communication{"pp", collective.Exchange, Group{t.TP * t.CP * t.DP, t.PP}, message, messages, Exposed})
	dense, expert := t.fullest()
	t.replicas(add, "dp", Group{t.TP, t.CP * t.DP}, dense)
	if expert > 0 {
		t.replicas(add, "dp of experts", Group{t.TP * t.EP, t.CP * t.DP / t.EP}, expert)
	}
}

// tensor adds what the TP ranks of the given passes of layers through the stage send: after attention and
// after the feed-forward network an all-reduce, in each direction and again where it is computed again. With
// SP each is a reduce-scatter with an all-gather, and the backward pass gathers the inputs that it needs again, of
// which a rank has kept only its part. A layer's experts get Active times the tokens.
func (t *Training) tensor(add func(Communication), layers, moe int) {
	g := Group{1, t.TP}
	bytes := elementBytes * t.tokens() * float64(t.Model.Hidden)
	passes := 2
	if t.Recompute == Full {
		passes = 3
	}
	each := func(bytes float64, n int) {
		if !t.SP {
			add(Communication{"tp", collective.AllReduce, g, bytes, passes * n, Exposed})
			return
		}
		add(Communication{"tp", collective.AllGather, g, bytes, passes * n, Exposed})
		add(Communication{"tp", collective.ReduceScatter, g, bytes, passes * n, Exposed})
		if t.Recompute != Full { // else the recomputation has gathered them
			add(Communication{"tp", collective.AllGather, g, bytes, n, BesideWeights})
		}
	}
	each(bytes, 2*layers-moe)
	if moe > 0 {
		e := t.Model.Experts
		each(bytes*float64(e.Active), moe)
		if e.Shared > 0 {
			each(bytes, moe)
		}
	}
}

// context adds the ring of CP: each rank passes keys and values on CP-1 times forward, and with their
// gradients backward, beside the attention over those that it has.
func (t *Training) context(add func(Communication), layers int) {
	if t.CP == 1 {
		return
	}
	m := t.Model
	heads := max(m.KVHeads/t.TP, 1)
	width := 2 * heads * m.HeadDim
	if m.Latent != nil {
		width = m.Latent.KV + m.Latent.Rope // all heads' keys and values are made of these
	}
	passes := 3
	if t.Recompute == Full {
		passes = 4
	}
	add(Communication{"cp", collective.Exchange, Group{t.TP, t.CP}, elementBytes * t.tokens() * float64(width), passes * (t.CP - 1) * layers, BesideCore})
}

// replicas adds what those that hold the same parameters send (Rajbhandari et al., section 7): an
// all-reduce of gradients; with ZeRO a reduce-scatter of them, and an all-gather of the weights, which stage 3
// does for both passes of every microbatch. From stage 2 on no rank keeps whole gradients, so that each
// microbatch scatters its own.
func (t *Training) replicas(add func(Communication), name string, g Group, params float64) {
	grads, weights := params*t.gradientBytes(), params*weightBytes
	m := t.Microbatches()
	switch t.ZeRO {
	case 0:
		add(Communication{name, collective.AllReduce, g, grads, 1, BesideBackward})
	case 1:
		add(Communication{name, collective.ReduceScatter, g, grads, 1, BesideBackward})
		add(Communication{name, collective.AllGather, g, weights, 1, BesideForward})
	case 2:
		add(Communication{name, collective.ReduceScatter, g, grads, m, BesideBackwards})
		add(Communication{name, collective.AllGather, g, weights, 1, BesideForward})
	case 3:
		add(Communication{name, collective.ReduceScatter, g, grads, m, BesideBackwards})
		add(Communication{name, collective.AllGather, g, weights, m, BesideForwards})
		add(Communication{name, collective.AllGather, g, weights, m, BesideBackwards})
	}
}

// Shares are what each kind of parallelism sends of all bytes that a rank sends, from 0 to 1.
func Shares(list []Communication) map[string]float64 {
	out, sum := make(map[string]float64), 0.0
	for _, c := range list {
		out[c.Parallelism] += c.Wire()
		sum += c.Wire()
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}
