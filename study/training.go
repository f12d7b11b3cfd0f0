package study

import (
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// Defaults of [workload].
const (
	defaultAlphaNs = 5000 // of a step of a collective: NCCL's measured times of 16 MB to 8 GB on 1,024 GPUs give 4.5 to 5.6 us
	defaultMessage = 1e9  // bytes of the all-reduce and the all-to-all among all endpoints
	mostSequence   = 1 << 27
	mostBatch      = 1 << 27
	mostDegree     = 1 << 24 // of one kind of parallelism
)

// training reads [workload]: what the network is for.
func (ld *loader) training(t *tomlfile.Table) {
	if t == nil {
		return
	}
	ld.workloadAt = t.Pos
	if ld.jobs(t.Take("jobs")); t.Has("jobs") && !t.Has("model") { // jobs alone
		t.Done(map[string]string{"job": "jobs"})
		return
	}
	w := &evaluator.Training{MessageBytes: defaultMessage}
	modelAt := t.Take("model")
	if modelAt == nil {
		t.Errorf("[workload] needs model\nwrite model = \"llama3-405b\", another built-in one, or a file of dimensions")
	} else if name, ok := modelAt.Text(); ok {
		w.Model = ld.model(modelAt, name)
	}
	w.Sequence, w.Batch = wholeNumber(t, "sequence", mostSequence), wholeNumber(t, "batch", mostBatch)
	ld.accelerator(t, w)
	alpha := float64(defaultAlphaNs)
	if x, ok := t.Take("alpha").Quantity(unit.KindLatency); ok {
		alpha = x
	}
	w.Accelerator.Link[1].Alpha = alpha / 1e9
	if v := t.Take("message"); v != nil {
		if x, ok := v.Quantity(unit.KindBytes); ok && x < 1 {
			v.Errorf("a message has at least 1 B")
		} else if ok {
			w.MessageBytes = x
		}
	}
	ld.parallelism(t.Take("parallelism"), w)
	if v := t.Take("mapping"); v != nil {
		if text, ok := v.Text(); ok && text == evaluator.MappingBest {
			w.Mapping = text
		} else if o, err := placed.ParseOrder(text); ok && err != nil {
			v.Errorf("%v\nwrite mapping = \"best\", or an order from near to far: mapping = \"tp, dp, pp\"", err)
		} else if ok {
			w.Mapping = o.String()
		}
	}
	if v := t.Take("base"); v != nil {
		n, ok := v.Integer(1, 1<<31-1)
		if w.Base = int(n); ok && ld.s.MaxEndpoints > 0 && n > ld.s.MaxEndpoints {
			v.Errorf("linearity compares all endpoints with the first %d of them, and the largest design has %d\nwrite fewer", n, ld.s.MaxEndpoints)
		}
	}
	t.Done(map[string]string{"seq": "sequence", "seq_len": "sequence", "global_batch": "batch", "gpu": "accelerator", "latency": "alpha"})
	ld.s.Options.Training = w
}

// wholeNumber is a number that has to be there.
func wholeNumber(t *tomlfile.Table, key string, most int64) int {
	v := t.Take(key)
	if v == nil {
		t.Errorf("[workload] needs %s\nwrite %s = and a whole number", key, key)
	}
	n, _ := v.Integer(1, most)
	return int(n)
}

// model is one built in, or of a file.
func (ld *loader) model(v *tomlfile.Value, name string) *workload.Transformer {
	m, err := workload.Model(name)
	if err == nil {
		return m
	}
	if !strings.HasSuffix(name, ".toml") {
		v.Errorf("%v\na file of dimensions ends in .toml", err)
		return nil
	}
	path := ld.beside(name)
	data, ok := ld.input(path, v.Pos, "model")
	if !ok {
		return nil
	}
	m, found := workload.ReadModel(path, data)
	ld.diags.Add(found...)
	return m
}

// accelerator reads rates and memory of an endpoint.
func (ld *loader) accelerator(t *tomlfile.Table, w *evaluator.Training) {
	a := t.Sub("accelerator")
	if a == nil {
		if !t.Has("accelerator") {
			t.Errorf("[workload] needs accelerator\nwrite accelerator = { flops = \"989 Tflop/s\", memory = \"80 GB\", efficiency = 0.5 }")
		}
		return
	}
	s := &w.Accelerator
	for _, q := range []struct {
		key    string
		kind   unit.Kind
		per    float64
		to     *float64
		needed bool
	}{
		{"flops", unit.KindFlops, 1, &s.FLOPS, true}, {"memory", unit.KindBytes, 1, &s.Memory, true},
		{"memory_bandwidth", unit.KindBandwidth, 1e9 / 8, &s.MemoryBytesPerS, false},
	} {
		v := a.Take(q.key)
		x, ok := v.Quantity(q.kind)
		switch {
		case v == nil && q.needed:
			a.Errorf("the accelerator needs %s\n%s", q.key, q.kind.Remedy())
		case ok && x <= 0:
			v.Errorf("%s must be above 0", q.key)
		case ok:
			*q.to = x * q.per
		}
	}
	const leastEfficiency = 0.01 // below is a slip: 50 for 0.5 is caught above
	s.Efficiency = 0.5
	if v := a.Take("efficiency"); v != nil {
		s.Efficiency, _ = v.Number(leastEfficiency, 1)
	}
	a.Done(map[string]string{"flop": "flops", "tflops": "flops", "hbm": "memory", "bandwidth": "memory_bandwidth", "mfu": "efficiency"})
}

// parallelism reads "best", the default, or a table of degrees.
func (ld *loader) parallelism(v *tomlfile.Value, w *evaluator.Training) {
	if v == nil {
		return
	}
	if v.Kind != tomlfile.TableKind {
		if s, ok := v.Text(); ok && s != "best" {
			v.Errorf("parallelism is \"best\" or degrees, not %q\nwrite parallelism = { tp = 8, pp = 16, dp = 8 }", s)
		}
		return
	}
	t := v.Table
	p := &workload.Parallelism{ZeRO: 1, FusedAttention: true}
	for _, d := range []struct {
		key string
		to  *int
	}{{"tp", &p.TP}, {"cp", &p.CP}, {"pp", &p.PP}, {"dp", &p.DP}, {"ep", &p.EP}, {"interleave", &p.Interleave}, {"micro", &p.MicroBatch}} {
		*d.to = 1
		if x := t.Take(d.key); x != nil {
			n, _ := x.Integer(1, mostDegree)
			*d.to = int(n)
		}
	}
	p.SP = p.TP > 1
	if x := t.Take("sp"); x != nil {
		n, ok := x.Integer(1, mostDegree)
		if p.SP = n > 1; ok && p.SP && int(n) != p.TP {
			x.Errorf("sp = %d, but tp = %d: sequence parallelism shares the ranks of tp\nwrite sp = %d, sp = 1 for none, or cp = %d to divide sequences over ranks of their own", n, p.TP, p.TP, n)
		}
	}
	p.ScatterGather = p.TP > 1
	if x := t.Take("zero"); x != nil {
		n, _ := x.Integer(0, 3)
		p.ZeRO = int(n)
	}
	if x := t.Take("recompute"); x != nil {
		amounts := []string{workload.NoRecompute.String(), workload.Selective.String(), workload.Full.String()}
		s, ok := x.Text()
		i := slices.Index(amounts, s)
		if ok && i < 0 {
			x.Errorf("recompute is %s, not %q%s", strings.Join(amounts, ", "), s, diag.Hint(s, amounts))
		}
		p.Recompute = workload.Recompute(max(i, 0))
	}
	t.Done(map[string]string{"tensor": "tp", "pipeline": "pp", "data": "dp", "expert": "ep", "context": "cp", "vpp": "interleave", "microbatch": "micro"})
	w.Parallelism = p
	if w.Model == nil || w.Sequence == 0 || w.Batch == 0 || ld.diags.HasErrors() {
		return
	}
	x := workload.Training{Model: w.Model, Sequence: w.Sequence, Batch: w.Batch, Parallelism: *p}
	if err := x.Check(0); err != nil {
		for _, line := range strings.Split(err.Error(), "\n") {
			v.Errorf("%s", line)
		}
		return
	}
	if n := int64(x.Ranks()); ld.s.MaxEndpoints > 0 && n > ld.s.MaxEndpoints {
		v.Errorf("tp x cp x pp x dp = %d x %d x %d x %d = %d ranks, %d more than the %d endpoints of the largest design\nlower one of them, or raise [endpoints] count",
			p.TP, p.CP, p.PP, p.DP, n, n-ld.s.MaxEndpoints, ld.s.MaxEndpoints)
	}
	if err := x.Fits(w.Accelerator); err != nil && w.Accelerator.Memory > 0 {
		v.Errorf("%v\nraise tp, pp or zero, recompute more, or give more memory", err)
	}
}
