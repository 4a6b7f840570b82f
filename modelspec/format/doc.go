// Package format rewrites the text of a model in the one layout of the project.
//
//	text ──read──► node ──expand──► node ──arrange──► node ──print──► text
//	         │    (its tree,       short forms    keys in the         │
//	         │     with comments)  written out    format's order      │
//	         └──────────────────── compare ◄──────────────────────────┘
//
// The tree and the places of its scalars come from modelspec/document; comments are found in the text
// between them, because the YAML library moves and drops comments. Before a text is returned, it
// is read again: its values and its comments must be those of the tree that was printed, and
// printing it again must not change it. A text for which this fails is an error and stays
// as it is.
//
// The nodes, their order and their layout are of internal/layout, which package draft prints
// with, too: a model that a program makes is in this layout without a text to read.
//
// A JSON text stays JSON.
package format
