package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"toposearch/diag"
	"toposearch/report/draw"
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{"breakable": breakable}).ParseFS(assets, "assets/*.html"))
})

// breakable lets the name of a design wrap after its commas.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(draw.Clean(name)), ",", ",<wbr>"))
}

// WriteHTML writes the report as one page that loads nothing from anywhere: styles, scripts and
// data are inside it, and its content security policy forbids the rest. Without scripts, and on
// paper, it shows the same figures with static charts.
func WriteHTML(w io.Writer, d *Data) error {
	p := &page{Data: d, Style: template.CSS(asset("app.css")), picks: Picks(d), styles: newStyles(d), detailOf: map[int]string{}}
	var hashes []string
	for _, name := range scripts {
		s := asset(name)
		sum := sha256.Sum256([]byte(s))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		p.Scripts = append(p.Scripts, template.JS(s))
	}
	p.CSP = "default-src 'none'; script-src " + strings.Join(hashes, " ") +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
	for i, det := range d.Details {
		p.detailOf[det.Point] = fmt.Sprintf("d-%d", i+1)
	}
	p.head()
	p.cards()
	p.incumbents()
	p.front()
	p.details()
	p.rejected()
	p.run()
	js, err := payload(p)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p.JSON = template.JS(js)
	var text strings.Builder
	if err := pageTemplate().ExecuteTemplate(&text, "page.html", p); err != nil {
		return fmt.Errorf("report: cannot make the page: %w", err)
	}
	// No name turns the direction of writing around, or has characters that are not seen. The page and its
	// scripts hold none of their own.
	if _, err := io.WriteString(w, diag.Visible(text.String())); err != nil {
		return fmt.Errorf("report: cannot write the page: %w", err)
	}
	return nil
}
