package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"toposearch/routing"
	"toposearch/routing/opensm"
	"toposearch/topology"
	"toposearch/topology/foreign"
)

// Engines are those of OpenSM that are tried. torus-2QoS is not among them: it wants a file that names the seed links of its torus.
var Engines = []string{"minhop", "updn", "ftree", "dor", "lash", "dfsssp", "nue"}

// Options of a trial.
type Options struct {
	Engines []string      // some of Engines
	Timeout time.Duration // of each program
}

// Result is what OpenSM and its tools said.
type Result struct {
	Design           string         `json:"design"`
	Switches         int            `json:"switches"`
	Endpoints        int            `json:"endpoints"`
	Cables           int            `json:"cables"`
	DiscoveredCables int            `json:"discovered_cables"`
	DiscoveryAgrees  bool           `json:"discovery_agrees"` // the same cables by names and ports
	Engines          []EngineResult `json:"engines"`
	Ours             []OursResult   `json:"ours"`
}

// EngineResult is of an engine's own tables.
type EngineResult struct {
	Engine string `json:"engine"`
	// Fits says that the engine's tables were configured; if not, Why has its error, or that OpenSM took minhop instead.
	Fits bool   `json:"fits"`
	Why  string `json:"why,omitempty"`
	// Lanes that the engine says it needs; 0 if it says nothing.
	Lanes int `json:"lanes,omitempty"`
	// OneLaneLoops is ibdmchk's verdict on the tables with all pairs on one lane, OurLoops that of our walk over the same tables.
	OneLaneLoops bool    `json:"one_lane_loops"`
	OurLoops     bool    `json:"our_loops"`
	Loop         string  `json:"loop,omitempty"` // where ibdmchk found it
	Lost         int     `json:"lost_pairs"`
	MeanHops     float64 `json:"mean_hops"`
	MaxHops      int     `json:"max_hops"`
	Busiest      int     `json:"busiest_channel_pairs"`
}

// OursResult is of our tables, loaded by OpenSM.
type OursResult struct {
	Routing  string  `json:"routing"`
	Refused  string  `json:"refused,omitempty"` // why these tables cannot be written
	Layers   int     `json:"layers"`
	Loaded   bool    `json:"loaded"` // OpenSM's dump has the same entries
	Loops    bool    `json:"loops"`  // by ibdmchk, with our service levels
	OneLane  bool    `json:"one_lane_loops"`
	MeanHops float64 `json:"mean_hops"`
	Busiest  int     `json:"busiest_channel_pairs"`
}

// Cannot is why InfiniBand cannot express a network.
type Cannot struct{ Err error }

func (c *Cannot) Error() string { return c.Err.Error() }

// trial is a network on its way through OpenSM.
type trial struct {
	tools
	n      *topology.Network
	ports  int
	opt    Options
	fabric []byte
	lids   []byte
	first  []byte // what ibnetdiscover printed
}

