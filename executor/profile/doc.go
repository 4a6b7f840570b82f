// Package profile reads the file of connection profiles: which warehouses there
// are, of which type, and what it takes to connect to them.
//
//	Find ─► Load ─► text ─► YAML tree ─► datasources ─► one entry ─► Settings
//	 first file     1 MiB    no aliases    root │ agent.   │ ${VAR}     one struct
//	 that exists             expanded      services │ agent │ key table  per type
//
// The type of an entry decides which keys it has and their defaults. Settings is sealed: a type
// switch over it covers every warehouse that can be described, and no struct carries a key that
// its warehouse lacks.
//
// # What is wrong stays where it is
//
// A file that is not YAML, or not a mapping, is an error of the whole file. Every other fault
// belongs to one entry: a missing variable, a port that is not a number, an unknown type or a
// duplicate name sets an Err of code config in that Profile, and its neighbours work. Unknown
// keys are warnings, with the key that was probably meant.
//
// # What never shows
//
// Errors and warnings name profiles, keys and variables; they never repeat a
// value, because any value may be a password that slipped into the wrong place.
// Of the YAML parser's own messages only the line is passed on, since they quote
// the text. Passwords and URIs are executor.Secret.
//
// # One text in place of a file
//
// ParseDSN reads a connection from one text by the same keys, without variables. ResolveSource
// decides what the text that names the source of a model is: a path, a ParsedDSN or a profile.
//
// # Substitution
//
// ${VAR} and ${VAR:-default} are replaced after the YAML was parsed and only in
// values that are used, so that a variable can hold any text without changing
// the file's structure, and an unset variable harms only who needs it. What a
// variable holds is not substituted again.
package profile
