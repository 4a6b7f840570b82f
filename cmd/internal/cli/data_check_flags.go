package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
)

// The flags of validate that name the data, of which one may be given, and those that bound the check.
var (
	dataSourceFlagNames      = []string{"connection", "db", dataFlag, "dsn"}
	dataCheckOptionFlagNames = []string{"connections", "db-memory-mib", "max-rows", "skip", "statement-timeout-secs"}
)

// addDataCheckFlags adds the flags of validate that check the data.
func addDataCheckFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("connection", "", "connection profile whose data are checked too")
	f.String("db", "", "DuckDB file whose data are checked too")
	addDataFilesFlag(cmd)
	f.String("dsn", "", "database whose data are checked too, such as postgres://user:password@host/database or sqlite:PATH")
	addConnectionsFlag(cmd)
	settings.AddFlags(f, databaseMemory)
	f.String("max-rows", "1000000", "rows of a dataset that one check may read; 0 reads all")
	f.StringArray("skip", nil, "code of a finding whose check is skipped; may be repeated")
	var codes []string
	for _, c := range datacheck.Codes() {
		codes = append(codes, c.Code)
	}
	_ = cmd.RegisterFlagCompletionFunc("skip", cobra.FixedCompletions(codes, cobra.ShellCompDirectiveNoFileComp))
	f.String("statement-timeout-secs", "30", "time limit of each statement of the check in seconds")
}

// requestedDataCheck is what the flags ask of the data; nil without a flag that names them.
type requestedDataCheck struct {
	config     engine.Config
	connection string
	options    datacheck.Options
}

// readDataCheckFlags reads the flags. A variable such as SVC_DB alone does not request a check of the data.
func (a *app) readDataCheckFlags(s settingsReader) (*requestedDataCheck, error) {
	given := s.cmd.Flags().Changed
	asked := ""
	for _, flag := range dataSourceFlagNames {
		switch {
		case !given(flag):
		case asked != "":
			return nil, newUsageError("--" + asked + " and --" + flag + " are mutually exclusive")
		case flag != dataFlag && s.readText(flag) == "":
			return nil, newUsageError("--" + flag + " must not be empty")
		default:
			asked = flag
		}
	}
	if asked == "" {
		for _, flag := range dataCheckOptionFlagNames {
			if given(flag) {
				return nil, newUsageError("--" + flag + " is for a check of the data: add --connection NAME, --db FILE, --data PATH or --dsn DSN")
			}
		}
		return nil, nil
	}
	return a.parseDataCheckFlags(s, asked)
}

func (a *app) parseDataCheckFlags(s settingsReader, asked string) (*requestedDataCheck, error) {
	d := &requestedDataCheck{}
	var failures []error
	check := func(err error) { failures = append(failures, err) }
	rows, err := strconv.ParseInt(s.readText("max-rows"), 10, 64)
	switch {
	case err != nil || rows < 0:
		check(newUsageError(fmt.Sprintf("--max-rows must be a number of rows, or 0 for all, not %q", s.readText("max-rows"))))
	case rows == 0:
		d.options.MaxRows = datacheck.UnlimitedRows
	default:
		d.options.MaxRows = rows
	}
	d.options.StatementTimeout, err = s.readSeconds("statement-timeout-secs")
	check(err)
	d.options.Skip, err = s.cmd.Flags().GetStringArray("skip")
	check(err)
	if err := d.options.RejectUnknownSkipCodes(); err != nil {
		check(newUsageError("--skip: " + err.Error()))
	}
	d.config, err = a.readEngineConfig(s, a.newCommandLogger())
	check(err)
	// A variable never adds a second source of data to the one that the flags name.
	d.config.DBPath = ""
	if asked != dataFlag {
		d.config.Data = nil
	}
	switch asked {
	case "connection":
		d.connection = s.readText("connection")
	case "db":
		d.config.DBPath = s.readText("db")
	case "dsn":
		d.config.DSN, d.connection = s.readText("dsn"), engine.DSNConnectionName
	}
	if asked != "connection" {
		d.config.ConnectionsPath, d.config.DiscoverConnections = "", false
	}
	return d, errors.Join(failures...)
}

// validateModelAndData validates a model and checks the data.
func (d *requestedDataCheck) validateModelAndData(ctx context.Context, path string) (*engine.Validation, error) {
	c := d.config
	c.ModelPath = path
	return engine.ValidateData(ctx, c, d.connection, d.options)
}
