package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// windowDefinitionsAndUses are the windows that the clause WINDOW of a select defines, and the uses of such names in OVER. The tree has no
// names of windows: each use becomes the window that it names. A statement about the catalogue may have names; the statement
// that writes each window out is the retry of the error of any other.
type windowDefinitionsAndUses struct {
	defined []namedWindow
	uses    []namedWindowUse
}

// namedWindow is one definition: name AS (…).
type namedWindow struct {
	name   Name
	window *Window
	size   int // of its text, names written out
}

// namedWindowUse is OVER name, or OVER (name …), which adds clauses to those of the name.
type namedWindowUse struct {
	name   Name
	at     sqlexpr.Position
	window *Window
	adds   bool
}

// maxReplacedWindowNameBytes bounds the text that a statement has in the place of names.
const maxReplacedWindowNameBytes = 16 << 10

// The SQLSTATEs of PostgreSQL for names of windows.
const (
	sqlStateWindowingError  = "42P20"
	sqlStateUndefinedObject = "42704"
)

// noteRewrite notes the first construct that the language lacks and the tree has in another form, and reads on for the retry.
func (p *parser) noteRewrite(construct, hint string) { p.noteRewriteAt(p.tok.at, construct, hint) }

func (p *parser) noteRewriteAt(at sqlexpr.Position, construct, hint string) {
	if !p.takesCatalogueOnly() && p.rewritten == nil {
		p.rewritten = newUnsupportedError(at, construct+" is not supported", hint)
	}
}

// treeOrRewriteError returns the outcome of a text: its tree, or the error of the first construct that is rewritten, with the statement that
// has none.
func (p *parser) treeOrRewriteError(q *Query, err error) (*Query, error) {
	refused := p.rewritten
	switch {
	case refused == nil && err != nil:
		return nil, err
	case refused != nil && err != nil:
		return nil, refused
	case p.catalogue && p.windowFault != nil:
		return nil, p.windowFault
	}
	if err := checkDepth(q, p.lim.Depth); err != nil {
		return nil, err
	}
	if refused == nil {
		return q, nil
	}
	if p.windowFault == nil {
		refused.Statement = Format(q)
	}
	return nil, refused
}

// recordFirstWindowError keeps the first reason for which a name cannot be written out.
func (p *parser) recordFirstWindowError(e *Error) {
	if p.windowFault == nil {
		p.windowFault = e
	}
}

func newNamedWindowError(state string, use namedWindowUse, fault string) *Error {
	return &Error{Code: CodeSyntax, SQLState: state, Position: int(use.at), Message: "the window " + use.name.Text + " " + fault}
}

// parseWindowNameUse reads the name of a window in the place of a window, or before the clauses that it adds.
func (p *parser) parseWindowNameUse(w *Window, adds bool) {
	p.noteRewrite("a named window", "write the window in parentheses")
	p.windows.uses = append(p.windows.uses, namedWindowUse{name: p.tokenName(p.tok), at: p.tok.at, window: w, adds: adds})
	p.advanceToken()
}

// canTokenBeWindowName recognises the name of a window at the start of parentheses.
func (p *parser) canTokenBeWindowName() bool {
	switch p.tok.kw {
	case kwPartition, kwRows, kwRange, kwGroups:
		return false
	}
	return p.tok.kind == tokQuotedName || p.tok.kind == tokWord && p.tok.kw.canBeColumnName()
}

// parseWindowClause reads WINDOW name AS (…), ….
func (p *parser) parseWindowClause() error {
	p.noteRewrite("the clause WINDOW", "write the window after OVER")
	p.advanceToken()
	_, err := parseCommaSeparated(p, p.lim.Items, "the windows of the select are", (*parser).parseNamedWindow)
	return err
}

func (p *parser) parseNamedWindow() (*Window, error) {
	at := p.tok.at
	name, err := p.parseName("the name of a window")
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "AS and a window in parentheses"); err != nil {
		return nil, err
	}
	start, written, uses := p.tok.start, p.writtenOut, len(p.windows.uses)
	w := &Window{Position: Position(p.tok.at)}
	if err := p.expectToken(tokLParen, "( and a window"); err != nil {
		return nil, err
	}
	if err := p.parseWindowInParens(w); err != nil {
		return nil, err
	}
	p.replaceWindowNames(uses) // a name defined before
	if _, twice := p.findWindow(name); twice {
		p.recordFirstWindowError(newNamedWindowError(sqlStateWindowingError, namedWindowUse{name: name, at: at}, "is defined twice"))
	}
	size := p.prev.end - start + p.writtenOut - written
	p.windows.defined = append(p.windows.defined, namedWindow{name, w, size})
	return w, nil
}

func (p *parser) findWindow(name Name) (namedWindow, bool) {
	for _, d := range p.windows.defined {
		if d.name.Equal(name) {
			return d, true
		}
	}
	return namedWindow{}, false
}

// replaceWindowNames gives the windows of the uses from the first one on the clauses that their names stand for.
func (p *parser) replaceWindowNames(first int) {
	for _, use := range p.windows.uses[first:] {
		d, found := p.findWindow(use.name)
		p.writtenOut += d.size
		switch {
		case !found:
			p.recordFirstWindowError(newNamedWindowError(sqlStateUndefinedObject, use, "is not defined"))
		case p.writtenOut > maxReplacedWindowNameBytes:
			p.recordFirstWindowError(newTooManyError(use.at, "the bytes of named windows are", maxReplacedWindowNameBytes))
		case !use.adds:
			use.window.PartitionBy, use.window.OrderBy, use.window.Frame = d.window.PartitionBy, d.window.OrderBy, d.window.Frame
		case d.window.Frame != nil:
			p.recordFirstWindowError(newNamedWindowError(sqlStateWindowingError, use, "has a frame, so that nothing can be added to it"))
		case len(use.window.PartitionBy) > 0:
			p.recordFirstWindowError(newNamedWindowError(sqlStateWindowingError, use, "cannot be given a PARTITION BY"))
		case len(d.window.OrderBy) > 0 && len(use.window.OrderBy) > 0:
			p.recordFirstWindowError(newNamedWindowError(sqlStateWindowingError, use, "has an ORDER BY already"))
		default:
			use.window.PartitionBy = d.window.PartitionBy
			if len(d.window.OrderBy) > 0 {
				use.window.OrderBy = d.window.OrderBy
			}
		}
	}
	p.windows.uses = p.windows.uses[:first]
}
