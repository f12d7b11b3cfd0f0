package study

import (
	"path/filepath"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/internal/tomlfile"
)

// What a file is, by its content.
const (
	isStudy       = "study"
	isConstraints = "constraint file"
	isCatalogue   = "catalogue"
)

// CheckFiles reads each file as what its content says it is, a study with everything that it
// names, and gives every finding of all of them, sorted.
func CheckFiles(paths []string) diag.List { return CheckFilesTelling(paths, nil) }

// CheckFilesTelling is CheckFiles; tell, unless it is nil, is called with what was understood of each sheet of a
// price list, those that a study names included.
func CheckFilesTelling(paths []string, tell func(catalog.Sheet)) diag.List {
	var l diag.List
	for _, p := range paths {
		l.Add(checkFile(p, tell)...)
	}
	l.Sort()
	return l
}

// IsStudy reports whether a file is a study, by its keys.
func IsStudy(path string) bool {
	data, err := readInput(path)
	if err != nil {
		return false
	}
	kind, _ := recognise(path, data)
	return kind == isStudy
}

func checkFile(path string, tell func(catalog.Sheet)) diag.List {
	var l diag.List
	file, _, _ := catalog.SplitSheet(path)
	data, err := readInput(file)
	if err != nil {
		l.Errorf(diag.Pos{File: path}, "cannot read the file: %v", err)
		return l
	}
	switch kind, fault := recognise(path, data); kind {
	case isStudy:
		_, l = Load(path)
		if files, opt, faults := Lists(path); tell != nil && !faults.HasErrors() && len(files) > 0 {
			opt.Tell = tell
			catalog.LoadWith(opt, files...) // its findings are among those of the study
		}
	case isConstraints:
		_, l = constraints.Read(catalog.Currency{Lenient: true}, constraints.File{Path: path, Data: data})
	case isCatalogue:
		_, l = catalog.Read(path, data, catalog.LoadOptions{Tell: tell})
	default:
		l = fault
	}
	return l
}

// studyKeys are those of a study that a constraint file has not.
var studyKeys = []string{"endpoints", "space", "objective", "search", "verify", "require", "constraints", "catalog", "availability", "tco", "workload"}

// recognise says what a file is: a workbook or a text with a head row is a catalogue, TOML is a
// study or a constraint file by its keys. What is none of them is explained.
func recognise(path string, data []byte) (string, diag.List) {
	var l diag.List
	switch strings.ToLower(filepath.Ext(strings.SplitN(path, "#", 2)[0])) {
	case ".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".ods":
		return isCatalogue, nil
	}
	if strings.HasPrefix(string(data[:min(len(data), 4)]), "PK\x03\x04") {
		return isCatalogue, nil
	}
	t := tomlfile.Parse(path, data, &l)
	if t == nil {
		if strings.EqualFold(filepath.Ext(path), ".toml") || !catalog.LooksLikeCatalogue(data) {
			return "", l
		}
		return isCatalogue, nil
	}
	st, con := 0, 0
	for _, e := range t.Entries {
		if slices.Contains(studyKeys, e.Key) {
			st++
		}
		if slices.Contains(constraints.Sections, e.Key) {
			con++
		}
	}
	switch {
	case st == 0 && con == 0 && len(t.Entries) > 0 && t.Entries[0].Key != "name":
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: t.Entries[0].Pos, Summary: "this is neither a study nor a constraint file: it has no table of either",
			Detail: "a study has [endpoints], [space] and [[objective]]; a constraint file [" + strings.Join(constraints.Sections, "], [") + "]"})
		return "", l
	case st >= con:
		return isStudy, nil
	}
	return isConstraints, nil
}
