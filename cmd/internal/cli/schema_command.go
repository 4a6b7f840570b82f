package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

func (a *app) schemaCommand() *cobra.Command {
	var kind string
	kinds := strings.Join(engine.FileSchemaKinds(), ", ")
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a model file, for editors",
		Long: `schema prints the JSON Schema (2020-12) of a kind of file. With it, an editor that has a YAML
extension checks and completes a model. The first line of the model must be

  # yaml-language-server: $schema=model.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains(engine.FileSchemaKinds(), kind) {
				message := fmt.Sprintf("--kind %s is not one of %s", kind, kinds)
				if nearest, ok := engine.ClosestName(kind, engine.FileSchemaKinds()); ok {
					message += "; the nearest is " + nearest
				}
				return newUsageError(message)
			}
			text, err := engine.FileSchema(kind)
			if err == nil {
				_, err = a.std.Out.Write(text)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&kind, "kind", engine.SchemaModel, "kind of file: "+kinds)
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(engine.FileSchemaKinds(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
