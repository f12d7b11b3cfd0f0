package branch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"

	"toposearch/internal/pack"
	"toposearch/objectives"
	"toposearch/search"
)

// A task may be worked on by another process, which has the same problem and the same front: it finds the same, to the bit. What goes there and comes
// back is packed: boxes are many and small.

// ErrTask is a packed task, or what became of one, that is not of this problem.
var ErrTask = errors.New("not a task of this problem")

// signature tells problems apart whose boxes mean something else.
func signature(p *search.Problem) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, p.Min, p.Max, p.Slack, p.Tolerance, p.CostAt, p.ThroughputAt, p.Objectives, p.Compared, "\n")
	for i := range p.Limits {
		l := &p.Limits[i]
		fmt.Fprint(h, l.Key, l.Name, l.Max, l.Bound, "\n")
	}
	for _, sp := range p.Spaces {
		fmt.Fprint(h, sp.Fam.Name, sp.Size, sp.Dims, "\n")
	}
	return h.Sum64()
}

// tasksElsewhere has tasks done by other processes, and tells which were.
func (e *Enumeration) tasksElsewhere(ctx context.Context, stacks [][]node, limit float64, steps int64) (done []bool, err error) {
	done = make([]bool, len(stacks))
	if e.Remote == nil || !e.Remote.TakesBoxes(e.lately) {
		return done, nil
	}
	packed := make([][]byte, len(stacks))
	for i := range stacks {
		packed[i] = e.packTask(stacks[i], limit, steps)
	}
	got, err := e.Remote.Boxes(ctx, e.logged, e.log, packed)
	if err != nil {
		return nil, err
	}
	for i, b := range got {
		if b == nil {
			continue
		}
		t := e.tasks[i]
		t.begin(&e.front, limit)
		if stacks[i], err = t.unpackResult(b); err != nil {
			return nil, fmt.Errorf("what became of boxes elsewhere: %w", err)
		}
		done[i] = true
	}
	return done, nil
}

func (e *Enumeration) packTask(stack []node, limit float64, steps int64) []byte {
	var w pack.Writer
	w.Fixed(signature(e.p))
	w.Float(limit)
	w.Int(int64(e.first))
	w.Int(steps)
	w.Floats(e.ref)
	w.Float(e.eps)
	packNodes(&w, stack)
	return w
}

// WorkTask works on a packed task against a front as another process has it, and packs what it finds. The error wraps ErrTask.
func WorkTask(p *search.Problem, front *search.Archive, packed []byte) ([]byte, error) {
	r := pack.NewReader(packed)
	if r.Fixed() != signature(p) {
		return nil, fmt.Errorf("%w: another signature", ErrTask)
	}
	t := newTask(p)
	limit := r.Float()
	t.first = int(r.Int())
	steps := r.Int()
	if t.ref = r.Floats(); len(t.ref) != 0 && len(t.ref) != len(p.Objectives) || t.first < 0 || t.first >= len(p.Objectives) {
		return nil, fmt.Errorf("%w: objectives", ErrTask)
	}
	t.easing = newEasing(p, r.Float())
	stack := unpackNodes(r, p)
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTask, err)
	}
	t.begin(front, limit)
	return t.packResult(t.run(stack, steps, taskSurvivors)), nil
}

// packResult packs what a task has found and what it leaves.
func (t *task) packResult(left []node) []byte {
	var w pack.Writer
	packNodes(&w, left)
	packNodes(&w, t.aside)
	packNodes(&w, t.later)
	packSurvivors(&w, t.out)
	w.Int(t.visits)
	w.Int(t.effort)
	for i := range t.spent {
		w.Int(t.spent[i])
		t.tally[i].Save(&w)
	}
	return w
}

