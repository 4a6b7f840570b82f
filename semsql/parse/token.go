package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokBad           // unreadable; scanner.err is the reason
	tokWord
	tokQuotedName // in double quotes or backticks
	tokString     // '…'
	tokEscapedString
	tokDollarString
	tokBitString // b'…' of a statement about the catalogue
	tokNumber
	tokParameter
	tokLParen
	tokRParen
	tokLBracket
	tokRBracket
	tokComma
	tokDot
	tokColon // between the bounds of a slice
	tokSemicolon
	tokCast
	tokNamedArgumentArrow // =>
	tokAssign
	tokPlus
	tokMinus
	tokStar
	tokSign          // of any other operator of sqlexpr
	tokLike          // ~~ and the three like it
	tokOtherOperator // an operator of PostgreSQL that the language lacks
)

var tokenKindsBySign = map[string]tokenKind{
	"+": tokPlus, "-": tokMinus, "*": tokStar, "=>": tokNamedArgumentArrow, "~~": tokLike, "~~*": tokLike, "!~~": tokLike, "!~~*": tokLike,
}

// token is a span of the text; its content is read only when needed.
type token struct {
	kind       tokenKind
	kw         keyword          // of a tokWord
	start, end int              // bytes
	at         sqlexpr.Position // of start, in characters
}

// isOperator reports whether the token is the sign of an operator that the language has.
func (t token) isOperator() bool { return t.kind >= tokPlus && t.kind <= tokLike }

// isName reports whether the token is a name of any class.
func (t token) isName() bool { return t.kind == tokWord || t.kind == tokQuotedName }

// isTextLiteral reports whether the token is a text literal.
func (t token) isTextLiteral() bool {
	return t.kind == tokString || t.kind == tokEscapedString || t.kind == tokDollarString
}
