package run

// Names in a run directory.
const (
	manifestName   = "manifest.json"   // what the run was started from
	inputsName     = "inputs"          // copies of that
	journalName    = "journal.jsonl"   // what was computed
	checkpointName = "checkpoint.json" // where it stands
	frontName      = "front.json"      // what it has found
	lockName       = ".lock"           // whose lock says that a process works there
)

// What of a run directory another machine needs to compute for the run.
const (
	ManifestName = manifestName
	InputsName   = inputsName
)
