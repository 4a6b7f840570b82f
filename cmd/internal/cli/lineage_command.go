package cli

import (
	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

// The formats that lineage alone has.
const (
	formatMermaid = "mermaid"
	formatDOT     = "dot"
)

func (a *app) lineageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lineage [METRIC] --model FILE",
		Short: "Show the lineage of a metric, down to the tables",
		Args:  cobra.MaximumNArgs(1),
	}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON, formatMermaid, formatDOT)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		metric := ""
		if len(args) == 1 {
			metric = args[0]
		}
		e, _, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		l, err := e.Lineage(cmd.Context(), metric)
		if err != nil {
			return err
		}
		if err := a.printLineage(l, metric != ""); err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

func (a *app) printLineage(l *lineage.Graph, ofOne bool) error {
	switch a.effectiveOutputFormat() {
	case formatJSON:
		return a.printJSON(l)
	case formatMermaid:
		return a.printText(l.Mermaid())
	case formatDOT:
		return a.printText(l.DOT())
	}
	if ofOne {
		return a.printText(metricLineageTreeText(l))
	}
	return a.printTextTable(lineageTableOfAllMetrics(l))
}
