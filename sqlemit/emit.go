package sqlemit

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/plan"
)

// Options choose the form of the text, never its meaning.
type Options struct {
	// Pretty breaks the text into indented lines; the tokens stay the same.
	Pretty bool
}

// maxText bounds the text of one statement in bytes. A few functions have to
// name an argument twice in some dialects; nested a hundred deep by a hostile
// query they would double a hundred times.
const maxText = limits.StatementBytes

// Emit prints the plan as one SQL statement without a final semicolon. It stops when
// ctx ends, with the error of ctx; any other error is an *Error.
func Emit(ctx context.Context, root plan.Node, d *Dialect, opt Options) (string, error) {
	w := &writer{d: d, pretty: opt.Pretty, buf: make([]byte, 0, 1024), contextErr: ctx.Err}
	w.names = aliasesOf(root)
	b := w.build(root)
	w.labelColumns(b)
	w.nameTables(b)
	w.statement(b)
	if d.settings != "" {
		w.space()
		w.text(d.settings)
	}
	if w.shouldStop() {
		if w.endErr != nil {
			return "", w.endErr
		}
		return "", w.err
	}
	return string(w.buf), nil
}
