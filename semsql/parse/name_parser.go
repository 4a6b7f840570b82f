package parse

import "github.com/semlayer/semlayer/modelspec/lexical"

// tokenName returns the name that a token is.
func (p *parser) tokenName(t token) Name {
	text := p.tokenText(t)
	if t.kind == tokQuotedName {
		return Name{Text: lexical.Unquote(text), Quoted: true}
	}
	return Name{Text: text}
}

// lowerASCII folds a name without quotes, as PostgreSQL does.
func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return string(lexical.AppendLower(nil, s))
		}
	}
	return s
}

// canBeColumnName reports whether a token may name a column, a relation or an alias.
func (t token) canBeColumnName() bool {
	return t.kind == tokQuotedName || t.kind == tokWord && t.kw.canBeColumnName()
}

// parseName consumes the name of a column, a relation or an alias.
func (p *parser) parseName(want string) (Name, error) {
	if !p.tok.canBeColumnName() {
		return Name{}, p.expectedError(want)
	}
	p.advanceToken()
	return p.tokenName(p.prev), nil
}

// parseNames reads names in parentheses.
func (p *parser) parseNames(want string) ([]Name, error) {
	if err := p.expectToken(tokLParen, "( and "+want); err != nil {
		return nil, err
	}
	names, err := parseCommaSeparated(p, p.lim.Items, "the names in parentheses are", func(p *parser) (Name, error) { return p.parseName(want) })
	if err != nil {
		return nil, err
	}
	return names, p.expectToken(tokRParen, ") or a comma")
}

// maxPathNames is the number of names in database.schema.relation.column.
const maxPathNames = 4

// parsePath reads a.b.c, and a.b.* where star is true. Behind a dot every word is a name.
func (p *parser) parsePath() (path []Name, star bool, err error) {
	path = append(make([]Name, 0, 2), p.tokenName(p.tok))
	p.advanceToken()
	for p.tok.kind == tokDot {
		p.noteCatalogueSchema(p.prev)
		p.advanceToken()
		switch {
		case p.tok.kind == tokStar:
			p.advanceToken()
			return path, true, nil
		case !p.tok.isName():
			return nil, false, p.expectedError("a name after the dot")
		}
		if len(path) == maxPathNames {
			return nil, false, newSyntaxError(p.tok.at, "a name has at most four parts", "")
		}
		path = append(path, p.tokenName(p.tok))
		p.advanceToken()
	}
	return path, false, nil
}
