package main

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/executor/profile"
)

// envVariablePrefix is how each variable of the environment begins.
const envVariablePrefix = "SEMLAYER_SMOKE_"

// betaConnectionTypes are the types that no run of the tests has met for real, and whose absence is reported.
var betaConnectionTypes = []string{
	"redshift", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb", "starrocks", "doris", "trino", "snowflake", "bigquery", "databricks",
}

// connectionType is one type of connection.
type connectionType struct {
	name string
	beta bool
	set  []string // keys of the profile whose variables are set
}

// connectionTypes lists every type of connection, those of other names included.
func connectionTypes(env func(string) (string, bool)) []connectionType {
	var out []connectionType
	for _, t := range profile.DescribeWarehouseTypes() {
		for _, name := range append([]string{t.Name}, t.Aliases...) {
			s := connectionType{name: name, beta: isBeta(name)}
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
	for _, b := range betaConnectionTypes {
		if b == name {
			return true
		}
	}
	return false
}

// variableOfKey names the environment's variable of a key of the profile.
func (s connectionType) variableOfKey(key string) string {
	return envVariablePrefix + strings.ToUpper(s.name+"_"+key)
}

// connectionsFileText returns a file of connections with the configured services. It refers to the variables:
// no secret is in it.
func connectionsFileText(all []connectionType) []byte {
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
