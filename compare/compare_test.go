package compare

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
	"toposearch/study"
)

func studyOf(t testing.TB, text string) *study.Study {
	t.Helper()
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return st
}

const small = `
[endpoints]
count = { min = 64, max = 72 }
bandwidth = "400 Gb/s"
[space]
families = ["dragonfly", "fattree", "hyperx"]
[[objective]]
metric = "cost"
[[objective]]
metric = "latency"
`

func compared(t testing.TB, names ...string) *Designs {
	t.Helper()
	p, views, err := run.ViewsOf(context.Background(), studyOf(t, small), names)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Of(context.Background(), p, views)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func minorOf(t *testing.T, n json.Number) int64 {
	t.Helper()
	x, err := strconv.ParseInt(strings.Replace(string(n), ".", "", 1), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The lines of each bill add up to its cost, the changes of parts and of groups to the difference of the costs, to the cent, and the amounts of
// the sentence to the amount in it.
func TestBillsAddUp(t *testing.T) {
	d := compared(t, "fattree(k=16,l=2,pods=8)", "dragonfly(p=2,a=4,h=2)", "hyperx(s1=4,s2=4,t=4)", "torus(k1=4,k2=4,t=4)")
	for i := range d.Designs {
		total := int64(0)
		for _, p := range d.Designs[i].Bill {
			total += minorOf(t, p.Total)
		}
		if want := minorOf(t, d.Designs[i].Cost); total != want || total == 0 {
			t.Errorf("%s: its parts cost %d, the design %d", d.Designs[i].Design, total, want)
		}
	}
	amount := regexp.MustCompile(`([+-])([0-9.,]+) (k|M)?USD`)
	for i, x := range d.Against {
		want := minorOf(t, d.Designs[i+1].Cost) - minorOf(t, d.Designs[0].Cost)
		parts, groups, printed := int64(0), int64(0), 0.0
		for _, p := range x.Parts {
			parts += minorOf(t, p.Change)
		}
		for _, g := range x.Groups {
			groups += minorOf(t, g.Change)
		}
		if parts != want || groups != want || minorOf(t, x.Change) != want || want == 0 {
			t.Errorf("%s: parts %d, groups %d, stated %s, want %d", x.Design, parts, groups, x.Change, want)
		}
		lead, reasons, _ := strings.Cut(x.Reasons[0], ": ")
		for _, m := range amount.FindAllStringSubmatch(reasons, -1) {
			v, err := strconv.ParseFloat(strings.ReplaceAll(m[1]+m[2], ",", ""), 64)
			if err != nil {
				t.Fatal(err)
			}
			printed += v
		}
		sum := number.Plain(number.Figure(math.Abs(math.Round(printed*1e4) / 1e4)))
		if !strings.Contains(strings.ReplaceAll(lead, ".0 ", " "), " "+sum+" ") && !strings.Contains(lead, sum+"0 ") {
			t.Errorf("the amounts of %q add up to %s", x.Reasons[0], sum)
		}
	}
	hops := regexp.MustCompile(`([0-9.]+) %`)
	for _, x := range d.Against {
		share := 0.0
		for _, m := range hops.FindAllStringSubmatch(x.Reasons[len(x.Reasons)-1], -1) {
			v, _ := strconv.ParseFloat(m[1], 64)
			share += v
		}
		if math.Abs(share-100) > 1e-9 || !wholeShare(x.Hops) {
			t.Errorf("%s: %q adds up to %v %%", x.Design, x.Reasons[len(x.Reasons)-1], share)
		}
	}
}

// By hand: of one design 6 pairs at 2 links and 2 at 4, of another 1 at 2, 2 at 3 and 1 at 4. In eighths: of the first 2 2 2 2 2 2 4 4, of the
// second 2 2 3 3 3 3 4 4: half is longer by one.
func TestShifts(t *testing.T) {
	got := shifts([]int64{0, 0, 6, 0, 2}, []int64{0, 0, 1, 2, 1})
	if len(got) != 2 || got[0].Links != 0 || got[0].Share != 0.5 || got[1].Links != 1 || got[1].Share != 0.5 {
		t.Errorf("%+v", got)
	}
	if got := shifts(nil, []int64{0, 2}); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
	// A million endpoints: the products of the counts do not fit into 64 bits.
	if got := shifts([]int64{0, 0, 0, 1e12}, []int64{0, 0, 5e11, 0, 499_999_999_999}); !wholeShare(got) || len(got) != 2 || got[0].Links != -1 {
		t.Errorf("%+v", got)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		a, b := make([]int64, 1+r.IntN(6)), make([]int64, 1+r.IntN(6))
		for i := range a {
			a[i] = r.Int64N(4)
		}
		for i := range b {
			b[i] = r.Int64N(4)
		}
		na, nb := sum(a), sum(b)
		if na == 0 || nb == 0 {
			continue
		}
		want := map[int]float64{} // plain twin: each pair written na x nb times
		list := func(x []int64, times int64) (out []int) {
			for l, n := range x {
				out = append(out, slices.Repeat([]int{l}, int(n*times))...)
			}
			return out
		}
		x, y := list(a, nb), list(b, na)
		for i := range x {
			want[y[i]-x[i]] += 1 / float64(na*nb)
		}
		got := shifts(a, b)
		if len(got) != len(want) {
			t.Fatalf("%v and %v: %+v, want %v", a, b, got, want)
		}
		for _, s := range got {
			if math.Abs(s.Share-want[s.Links]) > 1e-9 {
				t.Errorf("%v and %v: %d links on %v, want %v", a, b, s.Links, s.Share, want[s.Links])
			}
		}
	}
}

// What is printed of terms adds up to what is printed of their sum, and none is off by more than a unit.
func TestSpread(t *testing.T) {
	if got := spread([]float64{0.4, 0.4, 0.4}, 1); !slices.Equal(got, []float64{0, 1, 0}) {
		t.Errorf("%v", got)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		terms, total, printed := make([]float64, 1+r.IntN(7)), 0.0, 0.0
		for i := range terms {
			terms[i] = 1000 * (r.Float64() - 0.5)
			total += terms[i]
		}
		for i, x := range spread(terms, 10) {
			if printed += x; math.Abs(x-terms[i]) > 10 {
				t.Errorf("%v becomes %v", terms[i], x)
			}
		}
		if printed != math.Round(total/10)*10 {
			t.Errorf("%v add up to %v, printed %v", terms, total, printed)
		}
	}
}

// A design beside itself differs in nothing; figures are those of eval; bounds that overlap are said to.
func TestSentences(t *testing.T) {
	d := compared(t, "dragonfly(p=2,a=4,h=2)", "dragonfly(p=2,a=4,h=2)")
	x := d.Against[0]
	if len(x.Parts)+len(x.Groups) > 0 || x.Change != "0.00" || len(x.Reasons) != 2 || x.Reasons[0] != "B costs the same, of the same parts" {
		t.Errorf("%+v", x)
	}
	c := MetricChange{Key: "uniform_throughput", Change: 0.125, Open: true, Values: [2]metric.Figure{{Value: 0.5, Lo: 0.5, Hi: 0.75, Unit: "1"}, {Value: 0.625, Lo: 0.625, Hi: 0.625, Unit: "1"}}}
	want := "uniform throughput of B is higher by 0.1250 (0.6250 against 0.5000); the bounds 0.625 and [0.5, 0.75] overlap, so that it may be the other way round"
	if got := metricSentence("B", &c); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Amount("-1234567.50"); got != "-1,234,567.50" {
		t.Error(got)
	}
	if got := Amount("999.00"); got != "+999" {
		t.Error(got)
	}
}
