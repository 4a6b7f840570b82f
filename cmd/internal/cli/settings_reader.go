package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/restapi"
)

// envVariableByFlag maps the flags that an environment variable can set to its name.
// A flag overrides its variable, and the variable a key of the settings file.
var envVariableByFlag = func() map[string]string {
	out := map[string]string{}
	for _, one := range settings.Table() {
		if one.Variable != "" {
			out[one.Flag] = one.Variable
		}
	}
	return out
}()

// settingsReader reads a command's flags, their variables and the settings file.
type settingsReader struct {
	v    *viper.Viper
	cmd  *cobra.Command
	file settings.FileValues
}

// newSettingsReader returns what it can read beside an error.
func newSettingsReader(cmd *cobra.Command) (settingsReader, error) {
	v := viper.New()
	if err := v.BindPFlags(cmd.Flags()); err != nil {
		return settingsReader{}, err
	}
	for flag, variable := range envVariableByFlag {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		if err := v.BindEnv(flag, variable); err != nil {
			return settingsReader{}, err
		}
	}
	s := settingsReader{v: v, cmd: cmd}
	return s, errors.Join(s.readFile(), checkUnknownEnvVariables(s.connectionsPath()))
}

const configFlag = "config"

// readFile reads the settings file of a command that has the flag.
func (s *settingsReader) readFile() error {
	if !s.commandDefinesFlag(configFlag) {
		return nil
	}
	path := s.readText(configFlag)
	if path == "" {
		if s.cmd.Flags().Changed(configFlag) {
			return newUsageError(flagAndEnvVariableText(configFlag) + " must not be empty")
		}
		return nil
	}
	var err error
	if s.file, err = settings.ReadFile(path, s.commandDefinesFlag); err != nil {
		return newUsageError(flagAndEnvVariableText(configFlag) + ": " + err.Error())
	}
	texts := map[string]any{}
	for flag, values := range s.file {
		texts[flag] = strings.Join(values, ",")
	}
	return s.v.MergeConfigMap(texts)
}

// isInFile reports whether the settings file has a value for a flag.
func (s settingsReader) isInFile(flag string) bool {
	_, ok := s.file[flag]
	return ok
}

// settingSource is where the value of a setting is from.
type settingSource string

const (
	sourceFlag     settingSource = "flag"
	sourceVariable settingSource = "variable"
	sourceFile     settingSource = "file"
	sourceDefault  settingSource = "default"
)

// sourceOf returns where the value of a flag is from. An empty variable is one that is not set.
func (s settingsReader) sourceOf(flag string) settingSource {
	switch variable := envVariableByFlag[flag]; {
	case s.cmd.Flags().Changed(flag):
		return sourceFlag
	case variable != "" && os.Getenv(variable) != "":
		return sourceVariable
	case s.isInFile(flag):
		return sourceFile
	}
	return sourceDefault
}

// readRepeated reads the values of a flag that repeats, all from one place.
func (s settingsReader) readRepeated(flag string) []string {
	switch s.sourceOf(flag) {
	case sourceVariable:
		return splitNonBlankLines(os.Getenv(envVariableByFlag[flag]))
	case sourceFile:
		return s.file[flag]
	case sourceFlag, sourceDefault:
	}
	// GetStringArray would lose a single empty text.
	if list, ok := s.cmd.Flags().Lookup(flag).Value.(pflag.SliceValue); ok && len(list.GetSlice()) > 0 {
		return list.GetSlice()
	}
	return nil
}

// connectionsPath returns the path of the profiles file that the flag or the variable names, also
// for a command without the flag.
func (s settingsReader) connectionsPath() string {
	if s.commandDefinesFlag("connections") {
		return s.readText("connections")
	}
	return os.Getenv(envVariableByFlag["connections"])
}

// flagAndEnvVariableText returns a flag with its variable, as messages call it.
func flagAndEnvVariableText(flag string) string {
	if variable := envVariableByFlag[flag]; variable != "" {
		return "--" + flag + " (" + variable + ")"
	}
	return "--" + flag
}

