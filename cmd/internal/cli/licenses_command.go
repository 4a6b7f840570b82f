package cli

import (
	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/licenses"
)

func (a *app) licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of the third-party code in this program",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return licenses.Write(a.std.Out) },
	}
}
