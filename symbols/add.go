package symbols

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/base/bug"
	"crashglass/core/dump/container"
	"crashglass/symbols/archives/archive"
	"crashglass/symbols/formats"
	"crashglass/symbols/formats/sniff"
	"crashglass/symbols/layout"
)

// maxNesting is how many archives a file may be in: a .sym.gz in a .zip. A
// compressed tar counts as one.
const maxNesting = 2

// memberHead is how many bytes of each member of an archive identify it: enough for the first lines
// of a symbol file, and for any magic number.
const memberHead = 16 << 10

// A Use says how a file can be used.
type Use int

// Uses of a file.
const (
	Nothing   Use = iota // it is neither, or cannot be read
	IsDump               // it is a dump: Item.Source is its content
	IsSymbols            // the Store keeps it
)

// An Item is one result of Add: the given file itself, or a member of an archive.
type Item struct {
	Name    string // with the archives that contain it, outermost first, separated by slashes
	Kind    sniff.Kind
	Use     Use
	Message string     // one sentence, or "" if the file is fine
	Source  bin.Source // of a dump
	Archive []string   // names of the archives that contain it, outermost first

	// Left is how many files this stands for that may be dumps or symbols and were not read: they are
	// damaged, encrypted, or beyond a limit. Message says why. A dump of which only the beginning was
	// decompressed counts as one.
	Left int

	unread  error  // why it could not be read
	release func() // nil if Source uses no memory
}

// Release frees the memory of a dump's Source, which cannot be read afterwards.
func (i *Item) Release() {
	if i.release != nil {
		i.release()
	}
}

// Add takes a file of any kind. It keeps symbol files, opens archives, and returns an Item for each
// file. Of an archive it lists only members that are dumps or symbols, or would be if they could be
// read.
func (s *Store) Add(name string, src bin.Source) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget.AddInput(src.Size())
	p := archivePath{name: name, label: name}
	return safely(p, func() []Item { return s.add(p, src) })
}

// A bug in a reader or a library costs that file only.
func safely(p archivePath, open func() []Item) (out []Item) {
	var err error
	func() {
		defer bug.Catch(&err)
		out = open()
	}()
	if err != nil {
		return []Item{p.unread(sniff.Unknown, err)}
	}
	return out
}

