package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/internal/infile"
	"toposearch/serve"
)

func (a *app) serveCmd() *cobra.Command {
	addr := "127.0.0.1:0"
	c := &cobra.Command{
		Use:   "serve [RUN|FOLDER|STUDY...]",
		Short: "The report as a live page; start, pause and stop runs there",
		Long: `Serve the reports of runs to browsers on this machine, live while they run: the front
as it grows, progress by family, the hypervolume, and the curves of finalists. RUN is a
run directory, FOLDER one that holds some, also of batches and of runs begun later, and
STUDY a file that the page may start. Without any, those are the folder runs and the
studies (*.toml with objectives) here.

Open the address that is printed: it holds a token of this start, without which nobody is
let in. From elsewhere, forward the port: ssh -L 8080:127.0.0.1:PORT HOST, and open
the address with 8080 in the place of PORT. --addr listens elsewhere than on loopback:
the connection is then not encrypted, and who reads the token can start runs.

Runs are processes of their own. They go on when the server ends, however it ends, and
those begun at a terminal are shown as well. Pause is what ^C is there; Continue is resume.`,
		Example: `  toposearch serve
  toposearch serve runs/pod-001 runs/pod-002
  toposearch serve runs pod.toml --addr 127.0.0.1:8080`,
		RunE: func(c *cobra.Command, args []string) error { return a.serve(c, args, addr) },
	}
	c.Flags().StringVar(&addr, "addr", addr, "HOST:PORT to listen at; port 0 takes a free one")
	return c
}

func (a *app) serve(c *cobra.Command, args []string, addr string) error {
	opt, err := served(args)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("serve: where this program is cannot be told, which starts runs: %w", err)
	}
	opt.Program, opt.Now = []string{self}, a.now
	opt.Log = func(text string) { a.complain(errors.New("warning: " + text)) }
	s, err := serve.New(opt)
	if err != nil {
		return err
	}
	l, err := serve.Listen(addr)
	if err != nil {
		return usage(err)
	}
	url := "http://" + l.Addr().String() + "/?token=" + s.Token()
	if a.json {
		if err := printJSON(a.out, map[string]string{"schema": "toposearch.serve/1", "url": url}); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.out, url)
		a.note("open it in a browser on this machine; ^C ends the server, and leaves runs running")
	}
	a.flush()
	err = s.Serve(c.Context(), l)
	for _, dir := range s.Going() {
		a.note("goes on: %s (toposearch status %s; ^C where it was started, or toposearch serve, pauses it)", dir, dir)
	}
	if err == nil && a.stopping() { // which is how a server ends
		return nil
	}
	return err
}

// flush shows what was printed now: the command does not end.
func (a *app) flush() {
	if w, ok := a.out.(*shownWriter); ok {
		w.flush()
	}
}

// served sorts what is to be served.
func served(args []string) (opt serve.Options, err error) {
	if len(args) == 0 {
		opt.Folders = []string{"runs"}
		files, err := filepath.Glob("*.toml")
		if err != nil {
			return opt, err
		}
		for _, f := range files {
			if b, err := infile.Read(f, catalog.MaxBytes); err == nil && isStudy(string(b)) {
				opt.Studies = append(opt.Studies, f)
			}
		}
		return opt, nil
	}
	var faults []error
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			faults = append(faults, usagef("%s is not there; give a run directory, a folder of runs, or a study to start", arg))
		case err != nil:
			faults = append(faults, usage(err))
		case !info.IsDir() && filepath.Ext(arg) == ".toml":
			opt.Studies = append(opt.Studies, arg)
		case !info.IsDir():
			faults = append(faults, usagef("%s is a file; give a run directory, a folder of runs, or a study (.toml) to start", arg))
		default:
			if _, err := os.Stat(filepath.Join(arg, "manifest.json")); err == nil {
				opt.Runs = append(opt.Runs, filepath.Clean(arg))
			} else {
				opt.Folders = append(opt.Folders, filepath.Clean(arg))
			}
		}
	}
	if len(opt.Studies) > 0 && len(opt.Folders) == 0 {
		opt.Folders = []string{"runs"}
	}
	return opt, joinUsage(faults...)
}

// isStudy reports whether a TOML file looks like a study, and not like a file that one names.
func isStudy(text string) bool {
	return slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool {
		l = strings.TrimSpace(l)
		return strings.HasPrefix(l, "[[objective]]") || strings.HasPrefix(l, "[space")
	})
}
