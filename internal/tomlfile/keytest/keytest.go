// Package keytest holds descriptions of keys (tomlfile.Section) against the readers that take them.
package keytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"toposearch/diag"
	"toposearch/internal/tomlfile"
)

// Check reads every table with each of its keys once. read gets the table, a line to put into it and the key of that line,
// and gives the tree that was read and what was found. Examples have to be read without an error, a reader may ask for no
// key that is not described, and every key that is described has to be asked for. Bounds, { min, max }, need no description,
// nor does what begins with one of free, such as "space.".
func Check(t *testing.T, sections []tomlfile.Section, free []string, read func(s *tomlfile.Section, line, key string) (*tomlfile.Table, diag.List)) {
	t.Helper()
	k := keys{}
	for i := range sections {
		s := &sections[i]
		for j := range s.Keys {
			key := &s.Keys[j]
			tree, l := read(s, fmt.Sprintf("%s = %s\n", key.Name, key.Shown()), key.Name)
			if l.HasErrors() || tree == nil {
				t.Errorf("[%s] %s = %s: %v", s.Name, key.Name, key.Shown(), l)
				continue
			}
			k.walk(tree)
		}
	}
	k.compare(t, described(sections), free)
}

// Written is a table with the keys that it needs, each by its example, and one more line, of a key.
func Written(s *tomlfile.Section, line, key string) string {
	var b strings.Builder
	switch {
	case s.List:
		fmt.Fprintf(&b, "[[%s]]\n", s.Name)
	case s.Name != "":
		fmt.Fprintf(&b, "[%s]\n", s.Name)
	}
	for i := range s.Keys {
		if k := &s.Keys[i]; k.Needed && k.Name != key {
			fmt.Fprintf(&b, "%s = %s\n", k.Name, k.Shown())
		}
	}
	return b.String() + line
}

// keys are those of tables, by the name of the table.
type keys map[string]map[string]bool

func (k keys) add(table, key string) {
	if k[table] == nil {
		k[table] = map[string]bool{}
	}
	if key != "" {
		k[table][key] = true
	}
}

// walk adds what was asked of a table and of those inside it.
func (k keys) walk(t *tomlfile.Table) {
	for _, key := range t.Asked() {
		k.add(t.Name, key)
	}
	for _, e := range t.Entries {
		for _, v := range append([]*tomlfile.Value{e.Value}, e.Value.Items...) {
			if v.Kind == tomlfile.TableKind {
				k.walk(v.Table)
			}
		}
	}
}

// described are the keys of sections; a table is one of the table around it, too.
func described(sections []tomlfile.Section) keys {
	k := keys{}
	for _, s := range sections {
		k.add(s.Name, "")
		for _, key := range s.Keys {
			k.add(s.Name, key.Name)
		}
		if dot := strings.LastIndexByte(s.Name, '.'); dot >= 0 {
			k.add(s.Name[:dot], s.Name[dot+1:])
		} else {
			k.add("", s.Name)
		}
	}
	return k
}

func (k keys) compare(t *testing.T, described keys, free []string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(described)) {
		for _, key := range slices.Sorted(maps.Keys(described[table])) {
			if !k[table][key] {
				t.Errorf("[%s] %s is described, and no reader takes it", table, key)
			}
		}
	}
	for _, table := range slices.Sorted(maps.Keys(k)) {
		for _, key := range slices.Sorted(maps.Keys(k[table])) {
			bound := described[table] == nil && (key == "min" || key == "max")
			name := table + "." + key
			if !bound && !described[table][key] && !slices.ContainsFunc(free, func(f string) bool { return strings.HasPrefix(name, f) }) {
				t.Errorf("[%s] %s is read and not described", table, key)
			}
		}
	}
}
