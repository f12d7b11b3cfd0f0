package run

// Names in a run directory.
const (
	manifestName   = "manifest.json"   // what the run was started from
	inputsName     = "inputs"          // copies of that
	journalName    = "journal.jsonl"   // what was computed
	checkpointName = "checkpoint.json" // where it stands
	savepointName  = "savepoint.bin"   // from where its search goes on
	frontName      = "front.json"      // what it has found
	lockName       = ".lock"           // whose lock says that a process works there
)

// What of a run directory another machine needs to compute for the run.
const (
	ManifestName = manifestName
	InputsName   = inputsName
)
