package family

import "toposearch/topology"

// check tells which rule of multirail the values break.
func (t *rails) check(tapers []int, s *topology.Size) error {
	if err := t.tree.check(s); err != nil {
		return err
	}
	leaves := 1
	switch {
	case t.wide:
		leaves = t.pods
	case t.l == 2:
		leaves = t.pods
	case t.l > 2:
		leaves = int(t.down[2])
	}
	switch per := t.r / t.planes; {
	case t.r%t.planes != 0:
		return s.Fail("planes", t.planes, "planes divides r", nearestDivisor(t.r, t.planes))
	case t.wide && t.l < 3:
		return s.Fail("l", t.l, "l >= 3 for spread = wide", 3)
	case t.wide && t.f < 2:
		return s.Fail("f", t.f, "f >= 2 for spread = wide", 2)
	case t.wide && (t.pods%t.f != 0 || t.pods < 2*t.f):
		return s.Fail("pods", t.pods, "f divides pods, twice at least, for spread = wide", max(2, (t.pods+t.f-1)/t.f)*t.f)
	case per%t.f != 0:
		return s.Fail("f", t.f, "f divides r/planes", nearestDivisor(int(gcd(int64(per), int64(leaves))), t.f))
	case leaves%t.f != 0:
		return s.Fail("f", t.f, "f divides the leaves (those below a switch of the second level, k/2 of an untapered one, for l >= 3; pods for l = 2)", nearestDivisor(int(gcd(int64(per), int64(leaves))), t.f))
	case t.l == 2 && t.pods < 2*t.f:
		return s.Fail("pods", t.pods, "pods >= 2*f for l = 2", 2*t.f)
	case t.d%t.w != 0:
		return s.Fail("d", t.d, "r/(planes*f) divides d", t.d+t.w-t.d%t.w)
	}
	if err := t.checkMix(s); err != nil {
		return err
	}
	return t.checkTapers(tapers, s)
}

// checkMix asks that sets of leaves are equal, inside one subtree of two levels where there are more,
// and that each leaf has its part of the combinations.
func (t *rails) checkMix(s *topology.Size) error {
	switch {
	case t.mix == 1 || t.mixes(t.mix):
		return nil
	case t.f < 2:
		return s.Fail("mix", t.mix, "mix = 1 for f = 1", 1)
	}
	x := min(t.mix, t.d) - 1
	for x > 1 && !t.mixes(x) {
		x--
	}
	return s.Fail("mix", t.mix, "f*mix divides the leaves (as for f; mix alone for wide), and mix^(f-1) the endpoints of a leaf", max(x, 1))
}

// mixes tells whether sets of x leaves, x > 1, are possible.
func (t *rails) mixes(x int) bool {
	leaves, sets := int(t.down[2]), t.f
	switch {
	case t.f < 2 || t.l < 2:
		return false
	case t.l == 2:
		leaves = t.pods
	case t.wide:
		sets = 1
	}
	if leaves%(sets*x) != 0 || t.l == 2 && leaves < 2*sets*x {
		return false
	}
	rest := t.d / t.w // endpoints of a leaf
	for range t.f - 1 {
		if rest%x != 0 {
			return false
		}
		rest /= x
	}
	return true
}
