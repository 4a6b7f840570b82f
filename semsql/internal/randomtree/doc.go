// Package randomtree makes random syntax trees of SELECT statements, as parse.Parse could
// have returned them, for tests of the parser and the printer.
package randomtree
