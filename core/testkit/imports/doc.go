// Package imports holds the tests of what imports what: the arrows between our
// own packages, what stays out of core, what is linked into the page, and
// whose licences that brings along. It has nothing but tests.
package imports