// Run tries a network. Tables of ours are made by the routings named, each by its function. An error is a *Missing if tools are not
// there and a *Cannot if InfiniBand cannot express the network.
func Run(ctx context.Context, n *topology.Network, ours map[string]func(context.Context, *topology.Network) (*routing.Layered, error), opt Options) (*Result, error) {
	t := &trial{n: n, opt: opt}
	plain, err := opensm.New(n, &routing.Layered{Layers: 1})
	if err != nil {
		return nil, &Cannot{err}
	}
	var fabric, lids bytes.Buffer
	if err := errors.Join(plain.WriteFabric(&fabric), plain.WriteLIDs(&lids)); err != nil {
		return nil, err
	}
	if t.tools, err = findTools(); err != nil {
		return nil, err
	}
	t.fabric, t.lids, t.ports = fabric.Bytes(), lids.Bytes(), n.Channels()+2*n.Endpoints()+n.Switches()
	want, err := cablesIn(t.fabric)
	if err != nil {
		return nil, err
	}
	r := &Result{Design: n.Design, Switches: n.Switches(), Endpoints: n.Endpoints(), Cables: len(want)}
	for _, engine := range opt.Engines {
		e, err := t.engine(ctx, engine)
		if err != nil {
			return nil, err
		}
		r.Engines = append(r.Engines, e)
	}
	for _, name := range slices.Sorted(keys(ours)) {
		o, err := t.ours(ctx, name, ours[name])
		if err != nil {
			return nil, err
		}
		r.Ours = append(r.Ours, o)
	}
	got, err := cablesIn(t.first)
	if err != nil {
		return nil, fmt.Errorf("what ibnetdiscover printed does not read: %w", err)
	}
	r.DiscoveredCables, r.DiscoveryAgrees = len(got), len(got) == len(want)
	for c := range want {
		r.DiscoveryAgrees = r.DiscoveryAgrees && got[c]
	}
	return r, nil
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// outcome is what one run of OpenSM left.
type outcome struct {
	log    string
	tables *tables
}

// bring brings the fabric up with an engine in a folder of its own; judge is called before it is removed.
func (t *trial) bring(ctx context.Context, files map[string]func(io.Writer) error, args []string, judge func(*session, outcome) error) (err error) {
	dir, err := os.MkdirTemp("", "toposearch-opensm-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	write := func(name string, data []byte) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	write("fabric.net", t.fabric)
	write("guid2lid", t.lids)
	for name, f := range files {
		var b bytes.Buffer
		err = errors.Join(err, f(&b))
		write(name, b.Bytes())
	}
	if err != nil {
		return err
	}
	s, err := start(ctx, t.tools, dir, "fabric.net", t.n.Switches()+t.n.Endpoints(), t.n.Switches(), t.ports, t.opt.Timeout)
	if err != nil {
		return err
	}
	defer s.stop()
	// 0x43: errors, messages, and what routing says of itself.
	args = append([]string{"-o", "-f", "osm.log", "-e", "-D", "0x43", "--dump_files_dir", dir + "/"}, args...)
	out, err := s.run(ctx, s.opensm, args...)
	if ctx.Err() != nil { // interrupted: what it was killed at is no news
		return ctx.Err()
	}
	log, _ := os.ReadFile(filepath.Join(dir, "osm.log")) // empty: told below
	if err == nil && !strings.Contains(string(log), "SUBNET UP") {
		err = errors.New("the subnet did not come up")
	}
	if err != nil {
		return fmt.Errorf("opensm %s: %w; %.300s%s", strings.Join(args[8:], " "), err, out, tail(filepath.Join(dir, "osm.log")))
	}
	if t.first == nil {
		if t.first, err = s.run(ctx, s.discover); err != nil {
			return fmt.Errorf("ibnetdiscover: %w", err)
		}
	}
	dump, err := os.ReadFile(filepath.Join(dir, "opensm-lfts.dump"))
	if err != nil {
		return err
	}
	o := outcome{log: string(log)}
	if o.tables, err = readTables(t.n, dump); err != nil {
		return err
	}
	return judge(s, o)
}

// judge has ibdmchk look for credit loops, with the service levels of a file if one is named. It often crashes at its
// exit, after its report: what it printed counts.
func (s *session) judge(ctx context.Context, levels string) (loops bool, where string, err error) {
	args := []string{"-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs"}
	if levels != "" {
		args = append(args, "-c", levels)
	}
	out, err := s.run(ctx, s.check, args...)
	switch text := string(out); {
	case strings.Contains(text, "no credit loops found"):
		return false, "", nil
	case strings.Contains(text, "Found credit loop"):
		return true, loopLine(text), nil
	default:
		return false, "", fmt.Errorf("ibdmchk gave no verdict on credit loops (%v); %.300s", err, text[max(0, len(text)-300):])
	}
}

var (
	configured = regexp.MustCompile(`osm_ucast_mgr_process: (\S+) tables configured on all switches`)
	needed     = regexp.MustCompile(`(?:Virtual Lanes needed|lash_core: Lanes needed): (\d+)`)
	complaint  = regexp.MustCompile(`ERR [0-9A-F]{4}: (.*)`)
)

// engine has OpenSM route by an engine of its own.
func (t *trial) engine(ctx context.Context, engine string) (r EngineResult, err error) {
	r.Engine = engine
	files := map[string]func(io.Writer) error{}
	args := []string{"-R", engine}
	if engine == "updn" {
		files["roots"] = t.roots
		args = append(args, "-a", "roots")
	}
	err = t.bring(ctx, files, args, func(s *session, o outcome) error {
		if m := configured.FindStringSubmatch(o.log); m == nil || m[1] != engine {
			r.Why = "OpenSM took minhop instead"
			if m := complaint.FindStringSubmatch(o.log); m != nil {
				r.Why += ": " + strings.TrimSpace(m[1])
			}
			return nil
		}
		r.Fits = true
		if m := needed.FindStringSubmatch(o.log); m != nil {
			r.Lanes, _ = strconv.Atoi(m[1]) // digits
		}
		w := o.tables.follow()
		r.OurLoops, r.Lost, r.MeanHops, r.MaxHops, r.Busiest = w.Loops, w.Lost, w.Hops, w.MaxHops, w.Busiest
		var err error
		r.OneLaneLoops, r.Loop, err = s.judge(ctx, "")
		return err
	})
	return r, err
}

// ours has OpenSM load tables of ours.
func (t *trial) ours(ctx context.Context, name string, routed func(context.Context, *topology.Network) (*routing.Layered, error)) (r OursResult, err error) {
	r.Routing = name
	tab, err := routed(ctx, t.n)
	if err != nil {
		return r, err
	}
	f, err := opensm.New(t.n, tab)
	if err != nil {
		r.Refused = err.Error()
		return r, nil
	}
	r.Layers = tab.Layers
	files := map[string]func(io.Writer) error{"lfts": f.WriteTables, "paths.sl": f.WriteLevels}
	err = t.bring(ctx, files, []string{"-R", "file", "-U", "lfts"}, func(s *session, o outcome) error {
		var b bytes.Buffer
		if err := f.WriteTables(&b); err != nil {
			return err
		}
		want, err := readTables(t.n, b.Bytes())
		if err != nil {
			return err
		}
		m := configured.FindStringSubmatch(o.log)
		r.Loaded = m != nil && m[1] == "file" && slices.EqualFunc(want.port, o.tables.port, slices.Equal[[]int16])
		w := o.tables.follow()
		r.MeanHops, r.Busiest = w.Hops, w.Busiest
		if r.Loops, _, err = s.judge(ctx, "paths.sl"); err != nil {
			return err
		}
		r.OneLane, _, err = s.judge(ctx, "")
		return err
	})
	return r, err
}

// roots are the GUIDs of switches from which up and down are told: the farthest from endpoints, and where all have endpoints the one
// with the most links.
func (t *trial) roots(w io.Writer) error {
	n := t.n
	far, top := t.tiers()
	best := topology.SwitchID(0)
	for s := range topology.SwitchID(n.Switches()) {
		if len(n.Neighbors(s)) > len(n.Neighbors(best)) {
			best = s
		}
	}
	for s, d := range far {
		if d == top && (top > 0 || topology.SwitchID(s) == best) {
			if _, err := fmt.Fprintf(w, "0x%016x\n", foreign.New(n, nil).SwitchGUID(topology.SwitchID(s))); err != nil {
				return err
			}
		}
	}
	return nil
}

// tiers are the distances of switches from endpoints, and the largest.
func (t *trial) tiers() (far []int, top int) {
	n := t.n
	far = slices.Repeat([]int{-1}, n.Switches())
	var queue []topology.SwitchID
	for g := range n.Groups() {
		if _, _, ports := n.Group(g); far[ports[0]] < 0 {
			far[ports[0]] = 0
			queue = append(queue, ports[0])
		}
	}
	for i := 0; i < len(queue); i++ {
		top = max(top, far[queue[i]])
		for _, x := range n.Neighbors(queue[i]) {
			if far[x] < 0 {
				far[x] = far[queue[i]] + 1
				queue = append(queue, x)
			}
		}
	}
	return far, top
}
