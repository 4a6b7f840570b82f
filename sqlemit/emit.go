package sqlemit

import (
	"context"
	"slices"

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
	w := &writer{d: d, pretty: opt.Pretty, buf: make([]byte, 0, 1024), ended: ctx.Err}
	w.names = aliasesOf(root)
	w.result(w.build(root))
	if len(w.hidden) > 0 && w.err == nil {
		w = w.again(root)
	}
	if d.settings != "" {
		w.space()
		w.text(d.settings)
	}
	if w.full() {
		if w.late != nil {
			return "", w.late
		}
		return "", w.err
	}
	return string(w.buf), nil
}

// result prints the outermost block, whose columns are those of the result.
func (w *writer) result(b *block) {
	if b != nil && b.out != nil && w.d.ident.label != nil {
		cols := slices.Clone(b.out.cols)
		for i := range cols {
			cols[i].name = w.d.ident.label(cols[i].name)
		}
		uniqueNames(cols)
		b.out = &scope{cols: cols}
	}
	w.statement(b)
}

// again prints a statement anew with other aliases for the tables that its columns
// hid.
func (w *writer) again(root plan.Node) *writer {
	next := &writer{d: w.d, pretty: w.pretty, buf: w.buf[:0], renamed: map[string]string{}, ended: w.ended}
	next.names = aliasesOf(root)
	for _, label := range w.labels {
		w.names.add(label)
	}
	for _, alias := range w.hidden {
		if next.renamed[alias] == "" {
			next.renamed[alias] = w.fresh(alias)
		}
	}
	next.result(next.build(root))
	return next
}
