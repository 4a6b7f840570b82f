package cli

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// variables maps the flags that an environment variable can set to its name.
// A flag beats its variable.
var variables = map[string]string{
	"model":                     "SVC_MODEL",
	"connections":               "SVC_CONNECTIONS",
	"bind":                      "SVC_BIND",
	"max-concurrent-executions": "SVC_MAX_EXECUTIONS",
	"pool-size":                 "SVC_POOL_SIZE",
	"auth-token":                "SVC_SERVER_TOKEN",
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
	return settings{v, cmd}, nil
}

// named is a flag with its variable, as messages call it.
func named(flag string) string {
	if variable := variables[flag]; variable != "" {
		return "--" + flag + " (" + variable + ")"
	}
	return "--" + flag
}

func (s settings) text(flag string) string { return s.v.GetString(flag) }

func (s settings) flag(flag string) bool { return s.v.GetBool(flag) }

// required reads a text that must be given.
func (s settings) required(flag string) (string, error) {
	if value := s.text(flag); value != "" {
		return value, nil
	}
	return "", usage(named(flag) + " is required")
}

// count reads a positive integer.
func (s settings) count(flag string) (int, error) {
	n, err := strconv.Atoi(s.text(flag))
	if err != nil || n < 1 {
		return 0, usage(fmt.Sprintf("%s must be a positive integer, not %q", named(flag), s.text(flag)))
	}
	return n, nil
}

// seconds reads a positive number of seconds.
func (s settings) seconds(flag string) (time.Duration, error) {
	n, err := s.count(flag)
	return time.Duration(n) * time.Second, err
}

// basic reads the engine's mode.
func (s settings) basic() (bool, error) {
	if s.flag("sem-basic") && s.flag("sem-vendor") && s.cmd.Flags().Changed("sem-vendor") {
		return false, usage("--sem-vendor and --sem-basic exclude each other")
	}
	return s.flag("sem-basic"), nil
}

// tokens reads the authentication tokens: the flag's, or the variable's, which
// holds one. A token that is there and empty is a mistake that would leave the
// server open, so it is not taken for none.
func (s settings) tokens() ([]string, error) {
	const flag = "auth-token"
	var tokens []string
	if s.cmd.Flags().Changed(flag) {
		// GetStringArray would lose a single empty text.
		if given, ok := s.cmd.Flags().Lookup(flag).Value.(pflag.SliceValue); ok {
			tokens = given.GetSlice()
		}
	} else if value, set := os.LookupEnv(variables[flag]); set {
		tokens = []string{value}
	}
	for _, t := range tokens {
		if t == "" {
			return nil, usage(named(flag) + " must not be empty")
		}
	}
	return tokens, nil
}
