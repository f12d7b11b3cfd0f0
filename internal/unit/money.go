package unit

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Money is an amount in minor units (cents) of an ISO 4217 currency.
type Money struct {
	Minor    int64
	Currency string
}

// currencies lists the currencies that are read, with the digits of their minor unit (ISO 4217).
var currencies = map[string]int{
	"USD": 2, "EUR": 2, "GBP": 2, "CHF": 2, "CNY": 2, "JPY": 0, "KRW": 0, "TWD": 2, "SGD": 2, "INR": 2,
	"CAD": 2, "AUD": 2, "SEK": 2, "NOK": 2, "DKK": 2, "PLN": 2, "CZK": 2, "HUF": 2, "RON": 2, "BGN": 2,
	"TRY": 2, "ILS": 2, "AED": 2, "SAR": 2, "QAR": 2, "KWD": 3, "BHD": 3, "OMR": 3, "HKD": 2, "THB": 2,
	"MYR": 2, "IDR": 2, "PHP": 2, "VND": 0, "KZT": 2, "UAH": 2, "RUB": 2, "BRL": 2, "MXN": 2, "CLP": 0,
	"ZAR": 2, "EGP": 2, "NZD": 2, "ISK": 0,
}

// MinorDigits is the number of digits after the point of a currency; false if it is not known.
func MinorDigits(currency string) (int, bool) { d, ok := currencies[currency]; return d, ok }

const moneyRemedy = `write an amount with its currency, such as "12 MUSD", "18 M EUR" or "1250.50 USD"`

// ParseMoney reads "12 MUSD", "18 M EUR", "250 kUSD", "1250.50 USD", "USD 1250.50", "1.2 bn EUR".
// It is exact: what cannot be stated in whole minor units is an error.
func ParseMoney(s string) (Money, error) {
	fail := func(reason string) (Money, error) { return Money{}, &Error{s, reason, moneyRemedy} }
	text := strings.TrimSpace(s)
	if len(text) > 3 && text[0] >= 'A' && text[0] <= 'Z' { // currency first
		cur, rest := text[:3], strings.TrimSpace(text[3:])
		if _, ok := currencies[cur]; ok {
			text = rest + " " + cur
		}
	}
	num, name := split(text)
	name = strings.ReplaceAll(name, " ", "")
	if num == "" {
		return fail("there is no number")
	}
	if name == "" {
		return fail("the currency is missing")
	}
	cur, zeros := name, 0
	if len(name) >= 3 {
		cur = name[len(name)-3:]
		switch p := name[:len(name)-3]; p {
		case "":
		case "k", "K":
			zeros = 3
		case "M", "Mio", "m", "mn", "million":
			zeros = 6
		case "G", "B", "bn", "billion":
			zeros = 9
		default:
			return fail(fmt.Sprintf("%q is not a multiple (k, M, G)", p))
		}
	}
	digits, ok := currencies[cur]
	if !ok {
		for k := range dimensions {
			if _, is := dimensions[k].size(name); is {
				return fail(fmt.Sprintf("%s is a unit of %s, not a currency", name, dimensions[k].what))
			}
		}
		return fail(fmt.Sprintf("there is no currency %q", cur))
	}
	minor, err := Decimal(num, zeros+digits)
	if err != nil {
		return fail(err.Error())
	}
	if minor < 0 {
		return fail("it is negative")
	}
	return Money{minor, cur}, nil
}

// Decimal reads a decimal number exactly as an integer scaled by 10^digits: Decimal("12.5", 2) is
// 1250. More digits than the scale holds, unless they are zeros, and overflow are errors.
func Decimal(s string, digits int) (int64, error) {
	t := strings.ReplaceAll(strings.TrimSpace(s), "_", "")
	t, neg := strings.CutPrefix(t, "-")
	if !neg {
		t = strings.TrimPrefix(t, "+")
	}
	mant, exp, hasExp := strings.Cut(strings.ReplaceAll(t, "E", "e"), "e")
	if hasExp {
		e, err := strconv.Atoi(exp)
		if err != nil || e < -30 || e > 30 {
			return 0, fmt.Errorf("%q is not a number", s)
		}
		digits += e
	}
	whole, frac, _ := strings.Cut(mant, ".")
	if whole == "" && frac == "" {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	all := whole + frac
	point := len(whole) + digits // digits of all before this are kept
	var x uint64
	for i := 0; i < max(point, len(all)); i++ {
		c := byte('0')
		if i < len(all) {
			c = all[i]
		}
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%q is not a number", s)
		}
		if i >= point {
			if c != '0' {
				return 0, fmt.Errorf("%q has more than %d digits after the point", s, max(digits, 0))
			}
			continue
		}
		hi, lo := bits.Mul64(x, 10)
		if hi != 0 || lo > math.MaxInt64-9 {
			return 0, fmt.Errorf("%q is too large", s)
		}
		x = lo + uint64(c-'0')
	}
	if neg {
		return -int64(x), nil
	}
	return int64(x), nil
}

// UnmarshalText reads an amount such as "12 MUSD".
func (m *Money) UnmarshalText(b []byte) (err error) { *m, err = ParseMoney(string(b)); return err }

// String prints the exact amount: "1250.50 USD", "12 MUSD" where it is whole thousands or millions.
func (m Money) String() string {
	d, ok := currencies[m.Currency]
	if !ok {
		d = 2
	}
	unit := int64(math.Pow10(d))
	whole := m.Minor / unit
	if m.Minor%unit == 0 {
		switch {
		case whole != 0 && whole%100_000 == 0 && (whole >= 1e6 || whole <= -1e6):
			if tenth := whole / 100_000 % 10; tenth != 0 {
				return fmt.Sprintf("%d.%d M%s", whole/1_000_000, max(tenth, -tenth), m.Currency)
			}
			return fmt.Sprintf("%d M%s", whole/1_000_000, m.Currency)
		case whole != 0 && whole%1000 == 0:
			return fmt.Sprintf("%d k%s", whole/1000, m.Currency)
		}
		return fmt.Sprintf("%d %s", whole, m.Currency)
	}
	s := strconv.FormatInt(m.Minor, 10)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for len(s) <= d {
		s = "0" + s
	}
	s = s[:len(s)-d] + "." + s[len(s)-d:]
	if neg {
		s = "-" + s
	}
	return s + " " + m.Currency
}

// MoneyText prints an amount in major units to six significant digits: "4.98176 MUSD".
func MoneyText(major float64, currency string) string {
	switch a := math.Abs(major); {
	case a >= 1e6:
		return number(major/1e6) + " M" + currency
	case a >= 1e4:
		return number(major/1e3) + " k" + currency
	}
	return number(major) + " " + currency
}

// Major is the amount in major units, for a metric; exact below 2^53 minor units.
func (m Money) Major() float64 {
	d, ok := currencies[m.Currency]
	if !ok {
		d = 2
	}
	return float64(m.Minor) / math.Pow10(d)
}
