package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// referenceError is an error about a name in a payload.
type referenceError struct{ *modelspec.CompileError }

func invalidReferenceError(ref extension.ObjectRef, key, format string, args ...any) referenceError {
	return referenceError{invalidPayloadError(ref.Place, key, format, args...)}
}

// invalidPayloadError returns an error about a part of a payload.
func invalidPayloadError(place modelspec.Place, key, format string, args ...any) *modelspec.CompileError {
	return &modelspec.CompileError{
		Code: extension.CodeInvalidPayload, Location: place.Location, Position: place.Position,
		Message: fmt.Sprintf(format, args...), Hint: "see " + extension.DocumentationAnchor(key),
	}
}

// errorWithCandidates adds the names that would have been right.
func (r referenceError) errorWithCandidates(c *compiler, name string, names func() []string) *modelspec.CompileError {
	r.Candidates = c.nearestCandidates(name, names)
	return r.CompileError
}

// candidateRankingBudget bounds the work for candidates: in a model full of wrong names it
// would grow as their number squared.
const candidateRankingBudget = 20_000_000

// nearestCandidates ranks candidates, until the budget is spent.
func (c *compiler) nearestCandidates(name string, names func() []string) []string {
	return c.ranking.Nearest(name, names, suggest.MaxCandidates)
}
