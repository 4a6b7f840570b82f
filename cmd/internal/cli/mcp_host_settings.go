package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The places of hosts' settings, as hosts have them.
type (
	mcpServersHostSettings struct {
		Servers map[string]any `json:"mcpServers"`
	}
	vsCodeMCPSettings struct {
		Servers map[string]any        `json:"servers"`
		Inputs  []vsCodePromptedInput `json:"inputs,omitempty"`
	}
	vsCodePromptedInput struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Description string `json:"description"`
		Password    bool   `json:"password"`
	}
	mcpCommandServerEntry struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	mcpURLServerEntry struct {
		Type    string            `json:"type,omitempty"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
)

// mcpHostSettingsText writes what to put into the settings of the usual hosts: this
// command, started by the host, or a server at url.
func mcpHostSettingsText(cmd *cobra.Command, model, url string) (string, error) {
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	args, err := mcpServerLaunchArgs(cmd)
	if err != nil {
		return "", err
	}
	name := mcpHostServerName(model)
	command := mcpCommandServerEntry{Command: binary, Args: args}
	typed := command
	typed.Type = "stdio"
	bearer := func(token string) map[string]string { return map[string]string{"Authorization": "Bearer " + token} }
	var b strings.Builder
	for _, part := range []struct {
		title    string
		settings any
	}{
		{"Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Claude Code (.mcp.json)", mcpServersHostSettings{map[string]any{name: command}}},
		{"VS Code (.vscode/mcp.json)", vsCodeMCPSettings{Servers: map[string]any{name: typed}}},
		{"Cursor, over HTTP; without a token leave the headers out", mcpServersHostSettings{map[string]any{name: mcpURLServerEntry{URL: url, Headers: bearer("${env:SVC_SERVER_TOKEN}")}}}},
		{"Claude Code, over HTTP", mcpServersHostSettings{map[string]any{name: mcpURLServerEntry{Type: "http", URL: url, Headers: bearer("${SVC_SERVER_TOKEN}")}}}},
		{"VS Code, over HTTP", vsCodeMCPSettings{
			Servers: map[string]any{name: mcpURLServerEntry{Type: "http", URL: url, Headers: bearer("${input:semlayer-token}")}},
			Inputs:  []vsCodePromptedInput{{"promptString", "semlayer-token", "Token of the semlayer server", true}},
		}},
	} {
		text, err := marshalIndentedJSON(part.settings)
		if err != nil {
			return "", err
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("# " + part.title + "\n" + text)
	}
	return b.String(), nil
}

func marshalIndentedJSON(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.String(), err
}

// mcpServerLaunchArgs returns this command line as a host starts it: the flags given and the
// values of environment variables, with absolute paths. A host runs in its own folder and
// environment.
func mcpServerLaunchArgs(cmd *cobra.Command) ([]string, error) {
	s, err := newSettingsReader(cmd)
	if err != nil {
		return nil, err
	}
	args := []string{"mcp"}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if s.sourceOf(f.Name) == sourceDefault || f.Name == "print-config" || f.Name == "url" || err != nil {
			return
		}
		if f.Name == dataFlag {
			var paths []string
			paths, err = s.readDataPaths()
			for _, path := range paths {
				if path, err = filepath.Abs(path); err == nil {
					args = append(args, "--"+dataFlag, path)
				}
			}
			return
		}
		value := s.readText(f.Name)
		switch f.Name {
		case configFlag, "model", "db", "connections":
			if value == "" {
				return
			}
			if value, err = filepath.Abs(value); err != nil {
				return
			}
		}
		if f.Value.Type() == "bool" {
			args = append(args, "--"+f.Name+"="+value)
			return
		}
		args = append(args, "--"+f.Name, value)
	})
	return args, err
}

// mcpHostServerName returns the name of a model as hosts show it before those of the tools.
func mcpHostServerName(model string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, model), "-")
	if name == "" {
		return "semlayer"
	}
	return name
}
