package engine

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/engine/fileschema"
	"github.com/semlayer/semlayer/modelspec/schema"
)

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
