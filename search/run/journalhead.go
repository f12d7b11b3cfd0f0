package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/study"
)

// JournalSchema names the form of journal.jsonl.
const JournalSchema = "toposearch.journal/2"

// journalHead is the first line. It names all that metrics depend on besides the design.
type journalHead struct {
	Schema    string `json:"schema"`
	Key       string `json:"key"` // of Evaluator, Catalogue, Options and Asked together
	Evaluator string `json:"evaluator"`
	Catalogue string `json:"catalogue"` // hash of its parts
	Options   string `json:"options"`   // hash of the options of the evaluation
	Network   string `json:"network"`   // hash of the part of all these that figures of the network depend on (evaluator.NetworkFacts)
	Asked     string `json:"asked"`     // metrics that are computed by name, beyond level 1, joined by commas
}

// newJournalHead hashes catalogue and options. Where the files lay does not count.
func newJournalHead(st *study.Study) (journalHead, error) {
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return journalHead{}, err
	}
	p, err := search.NewProblem(st, ev)
	if err != nil {
		return journalHead{}, err
	}
	var parts []catalog.Part
	opt := st.Options
	cat := opt.Catalog
	if cat == nil {
		cat = st.Catalogue
	}
	if cat != nil {
		parts = append(parts, cat.Parts...)
	}
	for i := range parts {
		parts[i].Pos = diag.Pos{}
	}
	opt.Catalog = nil
	var asked []string
	for _, k := range p.Request.Keys {
		asked = append(asked, metric.Keys[k].Name)
	}
	h := journalHead{Schema: JournalSchema, Evaluator: evaluator.Version, Asked: strings.Join(asked, ",")}
	if h.Catalogue, err = digest(parts); err != nil {
		return h, err
	}
	if h.Options, err = digest(opt); err != nil {
		return h, err
	}
	if h.Network, err = digest([]any{h.Evaluator, ev.NetworkFacts()}); err != nil {
		return h, err
	}
	h.Key, err = digest([]string{h.Evaluator, h.Catalogue, h.Options, h.Asked})
	return h, err
}

// asked are the metrics that entries of the journal were computed for by name.
func (h *journalHead) asked() (keys []metric.Key) {
	for _, name := range strings.Split(h.Asked, ",") {
		if k, ok := metric.KeyOf(name); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// digest is the first 64 bits of a SHA-256 over JSON, in hexadecimal.
func digest(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("search: hash of the inputs: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// formerSchema is the form of journals whose lines had no checksums.
const formerSchema = "toposearch.journal/1"

// headOf reads the first line of a journal: body is what unseal gave of it, nil if it is not as it was written,
// raw the line as it stands. A journal of another form is ErrVersion; what cannot be read gives an empty head.
func headOf(body, raw []byte) (journalHead, error) {
	var h journalHead
	if body == nil {
		if json.Unmarshal(raw, &h) != nil || h.Schema != formerSchema || bytes.Contains(raw, []byte(sealSum)) {
			return journalHead{}, nil
		}
	} else if json.Unmarshal(object(body), &h) != nil || !strings.HasPrefix(h.Schema, "toposearch.journal/") {
		return journalHead{}, nil
	}
	if h.Schema != JournalSchema {
		return h, fmt.Errorf("%w: it is of the form %s, this version reads and writes %s, whose lines have checksums; start a new run", ErrVersion, h.Schema, JournalSchema)
	}
	return h, nil
}

// firstHead reads the head of a journal: an empty one if it is damaged, io.EOF if there is none.
func firstHead(path string) (journalHead, error) {
	f, err := openFile(path)
	if err != nil {
		return journalHead{}, err
	}
	defer f.Close()
	s, err := scanFile(f)
	if err != nil {
		return journalHead{}, err
	}
	body, raw, _, err := s.next()
	if err == nil && len(raw) == 0 {
		err = io.EOF
	}
	if err != nil {
		return journalHead{}, err
	}
	return headOf(body, raw)
}
