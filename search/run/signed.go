package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"toposearch/internal/disk"
)

// signHead stands between a document and the hash that ends it.
const signHead = ",\n  \"sha256\": \""

// signTail is what follows the hash.
const signTail = "\"\n}\n"

// encodeSigned is an object as indented JSON whose last member, "sha256", is the SHA-256 in hexadecimal of all
// bytes before the comma in front of it.
func encodeSigned(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(b, []byte("\n}"))
	return append(b, signature(b)...), nil
}

func signature(b []byte) string {
	sum := sha256.Sum256(b)
	return signHead + hex.EncodeToString(sum[:]) + signTail
}

// What the end of a document says about the rest.
type signState int

const (
	signedWell  signState = iota
	signedNot             // it has no hash: earlier versions wrote none
	signedOther           // its bytes are not those that were written
)

// checkSigned tells whether a document still has the bytes that encodeSigned gave.
func checkSigned(b []byte) signState {
	at := len(b) - len(signature(nil))
	switch {
	case at >= 0 && string(b[at:]) == signature(b[:at]):
		return signedWell
	case bytes.Contains(b, []byte(signHead)):
		return signedOther
	}
	return signedNot
}

// decodeSigned reads a document, and tells as checkSigned does whether it is what was written.
func decodeSigned(b []byte, path string, v any) (signState, error) {
	if err := json.Unmarshal(b, v); err != nil {
		return signedOther, fmt.Errorf("%s: %w", path, err)
	}
	return checkSigned(b), nil
}

// writeSigned writes a document by encodeSigned.
func writeSigned(path string, v any) error {
	b, err := encodeSigned(v)
	if err != nil {
		return err
	}
	return disk.WriteBytes(path, b)
}
