package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

func (a *app) modelInfoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "info --model FILE", Short: "Describe a model: its format, its mode and the number of its parts", Args: rejectArguments("model")}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		m := e.Model()
		if a.effectiveOutputFormat() == formatJSON {
			err = a.printJSON(m)
		} else {
			var validated int
			if validated, err = countValidationWarnings(cmd.Context(), s, m); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.std.Out, "model          %s\n"+
				"description    %s\n"+
				"file           %s\n"+
				"mode           %s (format %s, extension %s)\n"+
				"datasets       %d with %d fields\n"+
				"relationships  %d\n"+
				"metrics        %d\n"+
				"warnings       %d, and %d with semlayer validate\n"+
				"errors         %d\n",
				m.Name, m.Description, m.Path, m.Mode, m.SpecVersion, m.ExtensionVersion,
				m.Datasets, m.Fields, m.Relationships, m.Metrics, m.Warnings, validated, len(e.CompileErrors()))
			if names := ignoredVendorsText(e); names != "" && err == nil {
				_, err = fmt.Fprintf(a.std.Out, "ignored        custom_extensions of %s\n", names)
			}
		}
		if err == nil {
			a.printModelWarnings(e)
		}
		return err
	}
	return cmd
}

// countValidationWarnings counts the warnings of a model that validate shows: those of the
// compiled model, and those that are about the document alone.
func countValidationWarnings(ctx context.Context, s settingsReader, m engine.ModelInfo) (int, error) {
	basic, err := s.readBasicMode()
	if err != nil {
		return 0, err
	}
	v, err := engine.ValidateFile(ctx, m.Path, basic)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, g := range groupFindingsByTitle(v) {
		if g.title == warningTitle {
			n += len(g.list)
		}
	}
	return n, nil
}
