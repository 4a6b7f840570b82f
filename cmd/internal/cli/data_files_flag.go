package cli

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
)

const dataFlag = "data"

// addDataFilesFlag adds the flag of a command whose embedded database can be data files.
func addDataFilesFlag(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), dataFlag)
}

// readDataPaths reads the paths of data files: those of the flag, or else of the variable.
func (s settingsReader) readDataPaths() ([]string, error) {
	if !s.commandDefinesFlag(dataFlag) {
		return nil, nil
	}
	paths := s.readRepeated(dataFlag)
	if slices.ContainsFunc(paths, func(p string) bool { return strings.TrimSpace(p) == "" }) {
		return nil, newUsageError(flagAndEnvVariableText(dataFlag) + " must not be empty")
	}
	if len(paths) > 0 && s.readText("db") != "" {
		return nil, newUsageError(flagAndEnvVariableText(dataFlag) + " and " + flagAndEnvVariableText("db") + " are mutually exclusive")
	}
	return paths, nil
}

// engineWithEmbeddedDatabase is the embedded database of an engine, or of several.
type engineWithEmbeddedDatabase interface {
	DataFilesReport() engine.DataFilesReport
	OpenEmbedded(ctx context.Context) error
}

// readDataFileColumns reads the columns of the data files before the first query, so that a file that
// cannot be a table prevents the start.
func readDataFileColumns(ctx context.Context, log *slog.Logger, db engineWithEmbeddedDatabase) error {
	data := db.DataFilesReport()
	if len(data.Paths) == 0 {
		return nil
	}
	if err := db.OpenEmbedded(ctx); err != nil {
		return err
	}
	logDataFileWarnings(log, db.DataFilesReport())
	log.Info("the data files are tables", "tables", data.Tables, "files", data.Files, "skipped", data.Skipped)
	return nil
}

func logDataFileWarnings(log *slog.Logger, data engine.DataFilesReport) {
	for _, w := range data.Warnings {
		log.Warn("data files: " + w)
	}
}
