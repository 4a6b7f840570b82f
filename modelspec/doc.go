// Package modelspec reads and checks model files: Apache Ossie core documents
// (version SpecVersion), written in YAML or JSON.
//
//	text ──Parse──► *Document ──Validate──► []Issue
//	                    │
//	                    └──compile.Compile──► *catalog.Catalog
//
// Parse returns a *LoadError for a text that is not a model. It continues after every
// other error: wrong types, missing keys and misspelt keys become findings
// that carry the path of the object (`semantic_model[0].datasets[2].name`) and
// its line and column, so that one run of Validate shows all errors.
//
// The packages below this one, in the order of the data: sqlexpr holds the
// expression language, extension the payloads of the vendor extension, compile
// the lowering of a document, catalog its result, lineage the graph of what a
// catalog is made of. Package suggest finds the names that a misspelt one could
// have been.
package modelspec

// SpecVersion is the version of the core format that this module implements.
const SpecVersion = "0.2.0.dev0"
