package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"toposearch/internal/unit"
)

// supply reads quantities, times and approval.
func (rd *reader) supply(r *row, p *Part) {
	p.MOQ, p.Pack, p.Stock = rd.whole(r, colMOQ, 1), rd.whole(r, colPack, 1), rd.whole(r, colStock, 0)
	p.MOQ, p.Pack = max(p.MOQ, 1), max(p.Pack, 1)
	p.LeadWeeks = rd.lead(r)
	p.Ready = p.LeadWeeks == 0 && rd.text(r, colLead) != ""
	p.ValidFrom, p.ValidUntil, p.EndOfLife = rd.date(r, colFrom), rd.date(r, colUntil), rd.date(r, colEOL)
	p.Approved = rd.truth(r, colApproved, true)
	p.Derived = rd.truth(r, colDerived, false)
	if p.ValidFrom != "" && p.ValidUntil != "" && p.ValidUntil < p.ValidFrom {
		rd.fail(r, rd.at[colUntil], "the price ends before it begins", "")
		return
	}
	if d := rd.opt.AsOf; d != "" && p.Approved {
		if p.ValidUntil != "" && p.ValidUntil < d {
			rd.ask(r, colUntil, fmt.Sprintf("the price of %s expired on %s", p.PartNo, p.ValidUntil), "ask for a new quotation")
		}
		if p.ValidFrom > d {
			rd.ask(r, colFrom, fmt.Sprintf("the price of %s holds only from %s on", p.PartNo, p.ValidFrom), "")
		}
		if p.EndOfLife != "" && p.EndOfLife < d {
			rd.ask(r, colEOL, fmt.Sprintf("%s reached its end of life on %s", p.PartNo, p.EndOfLife), "it is chosen like all others: approved = no leaves it out")
		}
	}
}

// lead reads "26 weeks", "180 days" or "stock"; a bare number needs a unit in the head.
func (rd *reader) lead(r *row) float64 {
	s := rd.text(r, colLead)
	switch strings.ToLower(s) {
	case "":
		return 0
	case "stock", "in stock", "ex stock", "available", "lager", "ab lager", "auf lager", "lagernd", "sofort", "en stock", "disponible":
		return 0
	}
	if h := rd.hint[colLead]; numberPart(s) == s && h != "weeks" && h != "days" && h != "months" {
		rd.fail(r, rd.at[colLead], "lead_time: "+strconv.Quote(s)+" may be weeks or days", `write "26 weeks", or name the unit in the head: lead_time_weeks`)
		return 0
	}
	if num := numberPart(s); num != "" && strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(s, num), " "), "-") {
		rd.fail(r, rd.at[colLead], "lead_time: "+strconv.Quote(s)+" is a range", "write the longer time")
		return 0
	}
	return rd.quantity(r, colLead, unit.KindLead, "weeks")
}

// truth reads yes or no; an empty cell is def.
func (rd *reader) truth(r *row, c column, def bool) bool {
	switch s := strings.ToLower(rd.text(r, c)); s {
	case "":
		return def
	case "yes", "y", "true", "1", "x", "ja", "j", "wahr", "oui", "o", "vrai", "✓", "✔":
		return true
	case "no", "n", "false", "0", "nein", "falsch", "non", "faux":
		return false
	default:
		rd.fail(r, rd.at[c], fmt.Sprintf("%s must be yes or no, not %s", c.name(), strconv.Quote(s)), "")
		return def
	}
}

// date reads an ISO date, or one with another order of which only one reading is a date. Years
// have four digits.
func (rd *reader) date(r *row, c column) string {
	s := rd.text(r, c)
	if s == "" {
		return ""
	}
	iso, err := isoDate(s)
	if err != "" {
		rd.fail(r, rd.at[c], fmt.Sprintf("%s: %s", c.name(), err), "write 2026-10-31")
	}
	return iso
}

// isoDate is the date as 2006-01-02, or what keeps it from being one.
func isoDate(s string) (iso, problem string) {
	day, _, _ := strings.Cut(strings.ReplaceAll(s, "T", " "), " ")
	if t, err := time.Parse("2006-01-02", day); err == nil {
		return t.Format("2006-01-02"), ""
	}
	for _, layout := range []string{"2-Jan-2006", "2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "2. January 2006"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.Format("2006-01-02"), ""
		}
	}
	f := strings.FieldsFunc(day, func(r rune) bool { return r == '.' || r == '/' || r == '-' })
	if len(f) != 3 {
		return "", strconv.Quote(s) + " is not a date"
	}
	a, b, y := f[0], f[1], f[2]
	if len(a) == 4 {
		a, b, y = f[2], f[1], f[0]
	}
	if len(y) != 4 {
		return "", strconv.Quote(s) + " has a year of two digits"
	}
	dmy, err1 := time.Parse("2-1-2006", a+"-"+b+"-"+y)
	mdy, err2 := time.Parse("1-2-2006", a+"-"+b+"-"+y)
	dots := strings.Contains(day, ".") || len(f[0]) == 4 // 31.10.2026 and 2026/10/31 have one reading
	switch {
	case err1 == nil && (dots || err2 != nil || dmy.Equal(mdy)):
		return dmy.Format("2006-01-02"), ""
	case err2 == nil && err1 != nil && !dots:
		return mdy.Format("2006-01-02"), ""
	case err1 == nil:
		return "", strconv.Quote(s) + " may be day/month or month/day"
	}
	return "", strconv.Quote(s) + " is not a date"
}
