package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [flags of serve]",
		Short: "Print the settings of a server, and where each is from",
		Long: "config takes the flags of serve, reads variables and the settings file as serve does, and prints each setting with its value and " +
			"its source: flag, variable, file or default. It starts nothing and opens no database. Settings with which serve does not start are a usage error here too.",
		Args: rejectArguments("model"),
	}
	addServeFlags(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		c, err := a.readServerSettings(s)
		if err != nil {
			return err
		}
		rows := s.effectiveSettings(c)
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(rows)
		}
		g := textTable{columns: []string{"setting", "value", "source", "variable"}}
		for _, r := range rows {
			g.rows = append(g.rows, []tableCell{{text: r.Setting}, {text: r.valueText()}, {text: string(r.Source)}, {text: r.Variable}})
		}
		return a.printText(string(withoutStyle(g)))
	}
	return cmd
}

// withoutStyle returns a table for a terminal of any width.
func withoutStyle(g textTable) []byte {
	text, _ := renderAlignedTable(g, textStyle{}, 0)
	return text
}

// effectiveSetting is a setting with its value and source.
type effectiveSetting struct {
	Setting  string        `json:"setting"`
	Value    any           `json:"value"` // null where there is none
	Source   settingSource `json:"source"`
	Flag     string        `json:"flag"`
	Variable string        `json:"variable,omitempty"`
}

func (e effectiveSetting) valueText() string {
	switch v := e.Value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case []string:
		return strings.Join(v, ", ")
	}
	return "unset"
}

// effectiveSettings returns what each setting of a server has come to.
func (s settingsReader) effectiveSettings(c serverSettings) []effectiveSetting {
	var out []effectiveSetting
	for _, one := range settings.Table() {
		if !one.MCPOnly {
			out = append(out, effectiveSetting{Setting: one.Flag, Value: s.effectiveValue(one, c), Source: s.sourceOf(one.Flag), Flag: "--" + one.Flag, Variable: one.Variable})
		}
	}
	return out
}

// effectiveValue returns the value of a setting; nil where it has none. Settings whose defaults depend on the machine have the
// value that the server uses.
func (s settingsReader) effectiveValue(one settings.Setting, c serverSettings) any {
	text := s.readText(one.Flag)
	switch {
	case one.Secret:
		if len(s.readRepeated(one.Flag)) == 0 {
			return nil
		}
		return "set"
	case one.Flag == memoryFlag && c.engine.Memory != nil:
		return int(c.engine.Memory.Total >> 20)
	case one.Flag == spillFlag && text == "":
		spill, err := s.readSpillMiB()
		if err != nil || spill == 0 {
			return nil
		}
		return spill
	case one.Kind == settings.List:
		if values := s.readRepeated(one.Flag); len(values) > 0 {
			return values
		}
		return nil
	case one.Kind == settings.Words:
		if words := s.readList(one.Flag); len(words) > 0 {
			return words
		}
		return nil
	case text == "":
		return nil
	case one.Kind == settings.Boolean:
		on, err := strconv.ParseBool(text)
		if err != nil {
			return text
		}
		return on
	case one.Kind == settings.Integer:
		n, err := strconv.Atoi(text)
		if err != nil {
			return text
		}
		return n
	}
	return text
}
