package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/diag"
	"toposearch/internal/crew"
	"toposearch/report"
	"toposearch/search"
	"toposearch/search/remote"
	"toposearch/search/run"
	"toposearch/study"
)

// runFlags are the flags of run and resume.
type runFlags struct {
	out    string
	strict bool
	reuse  []string
	listen string // where workers join; "": nowhere
	link   linkFlags
	more   bool // another study of the batch follows
}

// workersFlags adds what lets other machines help.
func (f *runFlags) workersFlags(c *cobra.Command) {
	c.Flags().StringVar(&f.listen, "listen", "", "HOST:PORT at which workers on other machines may join (toposearch worker), or nats://HOST:PORT of a NATS server with JetStream")
	f.link.add(c)
}

func (a *app) runCmd() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [STUDY...]",
		Short: "Plan, search, verify, report; with no study, the built-in example",
		Long: `Search each study, verify the finalists flit by flit, and write a run directory with
report.html, front.json and the files to buy and cable from. All studies are read before the
first one runs: if one has an error, all findings of all of them are printed and none runs. A
study that fails later does not stop the rest; a summary says how each ended.

With --reuse the journals of earlier runs answer: limits, objectives of level 1 and
the count of endpoints may be others, and nothing is evaluated twice. Where prices,
parts, currency, buildings or floor are others, bisection, worst_throughput, tub,
disjoint_paths, shortest_paths, mean_path_links_fail, uniform_throughput_optimal,
uniform_throughput_fail and vcs_after_failure are taken over, and what parts and
floor decide is computed anew. Values are those of a run without --reuse, to the
last digit; designs on the front are evaluated once more to the end.`,
		Example: `  toposearch run
  toposearch run pod.toml --out runs/pod
  toposearch run a.toml b.toml c.toml --workers 16`,
		RunE: func(c *cobra.Command, args []string) error { return a.run(c.Context(), args, f) },
	}
	c.Flags().StringVar(&f.out, "out", "", "run directory to make (default: runs/NAME-001); of several studies, the folder for their run directories")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 6 if a simulation contradicts an analytic interval")
	f.workersFlags(c)
	c.Flags().StringSliceVar(&f.reuse, "reuse", nil, "earlier run directories whose journals answer evaluations; under other prices or another site with the figures of the network")
	return c
}

// ended is how one study of a batch ended.
type ended struct {
	Study  string `json:"study"`
	Dir    string `json:"dir,omitempty"`
	Status int    `json:"exit"`
	Reason string `json:"reason"`
	Front  int    `json:"front"`
	Report string `json:"report,omitempty"`
	Known  *taken `json:"reuse,omitempty"`
}

// taken counts the designs of a run for which --reuse knew something.
type taken struct {
	Whole   int64 `json:"taken_over"` // as they were evaluated before
	Network int64 `json:"repriced"`   // figures of the network; what prices, parts and site decide was computed anew
	Anew    int64 `json:"evaluated_anew"`
}

func (t *taken) words() string {
	return fmt.Sprintf("%s taken over whole, %d with the figures of the network and priced anew, %d evaluated anew", count(int(t.Whole), "design"), t.Network, t.Anew)
}

func (a *app) run(ctx context.Context, args []string, f runFlags) error {
	if len(args) == 0 {
		e := a.runStudy(ctx, "", f)
		return a.summary([]ended{e})
	}
	if all := a.unread(ctx, args); all != nil {
		return a.summary(all)
	}
	var all []ended
	names := batchNames(args)
	for i, path := range args {
		if a.stopping() {
			all = append(all, ended{Study: path, Status: int(a.signal.Load()), Reason: "not started: interrupted"})
			continue
		}
		g := f
		g.more = i+1 < len(args)
		if f.out != "" && len(args) > 1 {
			g.out = filepath.Join(f.out, names[i])
		}
		all = append(all, a.runStudy(ctx, path, g))
	}
	return a.summary(all)
}

