package simulate

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"

	"toposearch/simcore"
)

// HeatPoint is the utilisation of every channel between switches at one load.
type HeatPoint struct {
	Offered  float64
	Channels []simcore.ChannelUse
}

// HeatCSV writes a line for every channel and load.
func HeatCSV(w io.Writer, points []HeatPoint) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"offered", "from", "to", "from_id", "to_id", "class", "flits", "utilisation"}); err != nil {
		return err
	}
	for _, p := range points {
		for _, u := range p.Channels {
			if err := c.Write([]string{strconv.FormatFloat(p.Offered, 'g', -1, 64), u.From, u.To, strconv.Itoa(int(u.FromID)),
				strconv.Itoa(int(u.ToID)), u.Class, strconv.FormatInt(u.Flits, 10), strconv.FormatFloat(u.Utilisation, 'g', 6, 64)}); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// Sizes of the heat map, px.
const (
	heatSide   = 768 // of the square, so that a page of 900 px holds it with its margins
	heatCells  = 192 // most cells on a side: 4 px each, the smallest that a pointer can hit
	heatMargin = 96
)

// heatCell is what the channels between two blocks of switches have in common.
type heatCell struct {
	row, col  int
	most, sum float64
	n         int
	worst     simcore.ChannelUse
	have      bool
}

// HeatSVG draws the channels of one load as a matrix: a row for the switch that sends, a column for
// the one that receives, coloured by utilisation; where there are more than 192 switches a cell
// is a block of them and shows its busiest channel. Pointing at a cell names it.
func HeatSVG(w io.Writer, title string, p HeatPoint) error {
	switches := 0
	for _, u := range p.Channels {
		switches = max(switches, int(u.FromID)+1, int(u.ToID)+1)
	}
	per := max(1, (switches+heatCells-1)/heatCells)
	n := max(1, (switches+per-1)/per)
	side := float64(heatSide) / float64(n)
	b := bufio.NewWriter(w)
	size := heatSide + 2*heatMargin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", size, size, size, size)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/><text x="%d" y="24" font-size="16">%s</text>`+"\n", size, size, heatMargin, html.EscapeString(title))
	fmt.Fprintf(b, `<text x="%d" y="44">offered load %.4g; rows send, columns receive%s</text>`+"\n", heatMargin, p.Offered, blockNote(per))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="#f4f4f4" stroke="#888"/>`+"\n", heatMargin, heatMargin, heatSide, heatSide)
	for _, c := range heatMatrix(p.Channels, per, n) {
		fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"><title>%s</title></rect>`+"\n",
			heatMargin+float64(c.col)*side, heatMargin+float64(c.row)*side, side, side, heatColour(c.most), html.EscapeString(c.words()))
	}
	heatAxes(b, p.Channels, per, n, side)
	heatLegend(b)
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func blockNote(per int) string {
	if per == 1 {
		return ""
	}
	return fmt.Sprintf("; a cell is %d x %d switches and shows the busiest channel", per, per)
}

func (c *heatCell) words() string {
	s := fmt.Sprintf("%s to %s (%s): %.1f %%", c.worst.From, c.worst.To, c.worst.Class, 100*c.most)
	if c.n > 1 {
		s += fmt.Sprintf("; mean of %d channels %.1f %%", c.n, 100*c.sum/float64(c.n))
	}
	return s
}

// heatMatrix sums channels up by cell, in the order of rows and columns.
func heatMatrix(channels []simcore.ChannelUse, per, n int) []heatCell {
	at := make(map[int]int)
	var cells []heatCell
	for _, u := range channels {
		k := int(u.FromID)/per*n + int(u.ToID)/per
		i, ok := at[k]
		if !ok {
			i = len(cells)
			at[k] = i
			cells = append(cells, heatCell{row: k / n, col: k % n})
		}
		c := &cells[i]
		c.n++
		c.sum += u.Utilisation
		if !c.have || u.Utilisation > c.most {
			c.most, c.worst, c.have = u.Utilisation, u, true
		}
	}
	slices.SortFunc(cells, func(a, b heatCell) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	return cells
}

// heatColour goes from pale yellow (idle) over orange to dark red (full), darker towards full in
// print as well.
func heatColour(u float64) string {
	stops := [][3]float64{{255, 247, 204}, {253, 187, 99}, {226, 74, 51}, {110, 1, 20}}
	x := math.Min(math.Max(u, 0), 1) * float64(len(stops)-1)
	i := min(int(x), len(stops)-2)
	f := x - float64(i)
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(stops[i][k]*(1-f) + stops[i+1][k]*f))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// heatTicks is the number of names on an axis: as many as can be read.
const heatTicks = 16

func heatAxes(w io.Writer, channels []simcore.ChannelUse, per, n int, side float64) {
	names := make(map[int]string)
	for _, u := range channels {
		names[int(u.FromID)], names[int(u.ToID)] = u.From, u.To
	}
	step := (n + heatTicks - 1) / heatTicks
	for i := 0; i < n; i += step {
		name, at := html.EscapeString(names[i*per]), heatMargin+(float64(i)+0.5)*side
		fmt.Fprintf(w, `<text x="%d" y="%.1f" text-anchor="end" font-size="10">%s</text>`+"\n", heatMargin-4, at+3, name)
		fmt.Fprintf(w, `<text transform="translate(%.1f,%d) rotate(-45)" font-size="10">%s</text>`+"\n", at, heatMargin-4, name)
	}
}

func heatLegend(w io.Writer) {
	const steps = 64
	y := heatSide + heatMargin + 24
	for i := range steps {
		fmt.Fprintf(w, `<rect x="%d" y="%d" width="6" height="14" fill="%s"/>`, heatMargin+i*6, y, heatColour((float64(i)+0.5)/steps))
	}
	fmt.Fprintf(w, "\n"+`<text x="%d" y="%d">utilisation 0</text><text x="%d" y="%d" text-anchor="end">1</text><text x="%d" y="%d">grey: no link</text>`+"\n",
		heatMargin, y+30, heatMargin+steps*6, y+30, heatMargin+steps*6+24, y+12)
}
