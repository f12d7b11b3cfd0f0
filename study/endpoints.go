package study

import (
	"math"
	"strings"

	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// endpoints reads how many endpoints there are, their bandwidth, servers and scale-up domains.
func (ld *loader) endpoints(root, t *tomlfile.Table) {
	s := ld.s
	s.PerServer = 8
	if t == nil {
		if !root.Has("endpoints") {
			root.Errorf("how many endpoints are needed is not said\nadd [endpoints] with count = { min = ..., max = ... } and bandwidth = \"400 Gb/s\"")
		}
		return
	}
	if v := t.Take("count"); v != nil {
		s.MinEndpoints, s.MaxEndpoints = ld.counts(v)
		ld.countAt = v.Pos
	} else {
		t.Errorf("[endpoints] needs count\nwrite count = 1024, or count = { min = 1024, max = 1152 }")
	}
	if v := t.Take("bandwidth"); v != nil {
		x, ok := v.Quantity(unit.KindBandwidth)
		if ok && x <= 0 {
			v.Errorf("the bandwidth must be above 0")
		} else if ok && strings.Contains(v.Str, "B/s") {
			v.Warnf("%s are bytes: %s\nwrite %q if bits were meant", v.Str, unit.KindBandwidth.Format(x), strings.Replace(v.Str, "B/s", "b/s", 1))
		}
		s.BandwidthGbps = x
	} else {
		t.Errorf("[endpoints] needs bandwidth\nwrite bandwidth = \"400 Gb/s\": all network ports of an endpoint together")
	}
	if v := t.Take("per_server"); v != nil {
		n, _ := v.Integer(1, 1<<16)
		s.PerServer = int(n)
	}
	ld.clusterPart(t, "accelerator", &s.Options.Cluster.Accelerator)
	ld.clusterPart(t, "cpu", &s.Options.Cluster.CPU)
	if v := t.Take("cpus_per_server"); v != nil {
		n, ok := v.Integer(0, mostCPUs)
		if s.Options.Cluster.CPUsPerServer = int(n); ok && n == 0 {
			s.Options.Cluster.CPUsPerServer = -1
		}
	}
	if v := t.Take("scaleup"); v != nil {
		ld.scaleup(v)
	}
	if v := t.Take("scaleup_bandwidth"); v != nil {
		s.ScaleupGbps, _ = v.Quantity(unit.KindBandwidth)
	}
	t.Done(map[string]string{"hosts": "count", "number": "count", "rate": "bandwidth", "speed": "bandwidth", "host_rate": "bandwidth", "servers": "per_server", "cpus": "cpus_per_server", "gpu": "accelerator"})
}

// counts reads a number of endpoints or a range of it.
func (ld *loader) counts(v *tomlfile.Value) (lo, hi int64) {
	if v.Kind == tomlfile.Int {
		n, _ := v.Integer(1, math.MaxInt32)
		return n, n
	}
	if v.Kind != tomlfile.TableKind {
		v.Errorf("count is a whole number or a range, not %s\nwrite count = 1024, or count = { min = 1024, max = 1152 }", v.Raw)
		return 0, 0
	}
	a, b := v.Table.Take("min"), v.Table.Take("max")
	v.Table.Done(nil)
	lo, okA := a.Integer(1, math.MaxInt32)
	hi, okB := b.Integer(1, math.MaxInt32)
	if a == nil || b == nil {
		v.Errorf("a range of endpoints needs min and max")
	} else if okA && okB && lo > hi {
		a.Errorf("min %d is above max %d: the range is empty", lo, hi)
	}
	return lo, hi
}
