package main

import (
	"errors"

	"github.com/spf13/cobra"

	"toposearch/routing/opensm"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// exportOpenSM writes a design with the tables of a routing.
func (a *app) exportOpenSM(c *cobra.Command, d topology.Design, f exportFlags) error {
	if f.out == "" {
		return usagef("--out is missing: the folder for the files")
	}
	if !route.HasTables(f.routing) {
		return usagef("--routing %q has no tables with one path for each pair; lash and dfsssp have", f.routing)
	}
	n, err := d.Build()
	if err != nil {
		return err
	}
	tables, err := route.LayeredFor(c.Context(), f.routing, n)
	if err != nil {
		return joinUsage(err)
	}
	fabric, err := opensm.New(n, tables)
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
	doc := exportDoc{Schema: exportSchema, Design: d.String(), Format: formatOpenSM, Routing: f.routing, Layers: tables.Layers,
		Switches: n.Switches(), Endpoints: n.Endpoints()}
	return a.writeExport(f.out, &doc, []outFile{{"fabric.net", fabric.WriteFabric}, {"guid2lid", fabric.WriteLIDs}, {"lfts", fabric.WriteTables},
		{"paths.sl", fabric.WriteLevels}, {"opensm.conf", fabric.WriteOptions}})
}
