package study

import (
	"strconv"

	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/workload/jobs"
)

// jobs reads the mix of jobs: "mix", a file of sizes and shares, or a table of them.
func (ld *loader) jobs(v *tomlfile.Value) {
	if v == nil {
		return
	}
	if v.Kind == tomlfile.TableKind {
		var kinds []jobs.Kind
		sound := true
		for _, e := range v.Table.Entries {
			x := v.Table.Take(e.Key)
			size, err := strconv.Atoi(e.Key)
			if err != nil || size < 1 {
				x.Errorf("%q is no size of a job\nwrite jobs = { 64 = 0.9, 1024 = 0.1 }: endpoints and shares", e.Key)
				sound = false
				continue
			}
			const least = 1e-9 // of a share: below is a slip
			share, ok := x.Number(least, 1e9)
			kinds, sound = append(kinds, jobs.Kind{Size: size, Share: share}), sound && ok
		}
		if !sound {
			return
		}
		mix, err := jobs.New("the study", kinds)
		if err != nil {
			v.Errorf("%v\nwrite jobs = { 64 = 0.9, 1024 = 0.1 }", err)
		}
		ld.s.Options.Jobs = mix
		return
	}
	name, ok := v.Text()
	if !ok {
		return
	}
	if name == jobs.Builtin().Name {
		ld.s.Options.Jobs = jobs.Builtin()
		return
	}
	path := ld.beside(name)
	data, ok := ld.input(path, v.Pos, "mix of jobs")
	if !ok {
		return
	}
	mix, found := jobs.Read(path, data)
	ld.diags.Add(found...)
	ld.s.Options.Jobs = mix
}

// jobsAsked refuses a study that judges designs by jobs and names none.
func (ld *loader) jobsAsked() {
	asked := false
	for _, j := range ld.s.Objectives {
		asked = asked || j.Key == metric.JobsIsolated
	}
	if c := ld.s.Constraints; c != nil { // nil where a file of them could not be read
		for _, l := range c.Limits {
			asked = asked || l.Key == metric.JobsIsolated
		}
	}
	if asked && ld.s.Options.Jobs == nil {
		ld.diags.Errorf(ld.workloadAt, "%s is asked for, and there are no jobs\nwrite [workload] jobs = \"mix\", a file of sizes and shares, or jobs = { 64 = 0.9, 1024 = 0.1 }", metric.Keys[metric.JobsIsolated].Name)
	}
}
