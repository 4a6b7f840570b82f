// Package find finds the objects of a model that a question in plain words names.
//
//	catalog ──► objects, each with places of words ──► Index: words, stems, trigrams
//	question ──► words ──► places that match ──► sums by object ──► greedy cover ──► ranked hits
//
// A question names several things, so hits are chosen one after another: the words that a hit matched count
// less for the hits that follow, in proportion to what they counted there, so that a qualifier is spent less than a
// name. An exact word or stem is not taken for a misspelt one, so that a plural ranks as its singular. An Index needs
// no data, brings none of the sixty modules of a search engine, is built once for a catalog, and is safe for concurrent use.
package find
