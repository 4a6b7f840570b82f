package reload

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/restapi"
)

// maxLoggedFindings is how many findings of a rejected text are logged.
const maxLoggedFindings = 10

// CompileErrors rejects a model whose objects do not all compile.
type CompileErrors struct{ List []*modelspec.CompileError }

// Error returns the first of them, and how many there are.
func (e *CompileErrors) Error() string {
	return fmt.Sprintf("%d of its objects do not compile, the first: %s", len(e.List), e.List[0].Error())
}

// ErrorCode returns the code of the first.
func (e *CompileErrors) ErrorCode() string { return e.List[0].Code }

// modelRefusalReason is one reason against a text.
type modelRefusalReason struct {
	code, location, message string
	at                      modelspec.Position
}

// refusalReasonsOf lists the reasons in an error. An error of another kind than those of Warehouses.OpenModel is one.
func refusalReasonsOf(err error) []modelRefusalReason {
	var invalid *engine.ModelError
	var load *modelspec.LoadError
	var compile *CompileErrors
	var out []modelRefusalReason
	switch {
	case errors.As(err, &invalid):
		for _, i := range invalid.Issues {
			if i.Severity == modelspec.SeverityError {
				out = append(out, modelRefusalReason{i.Code, i.Location, i.Message, i.Position})
			}
		}
	case errors.As(err, &compile):
		for _, c := range compile.List {
			out = append(out, modelRefusalReason{c.Code, c.Location, c.Message, c.Position})
		}
	case errors.As(err, &load):
		message := load.Message
		if load.Hint != "" {
			message += " (" + load.Hint + ")"
		}
		out = append(out, modelRefusalReason{code: load.ErrorCode(), message: message, at: load.Position})
	}
	if len(out) == 0 {
		out = append(out, modelRefusalReason{code: restapi.CodeInternal, message: err.Error()})
	}
	return out
}

// logRefusal logs why a text is rejected.
func (s *ModelSet) logRefusal(f namedModelFile, st *watchedModelFile, err error) {
	list := refusalReasonsOf(err)
	switch {
	case s.options.ShowRefusal != nil:
		s.options.ShowRefusal(f.path, err)
	default:
		for _, one := range list[:min(len(list), maxLoggedFindings)] {
			s.options.Log.Warn("model refused: "+one.message, s.addModelNameToLogAttributes(f, "code", one.code, "location", one.location, "line", one.at.Line)...)
		}
	}
	text := "a changed model is rejected: the previous model is still served"
	if st.engine == nil {
		text = "a new model is refused: it is not served"
	}
	s.options.Log.Warn(text, s.addModelNameToLogAttributes(f, "findings", len(list))...)
}

// newReloadError returns the error of a rejected text for /ready, without a word of the model.
func newReloadError(err error, at time.Time) *restapi.ReloadError {
	first := refusalReasonsOf(err)[0]
	message := errorCodeMeaning(first.code)
	if first.at.Line > 0 {
		message += " (line " + strconv.Itoa(first.at.Line) + ")"
	}
	return &restapi.ReloadError{Code: first.code, Message: message, At: at.UTC().Truncate(time.Millisecond)}
}

// newDataFilesError returns the error of rejected data files for /ready, without a name of a file.
func newDataFilesError(err error, at time.Time) *restapi.ReloadError {
	code := restapi.CodeInternal
	var coded engine.CodedError
	if errors.As(err, &coded) {
		code = coded.ErrorCode()
	}
	return &restapi.ReloadError{
		Code: code, Message: "the data files cannot be read: the tables stay as they were", At: at.UTC().Truncate(time.Millisecond),
	}
}

// errorCodeMeaning returns the meaning of a code.
func errorCodeMeaning(code string) string {
	for _, c := range engine.Codes() {
		if c.Code == code && (c.Stage == engine.StageValidate || c.Stage == engine.StageCompile) {
			return c.When
		}
	}
	switch code {
	case loadErrorKindUnreadable:
		return "the file of the model cannot be read"
	case "ontology":
		return "the text is an ontology, which is another format"
	}
	return "the model cannot be loaded"
}
