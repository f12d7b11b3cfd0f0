package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"toposearch/internal/disk"
	"toposearch/internal/memory"
	"toposearch/topology"
)

// mostLines bounds the lines of a file that lists what a design consists of: twenty million cables are 3 GB of
// CSV, and what reads such files gives up long before.
const mostLines = 20_000_000

// mostRacksDrawn bounds the racks of floor.svg: a hundred thousand are a drawing of some 10 MB, which browsers
// still open.
const mostRacksDrawn = 100_000

// lists is how many things of a design its files list.
type lists struct{ boxes, links, racks float64 }

func (x *Export) lists() (lists, error) {
	var s topology.Size
	if err := x.Design.Family.Size(x.Design.V, &s); err != nil {
		return lists{}, fmt.Errorf("report: %s: %w", x.Design, err)
	}
	l := lists{boxes: float64(s.Switches()) + float64(s.Endpoints), racks: float64(x.Plan.Floor.Racks)}
	for c := range s.Family.LinkClasses {
		l.links += float64(s.Link[c])
	}
	return l, nil
}

// omittedName is the file that says which others there are not, and why.
const omittedName = "omitted.txt"

// omission is why a file was not written, in words: it would list too much, or making it would take more memory
// than there is. "" if neither is so.
func omission(file string, count, most float64, err error) string {
	var lack *memory.Error
	switch {
	case count > most:
		return fmt.Sprintf("%s would list %.0f, and %.0f is the most that is written", file, count, most)
	case errors.As(err, &lack):
		return fmt.Sprintf("%s is not written: %v", file, lack)
	}
	return ""
}

// writeOmitted leaves a folder with the file of that name, or without it if nothing was omitted.
func writeOmitted(dir string, reasons []string) error {
	path := filepath.Join(dir, omittedName)
	if len(reasons) > 0 {
		return disk.WriteBytes(path, []byte(strings.Join(reasons, "\n")+"\n"))
	}
	return gone(path)
}

// gone makes sure that there is no such file.
func gone(path string) error {
	if err := disk.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
