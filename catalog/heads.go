package catalog

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"toposearch/diag"
	"toposearch/internal/unit"
)

// heads gives the canonical name of each column, then the aliases seen in suppliers' lists, all
// as headKey leaves them.
var heads = [numColumns][]string{
	colPartNo: {"part_no", "part_number", "part_num", "part", "partno", "p_n", "pn", "sku", "item", "item_no", "item_number",
		"article", "article_no", "article_number", "artikelnummer", "artikel_nr", "opn", "ordering_pn", "ordering_part_number", "mpn", "product_code", "model"},
	colKind:        {"kind", "type", "category", "product_type", "class"},
	colVendor:      {"vendor", "manufacturer", "supplier", "brand", "make"},
	colDescription: {"description", "desc", "product", "product_description", "product_name", "name", "item_description"},
	colFormFactor:  {"form_factor", "connector", "cage"},
	colRate: {"rate_gbps", "rate", "speed", "speed_gbps", "data_rate", "data_rate_gbps", "port_speed", "port_rate", "bandwidth",
		"bandwidth_gbps", "gbps", "rate_gb_s", "speed_gb_s"},
	colLanes:     {"lanes", "electrical_lanes"},
	colPorts:     {"ports", "port_count", "no_of_ports", "number_of_ports", "num_ports", "cages"},
	colBreakouts: {"breakouts", "breakout", "breakout_modes", "port_modes", "split"},
	colLength:    {"length_m", "length", "cable_length", "cable_length_m", "stock_length", "len_m", "length_ft", "length_cm"},
	colReach:     {"reach_m", "reach", "max_reach", "max_reach_m", "distance", "max_distance"},
	colMedium:    {"medium", "media", "cable_type", "fibre_type", "fiber_type"},
	colPower: {"power_w", "power", "max_power", "max_power_w", "power_max", "power_max_w", "watts", "power_consumption", "power_kw",
		"max_power_kw", "power_consumption_w"},
	colPowerTyp:   {"power_typ_w", "typical_power", "typical_power_w", "typ_power", "typ_power_w", "power_typical", "power_typ", "power_typical_w"},
	colPowerSplit: {"power_split_w", "split_end_power", "power_split_end", "power_per_split_end"},
	colLatency:    {"latency_ns", "latency", "switch_latency", "switch_latency_ns"},
	colBuffer:     {"buffer", "buffer_bytes", "buffer_mb", "packet_buffer", "packet_buffer_mb"},
	colReduction:  {"reduction", "reduction_gbps", "in_network_reduction", "sharp_gbps"},
	colPrice: {"unit_price", "price", "list_price", "net_price", "unit_cost", "price_per_unit", "price_each", "price_unit", "cost",
		"unit_price_net", "price_net", "net_unit_price", "einzelpreis", "stuckpreis", "nettopreis", "preis"},
	colCurrency: {"currency", "curr", "ccy", "iso_4217", "wahrung"},
	colBreaks:   {"price_breaks", "quantity_breaks", "qty_breaks", "volume_price", "price_break", "volume_pricing", "tier_pricing"},
	colMOQ:      {"moq", "min_order", "minimum_order_quantity", "min_order_qty", "minimum_order", "min_qty"},
	colPack:     {"pack", "pack_size", "standard_pack", "packaging_unit", "spq", "pack_qty"},
	colLead: {"lead_time", "leadtime", "lead", "lead_time_weeks", "lead_weeks", "lead_time_wks", "delivery", "delivery_time", "availability",
		"lead_time_days", "lead_days", "delivery_weeks", "delivery_days"},
	colFrom:     {"valid_from", "price_valid_from", "effective", "effective_date", "start_date", "quote_date", "date"},
	colUntil:    {"valid_until", "valid_to", "price_valid_until", "expires", "expiry", "expiry_date", "end_date", "validity"},
	colEOL:      {"end_of_life", "eol", "end_of_sale", "last_order", "last_time_buy"},
	colStock:    {"stock", "in_stock", "qty_available", "available", "available_qty", "on_hand"},
	colApproved: {"approved", "allowed", "preferred", "qualified"},
	colAFR:      {"afr", "annual_failure_rate", "failure_rate"},
	colWeight:   {"weight_kg", "weight", "mass_kg"},
	colSource:   {"source", "reference", "url", "link"},
	colNote:     {"note", "notes", "remark", "remarks", "comment", "comments"},
	colDerived:  {"derived", "estimated"},
}

var headIndex = func() map[string]column {
	m := map[string]column{}
	for c, names := range heads {
		for _, n := range names {
			m[n] = column(c)
		}
	}
	for c, names := range foreignHeads {
		for _, n := range names {
			m[n] = c
		}
	}
	return m
}()

// squashed is headIndex without the gaps between words.
var squashed = func() map[string]column {
	m := map[string]column{}
	for key, c := range headIndex {
		m[strings.ReplaceAll(key, "_", "")] = c
	}
	return m
}()

// Columns gives the canonical head of every column that is read.
func Columns() []string {
	var out []string
	for c := range column(numColumns) {
		out = append(out, c.name())
	}
	return out
}

// name is the canonical head of the column.
func (c column) name() string { return heads[c][0] }

// headKey makes heads comparable: "Unit Price (USD)" becomes "unit_price_usd", "P/N" "p_n", "Länge" "lange".
func headKey(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(strings.ToLower(strings.TrimSpace(s))) {
		if r == 'ß' {
			b.WriteString("ss")
			continue
		}
		switch {
		case unicode.Is(unicode.Mn, r): // the accent of the letter before
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			gap = false
		default:
			gap = true
		}
	}
	return b.String()
}

