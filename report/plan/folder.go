package plan

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"toposearch/evaluator/floor"
	"toposearch/internal/disk"
	"toposearch/topology/netfile"
)

// file is one of a design's folder: what it lists, the most of it that is written, and how.
type file struct {
	name        string
	count, most float64
	write       func(io.Writer) error
}

// WriteDesign writes the files that a design is bought and wired from into a folder, which it
// makes: bom.csv, racks.csv, cables.csv, install.csv, order.xlsx, floor.svg, racks.svg and network.json. Each file appears whole or not at all;
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
	names, err := newNamer(&x)
	if err != nil {
		return fmt.Errorf("report: %s: %w", x.Design, err)
	}
	var racks, cables listing
	in, drawn := newInstall(names), newElevations(names)
	files := []file{
		{"bom.csv", 0, 0, func(w io.Writer) error { return WriteBOM(w, x.Plan.BOM, x.Supply) }},
		{"floor.svg", n.racks, mostRacksDrawn, func(w io.Writer) error { return text(w, FloorPlan(x.Design.String(), &x.Plan.Floor, true)) }},
		{"network.json", n.links, mostLines, x.network},
	}
	if x.EachRack != nil {
		files = append(files, file{"racks.csv", n.boxes, mostLines, func(w io.Writer) error {
			return x.writeRacks(io.MultiWriter(w, &racks), func(r *floor.Rack) { in.rack(r); drawn.rack(r) })
		}}, file{"racks.svg", n.boxes, mostLines, func(w io.Writer) error { return text(w, drawn.draw(x.Design.String(), true)) }})
	}
	if x.EachCable != nil {
		files = append(files, file{"cables.csv", n.links, mostLines, func(w io.Writer) error {
			return x.writeCables(io.MultiWriter(w, &cables), in.cable)
		}})
	}
	if x.EachRack != nil && x.EachCable != nil { // from what the lists before showed
		most := max(n.boxes, n.links)
		files = append(files, file{"install.csv", most, mostLines, in.write},
			file{OrderName, most, mostLines, func(w io.Writer) error { return x.writeOrder(w, &racks, &cables, in) }})
	}
	if x.Grown != nil {
		files = append(files, file{"growth.csv", n.links, mostLines, func(w io.Writer) error { return writeGrowth(w, x.Grown) }},
			file{"growth_bom.csv", 0, 0, func(w io.Writer) error { return WriteBOM(w, x.Grown.Lines, nil) }})
	}
	var omitted, lacking []string
	for _, f := range files {
		why, err := f.into(dir, lacking)
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		if why != "" {
			omitted, lacking = append(omitted, why), append(lacking, f.name)
		}
	}
	if err := writeOmitted(dir, omitted); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// madeOf are the lists without which a file is not written.
var madeOf = map[string][]string{"racks.svg": {"racks.csv"}, "install.csv": {"racks.csv", "cables.csv"}, OrderName: {"racks.csv", "cables.csv"}}

// into writes a file, or makes sure that there is none and says why; of lacking there is none.
func (f *file) into(dir string, lacking []string) (omitted string, err error) {
	path := filepath.Join(dir, f.name)
	for _, from := range madeOf[f.name] {
		if slices.Contains(lacking, from) {
			return fmt.Sprintf("%s is made of %s", f.name, from), gone(path)
		}
	}
	if f.count <= f.most {
		err = disk.Write(path, f.write)
	}
	if why := omission(f.name, f.count, f.most, err); why != "" {
		return why, gone(path) // of an earlier report
	}
	return "", err
}

func text(w io.Writer, s string) error {
	_, err := io.WriteString(w, s+"\n")
	return err
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
	opt.LaneGbps, opt.Unstated = x.Plan.LaneGbps, x.Plan.Unstated
	return netfile.Write(w, n, opt)
}
