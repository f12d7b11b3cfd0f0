package catalog

import (
	"strings"

	"github.com/xuri/excelize/v2"

	"toposearch/internal/unit"
)

// numberFormat is the currency that a cell's format names, and whether it formats a date.
func numberFormat(f *excelize.File, sheet, name string) (currency string, date bool) {
	id, err := f.GetCellStyle(sheet, name)
	if err != nil || id == 0 {
		return "", false
	}
	n, code := formatCode(f, id)
	if code != "" {
		if currency = currencyOf(code); currency != "" {
			return currency, false
		}
		bare := stripQuoted(strings.ToLower(code))
		return "", strings.Contains(bare, "yy") || strings.Contains(bare, "dd") && strings.Contains(bare, "mm")
	}
	// Formats 14 to 17 and 22 of ECMA-376, 18.8.30, are dates; 27 to 36 and 50 to 58 are dates of
	// East Asian locales. 5 to 8, 42 and 44 are amounts in the currency of the locale of whoever
	// opens the workbook: without their own code they name none.
	return "", n >= 14 && n <= 17 || n == 22 || n >= 27 && n <= 36 || n >= 50 && n <= 58
}

// formatCode is the number of a style's format and its code, "" for a format that is built in. A
// workbook may give a built-in number a code of its own, as a German one does with 44: "€" stands
// where the American one has "$", and GetStyle does not say so.
func formatCode(f *excelize.File, style int) (number int, code string) {
	st, err := f.GetStyle(style)
	if err != nil || st == nil {
		return 0, ""
	}
	number = st.NumFmt
	if st.CustomNumFmt != nil {
		code = *st.CustomNumFmt
	}
	if f.Styles == nil || f.Styles.CellXfs == nil || style >= len(f.Styles.CellXfs.Xf) {
		return number, code
	}
	if id := f.Styles.CellXfs.Xf[style].NumFmtID; id != nil {
		number = *id
	}
	if f.Styles.NumFmts != nil {
		for _, nf := range f.Styles.NumFmts.NumFmt {
			if nf != nil && nf.NumFmtID == number {
				return number, nf.FormatCode
			}
		}
	}
	return number, code
}

// localeCurrency is the currency of signs that several countries use, by the number of the locale
// that stands behind the sign in a format, "[$$-1009]" (Microsoft, MS-LCID, hexadecimal).
var localeCurrency = map[string]string{
	"$-409": "USD", "$-1009": "CAD", "$-c0c": "CAD", "$-c09": "AUD", "$-1409": "NZD", "$-4809": "SGD", "$-1004": "SGD", "$-c04": "HKD", "$-404": "TWD", "$-80a": "MXN",
	"¥-411": "JPY", "¥-804": "CNY", "kr-41d": "SEK", "kr-414": "NOK", "kr-814": "NOK", "kr-406": "DKK", "kr-40f": "ISK",
}

// currencyOf is the currency that a number format names: in brackets with its locale, in quotes, or
// bare; "$" for a dollar sign without a locale, "" if there is none or its sign has several meanings.
func currencyOf(code string) string {
	var bare strings.Builder
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case c == ';': // the section of positive numbers says it
			return signOf(bare.String())
		case strings.HasPrefix(code[i:], "[$"):
			inside, _, _ := strings.Cut(code[i+2:], "]")
			if cur := bracketed(inside); cur != "" {
				return cur
			}
			i += 2 + len(inside) + 1
		case c == '"':
			inside, _, _ := strings.Cut(code[i+1:], `"`)
			bare.WriteString(inside)
			i += 1 + len(inside) + 1
		case c == '[':
			inside, _, _ := strings.Cut(code[i:], "]")
			i += len(inside) + 1
		case c == '_' || c == '*': // the width of, or filled up with, the next character
			i += 2
		case c == '\\':
			i++
		default:
			bare.WriteByte(c)
			i++
		}
	}
	return signOf(bare.String())
}

// bracketed reads what stands between "[$" and "]": a sign or code, then perhaps a locale.
func bracketed(s string) string {
	sign, locale := s, ""
	if i := strings.LastIndexByte(s, '-'); i >= 0 {
		sign, locale = s[:i], strings.ToLower(strings.TrimLeft(s[i+1:], "0"))
	}
	if cur, ok := localeCurrency[sign+"-"+locale]; ok {
		return cur
	}
	if sign == "$" && locale != "" {
		return "" // the dollar of another country
	}
	return signOf(sign)
}

// signOf finds the sign or ISO 4217 code among the literal characters of a format.
func signOf(s string) string {
	s = strings.Trim(s, " \u00a0#0,.?-+()/")
	if _, ok := unit.MinorDigits(s); ok {
		return s
	}
	if s == "$" {
		return s // of whichever country the rest of the list says
	}
	return signs[s]
}

// stripQuoted removes literal text and bracketed parts from a number format.
func stripQuoted(s string) string {
	var b strings.Builder
	var until byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case until != 0:
			if c == until {
				until = 0
			}
		case c == '"':
			until = '"'
		case c == '[':
			until = ']'
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
