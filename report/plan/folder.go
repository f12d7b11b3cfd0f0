package plan

import (
	"fmt"
	"io"
	"path/filepath"

	"toposearch/internal/disk"
	"toposearch/topology/netfile"
)

// WriteDesign writes the files that a design is bought and wired from into a folder, which it
// makes: bom.csv, racks.csv, cables.csv, floor.svg and network.json. Each file appears whole or not at all;
// files that are there are replaced. Of designs so large that a file would have too many lines, or would take more
// memory than there is, it is left out, and omitted.txt says so. An error names the file and what could not be done.
func WriteDesign(dir string, x Export) error {
	if x.Plan == nil {
		return fmt.Errorf("report: %s has no plan: there are no parts for it", x.Design)
	}
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: cannot make the folder of %s: %w", x.Design, err)
	}
	n, err := x.lists()
	if err != nil {
		return err
	}
	files := []struct {
		name        string
		count, most float64
		write       func(io.Writer) error
	}{
		{"bom.csv", 0, 0, func(w io.Writer) error { return WriteBOM(w, x.Plan.BOM) }},
		{"floor.svg", n.racks, mostRacksDrawn, func(w io.Writer) error {
			_, err := io.WriteString(w, FloorPlan(x.Design.String(), &x.Plan.Floor, true)+"\n")
			return err
		}},
		{"network.json", n.links, mostLines, x.network},
		{"racks.csv", n.boxes, mostLines, func(w io.Writer) error { return WriteRacks(w, &x) }},
		{"cables.csv", n.links, mostLines, func(w io.Writer) error { return WriteCables(w, &x) }},
	}
	var omitted []string
	for _, f := range files {
		if f.name == "cables.csv" && x.EachCable == nil || f.name == "racks.csv" && x.EachRack == nil {
			continue
		}
		path := filepath.Join(dir, f.name)
		err := error(nil)
		if f.count <= f.most {
			err = disk.Write(path, f.write)
		}
		if why := omission(f.name, f.count, f.most, err); why != "" {
			omitted = append(omitted, why)
			err = gone(path) // of an earlier report
		}
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	if err := writeOmitted(dir, omitted); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func (x *Export) network(w io.Writer) error {
	n := x.Network
	if n == nil {
		var err error
		if n, err = x.Design.Build(); err != nil {
			return err
		}
	}
	opt := netfile.OptionsOf(x.Design)
	opt.LaneGbps = x.Plan.LaneGbps
	return netfile.Write(w, n, opt)
}
