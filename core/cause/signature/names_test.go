package signature

import (
	"strings"
	"testing"
)

// Each name beside what stands in signatures of it.
func TestCPPFunction(t *testing.T) {
	for _, test := range [][2]string{
		{"", ""},
		{"main", "main"},
		{"desk::find(desk::Request const&)", "desk::find"},
		{"Book::pages() const", "Book::pages"},
		{"Book::take()&&", "Book::take"},
		{"static void* pool::Arena<char>::get(unsigned int)", "pool::Arena<T>::get"},
		{"class Shelf * find<Shelf>(int , long)", "find<T>"},
		{"std::vector<std::pair<int, char>, A<B<C>>>::at(int)", "std::vector<T>::at"},
		{"work (int) [clone .cold.12]", "work "},
		{"Book::pages() const [clone .isra.6] [clone .part.7]", "Book::pages"},
		{"walk() [clone .resume]", "walk"},
		{"msort_with_tmp.part.0", "msort_with_tmp"},
		{"main.part", "main.part"}, // Go's
		{"operator()(int)", "operator()"},
		{"Ref<A>::operator Shelf *(int)", "Ref<T>::operator Shelf*"},
		{"`anonymous namespace'::crash(int)", "(anonymous namespace)::crash"},
		{"(anonymous namespace)::crash(int)", "(anonymous namespace)::crash"},
		{"run::$_12::operator()(int) const", "run::$::operator()"},
		{"run::$_x::go", "run::$_x::go"},
		{"<unknown in gpu.dll>", "<unknown in gpu.dll>"},
		{"<name omitted>", "<name omitted>"},
		{"IPC::ParamTraits<std::map<int, int>>::Read(int)", "IPC::ParamTraits<std::map<T>>::Read"},
		{"never<closed", "never<T>"},
		{"closed>twice", "closed>twice"},
	} {
		if got := cppFunction(test[0]); got != test[1] {
			t.Errorf("cppFunction(%q) = %q, want %q", test[0], got, test[1])
		}
	}
}

func TestRustFunction(t *testing.T) {
	for _, test := range [][2]string{
		{"desk::find::h0123456789abcdef", "desk::find"},
		{"desk::find::hello", "desk::find::hello"},
		{"desk::find::h", "desk::find::h"},
		{"static void desk::Shelf<alloc::Vec<u8>>::find(u8,u16)", "desk::Shelf<T>::find"},
		{"<desk::Shelf<T> as core::Drop>::drop", "<desk::Shelf<T> as core::Drop>::drop"},
		{"desk::find::h0123456789abcdef.llvm.12", "desk::find"},
		{"desk::find::h0123456789abcdef [clone .cold]", "desk::find"},
		{"desk::find::{{closure}}", "desk::find::{{closure}}"},
	} {
		if got := rustFunction(test[0]); got != test[1] {
			t.Errorf("rustFunction(%q) = %q, want %q", test[0], got, test[1])
		}
	}
}

// Names are hostile: what nests deeply or never ends costs no more than its
// length.
func TestLongNames(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("IPC::ParamTraits<", 1<<16), strings.Repeat("<", 1<<20), strings.Repeat("a<b>", 1<<18),
		strings.Repeat("(", 1<<20), strings.Repeat("x ", 1<<19), strings.Repeat("::$_1", 1<<16), "\x00\xff\xfe",
	} {
		if got := cppFunction(name); len(got) > 2*longestName {
			t.Errorf("%.20q of %d bytes became %d", name, len(name), len(got))
		}
		rustFunction(name)
	}
}
