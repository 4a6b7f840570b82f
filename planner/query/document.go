package query

import (
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
)

// modelBody is the body of a request to validate a model.
type modelBody struct{ model *string }

var modelFields = []field[modelBody]{
	{key{"model", textKind, nil}, func(s *scanner, b *modelBody) error {
		b.model = new(string)
		return s.needText(b.model, "a string, the text of a model")
	}},
}

// DecodeModel reads the body of validate, {"model": text}, and returns the
// text. The error is a *planerr.Error of code bad_request.
func DecodeModel(body []byte) (string, error) {
	into, err := decode(body, modelFields)
	var e *planerr.Error
	if errors.As(err, &e) && e.Code == planerr.CodeUnknownQueryKey {
		e.Code, e.SuggestedRetry = planerr.CodeBadRequest, ""
		e.Message = "the body takes the one key " + strconv.Quote("model")
	}
	if err != nil {
		return "", err
	}
	if into.model == nil {
		return "", badRequest(`the body needs the key "model", the text of a model`)
	}
	return *into.model, nil
}
