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
// *modelspec.LoadError when the text is neither YAML nor JSON, is too long, or is not a model. With anyDocument a text that is not a model gets
// the layout.
func FormatModel(r io.Reader, anyDocument bool) (text, formatted []byte, err error) {
	if text, err = io.ReadAll(io.LimitReader(r, modelspec.MaxModelBytes+1)); err != nil {
		return nil, nil, err
	}
	formatted, err = formatModelText(text, anyDocument)
	return text, formatted, err
}

func formatModelText(text []byte, anyDocument bool) ([]byte, error) {
	if !anyDocument && !format.IsModel(text) {
		return nil, &modelspec.LoadError{
			Kind:    modelspec.LoadErrorParse,
			Message: "the text is not a model: it has neither the key semantic_model nor datasets, relationships or metrics beside a version. With --force it gets the layout",
		}
	}
	return format.Format(text)
}

// FormatModelFile is FormatModel for a file, which its errors name.
func FormatModelFile(path string, anyDocument bool) (text, formatted []byte, err error) {
	if text, err = modelspec.ReadModelFileText(path); err != nil {
		return nil, nil, err
	}
	formatted, err = formatModelText(text, anyDocument)
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
