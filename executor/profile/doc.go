// Package profile reads the file of connection profiles: which warehouses there
// are, of which type, and what it takes to connect to them.
//
//	Find ─► Load ─► text ─► YAML tree ─► datasources ─► one entry ─► Settings
//	 first file     1 MiB    no aliases    root │ agent.   │ ${VAR}     one struct
//	 that exists             expanded      services │ agent │ key table  per type
//
// An entry says its type, and the type decides which keys it has and what they
// default to. Settings is sealed: a type switch over it covers every warehouse
// that can be described, and no struct carries a key that its warehouse lacks.
//
// # What is wrong stays where it is
//
// A file that is no YAML, or not a mapping, is an error of the whole. Everything
// else is the entry's own affair: a missing variable, a port that is no number,
// an unknown type, a name given twice make that one Profile carry an Err of code
// config, and its neighbours work. Keys that nobody knows are warnings, with the
// key that was probably meant.
//
// # What never shows
//
// Errors and warnings name profiles, keys and variables; they never repeat a
// value, because any value may be a password that slipped into the wrong place.
// Of the YAML parser's own messages only the line is passed on, since they quote
// the text. Passwords and URIs are executor.Secret.
//
// # Substitution
//
// ${VAR} and ${VAR:-default} are replaced after the YAML was parsed and only in
// values that are used, so that a variable can hold any text without changing
// the file's structure, and an unset variable harms only who needs it. What a
// variable holds is not substituted again.
package profile
