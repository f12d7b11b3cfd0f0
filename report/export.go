package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// Export is what the folder of a design is written from.
type Export struct {
	Design topology.Design
	Plan   *evaluator.Plan
	// EachCable streams the cables in the order of their numbers, as evaluator.EachCable does; nil:
	// no cables.csv.
	EachCable func(func(floor.Cable) bool) error
	// EachRack streams the racks by number, as evaluator.EachRack does; nil: no racks.csv.
	EachRack func(func(floor.Rack) bool) error
	// Network is the network itself, for network.json; nil: it is built from Design.
	Network *topology.Network
}

// WriteDesign writes the files that a design is bought and wired from into a folder, which it
// makes: bom.csv, racks.csv, cables.csv, floor.svg and network.json. Each file appears whole or not at all;
// files that are there are replaced. An error names the file and what could not be done.
func WriteDesign(dir string, x Export) error {
	if x.Plan == nil {
		return fmt.Errorf("report: %s has no plan: there are no parts for it", x.Design)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: cannot make the folder of %s: %w", x.Design, err)
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"bom.csv", func(w io.Writer) error { return WriteBOM(w, x.Plan.BOM) }},
		{"floor.svg", func(w io.Writer) error {
			_, err := io.WriteString(w, floorPlan(x.Design.String(), &x.Plan.Floor, true)+"\n")
			return err
		}},
		{"network.json", x.network},
		{"racks.csv", func(w io.Writer) error { return WriteRacks(w, &x) }},
		{"cables.csv", func(w io.Writer) error { return WriteCables(w, &x) }},
	}
	for _, f := range files {
		if f.name == "cables.csv" && x.EachCable == nil || f.name == "racks.csv" && x.EachRack == nil {
			continue
		}
		if err := writeFile(filepath.Join(dir, f.name), f.write); err != nil {
			return fmt.Errorf("report: %w", err)
		}
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
	opt := netfile.Options{LaneGbps: x.Plan.LaneGbps}
	if place := x.Design.Family.Place; place != nil {
		p := place(x.Design.V)
		opt.Place = &p
	}
	return netfile.Write(w, n, opt)
}

// writeFile writes beside and renames, so that a reader sees the old bytes or the new ones.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, errors.Join(err, f.Close(), os.Remove(f.Name())))
		}
	}()
	b := bufio.NewWriterSize(f, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WriteBOM writes a bill of materials as CSV. Prices are exact decimals in the part's own
// currency, at the price break of the quantity ordered; they are empty for a part without one.
func WriteBOM(w io.Writer, lines []market.Line) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"part_no", "kind", "vendor", "description", "quantity", "order_quantity", "unit_price", "currency",
		"extended_price", "lead_time_weeks", "used_in", "price_derived", "valid_until"}); err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		r := make([]string, 13)
		r[4], r[5], r[7], r[10] = strconv.FormatInt(l.Quantity, 10), strconv.FormatInt(l.Order, 10), l.Currency, safeCell(l.UsedIn)
		if p := l.Part; p != nil {
			r[0], r[1], r[2], r[3] = safeCell(p.PartNo), p.Kind, safeCell(p.Vendor), safeCell(p.Description)
			r[9], r[12] = fullNumber(p.LeadWeeks), p.ValidUntil
			if p.Derived {
				r[11] = "yes"
			}
		}
		if l.Priced {
			n := minorDigits(l.Currency)
			r[6], r[8] = exactMoney(int64(l.Unit), n), exactMoney(int64(l.Total), n)
		}
		if err := c.Write(r); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// exactMoney prints minor units as a decimal number with all its digits: "1234.50".
func exactMoney(minor int64, decimals int) string {
	sign := ""
	u := uint64(minor)
	if minor < 0 {
		sign, u = "-", -u
	}
	s := strconv.FormatUint(u, 10)
	if decimals == 0 {
		return sign + s
	}
	for len(s) <= decimals {
		s = "0" + s
	}
	return sign + s[:len(s)-decimals] + "." + s[len(s)-decimals:]
}

// maxFileName bounds the name of a design's folder; file systems take 255 bytes.
const maxFileName = 100

// plainName is the form of every name that a family of the program can have.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\([a-z][a-z0-9]*=[a-z0-9_]+(,[a-z][a-z0-9]*=[a-z0-9_]+)*\))?$`)

// FileName turns the name of a design into the name of a folder that every file system takes and
// no shell must quote: zcube(n=64,k=2) is zcube_n64_k2, dragonfly(p=4,arrangement=palmtree) is
// dragonfly_p4_arrangement-palmtree. Other names get eight digits of their hash, so that different
// designs have different folders.
func FileName(design string) string {
	var b strings.Builder
	digit := func(i int) bool { return i >= 0 && i < len(design) && design[i] >= '0' && design[i] <= '9' }
	for i := 0; i < len(design); i++ {
		switch c := design[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			b.WriteByte(c)
		case c == '(' || c == ',':
			b.WriteByte('_')
		case c == '=' && (digit(i-1) || !digit(i+1)):
			b.WriteByte('-') // d1=12 and d11=2 differ
		}
	}
	name := b.String()
	if !plainName.MatchString(design) || len(name) > maxFileName {
		sum := sha256.Sum256([]byte(design))
		name = strings.Trim(name[:min(len(name), maxFileName-9)]+"-"+hex.EncodeToString(sum[:4]), "-_")
	}
	return name
}
