package cli

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// Within a workflow command these characters would end the message, and the
// last two a property.
var (
	workflowMessageEscaper  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	workflowPropertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// findingWorkflowCommands lists the findings as workflow commands of GitHub, which
// shows each beside its line of the file.
func findingWorkflowCommands(path string, v *engine.Validation) string {
	var b strings.Builder
	for _, g := range groupFindingsByTitle(v) {
		for _, f := range g.list {
			b.WriteString(f.gitHubWorkflowCommand(path))
		}
	}
	return b.String()
}

func (f finding) gitHubWorkflowCommand(path string) string {
	name := "error"
	if f.warning {
		name = "warning"
	}
	properties := "file=" + workflowPropertyEscaper.Replace(path)
	if f.at.Line > 0 {
		properties += ",line=" + strconv.Itoa(f.at.Line) + ",col=" + strconv.Itoa(f.at.Column)
	}
	message := f.message + locationInParentheses(f.location)
	if len(f.candidates) > 0 {
		message += "\ncandidates: " + strings.Join(f.candidates, ", ")
	}
	if f.hint != "" {
		message += "\nhint: " + f.hint
	}
	return "::" + name + " " + properties + ",title=" + workflowPropertyEscaper.Replace(f.code) + "::" + workflowMessageEscaper.Replace(message) + "\n"
}
