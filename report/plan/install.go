package plan

import (
	"cmp"
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/report/number"
)

// installHead are the columns of install.csv: one line for what is done at one place in one step.
var installHead = []string{"step", "work", "from", "to", "what", "number", "laid_m", "colour"}

// task is so much of a kind of work between two rows, or at one.
type task struct {
	step     int
	from, to [2]int // building and row
	what     string
}

// amount is how much of it there is.
type amount struct {
	n     int64
	laidM float64
}

// install collects what is done in which order while racks and cables are written.
type install struct {
	n     *namer
	tasks map[task]amount
}

func newInstall(n *namer) *install { return &install{n, map[task]amount{}} }

func (in *install) add(t task, n int64, laidM float64) {
	a := in.tasks[t]
	in.tasks[t] = amount{a.n + n, a.laidM + laidM}
}

func (in *install) rack(r *floor.Rack) {
	at := [2]int{r.Building, r.Row}
	in.add(task{stepRacks, at, at, "rack"}, 1, 0)
	for i := range r.Boxes {
		switch x := &r.Boxes[i]; {
		case x.Switch < 0 && !x.Rest: // one that the plan divides between two racks stands in one
			in.add(task{stepServers, at, at, "server"}, 1, 0)
		case x.Switch >= 0 && !x.Shared:
			what := x.Class
			if x.Part != nil {
				what = x.Part.PartNo
			}
			in.add(task{stepSwitches, at, at, what}, 1, 0)
		}
	}
}

func (in *install) cable(c *floor.Cable) {
	w := in.n.way(c)
	in.add(task{w.scope.step(), [2]int{w.building[0], w.row[0]}, [2]int{w.building[1], w.row[1]}, c.Link}, 1, c.LaidM)
}

// sorted are the tasks in the order in which they are done.
func (in *install) sorted() []task {
	return slices.SortedFunc(maps.Keys(in.tasks), func(a, b task) int {
		return cmp.Or(cmp.Compare(a.step, b.step), slices.Compare(a.from[:], b.from[:]), slices.Compare(a.to[:], b.to[:]), cmp.Compare(a.what, b.what))
	})
}

// works say what is done in a step.
var works = map[int]string{stepRacks: "set up racks", stepSwitches: "mount switches", stepServers: "mount servers",
	betweenBuildings.step(): "lay cables between buildings", betweenRows.step(): "lay cables between rows",
	inRow.step(): "lay cables along the row", inRack.step(): "connect inside the racks"}

// rows are the lines of install.csv, as numbers where they are.
func (in *install) rows(line func(cells ...any) error) error {
	for _, t := range in.sorted() {
		a, laid, colour := in.tasks[t], any(""), ""
		if t.step >= stepCables {
			laid, colour = a.laidM, in.n.colour(t.what)
		}
		if err := line(int64(t.step), works[t.step], in.row(t.from), in.row(t.to), t.what, a.n, laid, colour); err != nil {
			return err
		}
	}
	return nil
}

// row names a row as cables.csv does.
func (in *install) row(at [2]int) string {
	b := []byte(nil)
	if in.n.floor.Buildings > 1 {
		b = append(strconv.AppendInt(append(b, 'B'), int64(at[0]+1), 10), '-')
	}
	return string(appendTwo(append(b, 'R'), at[1]+1))
}

// write writes install.csv.
func (in *install) write(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(installHead); err != nil {
		return err
	}
	err := in.rows(func(cells ...any) error {
		r := make([]string, len(cells))
		for i, x := range cells {
			switch x := x.(type) {
			case string:
				r[i] = number.SafeCell(x)
			case int64:
				r[i] = strconv.FormatInt(x, 10)
			case float64:
				r[i] = strconv.FormatFloat(x, 'f', 1, 64)
			}
		}
		return c.Write(r)
	})
	c.Flush()
	if err != nil {
		return err
	}
	return c.Error()
}
