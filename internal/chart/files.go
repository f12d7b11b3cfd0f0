package chart

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/internal/disk"
)

// Named is a figure with the name of its file, without the ending.
type Named struct {
	Name   string
	Figure *Figure
}

// FormatOf is the format of a file by the ending of its name.
func FormatOf(path string) (string, error) {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if !slices.Contains(Formats, format) {
		return "", fmt.Errorf("%s: the name of a figure has to end in .svg, .pdf or .png", path)
	}
	return format, nil
}

// ParseFormats reads a list of formats such as "svg,pdf".
func ParseFormats(list string) ([]string, error) {
	var out []string
	for s := range strings.SplitSeq(list, ",") {
		s = strings.ToLower(strings.TrimSpace(s))
		if !slices.Contains(Formats, s) {
			return nil, fmt.Errorf("%q is no format of a figure; give some of svg,pdf,png", s)
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// Write draws a figure into a file, in the format that its name ends in.
func Write(path string, f *Figure) error {
	format, err := FormatOf(path)
	if err != nil {
		return err
	}
	b, err := Encode(f, format)
	if err != nil {
		return err
	}
	return disk.WriteNamedBytes(path, b)
}

// WriteAll writes each figure in each format into a folder, which it makes, and returns the files
// written.
func WriteAll(dir string, figures []Named, formats []string) ([]string, error) {
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("no folder for figures: %w", err)
	}
	var out []string
	for _, f := range figures {
		for _, format := range formats {
			path := filepath.Join(dir, f.Name+"."+format)
			if err := Write(path, f.Figure); err != nil {
				return out, err
			}
			out = append(out, path)
		}
	}
	return out, nil
}
