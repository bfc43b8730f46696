// Package imports has the tests of imports: the allowed imports of each package (arrows_test.go),
// the packages that core must not import, the packages linked into the page, and their licences. A
// new package needs a row in the table. The package has only tests.
package imports
