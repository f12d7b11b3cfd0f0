// Package picture draws a design as SVG: its network by classes and blocks (quotient.go, place.go, diagram.go, ring.go), all of a
// small one (graph.go, graphplace.go), the load of its links by class (heat.go), and, with package plan, its floor and its cables.
//
// What is drawn is counted on the wiring that the plan's files are written from. The sizes of pictures do not grow with
// networks: what is too much to be seen is drawn in sums.
package picture

import (
	"context"
	"fmt"
	"strings"

	"toposearch/report/draw"
	"toposearch/report/plan"
)

// Kinds of pictures.
const (
	Network = "network" // by classes and blocks
	Graph   = "graph"   // every switch and every link
	Floor   = "floor"   // racks, and the switches in them
	Racks   = "racks"   // what stands in each kind of rack
	Cables  = "cables"  // the trays of the floor plan, and what lies in them
	Heat    = "heat"    // loads by link class
)

// Kinds are the names of all kinds, in the order in which they are best read.
func Kinds() []string { return []string{Network, Graph, Heat, Floor, Racks, Cables} }

// Draw draws a picture of a kind: a file of its own, or, with page, for a page that has draw.Rules. An error that wraps ErrNone says
// why there is none, others come from the design.
func Draw(ctx context.Context, kind string, s *Source, page bool) (string, error) {
	var svg string
	var err error
	switch kind {
	case Network:
		svg, err = s.network()
	case Graph:
		svg, err = s.graph()
	case Heat:
		svg, err = s.heat(ctx)
	case Floor, Racks, Cables:
		if s.Plan == nil || s.Schedule == nil {
			return "", fmt.Errorf("%w: %s has no floor plan: there are no parts for it", ErrNone, s.Design)
		}
		return s.onFloor(kind, page)
	default:
		return "", fmt.Errorf("%w: %q; there are %s", ErrNone, kind, strings.Join(Kinds(), ", "))
	}
	if err != nil || page {
		return svg, err
	}
	head, body, _ := strings.Cut(svg, ">")
	return head + ">" + draw.Style + body, nil
}

// onFloor draws the floor plan, what stands in racks, or the trays.
func (s *Source) onFloor(kind string, page bool) (string, error) {
	schedule, err := s.Schedule()
	if err != nil {
		return "", err
	}
	name := draw.Clip(s.Design.String(), titleMost)
	switch kind {
	case Floor:
		return plan.RackPlan(name, &s.Plan.Floor, schedule), nil
	case Racks:
		return plan.Elevations(name, &s.Plan.Floor, schedule, !page), nil
	}
	t, err := plan.LayTrays(&s.Plan.Floor, schedule)
	if err != nil {
		return "", err
	}
	return plan.CablePlan(name, &s.Plan.Floor, t, !page), nil
}
