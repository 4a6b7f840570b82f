// Package source opens what a model is made from: data files, a database file, a DSN or a
// profile of the connections file.
//
//	text ─► profile.ResolveSource ─► data files │ database │ profile ─► Source
//	                                 embedded     driver of the type    executor, name, profiles file
package source
