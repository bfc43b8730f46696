package symbols

import (
	"archive/zip"
	"bytes"
	"testing"
	"testing/fstest"
)

// A mapping may be in an archive, as in an Android App Bundle, and in a folder where Gradle writes it.
func TestJavaMappingElsewhere(t *testing.T) {
	const mapping = "com.example.Dock -> a.b:\n    1:3:void slot(int):14:16 -> a\n"
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map")
	if err == nil {
		_, err = w.Write([]byte(mapping))
	}
	if closed := z.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	inArchive, inFolder := NewStore(Options{}), NewStore(Options{})
	inArchive.Add("app.aab", inMemory(packed.Bytes()))
	inFolder.AddFS("app", fstest.MapFS{"build/outputs/mapping/release/mapping.txt": {Data: []byte(mapping)}})
	ofFlavour, ofMany := NewStore(Options{}), NewStore(Options{})
	ofFlavour.AddFS("app", fstest.MapFS{"app/build/outputs/mapping/freeRelease/mapping.txt": {Data: []byte(mapping)}})
	other := []byte("com.example.Other -> a.b:\n    1:3:void slot(int):14:16 -> a\n")
	ofMany.AddFS("outputs", fstest.MapFS{"mapping/debug/mapping.txt": {Data: other}, "mapping/release/mapping.txt": {Data: []byte(mapping)}, "mapping/staging/mapping.txt": {Data: other}})
	ofFlavours := NewStore(Options{})
	ofFlavours.AddFS("outputs", fstest.MapFS{"mapping/free/mapping.txt": {Data: []byte(mapping)}, "mapping/paid/mapping.txt": {Data: other}})
	if calls := ofFlavours.Retrace("a.b.a", 2); len(calls) > 0 {
		t.Errorf("a report is of one of two builds, and has names of one: %+v", calls)
	}
	for what, s := range map[string]*Store{"an archive": inArchive, "a folder": inFolder, "a flavour": ofFlavour, "several builds": ofMany} {
		if calls := s.Retrace("a.b.a", 2); len(calls) != 1 || calls[0].Function != "com.example.Dock.slot" || calls[0].Line != 15 {
			t.Errorf("%s: %+v", what, calls)
		}
	}
}

// A mapping of R8 is kept whatever its name, and the last one given is asked first.
func TestJavaMapping(t *testing.T) {
	s := NewStore(Options{})
	for _, mapping := range []string{"com.example.Dock -> a.b:\n    1:3:void slot(int):14:16 -> a\n", "# compiler: R8\ncom.example.Crane -> a.b:\n    1:1:void lift():5:5 -> b\n"} {
		if items := s.Add("mapping.txt", inMemory([]byte(mapping))); len(items) != 1 || items[0].Use != IsSymbols || items[0].Message != "" {
			t.Errorf("%+v", items)
		}
	}
	for name, want := range map[string]string{"a.b.a": "com.example.Dock.slot", "a.b.b": "com.example.Crane.lift", "a.b.c": ""} {
		got := ""
		for _, c := range s.Retrace(name, 1) {
			got += c.Function
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if items := s.Add("notes.txt", inMemory([]byte("it is -> so:\n"))); items[0].Use != Nothing {
		t.Errorf("%+v", items)
	}
}
