// Package draft holds models that a program writes, before they are printed: those of the generator
// and of the importers.
//
//	*Model ──tree──► nodes with roles ──layout.Print──► text in the standard form
//
// A draft holds what goes into the file and nothing that the reader of a file derives:
// names, expressions in one or more dialects, keys, roles, the payloads of the vendor
// extension, and the comments above each object. Print writes standard Ossie core YAML in
// the layout of package format.
//
// Print checks nothing. Its text parses; whether it is a valid model is for Parse and
// Validate of package modelspec.
package draft
