package main

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/executor/profile"
)

// variablePrefix is how each variable of the environment begins.
const variablePrefix = "SEMLAYER_SMOKE_"

// betaTypes are the types that no run of the tests has met for real, and whose absence is reported.
var betaTypes = []string{
	"redshift", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb", "starrocks", "doris", "trino", "snowflake", "bigquery", "databricks",
}

// service is one type of connection.
type service struct {
	name string
	beta bool
	set  []string // keys of the profile whose variables are set
}

// services lists every type of connection, those of other names included.
func services(env func(string) (string, bool)) []service {
	var out []service
	for _, t := range profile.Types() {
		for _, name := range append([]string{t.Name}, t.Aliases...) {
			s := service{name: name, beta: isBeta(name)}
			for _, key := range t.Keys {
				if _, is := env(s.variableOfKey(key)); is {
					s.set = append(s.set, key)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

func isBeta(name string) bool {
	for _, b := range betaTypes {
		if b == name {
			return true
		}
	}
	return false
}

// variableOfKey names the environment's variable of a key of the profile.
func (s service) variableOfKey(key string) string {
	return variablePrefix + strings.ToUpper(s.name+"_"+key)
}

// profiles is a file of connections with the configured services. It refers to the variables:
// no secret is in it.
func profiles(all []service) []byte {
	var b strings.Builder
	b.WriteString("datasources:\n")
	for _, s := range all {
		if len(s.set) == 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s:\n    type: %s\n", s.name, s.name)
		for _, key := range s.set {
			fmt.Fprintf(&b, "    %s: ${%s}\n", key, s.variableOfKey(key))
		}
	}
	return []byte(b.String())
}
