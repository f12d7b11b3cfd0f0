package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Difference is what one price list has over another. Parts are the same by their part number.
type Difference struct {
	Same    int          // parts that say the same in both, but for where they stand
	Added   []PartLine   // in the new list only
	Gone    []PartLine   // in the old list only
	Changed []PartChange // in both, and not the same
	Prices  PriceMoves
}

// PartLine is a part in short.
type PartLine struct {
	PartNo      string  `json:"part_no"`
	Kind        string  `json:"kind"`
	Description string  `json:"description,omitempty"`
	Price       string  `json:"price,omitempty"` // with its currency; "": unpriced
	LeadWeeks   float64 `json:"lead_weeks"`
}

// PartChange is a part that says something else in the new list.
type PartChange struct {
	PartNo string        `json:"part_no"`
	Kind   string        `json:"kind"`
	Fields []FieldChange `json:"fields"`
}

// FieldChange is a column of a part in both lists, in the units of WriteCSV; "" where it says nothing.
type FieldChange struct {
	Field string `json:"field"`
	Old   string `json:"old"`
	New   string `json:"new"`
	// Percent is the change of a price in the same currency; nil of anything else.
	Percent *float64 `json:"percent,omitempty"`
}

// PriceMoves counts the unit prices of parts that have one in both lists.
type PriceMoves struct {
	Both      int     `json:"both"` // in the same currency
	Up        int     `json:"up"`
	Down      int     `json:"down"`
	Median    float64 `json:"median_percent"` // of all of Both, those that did not move included
	Least     float64 `json:"least_percent"`
	Most      float64 `json:"most_percent"`
	Currency  int     `json:"other_currency"`
	Later     int     `json:"later"` // parts with a longer lead time
	Sooner    int     `json:"sooner"`
	Withdrawn int     `json:"withdrawn"` // prices that are gone
	Quoted    int     `json:"quoted"`    // unpriced before
}

// Differs reports whether the lists say anything else of any part.
func (d *Difference) Differs() bool { return len(d.Added)+len(d.Gone)+len(d.Changed) > 0 }

// Compare sets a price list against an older one. Everything is in the order of part numbers.
func Compare(older, newer *Catalogue) *Difference {
	d := &Difference{}
	before := map[string]*Part{}
	for i := range older.Parts {
		before[older.Parts[i].PartNo] = &older.Parts[i]
	}
	after := map[string]bool{}
	var moves []float64
	for i := range newer.Parts {
		p := &newer.Parts[i]
		after[p.PartNo] = true
		old := before[p.PartNo]
		if old == nil {
			d.Added = append(d.Added, p.line())
			continue
		}
		if x, ok := d.Prices.add(old, p); ok {
			moves = append(moves, x)
		}
		if fields := changes(old, p); len(fields) > 0 {
			d.Changed = append(d.Changed, PartChange{p.PartNo, p.Kind, fields})
		} else {
			d.Same++
		}
	}
	for i := range older.Parts {
		if p := &older.Parts[i]; !after[p.PartNo] {
			d.Gone = append(d.Gone, p.line())
		}
	}
	byNumber := func(a, b PartLine) int { return cmp.Compare(a.PartNo, b.PartNo) }
	slices.SortStableFunc(d.Added, byNumber)
	slices.SortStableFunc(d.Gone, byNumber)
	slices.SortStableFunc(d.Changed, func(a, b PartChange) int { return cmp.Compare(a.PartNo, b.PartNo) })
	if slices.Sort(moves); len(moves) > 0 {
		n := len(moves)
		d.Prices.Median = (moves[(n-1)/2] + moves[n/2]) / 2
		d.Prices.Least, d.Prices.Most = moves[0], moves[n-1]
	}
	return d
}

// add counts how a part moved, and gives the change of its price in percent if both are in one currency.
func (m *PriceMoves) add(old, p *Part) (percent float64, ok bool) {
	switch {
	case p.LeadWeeks > old.LeadWeeks:
		m.Later++
	case p.LeadWeeks < old.LeadWeeks:
		m.Sooner++
	}
	switch {
	case !old.Priced && !p.Priced:
		return 0, false
	case !p.Priced:
		m.Withdrawn++
		return 0, false
	case !old.Priced:
		m.Quoted++
		return 0, false
	case old.Currency != p.Currency:
		m.Currency++
		return 0, false
	}
	m.Both++
	switch {
	case p.UnitPrice > old.UnitPrice:
		m.Up++
	case p.UnitPrice < old.UnitPrice:
		m.Down++
	}
	return percentOf(old.UnitPrice, p.UnitPrice), true
}

func percentOf(old, now Money) float64 { return 100 * float64(now-old) / float64(old) }

// line is the part in short.
func (p *Part) line() PartLine {
	return PartLine{p.PartNo, p.Kind, p.Description, p.priceText(), p.LeadWeeks}
}

// priceText is the unit price with its currency; "" of an unpriced part.
func (p *Part) priceText() string {
	if !p.Priced {
		return ""
	}
	return decimalText(p.UnitPrice, p.Currency) + " " + p.Currency
}

// changes are the columns in which two parts differ, the price and the lead time first. A currency without a
// price says nothing.
func changes(old, p *Part) (out []FieldChange) {
	order := []column{colPrice, colBreaks, colLead}
	for c := range column(numColumns) {
		if !slices.Contains(order, c) && c != colCurrency {
			order = append(order, c)
		}
	}
	for _, c := range order {
		f := FieldChange{Field: c.name(), Old: old.text(c), New: p.text(c)}
		switch c {
		case colPrice:
			f.Old, f.New = old.priceText(), p.priceText()
			if old.Priced && p.Priced && old.Currency == p.Currency {
				x := percentOf(old.UnitPrice, p.UnitPrice)
				f.Percent = &x
			}
		case colApproved:
			f.Old, f.New = cmp.Or(f.Old, "yes"), cmp.Or(f.New, "yes")
		case colDerived:
			f.Old, f.New = cmp.Or(f.Old, "no"), cmp.Or(f.New, "no")
		case colBreaks:
			if old.Currency != p.Currency { // the same figures are other prices
				f.Old, f.New = strings.TrimSpace(f.Old+" "+old.Currency), strings.TrimSpace(f.New+" "+p.Currency)
				if len(old.PriceBreaks)+len(p.PriceBreaks) == 0 {
					f.Old, f.New = "", ""
				}
			}
		}
		if f.Old != f.New {
			out = append(out, f)
		}
	}
	return out
}
