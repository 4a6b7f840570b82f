// Package naming gives columns names that differ, numbers distinct keys, and changes lists of names.
package naming
