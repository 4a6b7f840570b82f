package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) infoCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "info --model FILE", Short: "Describe a model and what the engine reads of it", Args: cobra.NoArgs}
	modelFlags(cmd)
	a.formatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, _, err := a.open(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		m := e.Model()
		if a.outputFormat() == formatJSON {
			err = a.printJSON(m)
		} else {
			_, err = fmt.Fprintf(a.std.Out, "model          %s\n"+
				"description    %s\n"+
				"file           %s\n"+
				"mode           %s (format %s, extension %s)\n"+
				"datasets       %d with %d fields\n"+
				"relationships  %d\n"+
				"metrics        %d\n"+
				"warnings       %d\n",
				m.Name, m.Description, m.Path, m.Mode, m.SpecVersion, m.ExtensionVersion,
				m.Datasets, m.Fields, m.Relationships, m.Metrics, m.Warnings)
		}
		if err == nil {
			a.warn(e)
		}
		return err
	}
	return cmd
}
