package tomlfile

import (
	"math"
	"strconv"
	"strings"

	"toposearch/internal/unit"
)

// Section describes a table of a file: what its decoder takes, for help and for editors. Tests of the decoders hold
// them to it, key by key. What is a table and may be something else, too, is a key of the table around it as well.
type Section struct {
	Name string // dotted path; "" for the top of the file
	List bool   // written [[name]], any number of times
	Doc  string
	Keys []Key
	Few  int // of keys that are much alike help shows so many; 0: all
	// Other is what any further key may hold whose name is not known beforehand, a size of a job such as 64; nil if there is
	// none.
	Other *Form
}

// Key describes a key.
type Key struct {
	Name    string
	Form    Form
	Needed  bool
	Default string // what holds without it, as it would be written; "" where that is nothing, or no single value
	// Else says what holds without it where that cannot be written, or would bind if it were: "as many as make it square".
	Else    string
	Example string // as it would be written; "" where Default is one
	Doc     string
}

// Without says what holds without the key; "" if nothing does.
func (k *Key) Without() string {
	if k.Else != "" {
		return k.Else
	}
	return k.Default
}

// Shown is a value that the key may have, as it would be written.
func (k *Key) Shown() string {
	if k.Example != "" {
		return k.Example
	}
	return k.Default
}

// Form is what a value may be, as a JSON Schema (draft 2020-12) of it.
type Form map[string]any

// Words is any text.
func Words() Form { return Form{"type": "string", "minLength": 1} }

// Flag is true or false.
func Flag() Form { return Form{"type": "boolean"} }

// Whole is a whole number in lo..hi.
func Whole(lo, hi int64) Form { return Form{"type": "integer", "minimum": lo, "maximum": hi} }

// Real is a number in lo..hi, which may be infinite.
func Real(lo, hi float64) Form {
	f := Form{"type": "number"}
	if !math.IsInf(lo, 0) {
		f["minimum"] = lo
	}
	if !math.IsInf(hi, 0) {
		f["maximum"] = hi
	}
	return f
}

// Quantity is a text such as "400 Gb/s".
func Quantity(k unit.Kind) Form {
	return Form{"type": "string", "pattern": `^\s*\+?[0-9.]`, "description": k.Remedy()}
}

// Amount is a text such as "12 MUSD".
func Amount() Form {
	return Form{"type": "string", "pattern": "[0-9]", "description": `an amount of money with its currency, such as "12 MUSD"`}
}

// Day is a date.
func Day() Form { return Form{"type": "string", "format": "date"} }

// OneOf is one of some words.
func OneOf(words ...string) Form { return Form{"enum": words} }

// Items is a list.
func Items(of Form) Form { return Form{"type": "array", "items": of} }

// Either is any of some forms.
func Either(forms ...Form) Form { return Form{"anyOf": forms} }

// Record is a table of keys, and of others if there is a form for them.
func Record(other *Form, keys ...Key) Form { return (&Section{Keys: keys, Other: other}).schema() }

// Range is { min = ..., max = ... } of a form.
func Range(of Form) Form { return Record(nil, Key{Name: "min", Form: of}, Key{Name: "max", Form: of}) }

// AtMost is a value or { max = ... }; with both, { min = ... } too.
func AtMost(of Form, both bool) Form {
	if both {
		return Either(of, Range(of))
	}
	return Either(of, Record(nil, Key{Name: "max", Form: of}))
}

// schema is the form of a table.
func (s *Section) schema() Form {
	properties := map[string]any{}
	var needed []string
	for i := range s.Keys {
		k := &s.Keys[i]
		f := Form{}
		for word, x := range k.Form {
			f[word] = x
		}
		if k.Doc != "" {
			f["description"] = k.Doc
		}
		if x, ok := k.defaultValue(); ok {
			f["default"] = x
		}
		properties[k.Name] = f
		if k.Needed {
			needed = append(needed, k.Name)
		}
	}
	f := Form{"type": "object", "properties": properties, "additionalProperties": false}
	if s.Other != nil {
		f["additionalProperties"] = *s.Other
	}
	if needed != nil {
		f["required"] = needed
	}
	if s.Doc != "" {
		f["description"] = s.Doc
	}
	return f
}

// defaultValue is the default in JSON: those of lists and tables are in no schema.
func (k *Key) defaultValue() (any, bool) {
	if x, err := strconv.Unquote(k.Default); err == nil {
		return x, true
	}
	if x, err := strconv.ParseBool(k.Default); err == nil && len(k.Default) > 1 { // 1 is a number
		return x, true
	}
	if x, err := strconv.ParseInt(k.Default, 10, 64); err == nil {
		return x, true
	}
	x, err := strconv.ParseFloat(k.Default, 64)
	return x, err == nil
}

// Schema is the JSON Schema of a file of these sections, the top first and each before those inside it: editors complete
// and check by it. A table that may stand for the value of a key of its name is one of what that may be.
func Schema(title string, sections []Section) map[string]any {
	made := map[string]Form{}
	for i := range sections {
		s := &sections[i]
		f := s.schema()
		made[s.Name] = f
		if s.Name == "" {
			continue
		}
		within, name := "", s.Name
		if dot := strings.LastIndexByte(s.Name, '.'); dot >= 0 {
			within, name = s.Name[:dot], s.Name[dot+1:]
		}
		properties := made[within]["properties"].(map[string]any)
		switch key := properties[name]; {
		case s.List:
			properties[name] = Items(f)
		case key != nil:
			properties[name] = Either(key.(Form), f)
		default:
			properties[name] = f
		}
	}
	root := made[""]
	root["$schema"], root["title"] = "https://json-schema.org/draft/2020-12/schema", title
	return root
}

// Names lists the dotted paths of all keys of a table and those inside it, tables included.
func (t *Table) Names() []string {
	var out []string
	for _, e := range t.Entries {
		name := e.Key
		if t.Name != "" {
			name = t.Name + "." + e.Key
		}
		out = append(out, name)
		if e.Value.Kind == TableKind {
			out = append(out, e.Value.Table.Names()...)
		}
	}
	return out
}

// Asked lists the keys that a decoder asked a table for, present or not.
func (t *Table) Asked() []string { return t.asked }
