package branch

// A tree of wide spaces that has taken coarseFrom goes on in stages: what is better than the front by no more than an epsilon waits until nothing else is left.
// Then the front is complete within that (objectives.Front.Within), and what waits is taken up within the next epsilon, at last exactly. Bounds of boxes are loose
// by some parts in a hundred, which are most of them: of seven families at 65,536 endpoints (scale65k.toml) 10 % takes 50 CPU s, 5 % 100, 2 % 185, 1 % 230, and all of it 340; of a million (scale1m.toml) 100 % takes some 30.
var epsilons = []float64{4, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01}

// coarseFrom is the work, ns as it is modelled, from which a tree takes stages: what ends before is complete without. From four times as much on, the same tree was within 50 % after 74 CPU s, and no
// sooner within 10 %; trees of 13 s (scale16k_enough.toml) take as long with stages as without. var for tests.
var coarseFrom = 5e9

// coarsen begins the first stage, or ends all where too much waits.
func (e *Enumeration) coarsen() {
	switch {
	case len(e.later)+len(e.laterDesigns) > e.most:
		e.endStages()
	case e.stages == 0 && e.wide && e.ref == nil && e.p.Slack == nil && e.Spent() >= coarseFrom:
		// What is excluded for being near a design must not be near one that is excluded so in turn: that would be any number of epsilons from the front. So only
		// designs that were evaluated exclude by more than they dominate.
		e.front = *e.evaluated()
		if e.Remote != nil {
			e.log, e.logged = e.front.Held(), new(int)
		}
		e.nextStage()
	}
}

// nextStage goes on with the next epsilon that is more than the study tolerates.
func (e *Enumeration) nextStage() {
	for e.stages < len(epsilons) {
		e.eps = epsilons[e.stages]
		if e.stages++; e.eps > e.p.Tolerance {
			return
		}
	}
	e.eps = 0
}

// finer takes up what waits for the next stage, and reports whether there is one.
func (e *Enumeration) finer() bool {
	if e.eps == 0 {
		return false
	}
	e.nextStage()
	later, designs := e.later, e.laterDesigns
	e.later, e.laterDesigns = nil, nil
	for i := range later {
		n := &later[i]
		if e.waiting[n.space]--; e.Abandoned[n.space] {
			e.parked = append(e.parked, *n)
		} else {
			e.push(n)
		}
	}
	for _, s := range designs {
		if e.Abandoned[s.Space] {
			e.parkedDesigns = append(e.parkedDesigns, s)
		} else {
			e.await([]Survivor{s})
		}
	}
	return true
}

// endStages takes up all that waits, to be searched exactly.
func (e *Enumeration) endStages() {
	if e.stages = len(epsilons); e.eps > 0 {
		e.finer()
	}
}
