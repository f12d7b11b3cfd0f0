package growth

// mostExchanges bounds the comparisons of cables that one pass over all exchanges takes. With all passes and all starts each takes 100 ns where
// most starts end in matches far from another's (0.36 CPU s between random networks of 700 and 960 cables), 5 to 30 ns between most. Larger networks go without.
const mostExchanges, exchangeNs = 4e6, 100

// comparisons are those of one pass, each pair of boxes by their cables, summed over pairs; 0 where none is tried.
func comparisons(old, to int, rules Rules) float64 {
	if n := 4 * float64(old) * float64(to); rules.Switches && n <= mostExchanges {
		return n
	}
	return 0
}

// ExchangesNs is what exchanges take between networks of so many cables at most, those with endpoints dealt out anew (dealt.go) included.
func ExchangesNs(old, to int, rules Rules) float64 {
	return exchangeNs*comparisons(old, to, rules) + stepNs*steps(old, to, rules)
}

// perComparison and mostSteps bound the cables that Find looks at while endpoints are dealt out, of all starts, to so many for each comparison of exchanges and to so many in all. Each takes
// 10 to 25 ns.
const perComparison, mostSteps, stepNs = 16, 8e6, 25

// steps bounds them between networks of so many cables.
func steps(old, to int, rules Rules) float64 {
	return min(perComparison*comparisons(old, to, rules), mostSteps)
}
