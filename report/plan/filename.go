package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// maxFileName bounds the name of a design's folder; file systems take 255 bytes.
const maxFileName = 100

// plainName is the form of every name that a family of the program can have.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\([a-z][a-z0-9]*=[a-z0-9_]+(,[a-z][a-z0-9]*=[a-z0-9_]+)*\))?$`)

// FileName turns the name of a design into the name of a folder that every file system takes and
// no shell must quote: zcube(n=64,k=2) is zcube_n64_k2, dragonfly(p=4,arrangement=palmtree) is
// dragonfly_p4_arrangement-palmtree. Other names get eight digits of their hash, so that different
// designs have different folders.
func FileName(design string) string {
	var b strings.Builder
	digit := func(i int) bool { return i >= 0 && i < len(design) && design[i] >= '0' && design[i] <= '9' }
	for i := 0; i < len(design); i++ {
		switch c := design[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_':
			b.WriteByte(c)
		case c == '(' || c == ',':
			b.WriteByte('_')
		case c == '=' && (digit(i-1) || !digit(i+1)):
			b.WriteByte('-') // d1=12 and d11=2 differ
		}
	}
	name := b.String()
	if !plainName.MatchString(design) || len(name) > maxFileName {
		sum := sha256.Sum256([]byte(design))
		name = strings.Trim(name[:min(len(name), maxFileName-9)]+"-"+hex.EncodeToString(sum[:4]), "-_")
	}
	return name
}