// unpackResult takes over what packResult packed, and gives what is left.
func (t *task) unpackResult(b []byte) (left []node, err error) {
	r := pack.NewReader(b)
	left, t.aside, t.later = unpackNodes(r, t.p), unpackNodes(r, t.p), unpackNodes(r, t.p)
	t.out = unpackSurvivors(r, t.p)
	t.visits, t.effort = r.Int(), r.Int()
	for i := range t.spent {
		t.spent[i] = r.Int()
		t.tally[i].Load(r, t.p.Spaces[i])
	}
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTask, err)
	}
	return left, nil
}

func packNodes(w *pack.Writer, list []node) {
	w.Int(int64(len(list)))
	for i := range list {
		packNode(w, &list[i])
	}
}

func packNode(w *pack.Writer, n *node) {
	w.Int(int64(n.space))
	w.Int(int64(n.depth))
	w.Int(int64(n.lo))
	w.Int(int64(n.hi))
	for d := range int(n.depth) {
		w.Int(int64(n.index(d)))
	}
	w.Bool(n.checked)
	w.Int(int64(n.stage))
	w.Int(int64(n.seen))
	w.Float(n.key)
	w.Float(n.within)
	w.Floats(n.best)
}

// unpackNodes reads a list of boxes; one that is not of the problem ends the reader in error.
func unpackNodes(r *pack.Reader, p *search.Problem) (list []node) {
	for k := r.Count(8); k > 0; k-- {
		n := unpackNode(r, p)
		if r.Failed() {
			return nil
		}
		list = append(list, n)
	}
	return list
}

func unpackNode(r *pack.Reader, p *search.Problem) node {
	n := node{box: box{space: int16(r.Within(0, int64(len(p.Spaces)-1)))}}
	sp := p.Spaces[n.space]
	n.depth = int16(r.Within(0, int64(len(sp.Dims)-1)))
	most := int64(sp.DimAt(int(n.depth)).N) - 1
	n.lo = int32(r.Within(0, most))
	n.hi = int32(r.Within(int64(n.lo), most))
	if more := int(n.depth) - len(n.at); more > 0 {
		n.more = make([]int32, more)
	}
	for d := range int(n.depth) {
		x := int32(r.Within(0, int64(sp.DimAt(d).N)-1))
		if d < len(n.at) {
			n.at[d] = x
		} else {
			n.more[d-len(n.at)] = x
		}
	}
	n.checked = r.Bool()
	n.stage = stage(r.Within(0, math.MaxUint8))
	n.seen = int32(r.Within(0, math.MaxInt32))
	n.key, n.within = r.Float(), r.Float()
	if n.best = r.Floats(); n.best != nil && len(n.best) != len(p.Objectives) {
		r.Fail("a box of other objectives")
	}
	return n
}

func packSurvivors(w *pack.Writer, list []Survivor) {
	w.Int(int64(len(list)))
	for i := range list {
		s := &list[i]
		s.Candidate.Save(w)
		w.Floats(s.Best)
		w.Bool(s.certain)
		w.Floats(s.worst)
		w.Float(s.within)
	}
}

// unpackSurvivors reads a list of designs; one that is not of the problem ends the reader in error.
func unpackSurvivors(r *pack.Reader, p *search.Problem) (list []Survivor) {
	var enc search.Enclosure
	for n := r.Count(3); n > 0; n-- {
		s := Survivor{Candidate: p.LoadCandidate(r)}
		s.Best, s.certain, s.worst, s.within = r.Floats(), r.Bool(), r.Floats(), r.Float()
		if m := len(p.Objectives); r.Failed() || len(s.Best) != m || s.certain && len(s.worst) != m || p.Spaces[s.Space].Fam.Size(s.V, &enc.Low) != nil {
			r.Fail(fmt.Sprintf("design %v", s.Candidate))
			return nil
		}
		list = append(list, s)
	}
	return list
}

// Follow adds to a front what that of an enumeration took in, from the place that is named on.
func Follow(p *search.Problem, front *search.Archive, from int, points []objectives.Vector) {
	for i, v := range points {
		front.Tree.Add(&objectives.Point{Name: fmt.Sprint(from + i), V: v})
	}
	front.Tree.Prepare(max(p.ThroughputAt, 0))
}
