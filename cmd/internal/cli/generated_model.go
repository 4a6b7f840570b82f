package cli

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

// generatesAnnotation marks the commands that make a model of the data when none is given.
const generatesAnnotation = "semlayer-generates-model"

// allowGeneratedModel lets a command go without a model where it has data.
func allowGeneratedModel(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[generatesAnnotation] = "true"
}

// readModel reads the flags of the model into the configuration. Without a model, the data make
// one in the commands that allow it.
func (s settings) readModel(c *engine.Config) (err error) {
	c.ModelPath = s.text("model")
	if s.hasFlag(modelsFlag) && s.text(modelsFlag) != "" {
		return nil
	}
	c.GenerateModel = s.cmd.Annotations[generatesAnnotation] != "" && (c.DBPath != "" || len(c.Data) > 0)
	if c.GenerateModel {
		return nil
	}
	return s.checkGiven("model")
}

// generatedText describes a generated model, "" for a model that was given.
func generatedText(made *engine.GeneratedModel, c engine.Config) string {
	if made == nil {
		return ""
	}
	text := "no model was given: generated one of " + modelCounts(made.Report)
	if command := keepCommand(c); command != "" {
		text += "; to write it: " + command
	}
	return text
}

// keepCommand is the command that writes the generated model, "" for several sources.
func keepCommand(c engine.Config) string {
	source := c.DBPath
	if len(c.Data) == 1 {
		source = c.Data[0]
	}
	if source == "" {
		return ""
	}
	return "semlayer init DIR --from " + shellWord(source)
}

// logGenerated logs that the model was generated.
func logGenerated(log *slog.Logger, made *engine.GeneratedModel, c engine.Config) {
	if text := generatedText(made, c); text != "" {
		log.Info(text)
	}
}

// printGenerated prints that the model was generated, on standard error.
func (a *app) printGenerated(e *engine.Engine, c engine.Config) {
	if text := generatedText(e.GeneratedModel(), c); text != "" {
		fmt.Fprintln(a.std.Err, text)
	}
}
