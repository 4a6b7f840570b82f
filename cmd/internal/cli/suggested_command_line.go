package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/engine"
)

// correctableCommandLine is the query of the command, kept so that an error can show a corrected command
// line.
type correctableCommandLine struct {
	cmd  *cobra.Command
	body []byte
}

// correctedCommandLine returns the rejected command line with a suggested fragment merged into
// its query; "" if the suggestion is in words. It writes the query as JSON, which can
// express every query.
func (q correctableCommandLine) correctedCommandLine(fragment string) string {
	if q.cmd == nil {
		return ""
	}
	merged, ok := mergeQueryFragment(q.body, []byte(fragment))
	if !ok {
		return ""
	}
	cmd := q.cmd
	if cmd.Name() == detailQueryCommandName && merged["metrics"] != nil {
		cmd = q.metricCommandForDetailCommand()
		delete(merged, "from")
		delete(merged, "fields")
	}
	text, err := engine.MarshalWireJSON(merged)
	if err != nil {
		return ""
	}
	words := append([]string{cmd.CommandPath()}, q.sharedNonQueryFlags(cmd)...)
	return shellCommandLine(append(words, "--json", string(text)))
}

// metricCommandForDetailCommand returns the command that does for a metric query what the rejected command
// does for a detail query: --sql is the command compile, --explain the command explain.
func (q correctableCommandLine) metricCommandForDetailCommand() *cobra.Command {
	name := "query"
	for flag, command := range map[string]string{"sql": "compile", "explain": "explain"} {
		if on, err := q.cmd.Flags().GetBool(flag); err == nil && on {
			name = command
		}
	}
	cmd, _, err := q.cmd.Root().Find([]string{name})
	if err != nil {
		return q.cmd
	}
	return cmd
}

// sharedNonQueryFlags returns the flags of the rejected command that are not part of its query and
// that the suggested command has too.
func (q correctableCommandLine) sharedNonQueryFlags(cmd *cobra.Command) []string {
	var words []string
	q.cmd.Flags().Visit(func(f *pflag.Flag) {
		own := cmd.Flags().Lookup(f.Name)
		if own == nil || f.Name == "json" || isQueryFlag(f.Name) {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, value := range list.GetSlice() {
				words = append(words, "--"+f.Name, value)
			}
			return
		}
		value := f.Value.String()
		if own != f && f.Name == formatFlagName && !slices.Contains(allowedOutputFormats(own), value) {
			value = formatTable // CSV is for rows; SQL and plans are text all the same
		}
		words = append(words, formatFlagAsArguments(f.Name, f.Value.Type(), value)...)
	})
	return words
}

// formatFlagAsArguments writes one flag. The value of a Boolean flag needs an equals sign: a separate
// word would be an argument.
func formatFlagAsArguments(name, kind, value string) []string {
	switch {
	case kind != "bool":
		return []string{"--" + name, value}
	case value == "true":
		return []string{"--" + name}
	}
	return []string{"--" + name + "=" + value}
}

// isQueryFlag reports whether a flag is a part of the query.
func isQueryFlag(name string) bool {
	return slices.Contains(metricQueryKeyFlagNames, name) || slices.Contains(detailQueryKeyFlagNames, name) || slices.Contains(attributeQueryKeyFlagNames, name)
}

// mergeQueryFragment puts a fragment over a query: each key replaces that of the query as
// a whole, and null removes it.
func mergeQueryFragment(body, fragment []byte) (map[string]json.RawMessage, bool) {
	var query, patch map[string]json.RawMessage
	if json.Unmarshal(body, &query) != nil || json.Unmarshal(fragment, &patch) != nil || len(patch) == 0 {
		return nil, false
	}
	maps.Copy(query, patch)
	isNull := func(key string) bool { return query[key] != nil && string(query[key]) == "null" }
	if query["saved"] == nil || isNull("saved") { // otherwise a null removes a key of the saved query
		maps.DeleteFunc(query, func(key string, _ json.RawMessage) bool { return isNull(key) })
	}
	return query, true
}

// shellCommandLine writes a command for a POSIX shell. The first word is a command path, which
// needs no quotes.
func shellCommandLine(words []string) string {
	line := words[0]
	for _, w := range words[1:] {
		line += " " + quoteShellWord(w)
	}
	return line
}

// quoteShellWord quotes a string for a POSIX shell if necessary.
func quoteShellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,=+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
