package engine

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/semlayer/semlayer/engine/fileschema"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/format"
	"github.com/semlayer/semlayer/modelspec/schema"
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

// The kinds of files that Schema describes.
const (
	SchemaModel       = "model"
	SchemaTest        = "test"
	SchemaConnections = "connections"
)

// FileSchemaKinds lists the kinds of files that Schema describes.
func FileSchemaKinds() []string { return []string{SchemaModel, SchemaTest, SchemaConnections} }

// FileSchema returns the JSON Schema (2020-12) of a kind of file.
func FileSchema(kind string) ([]byte, error) {
	switch kind {
	case SchemaModel:
		return schema.ModelSchema().JSON()
	case SchemaTest:
		return fileschema.ModelTestFileSchema().JSON()
	case SchemaConnections:
		return fileschema.ConnectionsSchema().JSON()
	}
	return nil, fmt.Errorf("the kind of file %q has no schema; the kinds are %s", kind, strings.Join(FileSchemaKinds(), ", "))
}