// unread prints what is wrong with the studies of a batch and what they name, and says how each ended without having begun; nil if there is no error.
func (a *app) unread(ctx context.Context, args []string) (all []ended) {
	if len(args) == 1 { // which says that itself as it begins
		return nil
	}
	var list diag.List
	wrong := make([]bool, len(args))
	for i, path := range args {
		_, faults := a.loadToSearch(ctx, path)
		wrong[i] = faults.HasErrors()
		list.Add(faults...)
	}
	if !list.HasErrors() {
		return nil
	}
	list.Sort()
	list.Print(a.err)
	for i, path := range args {
		e := ended{Study: path, Status: exitUsage, Reason: "not started: another study of the batch has an error"}
		if wrong[i] {
			e.Reason = "wrong input: see the findings"
		}
		all = append(all, e)
	}
	return all
}

// loadToSearch reads a study that is to be searched: what it says is right of itself, and its budget is enough to begin.
func (a *app) loadToSearch(ctx context.Context, path string) (*study.Study, diag.List) {
	st, faults := study.Load(path)
	if faults.HasErrors() {
		return st, faults
	}
	if few, err := run.CheckGeneration(ctx, st, a.workers); err == nil { // what fails stops the run as well, and is said then
		faults.Add(few...)
	}
	return st, faults
}

// batchNames gives the studies of a batch the names of their run directories: the name of the file,
// preceded by its folder's where several have the same, since `init` calls every study study.toml;
// numbered where that is not enough.
func batchNames(paths []string) []string {
	names := make([]string, len(paths))
	base := func(i int) string {
		b := filepath.Base(paths[i])
		return strings.TrimSuffix(b, filepath.Ext(b))
	}
	same := map[string]int{}
	for i := range paths {
		same[base(i)]++
	}
	taken := map[string]bool{}
	for i, path := range paths {
		names[i] = base(i)
		if same[names[i]] > 1 {
			if abs, err := filepath.Abs(path); err == nil {
				names[i] = filepath.Base(filepath.Dir(abs)) + "-" + names[i]
			}
		}
		name := names[i]
		for n := 2; taken[names[i]]; n++ {
			names[i] = fmt.Sprintf("%s-%d", name, n)
		}
		taken[names[i]] = true
	}
	return names
}

