package disktest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// durable is what a power failure may leave of a folder: of each file the bytes that were last synced, or more of those written
// since; of what was made, renamed and removed the first part in its order, as journalling file systems have it, and at least
// what a sync of the folder has made durable.
type durable struct {
	root  string
	nodes []*node
	live  map[uint64]*node // by inode
	log   []change
	safe  int // changes that are durable
}

// node is a file or a folder that was there at some time.
type node struct {
	entries map[string]*node // of a folder, as they are durable
	synced  []byte           // of a file; nil: never
	last    []byte           // of a file that is gone: what it held
}

// change of a folder: a name is given, or taken away, or both at once.
type change struct {
	from, to         *node // folders; nil: none
	fromName, toName string
	what             *node
}

func newDurable(root string) (*durable, error) {
	d := &durable{root: root, live: map[uint64]*node{}}
	_, err := d.scan(root)
	return d, err
}

// scan takes what is there for durable.
func (d *durable) scan(path string) (*node, error) {
	ino, dir, err := inode(path)
	if err != nil {
		return nil, err
	}
	n := d.add(ino, dir)
	if !dir {
		n.synced, err = os.ReadFile(path)
		return n, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if n.entries[e.Name()], err = d.scan(filepath.Join(path, e.Name())); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (d *durable) add(ino uint64, dir bool) *node {
	n := new(node)
	if dir {
		n.entries = map[string]*node{}
	}
	d.nodes = append(d.nodes, n)
	d.live[ino] = n
	return n
}

func inode(path string) (ino uint64, dir bool, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return 0, false, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false, fmt.Errorf("%s has no inode", path)
	}
	return s.Ino, info.IsDir(), nil
}

// at is what is at a path now, nil if nothing is.
func (d *durable) at(path string) *node {
	ino, _, err := inode(path)
	if err != nil {
		return nil
	}
	return d.live[ino]
}

func (d *durable) link(path string) {
	ino, dir, err := inode(path)
	if err != nil {
		return
	}
	d.log = append(d.log, change{to: d.at(filepath.Dir(path)), toName: filepath.Base(path), what: d.add(ino, dir)})
}

// keep remembers what a file holds that is about to go.
func (d *durable) keep(path string) {
	if n := d.at(path); n != nil && n.entries == nil {
		n.last, _ = os.ReadFile(path)
	}
}

func (d *durable) remove(path string) error {
	n, dir := d.at(path), d.at(filepath.Dir(path))
	d.keep(path)
	ino, _, _ := inode(path)
	if err := os.Remove(path); err != nil {
		return err
	}
	delete(d.live, ino)
	d.log = append(d.log, change{from: dir, fromName: filepath.Base(path), what: n})
	return nil
}

func (d *durable) rename(from, to string) error {
	d.keep(to)
	old, _, missing := inode(to)
	c := change{d.at(filepath.Dir(from)), d.at(filepath.Dir(to)), filepath.Base(from), filepath.Base(to), d.at(from)}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if missing == nil {
		delete(d.live, old)
	}
	d.log = append(d.log, c)
	return nil
}

// sync makes durable what a file holds, or what was done to a folder until now.
func (d *durable) sync(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s has no inode", f.Name())
	}
	n := d.live[s.Ino]
	if n == nil {
		return nil // it has no name
	}
	if n.entries == nil {
		n.synced, err = os.ReadFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
		if n.synced == nil {
			n.synced = []byte{}
		}
		return err
	}
	for i, c := range d.log {
		if c.from == n || c.to == n {
			d.safe = max(d.safe, i+1)
		}
	}
	return nil
}

// recover leaves what a power failure may leave, as drawn.
func (d *durable) recover(rng *rand.Rand) error {
	held := map[*node][]byte{}
	root := d.at(d.root)
	if err := d.gather(d.root, held); err != nil {
		return err
	}
	for _, c := range d.log[:d.safe+rng.IntN(len(d.log)-d.safe+1)] {
		if c.from != nil {
			delete(c.from.entries, c.fromName)
		}
		if c.to != nil {
			c.to.entries[c.toName] = c.what
		}
	}
	for _, n := range d.nodes { // in the order in which they came, not in that of a map
		if n.entries != nil {
			continue
		}
		now, ok := held[n]
		if !ok {
			now = n.last
		}
		n.last = left(n.synced, now, rng)
	}
	entries, err := os.ReadDir(d.root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(d.root, e.Name())); err != nil {
			return err
		}
	}
	return root.write(d.root)
}

// gather reads what files hold now.
func (d *durable) gather(path string, held map[*node][]byte) error {
	return filepath.WalkDir(path, func(p string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			held[d.at(p)], err = os.ReadFile(p)
		}
		return err
	})
}

// left is what is left of a file: what was synced, what it holds, or what was synced and a part of what came since, of which
// the end may be zeros.
func left(synced, now []byte, rng *rand.Rand) []byte {
	switch rng.IntN(3) {
	case 0:
		return synced
	case 1:
		return now
	}
	if !bytes.HasPrefix(now, synced) {
		return synced
	}
	rest := now[len(synced):]
	out := bytes.Clone(now[:len(synced)+rng.IntN(len(rest)+1)])
	if rng.IntN(2) == 0 {
		clear(out[len(synced)+(len(out)-len(synced))/2:])
	}
	return out
}

func (n *node) write(path string) error {
	for name, e := range n.entries {
		p := filepath.Join(path, name)
		if e.entries == nil {
			if err := os.WriteFile(p, e.last, 0o644); err != nil {
				return err
			}
			continue
		}
		if err := os.Mkdir(p, 0o755); err != nil {
			return err
		}
		if err := e.write(p); err != nil {
			return err
		}
	}
	return nil
}
