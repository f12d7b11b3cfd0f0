package evaluator

var bisectionGroup = group{keys: []Key{Bisection}, methods: []method{{name: "x", level: 2, applies: func(w *work) string { return "todo" }}}}
var failGroup = group{keys: []Key{MeanPathLinksFail}, methods: []method{{name: "x", level: 2, applies: func(w *work) string { return "todo" }}}}
var routesGroup = group{keys: []Key{ShortestPaths}, methods: []method{{name: "x", level: 2, applies: func(w *work) string { return "todo" }}}}
var tubGroup = group{keys: []Key{TUB}, methods: []method{{name: "x", level: 2, applies: func(w *work) string { return "todo" }}}}

type classLoads struct{}
