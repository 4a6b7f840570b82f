package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

// variables maps the flags that an environment variable can set to its name.
// A flag beats its variable.
var variables = map[string]string{
	"model":                     "SVC_MODEL",
	modelsFlag:                  "SVC_MODELS",
	defaultModelFlag:            "SVC_DEFAULT_MODEL",
	"watch":                     "SVC_WATCH",
	"sem-vendor":                "SVC_SEM_VENDOR",
	"sem-basic":                 "SVC_SEM_BASIC",
	"connections":               "SVC_CONNECTIONS",
	"db":                        "SVC_DB",
	dataFlag:                    "SVC_DATA",
	"db-memory-mib":             "SVC_DB_MEMORY_MIB",
	"tag-statements":            "SVC_TAG_STATEMENTS",
	"bind":                      "SVC_BIND",
	"max-concurrent-executions": "SVC_MAX_EXECUTIONS",
	"pool-size":                 "SVC_POOL_SIZE",
	"execute-timeout-secs":      "SVC_EXECUTE_TIMEOUT_SECS",
	"request-timeout-secs":      "SVC_REQUEST_TIMEOUT_SECS",
	"max-body-bytes":            "SVC_MAX_BODY_BYTES",
	"max-answer-bytes":          "SVC_MAX_ANSWER_BYTES",
	"max-connections":           "SVC_MAX_CONNECTIONS",
	perAddressFlag:              "SVC_MAX_CONNECTIONS_PER_ADDRESS",
	"auth-token":                "SVC_SERVER_TOKEN",
	tokenFileFlag:               "SVC_SERVER_TOKEN_FILE",
	"disable-execute":           "SVC_DISABLE_EXECUTE",
	"strict":                    "SVC_STRICT",
	"no-explorer":               "SVC_NO_EXPLORER",
	"cors-origins":              "SVC_CORS_ORIGINS",
	"log-format":                "SVC_LOG_FORMAT",
	"log-level":                 "SVC_LOG_LEVEL",
}

// settings reads a command's flags and their variables.
type settings struct {
	v   *viper.Viper
	cmd *cobra.Command
}

func settingsOf(cmd *cobra.Command) (settings, error) {
	v := viper.New()
	if err := v.BindPFlags(cmd.Flags()); err != nil {
		return settings{}, err
	}
	for flag, variable := range variables {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		if err := v.BindEnv(flag, variable); err != nil {
			return settings{}, err
		}
	}
	s := settings{v, cmd}
	return s, checkUnknownVariables(s.connections())
}

// connections is the path of the profiles file that the flag or the variable names, also
// for a command without the flag.
func (s settings) connections() string {
	if s.hasFlag("connections") {
		return s.text("connections")
	}
	return os.Getenv(variables["connections"])
}

// flagAndVariable is a flag with its variable, as messages call it.
func flagAndVariable(flag string) string {
	if variable := variables[flag]; variable != "" {
		return "--" + flag + " (" + variable + ")"
	}
	return "--" + flag
}

func (s settings) text(flag string) string { return s.v.GetString(flag) }

// boolean reads a switch. A word in a variable that is neither yes nor no is a
// mistake: taken for no, it could open what was meant to be closed.
func (s settings) boolean(flag string) (bool, error) {
	on, err := strconv.ParseBool(s.text(flag))
	if err != nil {
		return false, newUsageError(fmt.Sprintf("%s must be true or false, not %q", flagAndVariable(flag), s.text(flag)))
	}
	return on, nil
}

// list reads a list of words with commas between them.
func (s settings) list(flag string) []string {
	var out []string
	for word := range strings.SplitSeq(s.text(flag), ",") {
		if word = strings.TrimSpace(word); word != "" {
			out = append(out, word)
		}
	}
	return out
}

// checkGiven returns an error where a text that must be given is not.
func (s settings) checkGiven(flag string) error {
	if s.text(flag) != "" {
		return nil
	}
	return newUsageError(flagAndVariable(flag) + " is required")
}

// address reads where to listen. An empty one would be every address of the
// machine, at a port of the system's choice.
func (s settings) address(flag string) (string, error) {
	if value := s.text(flag); strings.TrimSpace(value) != "" {
		return value, nil
	}
	return "", newUsageError(flagAndVariable(flag) + " must not be empty")
}

// count reads a positive integer, of 31 bits: as seconds it is still a Duration.
func (s settings) count(flag string) (int, error) {
	n, err := strconv.Atoi(s.text(flag))
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0, newUsageError(fmt.Sprintf("%s must be a positive integer, not %q", flagAndVariable(flag), s.text(flag)))
	}
	return n, nil
}

// positiveOrZero reads a positive integer, 0 where there is none.
func (s settings) positiveOrZero(flag string) (int, error) {
	if s.text(flag) == "" {
		return 0, nil
	}
	return s.count(flag)
}

// seconds reads a positive number of seconds.
func (s settings) seconds(flag string) (time.Duration, error) {
	n, err := s.count(flag)
	return time.Duration(n) * time.Second, err
}

// basic reads the engine's mode, which two switches share: flags, where there
// are any, beat the variables of both.
func (s settings) basic() (bool, error) {
	const vendorFlag, basicFlag = "sem-vendor", "sem-basic"
	vendor, vendorErr := s.boolean(vendorFlag)
	basic, basicErr := s.boolean(basicFlag)
	if err := errors.Join(vendorErr, basicErr); err != nil {
		return false, err
	}
	given := s.cmd.Flags().Changed
	saysVendor, saysBasic := given(vendorFlag), given(basicFlag)
	if !saysVendor && !saysBasic {
		saysVendor, saysBasic = os.Getenv(variables[vendorFlag]) != "", os.Getenv(variables[basicFlag]) != ""
	}
	switch {
	case saysVendor && saysBasic && vendor == basic:
		return false, newUsageError(flagAndVariable(vendorFlag) + " and " + flagAndVariable(basicFlag) + " are mutually exclusive")
	case saysBasic:
		return basic, nil
	}
	return saysVendor && !vendor, nil
}
