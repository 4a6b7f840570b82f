package parse

import (
	"errors"
	"strings"
)

// parseStatement reads the only statement of a text.
func (p *parser) parseStatement() (*Query, error) {
	for p.tok.kind == tokSemicolon {
		p.advanceToken()
	}
	if p.tok.kind == tokEOF {
		return nil, newSyntaxError(p.tok.at, "the text holds no statement", "write SELECT … FROM …")
	}
	if !p.isQueryStart() && p.tok.kind != tokLParen {
		return nil, p.refuseNonSelectStatement()
	}
	q, err := p.parseQuery()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEOF && p.tok.kind != tokSemicolon {
		return nil, p.trailingTextError()
	}
	for p.tok.kind == tokSemicolon {
		p.advanceToken()
	}
	if p.tok.kind != tokEOF {
		return nil, p.unsupportedError("a second statement in one text", "send one statement at a time")
	}
	return q, nil
}

// trailingTextError explains text after a complete query.
func (p *parser) trailingTextError() error {
	switch {
	case p.isKeyword(kwInto):
		return newReadOnlyError(p.tok.at, "SELECT INTO")
	case p.tok.kind == tokRParen:
		return newSyntaxError(p.tok.at, "a closing parenthesis has no opening one", "")
	}
	return p.expectedError("a clause of SELECT or the end of the statement")
}

// The first words of the statements of PostgreSQL that are not SELECT.
var (
	sessionStatementWords = wordSet("abort begin close commit deallocate declare discard end execute explain fetch listen move prepare release reset rollback savepoint set show start unlisten")
	writingStatementWords = wordSet("alter analyse analyze call checkpoint cluster comment create delete do drop grant import insert load lock merge notify reassign refresh reindex revoke security truncate update vacuum")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// refuseNonSelectStatement names a statement that is not a SELECT by its first word.
func (p *parser) refuseNonSelectStatement() error {
	word := strings.ToLower(p.tokenText(p.tok))
	upper := strings.ToUpper(word)
	switch {
	case p.tok.kind != tokWord:
		return p.expectedError("SELECT")
	case word == "copy" && p.ahead.kind == tokLParen:
		return p.refuseCopyQuery()
	case word == "copy":
		return newReadOnlyError(p.tok.at, "COPY of a table")
	case p.isTwoPhaseTransactionStatement(word):
		return newReadOnlyError(p.tok.at, upper+" of a prepared transaction")
	case writingStatementWords[word]:
		return newReadOnlyError(p.tok.at, upper)
	case sessionStatementWords[word]:
		return p.unsupportedError("the session statement "+upper, "only SELECT is supported here")
	case word == "values", word == "table":
		return p.unsupportedError("the statement "+upper, "write SELECT … FROM …")
	}
	return p.expectedError("SELECT")
}

// isTwoPhaseTransactionStatement recognises PREPARE TRANSACTION, COMMIT PREPARED and ROLLBACK PREPARED.
func (p *parser) isTwoPhaseTransactionStatement(word string) bool {
	second := strings.ToLower(p.tokenText(p.ahead))
	return word == "prepare" && second == "transaction" || (word == "commit" || word == "rollback") && second == "prepared"
}

// refuseCopyQuery distinguishes COPY (…) TO STDOUT, which reads, from the other forms of COPY (…).
func (p *parser) refuseCopyQuery() error {
	copyToken := p.tok
	p.advanceToken()
	for open := 0; p.tok.kind != tokEOF && p.tok.kind != tokBad; p.advanceToken() {
		switch p.tok.kind {
		case tokLParen:
			open++
		case tokRParen:
			open--
		}
		if open == 0 {
			break
		}
	}
	if p.ahead.kw == kwTo && !p.isWord(p.tokenAfterNext(), "stdout") {
		return newReadOnlyError(copyToken.at, "COPY to a file or a program")
	}
	return newUnsupportedError(copyToken.at, "the session statement COPY is not supported", "only SELECT is supported here")
}

// catalogueUnsupportedError replaces the error of a statement that names a schema of the catalogue: it
// is the statement that is not supported, and not one construct.
func (p *parser) catalogueUnsupportedError(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeUnsupported && e.Code != CodeSyntax {
		return err
	}
	if at := p.findCatalogueSchema(); at > 0 {
		return NewCatalogueError(at)
	}
	return err
}

// findCatalogueSchema returns where a text that cannot be parsed names a schema of the catalogue first; 0 for nowhere.
func (p *parser) findCatalogueSchema() Position {
	sc := scanner{src: p.sc.src, catalogue: p.sc.catalogue}
	for t, next := sc.nextToken(), sc.nextToken(); t.kind != tokEOF && t.kind != tokBad; t, next = next, sc.nextToken() {
		if t.isName() && next.kind == tokDot && isCatalogueSchema(p.tokenName(t)) {
			return Position(t.at)
		}
		if next.kind == tokBad {
			break
		}
	}
	return 0
}

// isCatalogueSchema reports whether a name is that of a schema of the catalogue.
func isCatalogueSchema(n Name) bool {
	return n.Text == "pg_catalog" || n.Text == "information_schema" ||
		!n.Quoted && (strings.EqualFold(n.Text, "pg_catalog") || strings.EqualFold(n.Text, "information_schema"))
}

// NewCatalogueError rejects a statement about the catalogue of a database.
func NewCatalogueError(at Position) *Error {
	return newUnsupportedError(at, "a statement about the catalogue is not supported", "only statements over the relations of the model are supported here")
}

// FindCatalogueReference returns where a statement names a relation in a schema of the catalogue, or,
// for a statement without any relation, where it begins; false for every other statement.
func FindCatalogueReference(q *Query) (Position, bool) {
	at, relations := q.Position, 0
	found := false
	Walk(q, func(n Node) bool {
		switch n := n.(type) {
		case *Table:
			relations++
			if !found && len(n.Path) > 1 && isCatalogueSchema(n.Path[len(n.Path)-2]) {
				at, found = n.Position, true
			}
		case *SemanticView:
			relations++
		}
		return true
	})
	return at, found || relations == 0
}
