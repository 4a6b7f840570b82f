package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// QuerySources are what a query reads.
type QuerySources struct {
	// Model: it names a relation outside of the catalogue.
	Model bool
	// Catalogue: it names a relation or a function of a schema of the catalogue, or a relation pg_….
	Catalogue bool
	// At is the position of the first name of the catalogue.
	At int
}

// ReadQuerySources finds what a query reads by its words, because the grammar of statements about the catalogue is larger than that of
// others. isRelation reports whether the model has a relation of a name.
func ReadQuerySources(text string, isRelation func(parse.Name) bool) (QuerySources, error) {
	tokens, err := parse.Tokenize(text)
	if err != nil {
		return QuerySources{}, err
	}
	s := sourceScanner{tokens: tokens, isRelation: isRelation, tables: commonTableNames(tokens)}
	for i := range tokens {
		s.scanToken(i)
	}
	return s.out, nil
}

type sourceScanner struct {
	tokens     []parse.Token
	isRelation func(parse.Name) bool
	tables     map[string]bool // of WITH
	calls      []bool          // open parentheses: true for those of EXTRACT and other calls with a FROM inside
	lists      []bool          // whether a comma at this depth separates relations
	out        QuerySources
}

func (s *sourceScanner) tokenAtIndex(i int) parse.Token {
	if i >= 0 && i < len(s.tokens) {
		return s.tokens[i]
	}
	return parse.Token{Kind: parse.SymbolToken}
}

// scanToken reads one token.
func (s *sourceScanner) scanToken(i int) {
	t := s.tokens[i]
	if len(s.lists) == 0 {
		s.lists = append(s.lists, false)
	}
	top := len(s.lists) - 1
	switch {
	case t.IsSymbol("("):
		s.calls = append(s.calls, takesFromBetweenArguments(s.tokenAtIndex(i-1)))
		s.lists = append(s.lists, false)
	case t.IsSymbol(")"):
		if len(s.calls) > 0 {
			s.calls, s.lists = s.calls[:len(s.calls)-1], s.lists[:top]
		}
	case t.IsName() && s.tokenAtIndex(i+1).IsSymbol(".") && isCatalogueSchema(t):
		s.recordFirstCatalogueName(t)
	case t.IsWord("from") && !s.tokenAtIndex(i-1).IsWord("distinct") && !(len(s.calls) > 0 && s.calls[len(s.calls)-1]):
		s.lists[top] = true
		s.scanRelation(i + 1)
	case t.IsWord("join"):
		s.scanRelation(i + 1)
	case t.IsSymbol(",") && s.lists[top]:
		s.scanRelation(i + 1)
	case t.IsWord("where"), t.IsWord("group"), t.IsWord("order"), t.IsWord("having"), t.IsWord("limit"), t.IsWord("union"), t.IsWord("select"):
		s.lists[top] = false
	}
}

// takesFromBetweenArguments reports whether a function has the word FROM between its arguments.
func takesFromBetweenArguments(t parse.Token) bool {
	for _, name := range []string{"extract", "substring", "trim", "overlay"} {
		if t.IsWord(name) {
			return true
		}
	}
	return false
}

func isCatalogueSchema(t parse.Token) bool {
	return strings.EqualFold(t.Text, "pg_catalog") || strings.EqualFold(t.Text, "information_schema")
}

func (s *sourceScanner) recordFirstCatalogueName(t parse.Token) {
	if !s.out.Catalogue {
		s.out.Catalogue, s.out.At = true, t.Position
	}
}

// scanRelation looks at what follows FROM, JOIN or a comma between relations.
func (s *sourceScanner) scanRelation(i int) {
	for s.tokenAtIndex(i).IsWord("lateral") || s.tokenAtIndex(i).IsWord("only") || s.tokenAtIndex(i).IsSymbol("(") {
		i++
	}
	t := s.tokenAtIndex(i)
	switch {
	case !t.IsName(), t.IsWord("select"), t.IsWord("values"), t.IsWord("with"):
	case t.IsWord("semantic_view") && s.tokenAtIndex(i+1).IsSymbol("("):
		s.out.Model = true
	case s.tokenAtIndex(i + 1).IsSymbol("("): // a function
	case s.tokenAtIndex(i + 1).IsSymbol("."):
		if !isCatalogueSchema(t) && !isCatalogueSchema(s.tokenAtIndex(i+2)) {
			s.out.Model = true
		}
	case s.tables[strings.ToLower(t.Text)]:
	case strings.HasPrefix(strings.ToLower(t.Text), "pg_") && !s.isRelation(t.Name()):
		s.recordFirstCatalogueName(t)
	default:
		s.out.Model = true
	}
}

// commonTableNames returns the names before AS (, in lower case: those of WITH.
func commonTableNames(tokens []parse.Token) map[string]bool {
	out := map[string]bool{}
	for i, t := range tokens {
		if !t.IsWord("as") || i == 0 {
			continue
		}
		next := i + 1
		for next < len(tokens) && (tokens[next].IsWord("not") || tokens[next].IsWord("materialized")) {
			next++
		}
		if next >= len(tokens) || !tokens[next].IsSymbol("(") {
			continue
		}
		name := i - 1
		if tokens[name].IsSymbol(")") { // its columns
			for name > 0 && !tokens[name].IsSymbol("(") {
				name--
			}
			name--
		}
		if name >= 0 && tokens[name].IsName() {
			out[strings.ToLower(tokens[name].Text)] = true
		}
	}
	return out
}
