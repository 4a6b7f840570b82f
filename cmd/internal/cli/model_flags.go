package cli

import (
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
)

// generatesModelAnnotation marks the commands that make a model of the data when none is given.
const generatesModelAnnotation = "semlayer-generates-model"

// allowGeneratedModel lets a command go without a model where it has data.
func allowGeneratedModel(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[generatesModelAnnotation] = "true"
}

// readModelFlags reads the flags of the model into the configuration. Without a model, the data make
// one in the commands that allow it.
func (s settingsReader) readModelFlags(c *engine.Config) (err error) {
	c.ModelPath = s.readText("model")
	if s.commandDefinesFlag(modelsFlag) && s.readText(modelsFlag) != "" {
		return nil
	}
	c.GenerateModel = s.cmd.Annotations[generatesModelAnnotation] != "" && (c.DBPath != "" || len(c.Data) > 0)
	if c.GenerateModel {
		return nil
	}
	return s.requireFlag("model")
}

// modelWasGeneratedNote describes a generated model, "" for a model that was given.
func modelWasGeneratedNote(made *generate.ModelTextWithReport, c engine.Config) string {
	if made == nil {
		return ""
	}
	text := "no model was given: generated one of " + modelCountsText(made.Report)
	if command := initFromCommandText(c); command != "" {
		text += "; to write it: " + command
	}
	return text
}

// initFromCommandText returns the command that writes the generated model, "" for several sources.
func initFromCommandText(c engine.Config) string {
	source := c.DBPath
	if len(c.Data) == 1 {
		source = c.Data[0]
	}
	if source == "" {
		return ""
	}
	return "semlayer init DIR --from " + quoteShellWord(source)
}

// logGeneratedModel logs that the model was generated.
func logGeneratedModel(log *slog.Logger, made *generate.ModelTextWithReport, c engine.Config) {
	if text := modelWasGeneratedNote(made, c); text != "" {
		log.Info(text)
	}
}

// printModelWasGeneratedNote prints that the model was generated, on standard error.
func (a *app) printModelWasGeneratedNote(e *engine.Engine, c engine.Config) {
	if text := modelWasGeneratedNote(e.GeneratedModel(), c); text != "" {
		fmt.Fprintln(a.std.Err, text)
	}
}
