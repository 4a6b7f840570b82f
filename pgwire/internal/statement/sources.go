package statement

import (
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// Sources are what a query reads.
type Sources struct {
	// Model: it names a relation outside of the catalogue.
	Model bool
	// Catalogue: it names a relation or a function of a schema of the catalogue, or a relation pg_….
	Catalogue bool
	// At is the position of the first name of the catalogue.
	At int
}

// ReadSources finds what a query reads by its words, because the grammar of statements about the catalogue is larger than that of
// others. isRelation reports whether the model has a relation of a name.
func ReadSources(text string, isRelation func(parse.Name) bool) (Sources, error) {
	tokens, err := parse.Tokens(text)
	if err != nil {
		return Sources{}, err
	}
	s := sourceScan{tokens: tokens, isRelation: isRelation, tables: commonTables(tokens)}
	for i := range tokens {
		s.look(i)
	}
	return s.out, nil
}

type sourceScan struct {
	tokens     []parse.Token
	isRelation func(parse.Name) bool
	tables     map[string]bool // of WITH
	calls      []bool          // open parentheses: true for those of EXTRACT and other calls with a FROM inside
	lists      []bool          // whether a comma at this depth separates relations
	out        Sources
}

func (s *sourceScan) token(i int) parse.Token {
	if i >= 0 && i < len(s.tokens) {
		return s.tokens[i]
	}
	return parse.Token{Kind: parse.SignToken}
}

// look reads one token.
func (s *sourceScan) look(i int) {
	t := s.tokens[i]
	if len(s.lists) == 0 {
		s.lists = append(s.lists, false)
	}
	top := len(s.lists) - 1
	switch {
	case t.IsSign("("):
		s.calls = append(s.calls, hasFromInside(s.token(i-1)))
		s.lists = append(s.lists, false)
	case t.IsSign(")"):
		if len(s.calls) > 0 {
			s.calls, s.lists = s.calls[:len(s.calls)-1], s.lists[:top]
		}
	case t.IsName() && s.token(i+1).IsSign(".") && isCatalogueSchema(t):
		s.note(t)
	case t.IsWord("from") && !s.token(i-1).IsWord("distinct") && !(len(s.calls) > 0 && s.calls[len(s.calls)-1]):
		s.lists[top] = true
		s.relation(i + 1)
	case t.IsWord("join"):
		s.relation(i + 1)
	case t.IsSign(",") && s.lists[top]:
		s.relation(i + 1)
	case t.IsWord("where"), t.IsWord("group"), t.IsWord("order"), t.IsWord("having"), t.IsWord("limit"), t.IsWord("union"), t.IsWord("select"):
		s.lists[top] = false
	}
}

// hasFromInside reports whether a function has the word FROM between its arguments.
func hasFromInside(t parse.Token) bool {
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

func (s *sourceScan) note(t parse.Token) {
	if !s.out.Catalogue {
		s.out.Catalogue, s.out.At = true, t.Position
	}
}

// relation looks at what follows FROM, JOIN or a comma between relations.
func (s *sourceScan) relation(i int) {
	for s.token(i).IsWord("lateral") || s.token(i).IsWord("only") || s.token(i).IsSign("(") {
		i++
	}
	t := s.token(i)
	switch {
	case !t.IsName(), t.IsWord("select"), t.IsWord("values"), t.IsWord("with"):
	case t.IsWord("semantic_view") && s.token(i+1).IsSign("("):
		s.out.Model = true
	case s.token(i + 1).IsSign("("): // a function
	case s.token(i + 1).IsSign("."):
		if !isCatalogueSchema(t) && !isCatalogueSchema(s.token(i+2)) {
			s.out.Model = true
		}
	case s.tables[strings.ToLower(t.Text)]:
	case strings.HasPrefix(strings.ToLower(t.Text), "pg_") && !s.isRelation(t.Name()):
		s.note(t)
	default:
		s.out.Model = true
	}
}

// commonTables are the names before AS (, in lower case: those of WITH.
func commonTables(tokens []parse.Token) map[string]bool {
	out := map[string]bool{}
	for i, t := range tokens {
		if !t.IsWord("as") || i == 0 {
			continue
		}
		next := i + 1
		for next < len(tokens) && (tokens[next].IsWord("not") || tokens[next].IsWord("materialized")) {
			next++
		}
		if next >= len(tokens) || !tokens[next].IsSign("(") {
			continue
		}
		name := i - 1
		if tokens[name].IsSign(")") { // its columns
			for name > 0 && !tokens[name].IsSign("(") {
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