func inMemory(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// An archivePath is the location of a file: the archives that contain it.
type archivePath struct {
	name     string   // with the archives
	label    string   // without
	archives []string // labels
	block    int64    // how many bytes are decompressed to read any one
}

func (p archivePath) in(member string) archivePath {
	return archivePath{p.name + "/" + member, member, append(p.archives[:len(p.archives):len(p.archives)], p.label), p.block}
}

// unread returns the Item of a file that cannot be read, with the reason.
func (p archivePath) unread(k sniff.Kind, err error) Item {
	item := p.left(k, 1, "this cannot be read: "+err.Error())
	item.unread = err
	return item
}

// left is an Item of n files that were not read.
func (p archivePath) left(k sniff.Kind, n int, message string) Item {
	item := p.item(k, message)
	item.Left = n
	return item
}

// item describes a member of an archive, or a file.
func (p archivePath) item(k sniff.Kind, message string) Item {
	return Item{Name: p.name, Kind: k, Message: message, Archive: append([]string{}, p.archives...)}
}

// add identifies a file by its first bytes, and takes what it is: a dump, symbols, an archive to open, or nothing
// of use.
func (s *Store) add(p archivePath, src bin.Source) []Item {
	head, err := src.Read("start of the file", 0, uint64(min(src.Size(), sniff.Size)))
	if err != nil {
		return []Item{p.unread(sniff.Unknown, err)}
	}
	k := sniff.Of(head)
	k = textKind(k, src, func(done int64) error { return s.tick(p.name, done) })
	switch {
	case k.Dump():
		item := p.item(k, "")
		item.Use, item.Source = IsDump, src
		return []Item{item}
	case s.opt.formats[k].ByHead:
		return []Item{s.symbols(p, k, inMemory(head), src.Size(), inPlace(src))}
	case s.opt.formats.Native(k):
		return []Item{s.symbols(p, k, src, src.Size(), inPlace(src))}
	case k.Archive():
		return s.archive(p, k, src)
	case s.keepHidden(p, k, src), s.keepJava(k, src), s.keepPerf(p.name, k, src):
		item := p.item(k, "")
		item.Use = IsSymbols
		return []Item{item}
	default:
		return []Item{s.useless(p, k, src.Size())}
	}
}

// textKind returns the kind of a text that a dump or a report is in, or else k.
func textKind(k sniff.Kind, src bin.Source, progress func(done int64) error) sniff.Kind {
	if !k.Text() {
		return k
	}
	return sniff.InText(container.TextKind(src, progress), k)
}

// symbols keeps a symbol file of one module, or of one module for each of several CPUs. Only its
// identity is read now.
func (s *Store) symbols(p archivePath, k sniff.Kind, src bin.Source, size int64, c *content) Item {
	item := p.item(k, "")
	builds, err := s.opt.formats.Identify(k, src)
	if err != nil {
		s.files = append(s.files, newUseless(p.name, size, formats.Build{}, flawOf(err)))
		item.Message = "this is " + k.Noun() + " that cannot be read: " + err.Error()
		return item
	}
	for _, b := range builds {
		f := newFile(p.name, size, k, b, c)
		f.block = p.block
		s.files = append(s.files, f)
		item.Use = IsSymbols
		if f.id == "" && f.codeID == "" && !b.Split {
			item.Message = "this is " + k.Noun() + " that does not say which build it is of"
		}
	}
	return item
}

// useless describes a file that is neither symbols nor a dump.
func (s *Store) useless(p archivePath, k sniff.Kind, size int64) Item {
	if k == sniff.Empty || k.Managed() || symNamed(p.name) {
		s.files = append(s.files, newUseless(p.name, size, formats.Build{}, k.Instead()))
	}
	message := "this is " + k.Sentence()
	return p.item(k, message)
}

// unlisted is the Item of the members after the last one that is listed, by the error of the list. How many they are is
// known only of those beyond a limit.
func (p archivePath) unlisted(k sniff.Kind, err error) Item {
	item := p.unread(k, err)
	var beyond *archive.Beyond
	if errors.As(err, &beyond) {
		item.Left, item.Message = beyond.Count, err.Error()
	}
	return item
}

func (s *Store) archive(p archivePath, k sniff.Kind, src bin.Source) []Item {
	members, err := archive.List(p.name, src, s.budget)
	if err != nil && len(members) == 0 {
		return []Item{p.left(k, p.unlisted(k, err).Left, "this cannot be opened: "+err.Error())}
	}
	files := len(members)
	var out, others []Item
	if err != nil {
		others = append(others, p.unlisted(k, err))
		files += others[0].Left
	}
	for i := range members {
		if err := cmp.Or(s.tick(p.name, 0), s.budget.Exceeded()); err != nil {
			why := fmt.Sprintf("%d of the %d files in this were not looked at: %v", len(members)-i, files, err)
			return append(out, p.left(k, len(members)-i+leftOf(others), why))
		}
		for _, item := range safely(p.in(members[i].Name), func() []Item { return s.member(p, k, &members[i]) }) {
			if item.Use != Nothing || item.Kind.Archive() || s.opt.formats.Native(item.Kind) {
				out = append(out, item)
			} else {
				others = append(others, item)
			}
		}
	}
	out = withoutContexts(out)
	left := leftOf(others)
	switch {
	case len(out) == 0:
		return []Item{p.left(k, left, useless(k, others))}
	case left > 0:
		first := slices.IndexFunc(others, func(i Item) bool { return i.Left > 0 })
		out = append(out, p.left(k, left, fmt.Sprintf("%d of the %d files in this were not read: %s: %s", left, files, others[first].Name, others[first].Message)))
	}
	return out
}

// withoutContexts leaves out the descriptions that Unreal Engine writes beside its minidumps. They have parts of them.
func withoutContexts(items []Item) []Item {
	minidumps := map[string]bool{}
	for i := range items {
		if items[i].Kind == sniff.Minidump {
			minidumps[path.Dir(items[i].Name)] = true
		}
	}
	return slices.DeleteFunc(items, func(i Item) bool {
		is := i.Use == IsDump && i.Kind == sniff.Report && strings.EqualFold(path.Base(i.Name), "CrashContext.runtime-xml") && minidumps[path.Dir(i.Name)]
		if is {
			i.Release()
		}
		return is
	})
}

func leftOf(items []Item) (n int) {
	for i := range items {
		n += items[i].Left
	}
	return n
}

// useless describes an archive that has neither a dump nor symbols.
func useless(k sniff.Kind, others []Item) string {
	if !k.Compressed() || len(others) == 0 {
		return fmt.Sprintf("this is %s of %d files, none of which is a dump or a symbol file", k.Sentence(), len(others)) + notable(others)
	}
	if what, ok := strings.CutPrefix(others[0].Message, "this is "); ok {
		return fmt.Sprintf("this is %s of %s", k.Sentence(), what)
	}
	return others[0].Message
}

// notable names the first member of a known kind, or the first one that cannot be read.
func notable(others []Item) string {
	for _, item := range others {
		if item.unread != nil {
			return "; " + item.Name + " cannot be read: " + item.unread.Error()
		}
		if item.Kind != sniff.Text && item.Kind != sniff.Unknown && item.Kind != sniff.Empty {
			return "; " + item.Name + " is " + item.Kind.Sentence()
		}
	}
	return ""
}

// tick lets the caller stop the work.
func (s *Store) tick(name string, done int64) error {
	if s.opt.Progress == nil {
		return nil
	}
	return s.opt.Progress(name, done, 0)
}

// member examines one member of an archive, and opens it when it has to.
func (s *Store) member(p archivePath, in sniff.Kind, m *archive.Member) []Item {
	head, err := m.Head(memberHead)
	inner := p.in(m.Name)
	inner.block = max(inner.block, m.Block)
	if err != nil && len(head) == 0 {
		return []Item{inner.unread(sniff.Unknown, err)}
	}
	k := sniff.Of(head)
	if s.opt.formats[k].ByHead {
		return []Item{s.symbols(inner, k, inMemory(head), m.Size, memberContent(m))}
	}
	sameArchive := in.Compressed() && k.Wrapped() // as a .tar.gz is one
	if k.Archive() && len(inner.archives) >= maxNesting && !sameArchive {
		return []Item{inner.left(k, 1, "this is an archive in an archive in an archive: unpack it first")}
	}
	isLog := k.Text() && (sniff.LikeLog(head) || textKind(k, inMemory(head), nil).Dump())
	if !k.Dump() && !k.Archive() && !s.opt.formats.Native(k) && !isLog && !isJava(k, head) && layout.UUID(path.Base(m.Name)) == "" {
		return []Item{s.useless(inner, k, m.Size)}
	}
	if s.opt.formats.Native(k) {
		return []Item{s.nativeMember(inner, k, m)}
	}
	src, err := m.Open()
	if err != nil && src.Size() == 0 {
		return []Item{inner.unread(k, err)}
	}
	if sameArchive {
		block := inner.block
		inner = p
		inner.block = block
	}
	items := s.add(inner, src)
	if len(items) == 1 && items[0].Use == IsDump && !sameArchive {
		items[0].release = m.Release
	}
	if err != nil && len(items) > 0 {
		items[0].Message = joined(items[0].Message, cutShort(err))
		if items[0].Use != IsDump || errors.As(err, &archive.Partial{}) {
			items[0].Left++ // a damaged dump is reported as far as it goes
		}
	}
	return items
}

// nativeMember decompresses a library or its debug information to identify it, and decompresses it
// again when a module needs it, because most are never needed.
func (s *Store) nativeMember(p archivePath, k sniff.Kind, m *archive.Member) Item {
	item := p.item(k, "")
	err := m.Peek(func(src bin.Source) { item = s.symbols(p, k, src, m.Size, memberContent(m)) })
	switch {
	case err != nil && item.Use == Nothing && item.Message == "":
		item = p.unread(k, err)
	case err != nil:
		item.Message = joined(item.Message, cutShort(err))
	}
	return item
}

// cutShort says why an archive has only some of its members: a limit, or damage.
func cutShort(err error) string {
	if errors.As(err, &archive.Partial{}) {
		return "only the beginning was unpacked: " + cause(err)
	}
	return "the archive is damaged, and this is the part before the damage: " + cause(err)
}

// joined puts two sentences into one message.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// cause returns the innermost error, which describes the defect.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
