package cli

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

const (
	noRollupsFlag   = "no-rollups"
	rollupsOnlyFlag = "rollups-only"
	rollupStateFlag = "rollup-state-secs"
	rollupDirFlag   = "rollup-dir"
)

// rollupFlagNames are the flags of the key rollups, whose values are not those of one flag.
var rollupFlagNames = []string{noRollupsFlag, rollupsOnlyFlag}

func addRollupFlags(cmd *cobra.Command) {
	cmd.Flags().Bool(noRollupsFlag, false, "read base tables, and none of the rollups of the model")
	cmd.Flags().Bool(rollupsOnlyFlag, false, "read rollups alone: an error where a base table is needed")
	cmd.MarkFlagsMutuallyExclusive(rollupFlagNames...)
}

// addRollupFlags writes the key rollups where one of its flags is given.
func (o *jsonObjectWriter) addRollupFlags(cmd *cobra.Command) {
	switch {
	case isFlagSet(cmd, noRollupsFlag):
		o.addMember("rollups", query.RollupsOff)
	case isFlagSet(cmd, rollupsOnlyFlag):
		o.addMember("rollups", query.RollupsOnly)
	}
}

// readRollupSettings reads the settings of rollups of a command that has them.
func (s settingsReader) readRollupSettings(c *engine.Config) error {
	if s.commandDefinesFlag(rollupDirFlag) {
		c.RollupDir = s.readText(rollupDirFlag)
		c.RollupDirOfModels = s.commandDefinesFlag(modelsFlag) && s.readText(modelsFlag) != ""
	}
	if !s.commandDefinesFlag(rollupStateFlag) {
		return nil
	}
	counts, err := s.readSeconds(rollupStateFlag)
	if c.RollupStateTime = counts; counts == 0 {
		c.RollupStateTime = -time.Second // each execution reads it
	}
	return err
}
