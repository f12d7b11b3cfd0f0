package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/netfile"
)

// parseDesigns reads all designs and reports every fault at once.
func (a *app) parseDesigns(args []string) ([]topology.Design, error) {
	var designs []topology.Design
	var faults []string
	for _, s := range args {
		d, err := a.parseDesign(s)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		var size topology.Size
		if err := d.Family.Size(d.V, &size); err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", d, err))
			continue
		}
		designs = append(designs, d)
	}
	if len(faults) > 0 {
		return nil, usagef("%s", strings.Join(faults, "\n"))
	}
	return designs, nil
}

// parseDesign reads one design: family(...) or file:PATH. Findings about a file are printed.
func (a *app) parseDesign(s string) (topology.Design, error) {
	path, ok := strings.CutPrefix(s, "file:")
	if !ok {
		if strings.TrimSpace(s) == "" {
			return topology.Design{}, fmt.Errorf("a design without a name; write family(a=1,b=2) or file:PATH")
		}
		return topology.ParseDesign(s, family.Known())
	}
	if path == "" {
		return topology.Design{}, fmt.Errorf("file: lacks the path of a network file; write file:network.json")
	}
	f, err := netfile.Load(path)
	var fault *netfile.Error
	if errors.As(err, &fault) {
		fault.List.Print(a.err)
		n, _ := fault.List.Count()
		return topology.Design{}, fmt.Errorf("file:%s is no network for the %s above", path, count(n, "error"))
	}
	if err != nil {
		return topology.Design{}, err
	}
	f.Warnings.Print(a.err)
	if n := laidLengths(f); n > 0 {
		a.note("file:%s gives the lengths of %s: they are not used; cables are laid on the program's floor plan, and metrics say so", path, count(n, "cable"))
	}
	if a.files == nil {
		a.files = map[*topology.Family]*netfile.File{}
	}
	a.files[f.Family] = f
	return topology.Design{Family: f.Family}, nil
}

// designOrFamily checks the name of a design or of a family and gives it as the program writes it.
func (a *app) designOrFamily(s string) (string, error) {
	if _, ok := family.ByName(s); ok || strings.HasPrefix(s, "file:") && s != "file:" {
		return s, nil
	}
	d, err := a.parseDesign(s)
	if err != nil {
		return "", err
	}
	return d.String(), nil
}

// laidLengths counts the cables of which a file says how long they are.
func laidLengths(f *netfile.File) int {
	n := 0
	for _, list := range [][]netfile.LinkInfo{f.Links, f.Nics} {
		for i := range list {
			if list[i].LengthM > 0 {
				n++
			}
		}
	}
	return n
}

// evaluatorOf gives the evaluator of a design: for a network file that states rates, and unless
// --bandwidth does, one with the bandwidth of its endpoints; where the file has it unstated, ev.
func (a *app) evaluatorOf(d topology.Design, ev *evaluator.Evaluator, opt evaluator.Options) (*evaluator.Evaluator, error) {
	if opt.BandwidthGbps != 0 {
		return ev, nil
	}
	gbps, err := a.statedGbps(d)
	if gbps == 0 || err != nil {
		return ev, err
	}
	opt.BandwidthGbps = gbps
	return evaluator.New(opt)
}

// statedGbps is the bandwidth of an endpoint that the network file of a design states; 0: it has it unstated, or the design is of a family.
func (a *app) statedGbps(d topology.Design) (float64, error) {
	f := a.files[d.Family]
	if f == nil || f.LaneGbps == 0 {
		return 0, nil
	}
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		return 0, err
	}
	gbps := f.LaneGbps * float64(s.EndpointLanes)
	if !f.Unstated {
		return gbps, nil
	}
	if math.Abs(gbps/market.DefaultEndpointGbps-1) > 1e-9 { // a share of it may be no whole number
		return 0, fmt.Errorf("%s: its bandwidth is unstated and %g Gb/s an endpoint; unstated are %d Gb/s", d, gbps, market.DefaultEndpointGbps)
	}
	return 0, nil
}
