package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
)

const (
	policiesFlag = "policies"
	asFlag       = "as"
)

// addReaderFlags adds the flags of a command that can ask as a reader.
func addReaderFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String(policiesFlag, "", "policies file; with --as: show what a reader would get")
	f.String(asFlag, "", `identity of the reader, as JSON or a file: '{"roles": ["analyst"], "attributes": {"region": "north"}}'`)
}

// readPoliciesPath reads the policies file of a command that does not serve.
func (s settingsReader) readPoliciesPath() string { return s.readWithoutVariable(policiesFlag) }

// readWithoutVariable reads a flag whose variable is for serve alone, so that other commands work in the container of a server as
// without it.
func (s settingsReader) readWithoutVariable(flag string) string {
	if s.sourceOf(flag) == sourceVariable {
		return ""
	}
	return s.readText(flag)
}

// readReader reads the policies file and the identity of a command that asks as a reader.
func (s settingsReader) readReader(c *engine.Config) error {
	if !s.commandDefinesFlag(asFlag) {
		return nil
	}
	policies, as := s.readPoliciesPath(), s.readText(asFlag)
	switch {
	case policies == "" && as == "":
		return nil
	case as == "":
		return newUsageError("--policies needs --as: the identity that asks")
	case policies == "":
		return newUsageError("--as needs --policies: the file with the rights of the identity")
	}
	text := []byte(as)
	if !strings.HasPrefix(strings.TrimSpace(as), "{") {
		var err error
		if text, err = os.ReadFile(as); err != nil {
			return newUsageError("--as is neither a JSON object nor a file: " + err.Error())
		}
	}
	claims, err := access.ParseIdentity(text)
	if err != nil {
		return newUsageError("--as: " + err.Error())
	}
	c.PoliciesPath, c.As = policies, &claims
	return nil
}
