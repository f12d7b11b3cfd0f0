package traffic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"toposearch/simcore"
)

// hotspots are the endpoints that get a part of what every other one sends.
type hotspots struct {
	share float64 // of what an endpoint sends
	hot   []int   // ascending
	upTo  []float64
	cold  []int32 // the others, ascending
	at    []int32 // the place of each endpoint among them; of a hot one -1
}

// hotspot sends a share of everything to hot endpoints, and the rest to the others alike, so that the hot ones get
// exactly their share. A hot endpoint does not send to itself: it sends that part like the rest.
func hotspot(o Options, args []string) (*Pattern, error) {
	n := o.Network.Endpoints()
	h := &hotspots{share: 0.2}
	weight := map[int]float64{0: 1}
	if len(args) > 0 {
		var err error
		if h.share, err = strconv.ParseFloat(args[0], 64); err != nil || !(h.share > 0 && h.share <= 1) {
			return nil, fmt.Errorf("the share %q is not a number in (0, 1]", args[0])
		}
	}
	if len(args) > 1 {
		clear(weight)
		for _, a := range args[1:] {
			w, e, err := weighed(a, n)
			if err != nil {
				return nil, err
			}
			weight[e] += w
		}
	}
	sum := 0.0
	h.at = make([]int32, n)
	for e := range n {
		h.at[e] = -1
		if w, ok := weight[e]; ok {
			sum += w
			h.hot, h.upTo = append(h.hot, e), append(h.upTo, sum)
			continue
		}
		h.at[e] = int32(len(h.cold))
		h.cold = append(h.cold, int32(e))
	}
	if math.IsInf(sum, 0) {
		return nil, fmt.Errorf("the weights of the hot endpoints add up to %v", sum)
	}
	if len(h.cold) < 2 {
		return nil, fmt.Errorf("%d of %d endpoints are hot; the others share the rest of the traffic, and must be 2 at least", len(h.hot), n)
	}
	for i := range h.upTo {
		h.upTo[i] /= sum
	}
	return &Pattern{n: n, draw: h.draw, uniform: h.even() * float64(n-1), rest: h.rest}, nil
}

// weighed reads "endpoint" or "weight*endpoint" of n endpoints.
func weighed(text string, n int) (w float64, e int, err error) {
	w, rest := 1, text
	if before, after, ok := strings.Cut(text, "*"); ok {
		if w, err = strconv.ParseFloat(strings.TrimSpace(before), 64); err != nil || !(w > 0) || math.IsInf(w, 0) {
			return 0, 0, fmt.Errorf("%q is not weight*endpoint with a weight above 0", text)
		}
		rest = strings.TrimSpace(after)
	}
	list, err := ints([]string{rest}, 0, n-1)
	if err != nil {
		return 0, 0, err
	}
	return w, list[0], nil
}

func (h *hotspots) draw(src int, r *simcore.Rand) int {
	if r.Float64() < h.share {
		i := 0
		if len(h.hot) > 1 {
			x := r.Float64()
			for i < len(h.hot)-1 && x >= h.upTo[i] {
				i++
			}
		}
		if d := h.hot[i]; d != src {
			return d
		}
	}
	k := int(h.at[src])
	if k < 0 {
		return int(h.cold[r.IntN(len(h.cold))])
	}
	i := r.IntN(len(h.cold) - 1)
	if i >= k {
		i++
	}
	return int(h.cold[i])
}

// even is what one that is not hot sends to another.
func (h *hotspots) even() float64 { return (1 - h.share) / float64(len(h.cold)-1) }

func (h *hotspots) rest(src int, add func(int, float64)) {
	own, before := 0.0, 0.0
	for i, d := range h.hot {
		part := h.share * (h.upTo[i] - before)
		before = h.upTo[i]
		if d == src {
			own = part
		} else {
			add(d, part-h.even())
		}
	}
	if _, hot := slices.BinarySearch(h.hot, src); hot {
		for _, d := range h.cold {
			add(int(d), (1-h.share+own)/float64(len(h.cold))-h.even())
		}
	}
}
