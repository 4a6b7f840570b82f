package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// addKeyFlags adds the flags of keys whose value is the text of a flag, or true.
func addKeyFlags(cmd *cobra.Command, keys []query.KeyDescription) {
	for _, k := range keys {
		switch {
		case k.Type == query.BodyKeyTypeBooleanOrText && k.Flag != "":
			addRollupFlags(cmd)
		case k.Flag == "":
		case k.Type == query.BodyKeyTypeBoolean:
			cmd.Flags().Bool(k.Flag, false, k.FlagDoc)
		default:
			cmd.Flags().String(k.Flag, "", k.FlagDoc)
		}
	}
}

// namesOfKeyFlags returns the names of the flags that addKeyFlags adds.
func namesOfKeyFlags(keys []query.KeyDescription) []string {
	var names []string
	for _, k := range keys {
		switch {
		case k.Type == query.BodyKeyTypeBooleanOrText && k.Flag != "":
			names = append(names, rollupFlagNames...)
		case k.Flag != "":
			names = append(names, k.Flag)
		}
	}
	return names
}

// addKeysOfFlags writes the keys whose flags are given.
func (o *jsonObjectWriter) addKeysOfFlags(cmd *cobra.Command, keys []query.KeyDescription) {
	for _, k := range keys {
		if k.Flag == "" {
			continue
		}
		switch text := flagText(cmd, k.Flag); {
		case k.Type == query.BodyKeyTypeBooleanOrText:
			o.addRollupFlags(cmd)
		case k.Type == query.BodyKeyTypeInteger:
			if err := o.addCountFlag(cmd, k.Flag, k.Name, text); err != nil && o.err == nil {
				o.err = err
			}
		case k.Type != query.BodyKeyTypeBoolean:
			o.addNonEmptyText(k.Name, text)
		case text == "true":
			o.addMember(k.Name, !strings.HasPrefix(k.Flag, "no-"))
		}
	}
}

// flagText returns the text of a flag of addKeyFlags.
func flagText(cmd *cobra.Command, name string) string { return cmd.Flags().Lookup(name).Value.String() }

// isFlagSet reports whether a flag of addKeyFlags is true.
func isFlagSet(cmd *cobra.Command, name string) bool {
	set, err := cmd.Flags().GetBool(name)
	return err == nil && set
}
