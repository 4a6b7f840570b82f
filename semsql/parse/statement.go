package parse

import (
	"strings"
	"unicode/utf8"
)

// Statement is one SELECT statement in the language of the catalogue, which is the larger of the two.
type Statement struct {
	// Text is the statement as it was written.
	Text string

	query *Query // nil if err is set
	err   error
	read  relationsRead
}

// relationsRead is what a statement reads, as far as the parser came.
type relationsRead struct {
	tables        []*Table
	commonTables  []Name
	view          bool     // a SEMANTIC_VIEW
	schemaAt      Position // of the first schema of the catalogue; 0 without one
	catalogueOnly bool     // no statement over a model may hold all of it
}

// ParseStatement reads one SELECT statement over a model or about the catalogue of a database.
func ParseStatement(text string, limits Limits) *Statement {
	p, err := newParser(text, limits, true)
	if err != nil {
		return &Statement{Text: text, err: err}
	}
	s := &Statement{Text: text}
	s.query, s.err = p.treeOrRewriteError(p.parseStatement())
	if s.read = p.read; s.err != nil && s.read.schemaAt == 0 {
		s.read.schemaAt = p.findCatalogueSchema()
	}
	return s
}

// CatalogueTree returns the tree of a statement about the catalogue. An error is an *Error.
func (s *Statement) CatalogueTree() (*Query, error) { return s.query, s.err }

// ModelTree returns the tree of a statement over a model. It is nil if the text is not such a statement; Parse has the error.
func (s *Statement) ModelTree() *Query {
	if s.read.catalogueOnly {
		return nil
	}
	return s.query
}

// ReadsCatalogue reports whether the statement reads the catalogue of a database or nothing, and where the catalogue is named first;
// 0 for nowhere. isRelation reports whether the model has a relation of a name.
func (s *Statement) ReadsCatalogue(isRelation func(Name) bool) (catalogue bool, at Position) {
	at = s.read.schemaAt
	model := s.read.view || s.err != nil
	for _, t := range s.read.tables {
		first := t.Path[0]
		switch {
		case len(t.Path) > 1:
			model = model || !isCatalogueSchema(t.Path[len(t.Path)-2])
		case s.isCommonTable(first):
		case strings.HasPrefix(strings.ToLower(first.Text), "pg_") && !isRelation(first):
			if at == 0 || t.Position < at {
				at = t.Position
			}
		default:
			model = true
		}
	}
	return at > 0 || !model, at
}

func (s *Statement) isCommonTable(name Name) bool {
	for _, known := range s.read.commonTables {
		if strings.EqualFold(known.Text, name.Text) {
			return true
		}
	}
	return false
}

// takesCatalogueOnly reports whether the parser takes what only a statement about the catalogue may hold and is next, and notes that the
// statement holds it.
func (p *parser) takesCatalogueOnly() bool {
	p.read.catalogueOnly = p.read.catalogueOnly || p.catalogue
	return p.catalogue
}

// noteCatalogueSchema notes the first name of a schema of the catalogue.
func (p *parser) noteCatalogueSchema(name token) {
	if p.read.schemaAt == 0 && isCatalogueSchema(p.tokenName(name)) {
		p.read.schemaAt = Position(name.at)
	}
}

// SplitFirstStatement cuts the first statement off a text that may hold several. The statement ends after its
// semicolon; complete is false, and rest empty, where the text has none outside of quotes and
// comments.
func SplitFirstStatement(text string) (statement, rest string, complete bool) {
	s := scanner{src: text}
	for {
		switch t := s.nextToken(); t.kind {
		case tokSemicolon:
			return text[:t.end], text[t.end:], true
		case tokEOF:
			return text, "", false
		case tokBad:
			if s.pos >= len(text) || s.pos == t.start && !s.skipRune() {
				return text, "", false
			}
		}
	}
}

// skipRune moves past a character that begins no token; false in a comment without an end.
func (s *scanner) skipRune() bool {
	if s.byteAhead(0) == '/' && s.byteAhead(1) == '*' {
		return false
	}
	_, n := utf8.DecodeRuneInString(s.src[s.pos:])
	s.pos += n
	return true
}
