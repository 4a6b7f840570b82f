// Package querytag writes the tag that a statement carries in the forms that several
// drivers share. The id comes with the context: see executor.WithQueryTag.
package querytag
