package constraints

import (
	"fmt"
	"reflect"
	"testing"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/internal/tomlfile"
	"toposearch/internal/tomlfile/keytest"
)

// TestKeys: what help says of a constraint file is what its reader takes, key by key, and a default that is written
// changes nothing.
func TestKeys(t *testing.T) {
	keytest.Check(t, Keys(), nil, func(s *tomlfile.Section, line, key string) (*tomlfile.Table, diag.List) {
		var l diag.List
		b := &builder{diags: &l}
		tree := tomlfile.Parse("site.toml", []byte(keytest.Written(s, line, key)), &l)
		if tree != nil {
			b.file(tree)
			b.power()
			b.finish()
		}
		return tree, l
	})
	options := func(text string) (o evaluator.Options) {
		set, l := Read(catalog.Currency{}, File{"site.toml", []byte(text)})
		if set == nil {
			t.Fatalf("%s: %v", text, l)
		}
		set.Apply(&o)
		o.Site.FillDefaults()
		return o
	}
	for _, s := range Keys() {
		for _, key := range s.Keys {
			if key.Default == "" {
				continue
			}
			line := fmt.Sprintf("%s = %s\n", key.Name, key.Default)
			if with := options(keytest.Written(&s, line, key.Name)); !reflect.DeepEqual(with, options("")) {
				t.Errorf("[%s] %s is not the default: %+v", s.Name, line, with)
			}
		}
	}
}