// head is a recognised column of a sheet. hint is a unit or currency that the head itself names:
// "Lead Time (days)", "Price [EUR]", "power_kw".
type head struct {
	col   column
	index int
	hint  string
	rule  *ColumnRule // that declares it; nil: it is known
}

// headHints are the units that a head may end in, as headKey leaves them, and what they mean. None is the
// end of another.
var headHints = map[string]string{"weeks": "weeks", "wks": "weeks", "wochen": "weeks", "semaines": "weeks", "days": "days", "tage": "days", "jours": "days",
	"months": "months", "monate": "months", "mois": "months", "kw": "kw", "km": "km", "ft": "ft", "cm": "cm", "mm": "mm", "mb": "mb", "us": "us",
	"gb_s": "gb_s", "gbit_s": "gb_s", "gbps": "gbps", "tbps": "tbps", "tbit_s": "tbps"}

// maxHead is how long a head may be, in bytes: "Maximum power consumption incl. modules [W]" and then some.
const maxHead = 200

// matchHead recognises a head, with or without a unit behind it.
func matchHead(text string) (column, string, bool) {
	if len(text) > maxHead {
		return 0, "", false
	}
	key := headKey(text)
	base, hint := cutHint(text, key)
	if strings.EqualFold(strings.TrimSpace(text), "référence") { // of the part, in French; "reference" is where a figure is from
		return colPartNo, "", true
	}
	if c, ok := headIndex[key]; ok {
		return c, hint, true
	}
	if c, ok := headIndex[base]; ok {
		return c, hint, true
	}
	if c, ok := squashed[strings.ReplaceAll(base, "_", "")]; ok { // "UnitPrice", "leadtime"
		return c, hint, true
	}
	for _, plain := range []string{"_m", "_w", "_ns", "_kg"} {
		if c, ok := headIndex[cutIn(strings.TrimSuffix(key, plain))]; ok && strings.HasSuffix(key, plain) {
			return c, "", true
		}
	}
	for _, piece := range pieces { // "Preis (EUR/Stk.)"
		rest, ok := strings.CutSuffix(key, piece)
		if !ok {
			continue
		}
		base, hint := cutHint(text, rest)
		if c, ok := headIndex[base]; ok && c == colPrice {
			return c, hint, true
		}
	}
	return 0, "", false
}

// pieces are words for one piece behind a currency.
var pieces = []string{"_stk", "_stuck", "_pc", "_pce", "_piece", "_each", "_ea", "_unit", "_unite"}

// cutHint takes the unit or currency that a head names off its key: "lieferzeit_in_wochen" is "lieferzeit" in weeks.
func cutHint(text, key string) (base, hint string) {
	for i, r := range key {
		if h, ok := headHints[key[i+1:]]; r == '_' && ok {
			return cutIn(key[:i]), h
		}
	}
	if i := strings.LastIndexByte(key, '_'); i >= 0 {
		if _, known := unit.MinorDigits(strings.ToUpper(key[i+1:])); known {
			return cutIn(key[:i]), key[i+1:]
		}
	}
	if sign := headSign(text); sign != "" {
		return cutIn(key), sign
	}
	return key, ""
}

// cutIn takes the preposition before a unit away: "length in", "longueur en".
func cutIn(key string) string { return strings.TrimSuffix(strings.TrimSuffix(key, "_in"), "_en") }

// signs are currency signs of one meaning, and "$", which is taken for the US dollar where nothing
// else is said.
var signs = map[string]string{"$": "USD", "US$": "USD", "€": "EUR", "EURO": "EUR", "£": "GBP", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD",
	"HK$": "HKD", "S$": "SGD", "NT$": "TWD", "R$": "BRL", "₹": "INR", "₩": "KRW", "zł": "PLN", "Kč": "CZK", "₪": "ILS", "₺": "TRY", "元": "CNY"}

// headSign is the currency whose sign stands in a head: "Price [€]".
func headSign(text string) string {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ()[]/,", r) }) {
		if cur, ok := signs[f]; ok {
			return strings.ToLower(cur)
		}
	}
	return ""
}

// unreadUnit reports whether a head names a column of numbers with a unit in brackets that is not
// known, "Lead time (years)": ignoring the column would lose what it says.
func unreadUnit(text string) (c column, inside string, ok bool) {
	i := strings.IndexAny(text, "([")
	if i <= 0 {
		return 0, "", false
	}
	c, _, ok = matchHead(text[:i])
	if !ok || c != colRate && c != colLead && c != colBuffer && !slices.Contains(numericColumns, c) {
		return 0, "", false
	}
	return c, strings.Trim(text[i:], "()[] "), true
}

// suggestHead is the remedy for an unknown head: the nearest canonical one.
func suggestHead(text string) string {
	return diag.Suggest(headKey(text), Columns())
}

// numericColumns hold numbers, which show how the file writes fractions.
var numericColumns = []column{colPrice, colLength, colReach, colPower, colPowerTyp, colPowerSplit, colLatency, colWeight, colAFR, colReduction}

// cutBrackets takes what stands in brackets at the end of a head off: "Price [EUR]".
func cutBrackets(s string) (base, inside string) {
	i := strings.LastIndexAny(s, "([")
	if i < 0 || !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
		return s, ""
	}
	return strings.TrimSpace(s[:i]), strings.Trim(s[i:], "()[] ")
}
