package main

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/simcore/flit"
)

// settable gives, by their keys in JSON, the settings of a simulation that hold one number, word or
// truth value.
func settable(c *flit.Config) ([]string, map[string]reflect.Value) {
	var keys []string
	at := map[string]reflect.Value{}
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		switch v.Field(i).Kind() {
		case reflect.Int, reflect.Float64, reflect.Bool, reflect.String:
			if key != "" && key != "-" {
				keys = append(keys, key)
				at[key] = v.Field(i)
			}
		}
	}
	return keys, at
}

// settings are all that can be set, and their values.
func settings(c *flit.Config) map[string]any {
	out := map[string]any{}
	_, at := settable(c)
	for key, v := range at {
		out[key] = v.Interface()
	}
	return out
}

// setConfig applies KEY=VALUE settings, and reports every bad one.
func setConfig(c *flit.Config, settings []string) error {
	keys, at := settable(c)
	var errs []error
	for _, s := range settings {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("--set %s is not KEY=VALUE", s))
			continue
		}
		v, ok := at[key]
		if !ok {
			remedy := diag.Suggest(key, keys)
			if remedy == "" {
				remedy = "there are " + strings.Join(keys, ", ")
			}
			errs = append(errs, fmt.Errorf("--set %s: there is no setting %q; %s", s, key, remedy))
			continue
		}
		if want := setValue(v, value); want != "" {
			errs = append(errs, fmt.Errorf("--set %s: %q is not %s", s, value, want))
		}
	}
	return errors.Join(errs...)
}

// setValue parses a value for what it is to become; the answer is what was expected, if it is not that.
func setValue(v reflect.Value, text string) string {
	switch v.Kind() {
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
