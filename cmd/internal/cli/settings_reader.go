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

// envVariableByFlag maps the flags that an environment variable can set to its name.
// A flag beats its variable.
var envVariableByFlag = map[string]string{
	"model":                      "SVC_MODEL",
	modelsFlag:                   "SVC_MODELS",
	defaultModelFlagName:         "SVC_DEFAULT_MODEL",
	"watch":                      "SVC_WATCH",
	"sem-vendor":                 "SVC_SEM_VENDOR",
	"sem-basic":                  "SVC_SEM_BASIC",
	"connections":                "SVC_CONNECTIONS",
	defaultConnectionFlag:        "SVC_DEFAULT_CONNECTION",
	"db":                         "SVC_DB",
	dataFlag:                     "SVC_DATA",
	databaseMemory:               "SVC_DB_MEMORY_MIB",
	memoryFlag:                   "SVC_MEMORY_MIB",
	spillFlag:                    "SVC_SPILL_MIB",
	"tag-statements":             "SVC_TAG_STATEMENTS",
	indexValuesFlag:              "SVC_INDEX_VALUES",
	mcpExecuteQueryFlag:          "SVC_MCP_EXECUTE_QUERY",
	"bind":                       "SVC_BIND",
	"max-concurrent-executions":  "SVC_MAX_EXECUTIONS",
	"pool-size":                  "SVC_POOL_SIZE",
	"execute-timeout-secs":       "SVC_EXECUTE_TIMEOUT_SECS",
	"stream-timeout-secs":        "SVC_STREAM_TIMEOUT_SECS",
	"request-timeout-secs":       "SVC_REQUEST_TIMEOUT_SECS",
	"max-body-bytes":             "SVC_MAX_BODY_BYTES",
	"max-answer-bytes":           "SVC_MAX_ANSWER_BYTES",
	"max-connections":            "SVC_MAX_CONNECTIONS",
	maxConnectionsPerAddressFlag: "SVC_MAX_CONNECTIONS_PER_ADDRESS",
	"auth-token":                 "SVC_SERVER_TOKEN",
	tokenFileFlag:                "SVC_SERVER_TOKEN_FILE",
	policiesFlag:                 "SVC_POLICIES",
	queueMSFlag:                  "SVC_QUEUE_MS",
	queueLengthFlag:              "SVC_QUEUE_LENGTH",
	"disable-execute":            "SVC_DISABLE_EXECUTE",
	"strict":                     "SVC_STRICT",
	"no-explorer":                "SVC_NO_EXPLORER",
	"cors-origins":               "SVC_CORS_ORIGINS",
	pgBindFlag:                   "SVC_PG_BIND",
	pgTLSCertificateFlag:         "SVC_PG_TLS_CERT",
	pgTLSKeyFlag:                 "SVC_PG_TLS_KEY",
	pgRequireTLSFlag:             "SVC_PG_REQUIRE_TLS",
	pgMaxSessionsFlag:            "SVC_PG_MAX_SESSIONS",
	pgMaxPendingFlag:             "SVC_PG_MAX_PENDING",
	pgIdleTimeoutFlag:            "SVC_PG_IDLE_TIMEOUT_SECS",
	"log-format":                 "SVC_LOG_FORMAT",
	"log-level":                  "SVC_LOG_LEVEL",
}

// settingsReader reads a command's flags and their variables.
type settingsReader struct {
	v   *viper.Viper
	cmd *cobra.Command
}

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
	s := settingsReader{v, cmd}
	return s, checkUnknownEnvVariables(s.connectionsPath())
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
		return false, newUsageError(fmt.Sprintf("%s must be true or false, not %q", flagAndEnvVariableText(flag), s.readText(flag)))
	}
	return on, nil
}

// readList reads a list of words with commas between them.
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

// readListenAddress reads where to listen. An empty one would be every address of the
// machine, at a port of the system's choice.
func (s settingsReader) readListenAddress(flag string) (string, error) {
	if value := s.readText(flag); strings.TrimSpace(value) != "" {
		return value, nil
	}
	return "", newUsageError(flagAndEnvVariableText(flag) + " must not be empty")
}

// readCount reads a positive integer, of 31 bits: as seconds it is still a Duration.
func (s settingsReader) readCount(flag string) (int, error) {
	n, err := strconv.Atoi(s.readText(flag))
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0, newUsageError(fmt.Sprintf("%s must be a positive integer, not %q", flagAndEnvVariableText(flag), s.readText(flag)))
	}
	return n, nil
}

const (
	queueMSFlag     = "queue-ms"
	queueLengthFlag = "queue-length"
	maxQueueMS      = 60_000
)

// readQueueMS reads the time that an execution waits for a slot.
func (s settingsReader) readQueueMS() (int, error) {
	n, err := strconv.Atoi(s.readText(queueMSFlag))
	if err != nil || n < 0 || n > maxQueueMS {
		return 0, newUsageError(fmt.Sprintf("%s must be an integer from 0 to %d, not %q", flagAndEnvVariableText(queueMSFlag), maxQueueMS, s.readText(queueMSFlag)))
	}
	return n, nil
}

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
// are any, beat the variables of both.
func (s settingsReader) readBasicMode() (bool, error) {
	const vendorFlag, basicFlag = "sem-vendor", "sem-basic"
	vendor, vendorErr := s.readBoolean(vendorFlag)
	basic, basicErr := s.readBoolean(basicFlag)
	if err := errors.Join(vendorErr, basicErr); err != nil {
		return false, err
	}
	given := s.cmd.Flags().Changed
	saysVendor, saysBasic := given(vendorFlag), given(basicFlag)
	if !saysVendor && !saysBasic {
		saysVendor, saysBasic = os.Getenv(envVariableByFlag[vendorFlag]) != "", os.Getenv(envVariableByFlag[basicFlag]) != ""
	}
	switch {
	case saysVendor && saysBasic && vendor == basic:
		return false, newUsageError(flagAndEnvVariableText(vendorFlag) + " and " + flagAndEnvVariableText(basicFlag) + " are mutually exclusive")
	case saysBasic:
		return basic, nil
	}
	return saysVendor && !vendor, nil
}
