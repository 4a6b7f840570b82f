// Package plainyaml reads the plain part of YAML fast: block mappings and
// lists, scalars on one line, literal blocks, flow collections on one line,
// comments. That is what model files are made of; large ones are generated, and
// a general parser is what their loading takes most of its time for.
//
//	text ──Parse──► *document.Node, true      the tree that yaml.v3 would give
//	               └► nil, false          not plain: ask yaml.v3
//
// It accepts only text that it certainly reads as yaml.v3 does. Everything else (anchors, tags, folded and multi-line scalars, tabs, empty values, every
// error) it returns to the caller, so that the general parser stays the only judge of what
// is YAML and the only source of messages. A fuzz target holds the two
// together.
package plainyaml
