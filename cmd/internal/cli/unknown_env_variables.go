package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// envVariablePrefix begins the names of the variables that semlayer reads.
const envVariablePrefix = "SVC_"

// checkUnknownEnvVariables returns a usage error that names the variables with the prefix
// that nothing reads: a misspelt one would leave a server open that a token was meant to
// close. Variables that the profiles file names are read.
func checkUnknownEnvVariables(connections string) error {
	known := make([]string, 0, len(envVariableByFlag))
	for _, name := range envVariableByFlag {
		known = append(known, name)
	}
	slices.Sort(known)
	var unknown []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, envVariablePrefix) && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	inProfiles := engine.ConnectionsFileEnvVariables(connections)
	var findings []string
	for _, name := range unknown {
		if slices.Contains(inProfiles, name) {
			continue
		}
		finding := "the variable " + name + " is unknown"
		if nearest, ok := engine.ClosestName(name, known); ok {
			finding += "; the nearest is " + nearest
		}
		findings = append(findings, finding)
	}
	if len(findings) == 0 {
		return nil
	}
	return newUsageError(strings.Join(findings, "\n"))
}
