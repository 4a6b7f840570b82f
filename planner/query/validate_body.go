package query

import (
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
)

// validateBody is the body of a request to validate a model.
type validateBody struct{ model *string }

var validateBodyKeyReaders = []keyReader[validateBody]{
	{bodyKey{"model", bodyKeyValueText, nil}, func(s *scanner, b *validateBody) error {
		b.model = new(string)
		return s.readRequiredText(b.model, "a string, the text of a model")
	}},
}

// DecodeValidateBody reads the body of validate, {"model": text}, and returns the
// text. The error is a *planerr.Error of code bad_request.
func DecodeValidateBody(body []byte) (string, error) {
	into, err := decodeBody(body, validateBodyKeyReaders)
	var e *planerr.Error
	if errors.As(err, &e) && e.Code == planerr.CodeUnknownQueryKey {
		e.Code, e.SuggestedRetry = planerr.CodeBadRequest, ""
		e.Message = "the body takes the one key " + strconv.Quote("model")
	}
	if err != nil {
		return "", err
	}
	if into.model == nil {
		return "", badRequestError(`the body needs the key "model", the text of a model`)
	}
	return *into.model, nil
}
