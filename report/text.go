package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
)

// WriteText writes the report for a terminal: question, verdict, picks, front, rejections, closest
// designs and provenance.
func WriteText(w io.Writer, d *Data, opt TextOptions) error {
	if opt.Width == 0 {
		opt.Width = 80
	}
	if opt.Top == 0 {
		opt.Top = 25
	}
	t := &textWriter{w: w, opt: opt, width: max(opt.Width, 40)}
	p := &page{Data: d, picks: Picks(d), styles: newStyles(d), detailOf: map[int]string{}}
	p.head()
	p.cards()
	p.rejected()
	p.run()
	p.sensitivity()
	t.head(p)
	t.cards(p)
	t.front(p)
	t.worth(p)
	t.rejections(p)
	t.closest(p)
	t.provenance(p)
	if t.err != nil {
		return fmt.Errorf("report: %w", t.err)
	}
	return nil
}

func (t *textWriter) head(p *page) {
	t.line(t.paint("1", terminal(p.Data.Study)))
	t.wrapped("", "", p.Question)
	t.line("")
	t.badge(p.Badge, p.Verdict)
	for _, r := range p.Required {
		t.badge(r.Badge, r.Text)
	}
	for _, w := range p.Data.Warnings {
		t.badge(badge{"warn", "Note"}, w)
	}
}

// cards prints each pick with its figures in columns.
func (t *textWriter) cards(p *page) {
	if len(p.Cards) == 0 {
		return
	}
	t.title("Picks")
	for i, c := range p.Cards {
		if i > 0 {
			t.line("")
		}
		t.line(t.paint("1", c.Names) + "  " + terminal(c.Design))
		var parts []string
		for _, f := range c.Big {
			parts = append(parts, strings.ToLower(f.Label)+" "+f.Text)
		}
		t.wrapped("  ", "  ", strings.Join(parts, ", "))
		t.wrapped("  ", "  ", strings.ReplaceAll(c.Small, " · ", ", ")+", "+c.Check.Text)
	}
	for _, k := range []metric.Key{metric.Cost, metric.Latency} {
		if ruleOf(p.Data, "", k) != "" && p.Data.has(k) {
			t.line("")
			t.wrapped("", "", fmt.Sprintf("Least %s is that of the front: it was no objective, and designs off the front may have less.", metric.Keys[k].Name))
		}
	}
}

// front prints as many columns as fit, objectives first.
func (t *textWriter) front(p *page) {
	d := p.Data
	if len(d.Points) == 0 {
		return
	}
	t.title(strings.Replace(frontTitle(d), "The front", "Front", 1))
	all := d.shown(p.picks)
	rows := all
	if t.opt.Top > 0 {
		rows = all[:min(len(all), t.opt.Top)]
	} else if t.opt.Top < 0 { // all of them
		rows = nil
		for i := range d.Points {
			rows = append(rows, i)
		}
	}
	name := len("design")
	for _, i := range rows {
		name = max(name, utf8.RuneCountInString(d.Points[i].Name))
	}
	name = min(name, t.width/2)
	tb := newTable(d, d.tableKeys(), rows, t.width-name-2-len("  simulation"))
	t.line(t.paint("2", pad("", name)+tb.heads(0)))
	t.line(t.paint("2", pad("design", name)+tb.heads(1)+"  simulation"))
	for at, i := range rows {
		n := terminal(d.Points[i].Name)
		if utf8.RuneCountInString(n) > name { // the figures on a line of their own
			t.line(n)
			n = ""
		}
		c := check(&d.Points[i])
		if c.Text == "–" {
			c.Text = "-"
		}
		t.line(pad(n, name) + tb.row(at) + "  " + t.paint(badgeCode(c.Class), c.Text))
		for _, also := range d.Points[i].Also {
			t.line("  also " + terminal(also))
		}
	}
	if len(rows) < len(all) {
		t.line(fmt.Sprintf("... and %s more", number.Figure(float64(len(all)-len(rows)))))
	}
	if near := len(d.Points) - len(all); near > 0 && t.opt.Top >= 0 {
		t.line(fmt.Sprintf("%s left out, within 2 %% of one above in every objective: toposearch show --all", number.Figure(float64(near))))
	}
}

// table lays metrics out in aligned columns.
type table struct {
	keys  []metric.Key
	title [][2]string
	width []int
	cells [][]string
}

func newTable(d *Data, keys []metric.Key, rows []int, width int) *table {
	tb := &table{cells: make([][]string, len(rows))}
	for _, k := range keys {
		s := number.ScaleOf(d.unitOf(k), column(d.Points, k))
		short, sub := shortTitle(k), number.Plain(s.Unit)
		w := max(len(short), len(sub))
		var col []string
		for _, i := range rows {
			x := s.Format(d.Points[i].Value(k))
			if x == "–" {
				x = "-"
			}
			w = max(w, utf8.RuneCountInString(x))
			col = append(col, x)
		}
		if width -= w + 2; width < 0 {
			break
		}
		tb.keys = append(tb.keys, k)
		tb.title = append(tb.title, [2]string{short, sub})
		tb.width = append(tb.width, w)
		for i := range rows {
			tb.cells[i] = append(tb.cells[i], col[i])
		}
	}
	return tb
}

func (tb *table) heads(n int) string {
	var b strings.Builder
	for j := range tb.keys {
		b.WriteString("  " + left(tb.title[j][n], tb.width[j]))
	}
	return b.String()
}

func (tb *table) row(i int) string {
	var b strings.Builder
	for j := range tb.keys {
		b.WriteString("  " + left(tb.cells[i][j], tb.width[j]))
	}
	return b.String()
}

// shortTitle is the name of a metric in a narrow column.
func shortTitle(k metric.Key) string {
	switch k {
	case metric.UniformThroughput:
		return "uniform"
	case metric.CostPerEndpoint:
		return "cost/ep"
	case metric.CableMax:
		return "longest"
	}
	return strings.ToLower(Title(k))
}
