package study

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"toposearch/constraints"
	"toposearch/internal/tomlfile"
)

// compiled is the JSON Schema of sections, compiled by a validator.
func compiled(t *testing.T, sections []tomlfile.Section) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(tomlfile.Schema("test", sections))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("test.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid is what a validator finds in a text.
func valid(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestSchemas: what editors check by accepts every file that the program ships, and refuses what a reader refuses.
func TestSchemas(t *testing.T) {
	st, con := compiled(t, append(Keys(), WorkloadKeys()...)), compiled(t, constraints.Keys())
	dir := t.TempDir()
	files, err := Init(filepath.Join(dir, "pod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Examples() {
		more, err := InitExample(filepath.Join(dir, name), name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, f := range files {
		if filepath.Ext(f) != ".toml" {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s := con
		if kind, _ := recognise(f, text); kind == isStudy {
			s = st
		}
		if err := valid(t, s, string(text)); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, wrong := range [][2]string{
		{"count = { min = 1024, max = 1152 }", "count = \"many\""},
		{"bandwidth = \"400 Gb/s\"", "bandwidth = 400"},
		{"bandwidth =", "bandwith ="},
		{"families = [\"zcube\",", "families = [\"zcub\","},
		{"metric = \"cost\"", "metric = \"costs\""},
	} {
		text := strings.Replace(base, wrong[0], wrong[1], 1)
		if text == base {
			t.Fatalf("%q is not in the study", wrong[0])
		}
		if _, l := from(map[string]string{"study.toml": text}); !l.HasErrors() {
			t.Errorf("%s: the reader takes it", wrong[1])
		}
		if valid(t, st, text) == nil {
			t.Errorf("%s: the schema takes it", wrong[1])
		}
	}
	if valid(t, con, "[building]\npower = { most = \"2 MW\" }") == nil {
		t.Error("the schema of constraint files takes a bound that there is not")
	}
}
