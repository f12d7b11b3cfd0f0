package run

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/search"
)

// entries makes records of the size that real ones have: some 40 metrics, a third with bounds.
func entries(n int) []*search.Entry {
	rng := rand.New(rand.NewPCG(1, 2))
	es := make([]*search.Entry, n)
	for i := range es {
		e := &search.Entry{Design: fmt.Sprintf("dragonflyplus(l=%d,m=%d,p=%d,h=%d,g=%d)", i%97, i%89, i%83, i%79, i)}
		for k := range e.Values {
			e.Values[k], e.Lo[k], e.Hi[k] = math.NaN(), math.NaN(), math.NaN()
			if k >= 40 {
				continue
			}
			x := float64(rng.IntN(1 << 20))
			if k%3 == 0 {
				x = rng.Float64() * 1e7
			}
			e.Values[k], e.Lo[k], e.Hi[k] = x, x, x
			if k%9 == 0 {
				e.Lo[k], e.Hi[k] = 0.9*x, math.Inf(1)
			}
		}
		es[i] = e
	}
	return es
}

// What is written is read back bit by bit, rejections, infinities and odd names included.
func TestEntryRoundTrip(t *testing.T) {
	es := entries(50)
	es[0].Reject = metric.Reject{Constraint: "cable.reach", Got: 120.5, Bound: 50}
	es[4].Reject = metric.Reject{Constraint: "link.rate", Got: 800, Bound: 400, Ports: metric.Ports{Got: 52, Bound: 32}}
	es[3].Routing = "natural+hash"
	es[1].Design = "file:a \"b\"\\ü\n"
	es[2].Values[3], es[2].Lo[3], es[2].Hi[3] = math.Copysign(0, -1), math.Inf(-1), 1e300
	for _, e := range es {
		line := appendEntry(nil, "0123456789abcdef", e)
		var got search.Entry
		key, err := parseEntry(line, &got)
		if err != nil || key != "0123456789abcdef" {
			t.Fatalf("%s: key %q, %v", line, key, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(*e) {
			t.Errorf("read %v, wrote %v", got, *e)
		}
	}
}

// No text panics the reader of journal lines, and what it accepts it writes again the same way.
func FuzzParseEntry(f *testing.F) {
	for _, e := range entries(3) {
		f.Add(string(appendEntry(nil, "k", e)))
	}
	f.Add(`{"k":"","d":"x","r":["y",1,"inf"],"m":{"cost":[1,null,2e5]}`)
	f.Add(`{"k":"a","d":"\u12"`)
	f.Add("{\"k\":\"\",\"d\":\"\xe2\",\"m\":{}")
	f.Fuzz(func(t *testing.T, line string) {
		var e, again search.Entry
		key, err := parseEntry([]byte(line), &e)
		if err != nil {
			return
		}
		b := appendEntry(nil, key, &e)
		key2, err := parseEntry(b, &again)
		if err != nil || key2 != key || fmt.Sprint(e) != fmt.Sprint(again) {
			t.Errorf("%q is read as %v and written as %s: %v", line, e, b, err)
		}
	})
}

func BenchmarkJournalAppend(b *testing.B) {
	es := entries(1000)
	j, err := openJournal(filepath.Join(b.TempDir(), "journal.jsonl"), journalHead{Schema: JournalSchema})
	if err != nil {
		b.Fatal(err)
	}
	defer j.close()
	b.ResetTimer()
	for range (b.N + len(es) - 1) / len(es) {
		if err := j.Write(es); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkJournalReopen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "journal.jsonl")
	head := journalHead{Schema: JournalSchema}
	j, err := openJournal(path, head)
	if err != nil {
		b.Fatal(err)
	}
	es := entries(1000)
	for i := 0; i < b.N; i += len(es) {
		if err := j.Write(es); err != nil {
			b.Fatal(err)
		}
	}
	j.close()
	b.ResetTimer()
	if j, err = openJournal(path, head); err != nil {
		b.Fatal(err)
	}
	defer j.close()
	var e search.Entry
	for i := range b.N {
		if ok, err := j.Next(es[i%len(es)].Design, &e); !ok || err != nil {
			b.Fatal(i, err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
