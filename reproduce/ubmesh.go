package reproduce

import (
	"context"
	"fmt"
)

// ubMesh puts what is published of UB-Mesh beside what its family, its routing and the simulator give.
func ubMesh(ctx context.Context, workers int) (*Table, error) {
	t := &Table{
		Source: "H. Liao et al., UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network Architecture, arXiv:2503.20377",
		Notes: []string{
			fmt.Sprintf("Figures 17, 19 and 20 are of training throughput. The paper prints neither its NPU nor how models are divided; ours: steps on four racks, NPUs of %s (and %s) "+
				"at %.0f %% of it, lanes of %.0f Gb/s, sequences of %d, %d a step, the division that is best, collectives over natural routes. These use the %d lanes of an NPU to its board for what goes "+
				"to the board, where the paper's detours use all 72: inside a rack ours lose more.", npus[0].name, npus[1].name, 100*ofPeak, laneBytes*8/1e9, ubJobs[0].sequence, ubJobs[0].batch, 28),
			"The paper leaves out how two virtual lanes carry all paths. Lanes: a route is two routes in dimension order, a lane each; " +
				"proven on the dependency graph of all walks. Of the paths with one detour some need two turns and are not admitted: counted by dimensions.",
			"Table entries: of the natural routing, for the fullest table of each kind of switch. Segments: linear tables indexed by one segment of the address or by several " +
				"side by side, found by looking at three values of each; flat: an entry an NPU.",
			fmt.Sprintf("Times of rerouting are ours (the paper prints none): a notification takes %.0f ns on a link, %.0f ns through a switch, %.0f ns to be read and acted upon, %.0f ns for each further copy. "+
				"Formula: hops and delays; measured: controllers and links do one thing at a time.", notifyTimes.LinkNs, notifyTimes.ForwardNs, notifyTimes.ProcessNs, notifyTimes.SendNs),
			"Policies, accepted of all that is offered, beyond saturation: with detours left packets keep to the first lane and to the order of dimensions, so that detours in dimensions to come stay " +
				"open, and count a hop in another dimension, whose channel towards this one they do not see, as dearer, on shortest paths too. That relieves a rack that sends to the next one; under uniform traffic apr_shortest, " +
				"which spreads over all orders of dimensions, carries more than apr_detour and apr_borrow.",
			"Not in our material: Table 6 by component, prices.",
		},
	}
	_, s, err := sized(superPod)
	if err != nil {
		return nil, err
	}
	up, err := ubUptime(s)
	if err != nil {
		return nil, err
	}
	t.Rows = append(t.Rows, ubCables(s), ubSavings(s), up, ubMoney(s))
	for _, f := range []func(context.Context, int) ([]Row, error){ubTraining, ubInside, ubLanes, ubTables, ubNotices, ubFaults, ubSpare, ubSplits, ubPolicies} {
		rows, err := f(ctx, workers)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, rows...)
	}
	return t, nil
}
