package verify

import (
	"context"

	"toposearch/routing"
	"toposearch/simcore/queue"
)

// nearFull is the part of the busiest channel's limit from which on that is what limits.
const nearFull = 0.97

// limitOf says what limits the expected load: that of which a switch with far more has the most to gain.
func limitOf(ctx context.Context, t *routing.Turns, sw queue.Switch, usable []float64, expected, full float64) (string, error) {
	if expected >= nearFull*full {
		return LimitChannel, nil
	}
	// Far more than any switch has, so that nothing is left of the loss.
	const (
		deep  = 1e5 // flits
		many  = 64  // VCs
		quick = 16  // speedup
	)
	all, more := make([]float64, len(usable)), make([]float64, len(usable))
	for i := range usable {
		all[i], more[i] = float64(sw.VCs), many*usable[i]/float64(sw.VCs)
	}
	best, text := 0.0, LimitChannel
	var err error
	try := func(name string, sw queue.Switch, usable []float64) {
		if err != nil {
			return
		}
		var x float64
		if x, err = queue.New(t, sw, usable).Saturation(ctx); x > best+1e-3 {
			best, text = x, name
		}
	}
	deeper, wider, faster := sw, sw, sw
	deeper.Buffer, wider.VCs, faster.Speedup = deep, many, quick
	try(LimitClasses, sw, all)
	try(LimitCrossbar, faster, usable)
	try(LimitBuffers, deeper, usable)
	try(LimitVCs, wider, more)
	return text, err
}

// What limits a saturation load, by what a switch with far more of it would gain.
const (
	LimitChannel  = "the busiest channel or port is full"
	LimitClasses  = "VC classes: datelines or hops leave the traffic of a channel only a part of its VCs"
	LimitCrossbar = "the crossbar's speedup"
	LimitBuffers  = "buffers: VCs without room hold up packets in the switch before"
	LimitSight    = "decisions at the source, which sees channels near it alone, and others only as they press back"
	LimitVCs      = "head-of-line blocking: too few VCs for packets to pass those that wait"
)
