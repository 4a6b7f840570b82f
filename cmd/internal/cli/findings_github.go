package cli

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// Within a workflow command these characters would end the message, and the
// last two a property.
var (
	workflowMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	workflowProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// findingsCommands lists the findings as workflow commands of GitHub, which
// shows each beside its line of the file.
func findingsCommands(path string, v *engine.Validation) string {
	var b strings.Builder
	for _, g := range groupByTitle(v) {
		for _, f := range g.list {
			b.WriteString(f.command(path))
		}
	}
	return b.String()
}

func (f finding) command(path string) string {
	name := "error"
	if f.warning {
		name = "warning"
	}
	properties := "file=" + workflowProperty.Replace(path)
	if f.at.Line > 0 {
		properties += ",line=" + strconv.Itoa(f.at.Line) + ",col=" + strconv.Itoa(f.at.Column)
	}
	message := f.message + parenthesize(f.location)
	if len(f.candidates) > 0 {
		message += "\ncandidates: " + strings.Join(f.candidates, ", ")
	}
	if f.hint != "" {
		message += "\nhint: " + f.hint
	}
	return "::" + name + " " + properties + ",title=" + workflowProperty.Replace(f.code) + "::" + workflowMessage.Replace(message) + "\n"
}
