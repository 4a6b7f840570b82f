package pgwire

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/semsql/parse"
)

// suspendedPortalTimeout is how long a portal keeps its stream and its slot between two fetches.
const suspendedPortalTimeout = 60 * time.Second

// preparedStatement is a statement that was parsed.
type preparedStatement struct {
	text      string
	parsed    *parse.Statement // of a query, while the message is answered that holds its text; else nil
	statement statement.Statement
	kind      statementKind
	declared  []uint32 // types of parameters that the client gives; 0 and what is beyond are found
	// described: parameters and columns are known.
	described  bool
	revision   string // of the model that it was described with
	parameters []uint32
	columns    []Column
	admission  *admission // of the description of a query over the model; nil for none
}

// parsedQuery returns the query of the statement, whose text is given.
func (p *preparedStatement) parsedQuery(text string) *parse.Statement {
	if p.parsed != nil {
		return p.parsed
	}
	return parse.ParseStatement(text, parse.DefaultLimits())
}

// heldQuery returns the query of a statement that holds one, as a statement without the message that holds its text.
func (p *preparedStatement) heldQuery() *preparedStatement {
	text, _, _ := statement.QueryText(p.statement)
	text = strings.Clone(text)
	return &preparedStatement{text: text, statement: &statement.Select{Text: text}, kind: p.kind, parsed: p.parsed, declared: p.parameters, admission: p.admission}
}

// modelTree returns the tree of a query over a model; nil where it is not at hand.
func (p *preparedStatement) modelTree() *parse.Query {
	if p.parsed == nil {
		return nil
	}
	return p.parsed.ModelTree()
}

// portal is a statement with the values of its parameters, ready to give rows.
type portal struct {
	id       int
	prepared *preparedStatement
	params   []BindParameterValue
	formats  []int16  // one for each column
	columns  []Column // nil for a statement without rows
	open     func(ctx context.Context) (statementRows, error)
	run      func(ctx context.Context) (tag string, err error) // of a statement without rows

	isCursor bool
	isHeld   bool // a cursor that survives COMMIT
	mu       sync.Mutex
	rows     statementRows
	ended    bool // there is no further row
	expired  bool // the next fetch came too late
	idle     *time.Timer
	fetched  int64

	planBytes int // of the text that the warehouse gets
	line      *auditLine
}

// openOrResumeRows opens the rows of the portal, or takes them back from their wait.
func (p *portal) openOrResumeRows(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle != nil {
		p.idle.Stop()
		p.idle = nil
	}
	switch {
	case p.expired:
		return newSessionError(sqlstateQueryCanceled, "the rows were not fetched in time")
	case p.rows != nil, p.ended:
		return nil
	}
	r, err := p.open(ctx)
	if err != nil {
		return err
	}
	p.rows = r
	return nil
}

// suspend lets the portal wait for the next fetch.
func (p *portal) suspend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rows == nil {
		return
	}
	wait := suspendedPortalTimeout
	if r, ok := p.rows.(*streamRows); ok {
		wait = min(wait, time.Until(r.deadline))
	}
	p.idle = time.AfterFunc(wait, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.idle == nil || p.rows == nil { // a fetch was quicker
			return
		}
		p.rows.close()
		p.rows, p.expired = nil, true
	})
}

// close gives back what the portal holds.
func (p *portal) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle != nil {
		p.idle.Stop()
		p.idle = nil
	}
	if p.rows != nil {
		p.rows.close()
		p.rows = nil
	}
	p.ended = true
}

// fetchRows hands at most so many rows on, all for a negative number. It reports how many there were, and whether there may be more.
func (p *portal) fetchRows(ctx context.Context, most int64, take func(statementRows) error) (n int64, more bool, err error) {
	if err := p.openOrResumeRows(ctx); err != nil {
		return 0, false, err
	}
	if p.ended {
		return 0, false, nil
	}
	for most < 0 || n < most {
		err := p.rows.next(ctx)
		if errors.Is(err, io.EOF) {
			p.close()
			return n, false, nil
		}
		if err == nil {
			err = take(p.rows)
		}
		if err != nil {
			p.line.note(ctx, err)
			p.close()
			return n, false, err
		}
		n++
		p.fetched++
	}
	return n, true, nil
}
