// Package remote lets other machines compute for a run. The run's process, the coordinator, holds a NATS server with a JetStream work queue; workers take
// tasks from it, a few designs to evaluate or a finalist to simulate, and answer with the lines that the run's journal would hold, or boxes of an
// enumeration (boxes.go), and answer with what is left of them. The
// journal stays the truth and is written by the coordinator alone, in the order of a run on one machine: fronts and journals are the same bytes
// with any number of workers, also none.
//
// A coordinator has a name of its own, which tasks and answers bear: who has worked for one that is gone joins anew.
//
// A task is acknowledged once its answer has arrived; that of a worker that dies is given to another after AckWait. Answers are taken once, by the
// number of their task. The queue is in memory: a coordinator that is continued (toposearch resume) asks again for what the journal lacks.
//
// A worker is admitted if it has the program's version, and computes a sample of designs to the same bytes; of the tasks that follow one in
// RecheckEvery is computed here as well, and a worker that differs ends the run.
package remote

import (
	"encoding/json"
	"time"

	"toposearch/evaluator"
	"toposearch/internal/pack"
)

// Subjects, and the name of the queue: a server holds one run at a time.
const (
	streamName  = "toposearch"
	taskSubject = "toposearch.task"   // the queue
	joinSubject = "toposearch.join"   // a worker asks for the study
	doneSubject = "toposearch.answer" // an answer; the reply says that it arrived
	hereSubject = "toposearch.here"   // a worker is alive
	// A worker asks for what came to the front that boxes are pruned against.
	frontSubject = "toposearch.front"
	endSubject   = "toposearch.end" // the run has ended
)

// AckWait is how long a task is not given to another worker after its worker was last heard of; workers say that they are at it every Beat.
const (
	AckWait = 10 * time.Second
	Beat    = time.Second
)

// RecheckEvery is the number of tasks of which one is computed here as well.
const RecheckEvery = 64

// mostPayload bounds a message: the inputs of a study with its price lists and networks.
const mostPayload = 64 << 20

// A task is a few designs to evaluate, one to simulate, or boxes of an enumeration.
type task struct {
	// Run is the coordinator's name, drawn anew by each, so that nobody works or answers for one that is gone.
	Run     string             `json:"run"`
	ID      int64              `json:"id"`
	Designs []string           `json:"designs,omitempty"`
	Request *evaluator.Request `json:"request,omitempty"` // of an evaluation
	Traffic string             `json:"traffic,omitempty"` // of a simulation
	Routing string             `json:"routing,omitempty"`
	Boxes   []byte             `json:"boxes,omitempty"` // branch.WorkTask
	Front   *frontAt           `json:"front,omitempty"` // that they are pruned against
}

// frontAt is a front: the list of an enumeration, and how many of it count.
type frontAt struct {
	Of int64 `json:"of"`
	N  int   `json:"n"`
}

// frontAsk asks for a list from a place on.
type frontAsk struct {
	Run  string `json:"run"`
	Of   int64  `json:"of"`
	From int    `json:"from"`
}

// lines is how many a task is answered with.
func (t *task) lines() int {
	if t.Boxes != nil {
		return 1
	}
	return len(t.Designs)
}

// name is what people are told of it.
func (t *task) name() string {
	if t.Boxes != nil {
		return "boxes of the search"
	}
	return t.Designs[0]
}

// answer holds a line for each design of a task, or what became of boxes, or says why there is none.
type answer struct {
	Run    string
	ID     int64
	Worker string
	Lines  [][]byte
	Fault  string
	Took   float64 // s that designs took which were evaluated
	// Attempt counts the workers that were given the task, this one included. Deadly: after mostAttempts, so that it was not tried once more.
	Attempt uint64
	Deadly  bool
}

// encode packs an answer: one coordinator reads those of all workers.
func (a *answer) encode() []byte {
	var w pack.Writer
	w.Text(a.Run)
	w.Int(a.ID)
	w.Text(a.Worker)
	w.Int(int64(len(a.Lines)))
	for _, x := range a.Lines {
		w.Text(string(x))
	}
	w.Text(a.Fault)
	w.Float(a.Took)
	w.Int(int64(a.Attempt))
	w.Bool(a.Deadly)
	return w
}

func (a *answer) decode(b []byte) error {
	r := pack.NewReader(b)
	*a = answer{Run: r.Text(), ID: r.Int(), Worker: r.Text()}
	for n := r.Count(1); n > 0; n-- {
		a.Lines = append(a.Lines, []byte(r.Text()))
	}
	a.Fault, a.Took, a.Attempt, a.Deadly = r.Text(), r.Float(), uint64(r.Int()), r.Bool()
	return r.End()
}

// mostAttempts is how many workers may go down with a task before it is tried apart.
const mostAttempts = 4

// join is what a worker says of itself, and welcome what it is told.
type join struct {
	Worker, Program, Evaluator string
	Cores                      int
	// Proof are the lines of the sample, once it is known.
	Proof [][]byte `json:",omitempty"`
}

type welcome struct {
	Run     string // of the coordinator
	Refused string // why it may not work for this run
	Files   map[string][]byte
	Sample  *task
}

// stranger answers who has not joined this coordinator.
const stranger = "join first"

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("remote: " + err.Error()) // all types are ours
	}
	return b
}
