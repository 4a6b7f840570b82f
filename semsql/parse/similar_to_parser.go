package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// isSimilarTo recognises [NOT] SIMILAR TO, which only statements about the catalogue have.
func (p *parser) isSimilarTo() bool {
	return (p.isKeyword(kwSimilar) || p.isKeyword(kwNot) && p.ahead.kw == kwSimilar) && p.takesCatalogueOnly()
}

const similarToKeywords = "SIMILAR TO"

// parseSimilarTo reads [NOT] SIMILAR TO pattern [ESCAPE sign]. The pattern of its node has backslashes as its escapes.
func (p *parser) parseSimilarTo(x Expr) (Expr, error) {
	operator := similarToKeywords
	if p.acceptKeyword(kwNot) {
		operator = "NOT " + operator
	}
	p.advanceToken()
	if err := p.expectKeyword(kwTo, "TO after SIMILAR"); err != nil {
		return nil, err
	}
	at := p.tok.at
	pattern, err := p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	if p.acceptKeyword(kwEscape) {
		escape, err := p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
		if err != nil {
			return nil, err
		}
		text, isText := pattern.(*String)
		sign, isSign := escape.(*String)
		if !isText || !isSign || len(sign.Value) != 1 {
			return nil, newUnsupportedError(at, "SIMILAR TO with ESCAPE of anything but constants is not supported", "")
		}
		pattern = &String{Position: text.Position, Value: convertPatternEscapesToBackslashes(text.Value, sign.Value)}
	}
	return &CatalogueOperation{Position: sqlexpr.Position(x.Pos()), Operator: operator, Left: x, Right: pattern}, nil
}

// convertPatternEscapesToBackslashes writes the escapes of a pattern as backslashes.
func convertPatternEscapesToBackslashes(pattern, escape string) string {
	if escape == `\` {
		return pattern
	}
	return strings.NewReplacer(escape+escape, escape, escape, `\`, `\`, `\\`).Replace(pattern)
}
