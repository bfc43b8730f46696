package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols"
	"crashglass/symbols/share/capsule"
	"crashglass/symbols/share/slice"
)

type capsuleFlags struct {
	out     string
	symbols list
	local   localFlags
	sources list   // folders
	names   string // a key of capsule.Names
	viewer  string // "" is the built-in one
	whole   bool   // --as-is: do not sanitize
	opt     sanitize.Options
}

// register adds the flags. What is left out by default can hold secrets; each --keep flag keeps a part.
func (k *capsuleFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&k.out, "output", "o", "", "write to `file` instead of standard output")
	f.Var(&k.symbols, "symbols", "symbol `path`, as for walk")
	k.local.register(f)
	f.Var(&k.sources, "source", "`folder` of source files, from which the lines around the crashing thread's frames are added")
	f.StringVar(&k.names, "names", "all", "which function `names` to keep: all, own or none, as for slice")
	f.BoolVar(&k.whole, "as-is", false, "include the dump as it is, with all its memory and names")
	f.BoolVar(&k.opt.Memory, "keep-memory", false, "keep all memory of the stacks, as for sanitize")
	f.BoolVar(&k.opt.Names, "keep-names", false, "keep the names of people in paths, as for sanitize")
	f.StringVar(&k.viewer, "viewer", "", "viewer.html to use instead of the one inside this program, a `file`")
}

// capsuleCommand writes one HTML file that needs no server and sends no requests.
func capsuleCommand(c *cli) *cobra.Command {
	var k capsuleFlags
	cmd := &cobra.Command{
		Use:     "capsule [flags] DUMP [SYMBOLS...]",
		Short:   "one HTML file: the viewer with a dump and the symbols of its stacks inside",
		Example: "  crashglass capsule --symbols symbols/ -o crash.html crash.dmp",
	}
	cmd = c.command(cmd, "name one dump", k.register, func(args []string) int { return c.capsule(args, &k) })
	complete(cmd, "names", slices.Sorted(maps.Keys(capsule.Names))...)
	return cmd
}

// capsule writes a dump, and the symbols that its stacks need, into a copy of the viewer.
func (c *cli) capsule(args []string, k *capsuleFlags) int {
	names, known := capsule.Names[k.names]
	switch {
	case !known:
		return c.wrong("--names cannot be %s; want all, own or none", k.names)
	case k.out == "" && isTerminal(c.out):
		return c.wrong("a page of several megabytes is no text for a terminal: name a file with --output")
	}
	files := newLocalFiles(c, &k.local, nil)
	if files == nil {
		return exitInput
	}
	defer files.close()
	viewer, err := files.viewer(k.viewer)
	if err != nil {
		c.fail(cmp.Or(k.viewer, c.name), err)
		return exitInput
	}
	files.addSymbols(c, k.symbols)
	in, ok := files.onlyInput(c, args, "name one dump")
	if !ok {
		return c.status
	}
	made, err := c.encapsulate(files, in, k, names)
	if err = c.partly(in.path, err); err == nil {
		err = c.writeCapsule(files, k.out, made, viewer)
	}
	if err != nil {
		c.fail(in.path, err)
		return exitInput
	}
	return c.status
}

// viewer returns viewer.html: the file that --viewer names, or the built-in one.
func (f *files) viewer(path string) ([]byte, error) {
	if path != "" {
		src, err := f.source(path)
		if err != nil {
			return nil, err
		}
		return src.Read("viewer", 0, uint64(src.Size()))
	}
	if builtIn == nil {
		return nil, errors.New("this program was built without the page; name a viewer.html with --viewer, or run ./build.sh program")
	}
	return fs.ReadFile(builtIn, "viewer.html")
}

// writeCapsule writes a capsule, and lists the files in it on standard error, so that the user sees what is
// given away.
func (c *cli) writeCapsule(files *files, path string, made *capsule.Capsule, viewer []byte) error {
	var page bytes.Buffer
	if err := made.Write(&page, viewer); err != nil {
		return err
	}
	if !made.About.Cleaned {
		c.say("nothing was removed: the dump has all its memory and names")
	}
	for _, f := range made.Files {
		c.say(fmt.Sprintf("inside: %s, %d bytes (%s)", f.Name, len(f.Data), f.Role))
	}
	c.say(fmt.Sprintf("%d bytes in all", page.Len()))
	return c.toFile(files, path, page.Bytes())
}

