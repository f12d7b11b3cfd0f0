package remote

// Costs are what a run with workers takes beside what workers compute, s: measured by BenchmarkQueue, and on what it was measured.
type Costs struct {
	Design float64 // of the coordinator for each design: its answer read, judged and journalled
	Task   float64 // and for each task: a message each way, and the queue
	Trip   float64 // of a batch, from the last answer to the first task of the next
}

// Rate models a run: designs a second that so many workers of one core evaluate that take each s for a design, in batches of as many designs as
// are evaluated together. A batch ends with its last task; what the coordinator does is taken to come on top, since half of it does: the first
// answers wait for their workers, and the last for what was read before. Strategies, bounds and simulations are not in it.
func (c Costs) Rate(workers, batch int, each float64) float64 {
	return float64(batch) / (c.beside(c.inTask(batch, workers, each), workers, batch, each) + float64(batch)*c.Design)
}

// beside is what a batch takes but for what each design does, in tasks of n.
func (c Costs) beside(n, workers, batch int, each float64) float64 {
	tasks := (batch + n - 1) / n
	rounds := (tasks + workers - 1) / workers
	return c.Trip + float64(rounds*n)*each + float64(tasks)*c.Task
}

// mostInTask bounds the designs of a task: a message is little beside as many.
const mostInTask = 64

// inTask is how many designs of a batch a task has best: few where they take long, so that workers end together, many where messages take longer.
func (c Costs) inTask(batch, workers int, each float64) int {
	best := 1
	for n := 2; n <= mostInTask; n *= 2 {
		if c.beside(n, max(1, workers), batch, each) < c.beside(best, max(1, workers), batch, each) {
			best = n
		}
	}
	return best
}

// onTwoCores are the costs where the run, the queue and 64 simulated workers share two cores (BenchmarkQueue).
var onTwoCores = Costs{Design: 9e-6, Task: 100e-6, Trip: 1e-3}

// firstEach is what a design is taken to take before one was evaluated, s.
const firstEach = 0.01
