package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// Options choose the form of the text, never its meaning.
type Options struct {
	// Pretty breaks the text into indented lines; the tokens stay the same.
	Pretty bool
}

// maxText bounds the text of one statement in bytes. A few functions have to
// name an argument twice in some dialects; nested a hundred deep by a hostile
// query they would double a hundred times.
const maxText = 8 << 20

// Emit prints the plan as one SQL statement without a final semicolon. An
// error is always an *Error.
func Emit(root plan.Node, d *Dialect, opt Options) (string, error) {
	w := &writer{d: d, pretty: opt.Pretty, buf: make([]byte, 0, 1024)}
	w.names = scanAliases(w.names, root)
	w.statement(w.build(root))
	if d.settings != "" {
		w.space()
		w.text(d.settings)
	}
	if w.err != nil {
		return "", w.err
	}
	return string(w.buf), nil
}
