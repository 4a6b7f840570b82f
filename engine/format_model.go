package engine

import (
	"errors"
	"io"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/format"
)

// FormatModel reads the text of a model and returns it, and the text in the one layout:
// short forms expanded, keys in the order of the format, comments kept. The error is a
// *modelspec.LoadError when the text is neither YAML nor JSON, or is too long.
func FormatModel(r io.Reader) (text, formatted []byte, err error) {
	if text, err = io.ReadAll(io.LimitReader(r, modelspec.MaxModelBytes+1)); err != nil {
		return nil, nil, err
	}
	formatted, err = format.Format(text)
	return text, formatted, err
}

// FormatModelFile is FormatModel for a file, which its errors name.
func FormatModelFile(path string) (text, formatted []byte, err error) {
	if text, err = modelspec.ReadModelFileText(path); err != nil {
		return nil, nil, err
	}
	formatted, err = format.Format(text)
	if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
		load.File = path
	}
	return text, formatted, err
}
