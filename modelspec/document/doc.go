// Package document reads the documents of users, YAML or JSON, into trees of nodes with their positions, and prints such trees.
//
//	text ──ReadYAML──► a root node for each document, or *Error with the place of the mistake and a hint
//	     ──ReadJSON──► the same nodes of JSON
//	node ──PathTo───► ".window.offset[2]", the path of a value in its tree
//	     ──Print────► YAML
//
// Models, their payloads, fmt, test files, policies, profiles of connections and the inputs of imports are read with it. The
// YAML library is below this package, so that its panics on hostile text and its places of errors are handled once. The
// nodes of a large tree are allocated in blocks (TreeBuilder).
package document
