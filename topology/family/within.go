package family

// withinProduct is the range of the x for which x*unit lies between least and most.
func withinProduct(unit, least, most int64) (lo, hi int64) {
	unit = max(unit, 1)
	return (least + unit - 1) / unit, most / unit
}

// dragonflyplusWithin narrows (l, m, p, h, g): there are l*p*g endpoints, and 2 <= g <= m*h + 1.
func dragonflyplusWithin(v []int, i int, least, most int64) (lo, hi int64) {
	d := dragonflyplusParams(v)
	switch i {
	case 2: // p
		return 1, most / (2 * int64(d.l()))
	case 3: // h
		g, _ := withinProduct(int64(d.l())*int64(d.p()), least, most)
		return (g - 1 + int64(d.m()) - 1) / int64(d.m()), beyond
	case 4: // g
		return withinProduct(int64(d.l())*int64(d.p()), least, most)
	}
	return 0, beyond
}

// zettaflyWithin narrows (a, p, h, s, c): there are a*p*s*c endpoints, and s >= 2. a is the number of
// switches of a group that have endpoints.
func zettaflyWithin(a int, v []int, i int, least, most int64) (lo, hi int64) {
	d := zettaflyParams(v)
	unit := int64(a)
	switch i {
	case 1: // p
		return 1, most / (2 * unit)
	case 3: // s
		return 2, most / (unit * int64(d.p()))
	case 4: // c
		return withinProduct(unit*int64(d.p())*int64(d.s()), least, most)
	}
	return 0, beyond
}

// railsWithin narrows the pods and d of multirail (k, l, r, f, planes, pods, d, ...): a plane has
// pods*(k/2)^(l-2) leaves, and d endpoint ports on each of them, at least k/2 and below k where l > 1.
func railsWithin(v []int, i int, least, most int64) (lo, hi int64) {
	d := multirailParams(v)
	if i != 5 && i != 6 { // pods and d
		return 0, beyond
	}
	per := int64(max(1, d.r()/d.planes())) // ports of an endpoint in a plane
	least, most = least*per, most*per+per-1
	k, l := int64(d.k()), d.l()
	leaves := pow(k/2, l-2) // of a pod
	if i == 6 {
		return withinProduct(int64(d.pods())*leaves, least, most)
	}
	if l == 1 {
		return 0, beyond
	}
	lo, _ = withinProduct(leaves*max(k-1, 1), least, most)
	_, hi = withinProduct(leaves*max(k/2, 1), least, most)
	return lo, hi
}
