package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/internal/unit"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/workload/collective"
)

// collectiveFlags describe a collective that is played to completion.
type collectiveFlags struct {
	what      string // allreduce:ring; "" for none
	size      string
	groups    []string
	alpha     string
	flitBytes int
}

// declare declares the flags.
func (f *collectiveFlags) declare(s *pflag.FlagSet) {
	s.StringVar(&f.what, "collective", "", "play a collective to completion instead of --load, beside its computed time: allreduce, reducescatter, allgather, alltoall, broadcast,\n"+
		"barrier or pipeline, with an algorithm behind a colon: ring, multiring[=rings], halving, tree[=segments], hierarchical[=ranks of a group],\n"+
		"mesh[=ranks of a full mesh, over all links], torus2d[=RxC], direct, multipath[=percent that makes no detour], chain[=segments], binomial, dissemination; such as allreduce:tree=16")
	s.StringVar(&f.size, "size", "", "bytes of --collective, such as 1MiB: of the whole vector of a rank; of a pipeline, of one message")
	s.StringArrayVar(&f.groups, "group", nil, "endpoints of a group of --collective in the order of its ranks: 0..63, 0..63/4 (every fourth), 3,1,2 (default: all); may be repeated, for groups of one size at once")
	s.StringVar(&f.alpha, "alpha", "0ns", "time of software before the first message of --collective and each that waits for another, such as 5us")
	s.IntVar(&f.flitBytes, "flit-bytes", 256, "bytes of a flit of --collective in the flit model")
}

// parse reads what is played; nil: nothing.
func (f *collectiveFlags) parse() (*simulate.Collective, error) {
	if f.what == "" {
		if f.size != "" || len(f.groups) > 0 {
			return nil, usagef("--size and --group belong to a --collective")
		}
		return nil, nil
	}
	c := &simulate.Collective{}
	var faults [4]error
	var err error
	if c.Kind, c.Algorithm, err = collective.ParseKind(f.what); err != nil {
		faults[0] = usagef("--collective %q: %v", f.what, err)
	}
	switch c.Bytes, err = unit.KindBytes.Parse(f.size); {
	case f.size == "":
		faults[1] = usagef("--collective needs --size, such as 1MiB")
	case err != nil:
		faults[1] = usagef("--size: %v", err)
	case c.Bytes < 1:
		faults[1] = usagef("--size %q: a collective has at least 1 B", f.size)
	}
	if c.AlphaNs, err = unit.KindLatency.Parse(f.alpha); err != nil || c.AlphaNs < 0 {
		faults[2] = usagef("--alpha %q: write a time such as 5us", f.alpha)
	}
	if f.flitBytes < 1 || f.flitBytes > 1<<16 {
		faults[3] = usagef("--flit-bytes %d is not in 1..65536", f.flitBytes)
	}
	for _, text := range f.groups {
		g, err := parseMembers(text)
		faults[0] = joinUsage(faults[0], err)
		c.Groups = append(c.Groups, g)
	}
	return c, joinUsage(faults[:]...)
}

// mostMembers is more than a simulation can hold.
const mostMembers = 1 << 22

// parseMembers reads endpoints: 0..63, 0..63/4, 5,7,9, and lists of these.
func parseMembers(text string) (out []topology.EndpointID, err error) {
	for _, part := range strings.Split(text, ",") {
		span, by, hasStep := strings.Cut(strings.TrimSpace(part), "/")
		lo, hi, isSpan := strings.Cut(span, "..")
		first, err1 := strconv.Atoi(lo)
		last, step, err2, err3 := first, 1, error(nil), error(nil)
		if isSpan {
			last, err2 = strconv.Atoi(hi)
		}
		if hasStep {
			step, err3 = strconv.Atoi(by)
		}
		if err1 != nil || err2 != nil || err3 != nil || step < 1 || last < first || hasStep && !isSpan || (last-first)/step > mostMembers {
			return nil, usagef("--group %q: %q is no endpoint and no range; write 0..63, 0..63/4 or 5,7,9", text, part)
		}
		for e := first; e <= last; e += step {
			out = append(out, topology.EndpointID(e))
		}
	}
	return out, nil
}
