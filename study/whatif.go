package study

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/internal/tomlfile"
)

// then is the table inside [what_if] whose changes are made after its own.
const then = "then"

// whatIf reads [what_if] and what comes after it: limits that stand over the constraint files, and prices over those of the lists.
func (ld *loader) whatIf(t *tomlfile.Table) (limits, prices []*tomlfile.Table) {
	for t != nil {
		if x := t.Sub("limits"); x != nil {
			limits = append(limits, x)
		}
		if x := t.Sub("prices"); x != nil {
			prices = append(prices, x)
		}
		next := t.Sub(then)
		t.Done(map[string]string{"limit": "limits", "price": "prices", "constraints": "limits", "parts": "prices"})
		t = next
	}
	return limits, prices
}

// whatIfHead is the head of a [what_if] table, with what leads to it from one that it comes after.
var whatIfHead = regexp.MustCompile(`(?m)^([ \t]*\[[ \t]*what_if)((?:\.then)*)`)

// Changed is a study with a [what_if] table behind it, whose changes are made after those of the study's own.
func Changed(study []byte, behind string) []byte {
	depth := 0
	for _, m := range whatIfHead.FindAllSubmatch(study, -1) {
		depth = max(depth, 1+bytes.Count(m[2], []byte("."+then)))
	}
	return append(slices.Clone(study), whatIfHead.ReplaceAllString(behind, "${1}"+strings.Repeat("."+then, depth)+"${2}")...)
}

// reprice changes prices of parts: of one by its number, or of all of a kind. The list itself is not changed.
func (ld *loader) reprice(t *tomlfile.Table) {
	if t == nil || ld.s.Catalogue == nil {
		return
	}
	c := *ld.s.Catalogue
	c.Parts = slices.Clone(c.Parts)
	var known []string
	for i := range c.Parts {
		known = append(known, c.Parts[i].PartNo)
		if !slices.Contains(known, c.Parts[i].Kind) {
			known = append(known, c.Parts[i].Kind)
		}
	}
	var said []string
	for _, e := range t.Entries {
		v := t.Take(e.Key)
		text, ok := v.Text()
		if !ok {
			continue
		}
		found := false
		for i := range c.Parts {
			if p := &c.Parts[i]; p.PartNo == e.Key || p.Kind == e.Key {
				found = true
				ld.repriced(p, p.PartNo != e.Key, v, text)
			}
		}
		if !found {
			e.Errorf("there is no part and no kind of parts %q in catalogue %s\n%s", e.Key, c.Name, diag.Suggest(e.Key, known))
		}
		said = append(said, e.Key+" "+text)
	}
	c.Name += " (what if: " + strings.Join(said, ", ") + ")"
	ld.s.Catalogue = &c
}

// repriced gives a part another price: an amount, at any quantity, or all its prices by a percentage more or less.
func (ld *loader) repriced(p *catalog.Part, kind bool, v *tomlfile.Value, text string) {
	if number, ok := strings.CutSuffix(strings.TrimSpace(text), "%"); ok {
		factor, err := percent(number)
		if err != nil {
			v.Errorf("%q: %v\nwrite a percentage, such as \"+10 %%\" or \"-30 %%\", or an amount, such as \"1130 USD\"", text, err)
			return
		}
		if !p.Priced {
			if !kind {
				v.Errorf("%s has no price that could be changed by a percentage\nwrite an amount, such as \"1130 USD\"", p.PartNo)
			}
			return
		}
		p.UnitPrice = scaled(p.UnitPrice, factor)
		p.PriceBreaks = slices.Clone(p.PriceBreaks)
		for i := range p.PriceBreaks {
			p.PriceBreaks[i].Price = scaled(p.PriceBreaks[i].Price, factor)
		}
		return
	}
	m, ok := v.Money()
	if !ok {
		return
	}
	if _, ok := ld.s.Currency.Convert(1, m.Currency); !ok {
		v.Errorf("costs are in %s and there is no rate for %s\nwrite the price in %s", ld.s.Currency.Code, m.Currency, ld.s.Currency.Code)
		return
	}
	p.UnitPrice, p.Currency, p.Priced, p.PriceBreaks = catalog.Money(m.Minor), m.Currency, true, nil
}

// percent reads a change of more than -100 as the factor that it stands for, exactly.
func percent(text string) (*big.Rat, error) {
	x, ok := new(big.Rat).SetString(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	if !ok || len(text) > 60 {
		return nil, fmt.Errorf("it is not a number")
	}
	if f, _ := x.Float64(); f <= -100 || f > 1e6 {
		return nil, fmt.Errorf("it has to be above -100 %% and at most 1,000,000 %%")
	}
	return x.Add(x.Quo(x, big.NewRat(100, 1)), big.NewRat(1, 1)), nil
}

// scaled rounds half up to a minor unit.
func scaled(m catalog.Money, factor *big.Rat) catalog.Money {
	x := new(big.Rat).Mul(factor, new(big.Rat).SetInt64(int64(m)))
	n := new(big.Int).Add(new(big.Int).Lsh(x.Num(), 1), x.Denom())
	n.Div(n, new(big.Int).Lsh(x.Denom(), 1))
	if !n.IsInt64() {
		return math.MaxInt64 / 4 // beyond any bill, which says so
	}
	return catalog.Money(n.Int64())
}

// whatIfKeys describes [what_if].
func whatIfKeys() tomlfile.Section {
	return tomlfile.Section{Name: "what_if", Doc: "Limits and prices that stand in the place of what the files say: toposearch what-if writes such studies.", Keys: []tomlfile.Key{
		{Name: "limits", Form: tomlfile.Form{"type": "object"}, Example: `{ building.power = "1.5 MW" }`,
			Doc: `tables of a constraint file: a limit replaces all on its side of its metric, also stricter ones; "none" lifts what has the name`},
		{Name: "prices", Form: tomlfile.Form{"type": "object"}, Example: `{ switch = "-10 %" }`,
			Doc: "by part number or kind of parts: an amount, at any quantity, or a percentage, of price breaks too"},
		{Name: then, Form: tomlfile.Form{"type": "object"}, Example: `{ prices = { switch = "-10 %" } }`,
			Doc: "the same, on top of these limits and prices: what-if of such a study writes it"},
	}}
}