// encapsulate collects the files of a capsule: the dump, slices of its symbols, and lines of source
// files. Symbols are sliced for the dump as it is in the capsule, which may have fewer stacks.
func (c *cli) encapsulate(files *files, in input, k *capsuleFlags, names slice.Names) (made *capsule.Capsule, err error) {
	err = files.one(in, func(d symbols.Item) error {
		data, mask, err := c.capsuleDump(files, d, k)
		if err != nil {
			return err
		}
		made = &capsule.Capsule{Pack: compressed, About: capsule.Of(madeAt(), !k.whole), Mask: mask}
		made.AddDump(module.Basename(d.Name), data)
		return c.addSymbols(made, files, k.sources, data, names)
	})
	return made, err
}

// capsuleDump returns the dump for a capsule, and the mask of people's names for the other files in
// it; the mask is nil when names are kept.
func (c *cli) capsuleDump(files *files, d symbols.Item, k *capsuleFlags) ([]byte, *sanitize.Masker, error) {
	sessions, err := analyze.OpenAll(d.Source)
	if err != nil {
		return nil, nil, err
	}
	files.unused(sessions[0].Modules())
	files.sayUnused(c)
	if k.whole {
		data, err := d.Source.Read("dump", 0, uint64(d.Source.Size()))
		return data, nil, err
	}
	result, err := cleaned(sessions[0], files.store, k.opt)
	if err != nil {
		return nil, nil, err
	}
	for _, line := range sanitized(result) {
		c.say(line)
	}
	if len(result.Changed) > 0 {
		c.status = exitInput
	}
	if k.opt.Names {
		return result.Data, nil, nil
	}
	return result.Data, sanitize.NewMasker(result.People), nil
}

// addSymbols adds the slices that the dump needs, and lines of its sources. It says what differs without the other symbols.
func (c *cli) addSymbols(k *capsule.Capsule, files *files, sources []string, dump []byte, names slice.Names) error {
	parts, r, err := k.SymbolsOf(dump, files.store, names)
	if err != nil {
		return err
	}
	if err := c.compareCapsule(k, parts, r, dump, names == slice.AllNames); err != nil {
		return err
	}
	k.Files = append(k.Files, parts...)
	if names != slice.NoNames {
		for _, folder := range sources {
			addSources(k, files, folder, r)
		}
	}
	return nil
}

// compareCapsule says what differs between the report of a capsule's dump with all symbols and that with its slices.
func (c *cli) compareCapsule(k *capsule.Capsule, parts []capsule.File, before *report.Report, dump []byte, named bool) error {
	sliced := symbols.NewStore(symbols.Options{})
	defer sliced.Close()
	for i := range parts {
		sliced.Add(parts[i].Name, bin.NewSource(bytes.NewReader(parts[i].Data), int64(len(parts[i].Data))))
	}
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(dump), int64(len(dump))))
	if err != nil {
		return err
	}
	after, err := sessions[0].Report(sliced, analyze.Options{})
	if err != nil {
		return err
	}
	var mask slice.Mask
	if k.Mask != nil {
		mask = k.Mask
	}
	c.differs("capsule", after, outlineOf(before, named, mask), outlineOf(after, named, mask))
	return nil
}

// compressed writes data as gzip at the highest level, which every browser can decompress.
func compressed(w io.Writer, data []byte) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = packed.Write(data)
	return errors.Join(err, packed.Close())
}

// madeAt returns the current time, or the one in SOURCE_DATE_EPOCH, which reproducible builds set.
// Source: the SOURCE_DATE_EPOCH specification of reproducible-builds.org.
func madeAt() time.Time {
	now := time.Now()
	if epoch, err := time.ParseDuration(os.Getenv("SOURCE_DATE_EPOCH") + "s"); err == nil {
		now = time.Unix(0, 0).Add(epoch)
	}
	return now
}