// runStudy runs one study, the built-in example if path is empty.
func (a *app) runStudy(ctx context.Context, path string, f runFlags) (e ended) {
	var fault error // of the program: the next study may still do
	defer func() {
		if fault != nil {
			e = a.failed(e, fault)
		}
	}()
	defer crew.Catch(&fault)
	e.Study = path
	var st *study.Study
	var faults diag.List
	a.graceful.Store(false) // nothing is lost that has only been read
	if path == "" {
		e.Study = "built-in example"
		st, faults = study.LoadExample()
	} else {
		st, faults = a.loadToSearch(ctx, path)
	}
	faults.Sort()
	faults.Print(a.err)
	if faults.HasErrors() {
		e.Status, e.Reason = exitUsage, "wrong input: see the findings"
		return e
	}
	if a.seedSet {
		st.Seed = a.seed
	}
	idle, err := run.CheckReuse(st, f.reuse)
	if err != nil {
		return a.failed(e, err)
	}
	if f.listen != "" && !strings.Contains(f.listen, "://") { // before there is a run directory
		if _, _, err := remote.Free(f.listen); err != nil {
			return a.failed(e, err)
		}
	}
	for _, why := range idle {
		a.note("%s: --reuse: %s", st.Name, why)
	}
	a.graceful.Store(true)
	host, _ := os.Hostname()
	folder, _ := os.Getwd() // without it, relative inputs are not looked at again
	dir, err := run.Create(st, "runs", f.out, run.Origin{
		Program: programVersion(), Command: os.Args, Folder: folder, Started: a.now().UTC(),
		Machine: fmt.Sprintf("%s, %s/%s, %d cores", host, runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	})
	if err != nil {
		return a.failed(e, err)
	}
	defer dir.Close()
	e.Dir = dir.Path
	a.note("%s: run directory %s", st.Name, dir.Path)
	opt := a.searchOptions(f)
	var last search.Progress
	if tell := opt.Progress; len(f.reuse) > 0 {
		opt.Progress = func(p search.Progress) {
			if last = p; tell != nil {
				tell(p)
			}
		}
	}
	c, err := a.listen(ctx, f.listen, &f.link, dir.Path)
	if err != nil {
		return a.failed(e, err)
	}
	if c != nil {
		opt.Remote = c
		defer c.Close(f.more)
	}
	out, err := run.Run(ctx, st, dir, opt)
	if len(f.reuse) > 0 && err == nil {
		e.Known = &taken{last.Reused, last.Repriced, last.Evaluated - last.Reused - last.Repriced}
		a.note("%s: --reuse: %s", st.Name, e.Known.words())
	}
	return a.finish(ctx, e, out, err)
}

// searchOptions are the options of a search on this machine.
func (a *app) searchOptions(f runFlags) search.Options {
	started := a.now()
	opt := search.Options{Workers: a.workers, Strict: f.strict, Reuse: f.reuse, Stop: a.stopping}
	opt.Elapsed = func() time.Duration { return a.now().Sub(started) }
	opt.Shown, opt.Within = opt.Elapsed, a.within
	opt.Tell = func(text string) { a.complain(errors.New("warning: " + text)) }
	if !a.quiet {
		p := newProgress(a.err, a.now)
		opt.Progress = func(s search.Progress) {
			if s.Phase == search.PhaseFinished {
				p.clear()
				return
			}
			p.show(s)
		}
	}
	return opt
}

// finish writes the report of a run that has a front and says how it ended.
func (a *app) finish(ctx context.Context, e ended, out *search.Outcome, err error) ended {
	if err != nil {
		return a.failed(e, err)
	}
	e.Status, e.Reason = int(out.Status), out.Reason
	if out.Status == search.Interrupted {
		if s := int(a.signal.Load()); s != 0 {
			e.Status = s
		}
		e.Reason += "; continue with: toposearch resume " + e.Dir
	}
	if out.Status == search.BudgetEnded && out.Front != nil && !out.Front.Complete && len(out.Front.Unsimulated) == 0 {
		e.Reason += "; go on with twice the budget: toposearch resume " + e.Dir + " (--budget and --evaluations say how much)"
	}
	if out.Front != nil && len(out.Front.Unsimulated) > 0 {
		e.Reason += fmt.Sprintf("; the budget of time left out simulations of %s (%s), which toposearch resume %s does", count(len(out.Front.Unsimulated), "design"), strings.Join(out.Front.Unsimulated, ", "), e.Dir)
	}
	if out.Front != nil {
		e.Front = out.Front.Points()
		if err := report.WriteRun(context.WithoutCancel(ctx), e.Dir); err != nil {
			return a.failed(e, fmt.Errorf("the search is done and safe in %s, but its report is not: %w", e.Dir, err))
		}
		e.Report = filepath.Join(e.Dir, "report.html")
	}
	return e
}

// failed turns an error of a run into how it ended.
func (a *app) failed(e ended, err error) ended {
	e.Status, e.Reason = exitFailed, strings.TrimPrefix(err.Error(), e.Study+": ") // it is printed before it
	switch {
	case errors.Is(err, run.ErrInUse), errors.Is(err, search.ErrInputsChanged), errors.Is(err, run.ErrVersion):
		e.Status = exitInUse
	case errors.Is(err, run.ErrExists), errors.Is(err, run.ErrNoRun), errors.Is(err, run.ErrBudget), errors.Is(err, remote.ErrListen):
		e.Status = exitUsage
	case errors.Is(err, context.Canceled) && a.stopping():
		e.Status = int(a.signal.Load())
		e.Reason = "interrupted; nothing journalled is lost; continue with: toposearch resume " + e.Dir
	}
	return e
}

// summary prints how each study ended and gives the exit status: that of the first study that did
// not end well.
func (a *app) summary(all []ended) error {
	status := 0
	for _, e := range all {
		if status == 0 {
			status = e.Status
		}
	}
	if a.json {
		if err := printJSON(a.out, struct {
			Schema string  `json:"schema"`
			Runs   []ended `json:"runs"`
		}{"toposearch.run/1", all}); err != nil {
			return err
		}
	} else {
		for _, e := range all {
			fmt.Fprint(a.out, hanging(e.Study+": "+e.Reason))
			if e.Report != "" {
				fmt.Fprintf(a.out, "  report: %s\n", e.Report)
			}
		}
	}
	if status != 0 {
		return &exitError{status, nil}
	}
	return nil
}
