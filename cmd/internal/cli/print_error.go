package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
)

// printError prints why a command failed: with --format json the error struct
// of the engine, else text with what would help.
func (a *app) printError(err error) {
	if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
		fmt.Fprint(a.std.Err, loadErrorText(err, load))
		return
	}
	var coded engine.CodedError
	isCoded := errors.As(err, &coded)
	switch coded.(type) {
	case *engine.ModelError, *engine.PoliciesError:
		isCoded = false // text on every surface
	}
	if !isCoded {
		fmt.Fprintln(a.std.Err, err)
		return
	}
	if a.effectiveOutputFormat() == formatJSON {
		if text, err := engine.MarshalWireJSON(coded); err == nil {
			fmt.Fprintf(a.std.Err, "%s\n", text)
			return
		}
	}
	// What is missing where the query went may be where it did not go.
	fmt.Fprint(a.std.Err, a.errorText(coded, styleOfStream(a.std.Err)), a.unreadConnectionsWarning())
}

func (a *app) errorText(coded engine.CodedError, s textStyle) string {
	var b strings.Builder
	line := func(label, value string) {
		if value != "" {
			b.WriteString("  " + s.dim(label+":") + " " + value + "\n")
		}
	}
	switch e := coded.(type) {
	case *planerr.Error:
		b.WriteString(s.red("error:") + " " + s.bold(e.Code+":") + " " + e.Message + "\n")
		line("metrics", strings.Join(e.Metrics, ", "))
		line("candidates", strings.Join(e.Candidates, ", "))
		line("try", e.SuggestedRetry)
		line("so", a.lastQuery.correctedCommandLine(e.SuggestedRetry))
		line("hint", e.Hint)
	case *engine.SQLError:
		b.WriteString(s.red("error:") + " " + s.bold(e.Code+":") + " " + e.Message + "\n")
		if e.Position > 0 {
			line("at", fmt.Sprintf("character %d", e.Position))
		}
		line("metrics", strings.Join(e.Metrics, ", "))
		line("candidates", strings.Join(e.Candidates, ", "))
		line("try", e.Statement)
		line("hint", e.Hint)
	case *modelspec.CompileError:
		b.WriteString(s.red("error:") + " " + s.bold(e.Code+":") + " " + e.Message + "\n")
		line("in the model at", e.Location)
		line("candidates", strings.Join(e.Candidates, ", "))
		line("hint", e.Hint)
	case *engine.ExecuteError:
		b.WriteString(s.red("error:") + " " + s.bold(e.Code+":") + " " + e.Message + "\n")
		line("candidates", strings.Join(e.Candidates, ", "))
		line("try", e.SuggestedRetry)
		line("so", a.lastQuery.correctedCommandLine(e.SuggestedRetry))
		line("hint", e.Hint)
	default:
		b.WriteString(s.red("error:") + " " + e.Error() + "\n")
	}
	return b.String()
}

// loadErrorText shows why a text is not a model, with its line and what would help.
func loadErrorText(err error, load *modelspec.LoadError) string {
	text := err.Error() + "\n"
	if load.Hint != "" {
		text += "  hint: " + terminalSafeLine(load.Hint) + "\n"
	}
	return text + lineExcerpt(load.Line, load.Position)
}
