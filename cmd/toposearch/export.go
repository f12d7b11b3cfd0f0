package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"toposearch/internal/disk"
	"toposearch/routing/opensm"
	"toposearch/simcore/route"
)

// exportDoc is what was written.
type exportDoc struct {
	Schema  string   `json:"schema"`
	Design  string   `json:"design"`
	Format  string   `json:"format"`
	Routing string   `json:"routing"`
	Layers  int      `json:"layers"`
	Files   []string `json:"files"`
}

func (a *app) exportCmd() *cobra.Command {
	var format, routing, out string
	c := &cobra.Command{
		Use:   "export DESIGN",
		Short: "Routing tables and service levels for InfiniBand's OpenSM",
		Long: `Writes a network with the tables of a routing that has some, lash or dfsssp, as
files of OpenSM: the fabric (fabric.net, for ibsim), LIDs (guid2lid), forwarding
tables (lfts, opensm -R file), the service level of each pair of endpoints
(paths.sl, for ibdmchk -c and for those who open connections; OpenSM's file
engine does not hand them out), and options for the virtual lanes (opensm.conf).
The tables are checked before: no cycle of channels within a service level.

Endpoints have one port each, and layers are at most 15. Adaptive routings, those
with detours and those whose VCs change on the way cannot be written as
InfiniBand's tables.`,
		Example: `  toposearch export 'torus(k1=4,k2=4)' --routing dfsssp --out torus
  toposearch export 'dragonfly(p=2,a=4,h=2)' --routing lash --out dragonfly`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "opensm" {
				return usagef("--format %q: there is opensm", format)
			}
			if out == "" {
				return usagef("--out is missing: the folder for the files")
			}
			return a.export(c, args[0], routing, out)
		},
	}
	c.Flags().StringVar(&format, "format", "opensm", "format of the files")
	c.Flags().StringVar(&routing, "routing", "dfsssp", "routing of the tables: lash or dfsssp")
	c.Flags().StringVarP(&out, "out", "o", "", "folder for the files; created if it is not there")
	return c
}

// export writes the files of a design.
func (a *app) export(c *cobra.Command, text, routing, out string) error {
	designs, err := a.parseDesigns([]string{text})
	if err != nil {
		return err
	}
	d := designs[0]
	if !route.HasTables(routing) {
		return usagef("--routing %q has no tables with one path for each pair; lash and dfsssp have", routing)
	}
	n, err := d.Build()
	if err != nil {
		return err
	}
	tables, err := route.LayeredFor(c.Context(), routing, n)
	if err != nil {
		return joinUsage(err)
	}
	f, err := opensm.New(n, tables)
	if err != nil {
		return joinUsage(err)
	}
	rep, err := tables.CheckDeadlock(c.Context())
	if err != nil {
		return err
	}
	if !rep.Acyclic {
		return errors.New(rep.Words(n))
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	doc := exportDoc{Schema: "toposearch.export/1", Design: d.String(), Format: "opensm", Routing: routing, Layers: tables.Layers}
	for _, x := range []struct {
		name  string
		write func(io.Writer) error
	}{{"fabric.net", f.WriteFabric}, {"guid2lid", f.WriteLIDs}, {"lfts", f.WriteTables}, {"paths.sl", f.WriteLevels}, {"opensm.conf", f.WriteOptions}} {
		path := filepath.Join(out, x.name)
		if err := disk.Write(path, x.write); err != nil {
			return err
		}
		doc.Files = append(doc.Files, path)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	fmt.Fprintf(a.out, "%s, routing %s: %s, no cycle of channels in any\n", d, routing, count(tables.Layers, "service level"))
	for _, path := range doc.Files {
		fmt.Fprintln(a.out, "  "+path)
	}
	return nil
}
