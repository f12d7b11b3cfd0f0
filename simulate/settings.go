package simulate

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
)

// settable gives, by their keys in JSON, the settings of a simulation that hold one number, word or
// truth value, or a number that may be left to the routing. Targets are pointers to structs.
func settable(targets ...any) ([]string, map[string]reflect.Value) {
	var keys []string
	at := map[string]reflect.Value{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		for i := range v.NumField() {
			if v.Type().Field(i).Anonymous {
				visit(v.Field(i))
				continue
			}
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			switch v.Field(i).Kind() {
			case reflect.Int, reflect.Float64, reflect.Bool, reflect.String, reflect.Pointer:
				if key != "" && key != "-" {
					keys = append(keys, key)
					at[key] = v.Field(i)
				}
			}
		}
	}
	for _, target := range targets {
		visit(reflect.ValueOf(target).Elem())
	}
	return keys, at
}

// settings are all that can be set, and their values.
func settings(targets ...any) map[string]any {
	out := map[string]any{}
	_, at := settable(targets...)
	for key, v := range at {
		out[key] = v.Interface()
	}
	return out
}

// Set applies a setting, KEY=VALUE with a key of the configuration in the documents, to the switches or to what
// adaptive routings decide by. The error begins with the setting.
func Set(c *flit.Config, t *route.Tuning, setting string) error {
	key, value, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("%q is not KEY=VALUE", setting)
	}
	keys, at := settable(c, t)
	v, ok := at[key]
	if !ok {
		remedy := diag.Suggest(key, keys)
		if remedy == "" {
			remedy = "there are " + strings.Join(keys, ", ")
		}
		return fmt.Errorf("%q: there is no setting %q; %s", setting, key, remedy)
	}
	if want := setValue(v, value); want != "" {
		return fmt.Errorf("%q: %q is not %s", setting, value, want)
	}
	return nil
}

// setValue parses a value for what it is to become; the answer is what was expected, if it is not that.
func setValue(v reflect.Value, text string) string {
	switch v.Kind() {
	case reflect.Pointer:
		x := reflect.New(v.Type().Elem())
		if want := setValue(x.Elem(), text); want != "" {
			return want
		}
		v.Set(x)
	case reflect.Int:
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return "a whole number"
		}
		v.SetInt(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x != x {
			return "a number"
		}
		v.SetFloat(x)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return "true or false"
		}
		v.SetBool(b)
	case reflect.String:
		v.SetString(text)
	}
	return ""
}