func (s settingsReader) readText(flag string) string { return s.v.GetString(flag) }

// readBoolean reads a switch. A word in a variable that is neither yes nor no is a
// mistake: taken for no, it could open what was meant to be closed.
func (s settingsReader) readBoolean(flag string) (bool, error) {
	on, err := strconv.ParseBool(s.readText(flag))
	if err != nil {
		return false, newUsageError(fmt.Sprintf("%s must be true or false, not %q", s.settingText(flag), s.readText(flag)))
	}
	return on, nil
}

// readList reads a list of words with commas between them.
const (
	corsOriginsFlag  = "cors-origins"
	embedOriginsFlag = "embed-origins"
)

// readOrigins reads the origins of web pages.
func (s settingsReader) readOrigins(flag string) ([]string, error) {
	origins := s.readList(flag)
	if err := restapi.CheckOrigins(origins); err != nil {
		return nil, newUsageError(flagAndEnvVariableText(flag) + ": " + err.Error())
	}
	return origins, nil
}

func (s settingsReader) readList(flag string) []string {
	var out []string
	for word := range strings.SplitSeq(s.readText(flag), ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// requireFlag returns an error where a text that must be given is not.
func (s settingsReader) requireFlag(flag string) error {
	if s.readText(flag) != "" {
		return nil
	}
	return newUsageError(flagAndEnvVariableText(flag) + " is required")
}

// readCount reads an integer within the bounds of its setting.
func (s settingsReader) readCount(flag string) (int, error) {
	setting, ok := settings.Lookup(flag)
	if !ok || setting.Kind != settings.Integer { // a flag of one command
		setting = settings.Setting{Min: 1}
	}
	n, must := setting.CheckInteger(s.readText(flag))
	if must != "" {
		return 0, newUsageError(fmt.Sprintf("%s %s, not %q", s.settingText(flag), must, s.readText(flag)))
	}
	return n, nil
}

// settingText returns a flag with its variable as messages call it, and its key where the file has the value.
func (s settingsReader) settingText(flag string) string {
	if s.sourceOf(flag) == sourceFile {
		return flagAndEnvVariableText(flag) + ", the key " + flag + " of " + s.readText(configFlag) + ","
	}
	return flagAndEnvVariableText(flag)
}

const (
	queueMSFlag     = "queue-ms"
	queueLengthFlag = "queue-length"
)

// readOptionalCount reads a positive integer, 0 where there is none.
func (s settingsReader) readOptionalCount(flag string) (int, error) {
	if s.readText(flag) == "" {
		return 0, nil
	}
	return s.readCount(flag)
}

// readSeconds reads a positive number of seconds.
func (s settingsReader) readSeconds(flag string) (time.Duration, error) {
	n, err := s.readCount(flag)
	return time.Duration(n) * time.Second, err
}

// readBasicMode reads the engine's mode, which two switches share: flags, where there
// are any, override the variables of both, and these the file.
func (s settingsReader) readBasicMode() (bool, error) {
	const vendorFlag, basicFlag = "sem-vendor", "sem-basic"
	vendor, vendorErr := s.readBoolean(vendorFlag)
	basic, basicErr := s.readBoolean(basicFlag)
	if err := errors.Join(vendorErr, basicErr); err != nil {
		return false, err
	}
	var saysVendor, saysBasic bool
	for _, source := range []settingSource{sourceFlag, sourceVariable, sourceFile} {
		if saysVendor, saysBasic = s.sourceOf(vendorFlag) == source, s.sourceOf(basicFlag) == source; saysVendor || saysBasic {
			break
		}
	}
	switch {
	case saysVendor && saysBasic && vendor == basic:
		return false, newUsageError(flagAndEnvVariableText(vendorFlag) + " and " + flagAndEnvVariableText(basicFlag) + " are mutually exclusive")
	case saysBasic:
		return basic, nil
	}
	return saysVendor && !vendor, nil
}
