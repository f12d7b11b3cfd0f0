package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"toposearch/internal/disk"
	"toposearch/report/number"
	"toposearch/topology/foreign"
)

// exportDoc is what was written. Routing and layers are of the format opensm.
type exportDoc struct {
	Schema   string  `json:"schema"`
	Design   string  `json:"design"`
	Format   string  `json:"format"`
	Routing  string  `json:"routing,omitempty"`
	Layers   int     `json:"layers,omitempty"`
	LaneGbps float64 `json:"lane_gbps,omitempty"`
	// LinkGbps are the rates that are written, by class of links.
	LinkGbps  map[string]float64 `json:"link_gbps,omitempty"`
	Switches  int                `json:"switches"`
	Endpoints int                `json:"endpoints"`
	Files     []string           `json:"files"`
}

// exportFlags are the flags of export.
type exportFlags struct {
	format, routing, bandwidth, out, study string
	catalogs, pictures                     []string
	hop                                    time.Duration
}

// Formats beside those of package foreign.
const (
	formatOpenSM  = "opensm"
	formatNetwork = "network"
)

const exportSchema = "toposearch.export/1"

// outFile is a file to be written, without a name if it is the only one.
type outFile struct {
	name  string
	write func(io.Writer) error
}

// writeExport writes files into a folder, or one to a path or stdout, and says which.
func (a *app) writeExport(out string, doc *exportDoc, files []outFile) error {
	for _, x := range files {
		path := out
		switch {
		case x.name != "":
			path = filepath.Join(out, x.name)
		case out == "" && a.json:
			return usagef("--json tells what was written: --out is missing, the file")
		case out == "":
			return refusedUsage(x.write(a.out))
		}
		err := x.write(io.Discard) // a refusal leaves no file and no folder
		if err == nil {
			err = disk.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = disk.Write(path, x.write)
		}
		if err != nil {
			return refusedUsage(err)
		}
		doc.Files = append(doc.Files, path)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	how := ""
	if doc.Routing != "" {
		how = fmt.Sprintf(", routing %s: %s, no cycle of channels in any", doc.Routing, count(doc.Layers, "service level"))
	}
	switch {
	case len(doc.LinkGbps) > 0:
		how = fmt.Sprintf(" as %s, %s", doc.Format, ratesText(doc.LinkGbps))
	case doc.LaneGbps > 0:
		how = fmt.Sprintf(" as %s, lanes of %s Gb/s", doc.Format, number.PageFigure(doc.LaneGbps))
	}
	fmt.Fprintf(a.out, "%s%s\n", doc.Design, how)
	if len(doc.Files) == 0 {
		fmt.Fprintln(a.out, "  "+out)
	}
	for _, path := range doc.Files {
		fmt.Fprintln(a.out, "  "+path)
	}
	return nil
}

// ratesText says which rates links have.
func ratesText(classes map[string]float64) string {
	rates := slices.Compact(slices.Sorted(maps.Values(classes)))
	if len(rates) == 1 {
		return fmt.Sprintf("links of %s Gb/s", number.PageFigure(rates[0]))
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		all = append(all, name+" "+number.PageFigure(classes[name]))
	}
	return "links in Gb/s: " + strings.Join(all, ", ")
}

// refusedUsage makes wrong usage of what a format cannot express.
func refusedUsage(err error) error {
	var refused *foreign.Refused
	if errors.As(err, &refused) {
		return joinUsage(err)
	}
	return err
}
