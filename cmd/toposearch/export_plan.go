package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/report/picture"
	"toposearch/report/plan"
	"toposearch/topology"
)

// Formats of what is bought and built, under a study's site and prices.
const (
	formatPlan = "plan"
	formatSVG  = "svg"
)

const everyPicture = "all"

// loadsNs bounds, by the cost model, what the loads of a picture may take.
const loadsNs = 2e9

// planned is a design with its plan, nil if there are no parts for it.
type planned struct {
	ev   *evaluator.Evaluator
	res  *evaluator.Result
	plan *evaluator.Plan
	why  string // there is no plan
}

// evaluatorFor is the evaluator that eval has of a design under the same flags.
func (a *app) evaluatorFor(d topology.Design, f exportFlags) (*evaluator.Evaluator, error) {
	flags := evalFlags{study: f.study, bandwidth: f.bandwidth, bandwidthSet: f.bandwidth != "", catalogs: f.catalogs}
	opt, err := flags.options(a)
	if err != nil {
		return nil, err
	}
	ev, err := evaluator.New(opt)
	if err != nil {
		return nil, err
	}
	return a.evaluatorOf(d, ev, opt)
}

// planOf lays a design out and prices it, as the study says that is named.
func (a *app) planOf(ctx context.Context, d topology.Design, f exportFlags) (*planned, error) {
	ev, err := a.evaluatorFor(d, f)
	if err != nil {
		return nil, err
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: []metric.Key{metric.Cost, metric.CableMax, metric.GrowthCost}})
	if err != nil {
		return nil, err
	}
	p := &planned{ev: ev, res: res, plan: res.Plan}
	if p.plan == nil {
		p.why = cmp.Or(res.Reject.Words(), res.Absent[metric.Cost], res.Absent[metric.CableMax])
	}
	return p, nil
}

// exportPlan writes the files that a design is bought and wired from.
func (a *app) exportPlan(ctx context.Context, d topology.Design, f exportFlags) error {
	if f.out == "" {
		return usagef("--out is missing: the folder for the files of %s", formatPlan)
	}
	p, err := a.planOf(ctx, d, f)
	if err != nil {
		return err
	}
	if p.plan == nil {
		return fmt.Errorf("%s: there is nothing to order: %s", d, p.why)
	}
	x := plan.Export{Design: d, Plan: p.plan, Supply: p.ev.Supply(p.plan), Program: programVersion(),
		EachCable: func(each func(floor.Cable) bool) error { return p.ev.EachCable(d, each) },
		EachRack:  func(each func(floor.Rack) bool) error { return p.ev.EachRack(d, each) }}
	if x.Grown, err = p.ev.Growing(p.res); err != nil {
		return err
	}
	if err := plan.WriteDesign(f.out, x); err != nil {
		return err
	}
	doc, err := exportOf(d, formatPlan)
	if err != nil {
		return err
	}
	doc.LaneGbps = p.plan.LaneGbps
	return a.writeExport(f.out, doc, nil)
}

// exportPictures writes one picture, or several into a folder.
func (a *app) exportPictures(ctx context.Context, d topology.Design, f exportFlags) error {
	kinds, all := f.pictures, slices.Equal(f.pictures, []string{everyPicture})
	if all {
		kinds = picture.Kinds()
	}
	for _, k := range kinds {
		if !slices.Contains(picture.Kinds(), k) {
			return usagef("--picture %q: there are %s, and %s", k, strings.Join(picture.Kinds(), ", "), everyPicture)
		}
	}
	if len(kinds) > 1 && f.out == "" {
		return usagef("--out is missing: the folder for the pictures")
	}
	p, err := a.planOf(ctx, d, f)
	if err != nil {
		return err
	}
	src := picture.Of(p.ev, d, p.plan, loadsNs)
	doc, err := exportOf(d, formatSVG)
	if err != nil {
		return err
	}
	var list []outFile
	for _, k := range kinds {
		svg, err := picture.Draw(ctx, k, src, false)
		switch {
		case errors.Is(err, picture.ErrNone) && all:
			a.note("%v", err)
			continue
		case errors.Is(err, picture.ErrNone):
			return joinUsage(err)
		case err != nil:
			return err
		}
		x := outFile{write: func(w io.Writer) error {
			_, err := io.WriteString(w, svg+"\n")
			return err
		}}
		if len(kinds) > 1 {
			x.name = k + ".svg"
		}
		list = append(list, x)
	}
	return a.writeExport(f.out, doc, list)
}

// exportOf begins the document of an export by the counts of a design.
func exportOf(d topology.Design, format string) (*exportDoc, error) {
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		return nil, err
	}
	return &exportDoc{Schema: exportSchema, Design: d.String(), Format: format, Switches: int(s.AllSwitches()), Endpoints: int(s.Endpoints)}, nil
}
