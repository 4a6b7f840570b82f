package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseCacheKey is a text in the spelling of a dialect, "" for the portable language.
type parseCacheKey struct{ text, dialect string }

// cachedParseResult is one text and what the parser made of it.
type cachedParseResult struct {
	expr   sqlexpr.Expr
	err    error
	tokens int
}

// parseExpressionCached parses a text, each text of a dialect once: an alias of YAML may give many
// objects the same one.
func (c *compiler) parseExpressionCached(text, dialect string) cachedParseResult {
	key := parseCacheKey{text, dialect}
	p, known := c.parsed[key]
	if !known {
		if p.tokens = estimateTokenCount(text); c.tokens+p.tokens <= limits.ModelTokens {
			p.expr, p.err = sqlexpr.ParseLimited(text, sqlexpr.NativeLimits(dialect))
		}
		c.parsed[key] = p
	}
	return p
}

// countTokensTowardLimit counts tokens toward the limit of the model. Every use of a text counts,
// because every object is compiled by itself. Once the limit is passed, all further
// objects fail with one error, at the place where it was passed.
func (c *compiler) countTokensTowardLimit(tokens int, owner modelspec.Place) *modelspec.CompileError {
	if c.tokens += tokens; c.tokens <= limits.ModelTokens {
		return nil
	}
	if c.tooLarge == nil {
		c.tooLarge = c.addAndReturnError(&modelspec.CompileError{
			Code: CodeUnparseable, Location: owner.Location, Position: owner.Position,
			Message: fmt.Sprintf("up to here the expressions and payloads of the model have more than %d words and signs, those that aliases repeat included", limits.ModelTokens),
			Hint:    "split the model",
		})
	}
	return c.tooLarge
}

// estimateTokenCount counts the words of a text and the signs between them, which are about
// as many as the tokens that a parser sees.
func estimateTokenCount(text string) int {
	n := 0
	word := false
	for i := range len(text) {
		switch b := text[i]; {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			word = false
		case b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80:
			if !word {
				n++
			}
			word = true
		default:
			n++
			word = false
		}
	}
	return n
}
