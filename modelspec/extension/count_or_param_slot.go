package extension

import (
	"regexp"

	"github.com/semlayer/semlayer/modelspec"
)

// NumberParamSlot is a parameter slot that stands for a number: ":n".
type NumberParamSlot struct {
	Name string
	modelspec.Place
}

var identifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
