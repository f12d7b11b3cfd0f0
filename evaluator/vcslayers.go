package evaluator

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

// vcs_lash and vcs_dfsssp: the layers of routings by tables, for networks of any shape. They are found by heuristics:
// how few would be enough is NP-complete.

var (
	lashGroup   = layersGroup(metric.VCsLASH, RoutingLASH)
	dfssspGroup = layersGroup(metric.VCsDFSSSP, RoutingDFSSSP)
)

func layersGroup(k metric.Key, name string) group {
	usual := (*work).usualLASHNs
	if name == RoutingDFSSSP {
		usual = (*work).usualDFSSSPNs
	}
	return group{keys: []metric.Key{k}, methods: []method{
		{name: "tables of " + name, level: 2, built: true, bytes: tablesBytes, applies: func(w *work) string {
			switch {
			case !slices.Contains(w.req.Keys, k):
				return "not asked for by name: tables are made for it"
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			}
			return w.tablesTooLarge()
		}, cost: tablesNs, usual: usual, run: func(w *work) error {
			t, proof, why, err := w.provenTables(name)
			switch {
			case err != nil:
				return err
			case why != "":
				w.absent(k, why)
			default:
				w.exact(k, float64(t.Layers), fmt.Sprintf("layers that %s found, a heuristic; proven by the %s, of this network", name, proof))
			}
			return nil
		}},
	}}
}

// provenTables makes the tables of a routing and proves their layers free of deadlock, by what says proof. why: too many layers
// would be needed.
func (w *work) provenTables(name string) (t *routing.Layered, proof, why string, err error) {
	t, err = w.makeTables(name)
	switch {
	case errors.Is(err, routing.ErrLayers):
		return nil, "", strings.TrimPrefix(err.Error(), "routing: "), nil
	case err != nil:
		return nil, "", "", err
	}
	rep, err := t.CheckDeadlock(w.ctx)
	if err == nil && !rep.Acyclic {
		err = fmt.Errorf("evaluator: %s of %s: %s", name, w.d, rep.Words(w.net))
	}
	if err != nil {
		return nil, "", "", err
	}
	return t, rep.Method, "", nil
}

// makeTables makes the tables of a routing, unless it is among those that may be chosen and has them, and keeps those of the one
// that is asked for.
func (w *work) makeTables(name string) (t *routing.Layered, err error) {
	if t := w.named[name].tables; t != nil {
		return t, nil
	}
	own := name == w.e.opt.Routing
	if own && w.tables != nil {
		return w.tables, nil
	}
	if t, err = routing.LayeredBy(w.ctx, name, w.net); own {
		w.tables = t
	}
	return t, err
}

// mostTableEntries are the entries of all tables, of every switch for every endpoint, up to which tables are
// made: some ten seconds and 600 MB.
const mostTableEntries = 2e8

func (w *work) tablesTooLarge() string {
	if x := float64(w.size.Endpoints) * w.vertices(); x > mostTableEntries {
		return fmt.Sprintf("%.3g table entries for every endpoint in every switch; %.3g are made", x, mostTableEntries)
	}
	return ""
}

// tablesBytes is the memory of tables with a destination for each endpoint.
func tablesBytes(w *work) float64 {
	return graphBytes(w) + routing.LayeredBytes(float64(w.size.Endpoints), w.vertices(), w.sets()) + 4*w.pathHops()
}

// pathHops is about the hops of the paths of all pairs of a switch and an endpoint, four to a path.
func (w *work) pathHops() float64 { return 4 * float64(w.size.Endpoints) * w.sets() }

// tablesNs is the cost of a search and two sweeps per endpoint, and of the layers of all paths.
func tablesNs(w *work) float64 {
	return float64(w.size.Endpoints)*10*(w.channels()+w.vertices()) + 60*w.pathHops()
}
