package profile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/document"
)

// datasourcesKeyPaths are where the profiles may stand in a file, in order.
var datasourcesKeyPaths = [...][]string{{"datasources"}, {"agent", "services", "datasources"}, {"agent", "datasources"}}

// Parse reads the text of a profiles file. The error is an *executor.Error of
// code config and is about the file as a whole.
func Parse(text []byte, env EnvLookup) (*ProfilesFile, error) {
	if len(text) > MaxProfilesFileBytes {
		return nil, fileTooLargeError()
	}
	root, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	f := &ProfilesFile{}
	if root == nil {
		return f, nil
	}
	if root.Kind != document.MappingNode {
		return nil, configError("the file must be a mapping with the key datasources", "")
	}
	p := profilesParser{tree: &yamlMappingReader{maxYAMLMembersPerFile}, env: env, home: homeDir(), file: f}
	sources, err := p.findDatasourcesNode(root)
	if err != nil {
		return nil, err
	}
	if sources == nil {
		return f, nil
	}
	if sources.Kind != document.MappingNode {
		return nil, configError("datasources must be a mapping from names to connection profiles", "")
	}
	if err := p.parseProfiles(sources); err != nil {
		return nil, err
	}
	return f, nil
}

func configError(message, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: message, Hint: hint}
}

type profilesParser struct {
	tree *yamlMappingReader
	env  EnvLookup
	home string
	file *ProfilesFile
}

func (p *profilesParser) listYAMLMembers(n *document.Node) ([]yamlMember, map[string]bool, error) {
	list, twice, ok := p.tree.listMembers(n)
	if !ok {
		return nil, nil, tooManyEntriesError()
	}
	return list, twice, nil
}

func tooManyEntriesError() error {
	return configError("the file is too large with its merges expanded", "")
}

func (p *profilesParser) addWarning(profile string, line int, message string) {
	p.file.Warnings = append(p.file.Warnings, Warning{profile, line, message})
}

// findDatasourcesNode returns the first datasources that is there, nil for none.
func (p *profilesParser) findDatasourcesNode(root *document.Node) (*document.Node, error) {
	var found *document.Node
	var at string
	for _, place := range datasourcesKeyPaths {
		n, line, err := p.findNodeAtPath(root, place)
		switch {
		case err != nil:
			return nil, err
		case n == nil:
		case found == nil:
			found, at = n, strings.Join(place, ".")
		default:
			p.addWarning("", line, strings.Join(place, ".")+" is not read: "+at+" is there as well")
		}
	}
	if found == nil {
		p.addWarning("", int(root.Line), "no connection profiles: there is no datasources at the root, under agent.services or under agent")
	}
	return found, nil
}

// findNodeAtPath walks down the keys of a place. It stops at a node that is not a mapping.
func (p *profilesParser) findNodeAtPath(n *document.Node, keys []string) (*document.Node, int, error) {
	line := int(n.Line)
	for _, key := range keys {
		if n.Kind != document.MappingNode {
			return nil, 0, nil
		}
		list, twice, err := p.listYAMLMembers(n)
		if err != nil {
			return nil, 0, err
		}
		if twice[key] {
			return nil, 0, configError("the file holds the key "+key+" twice", "")
		}
		n = nil
		for _, m := range list {
			if m.key == key && !m.value.IsNull() {
				n, line = m.value, m.line
			}
		}
		if n == nil {
			return nil, 0, nil
		}
	}
	return n, line, nil
}

func (p *profilesParser) parseProfiles(sources *document.Node) error {
	list, twice, err := p.listYAMLMembers(sources)
	if err != nil {
		return err
	}
	byDefault := ""
	for _, m := range list {
		made, err := p.parseProfile(m)
		if err != nil {
			return err
		}
		if twice[m.key] {
			made.Settings = nil
			made.Err = invalidProfileError(m.key, []valueProblem{{"the file holds two profiles of this name", "rename one of them"}})
		}
		switch {
		case !made.Default:
		case byDefault == "":
			byDefault = made.Name
		default:
			p.addWarning(made.Name, m.line, "default is marked twice: "+quoteUnlessPlainName(byDefault)+" stays the default")
			made.Default = false
		}
		p.file.Profiles = append(p.file.Profiles, made)
	}
	return nil
}

// parseProfile reads one entry. The error is about the file; what is wrong with the
// entry is in the profile.
func (p *profilesParser) parseProfile(m yamlMember) (Profile, error) {
	made := Profile{Name: m.key}
	if m.value.Kind != document.MappingNode {
		made.Err = invalidProfileError(m.key, []valueProblem{{"the profile must be a mapping of keys to values", "write each key on a separate line, with a space after its colon"}})
		return made, nil
	}
	own := &yamlMappingReader{min(maxYAMLMembersPerProfile, p.tree.left)}
	p.tree.left -= own.left
	list, twice, ok := own.listMembers(m.value)
	p.tree.left += max(0, own.left)
	switch {
	case !ok && p.tree.left <= 0:
		return made, tooManyEntriesError()
	case !ok:
		made.Err = invalidProfileError(m.key, []valueProblem{{"it has too many keys with its merges expanded", ""}})
		return made, nil
	}
	r := &profileReader{env: p.env, home: p.home, values: map[string]*document.Node{}}
	for _, v := range list {
		r.values[v.key] = v.value
	}
	writer := r.readCommonKeys(&made)
	if k, known := r.readWarehouseType(); known {
		made.Type, made.Dialect = k.name, k.dialect
		made.Settings = k.read(r)
		if made.Rollups != nil {
			r.readWritingSettings(m.key, writer, made.Rollups, k)
		}
		if !slices.Contains(r.known, sessionKey) && r.hasNonNullValue(sessionKey) {
			r.addProblem(sessionKey, "is a key of postgres and greenplum alone", "")
		}
		p.warnUnknownKeys(m.key, list, r)
	}
	for _, v := range list {
		if twice[v.key] {
			r.addProblem(redactUnsafeKeyName(v.key), "is given twice", "")
		}
	}
	for _, note := range r.notes {
		p.addWarning(m.key, m.line, note)
	}
	if len(r.troubles) > 0 {
		made.Settings = nil
		made.Err = invalidProfileError(m.key, r.troubles)
	}
	return made, nil
}

// readCommonKeys reads the keys that profiles of every type have, beside the type, and returns the keys of another connection for the tables of rollups.
func (r *profileReader) readCommonKeys(into *Profile) (writer map[string]*document.Node) {
	into.Default = r.readBoolean("default", false)
	into.MaxExecutions = r.readPositiveInteger("max_executions", 0, math.MaxInt32)
	into.PoolSize = r.readPositiveInteger("pool_size", 0, math.MaxInt32)
	into.ExecuteTimeout = r.readSeconds("execute_timeout_secs")
	into.Retries = r.readInteger("retries", 0, 0, maxRetries)
	into.Cache = r.readResultCache()
	into.Rollups, writer = r.readRollupWriting()
	return writer
}

// readWarehouseType reads the type.
func (r *profileReader) readWarehouseType() (warehouseType, bool) {
	name := strings.TrimSpace(r.readRequiredText("type"))
	k, ok := findWarehouseType(name)
	if !ok && !r.bad["type"] {
		hint := nearestWordHint(name, warehouseTypeNames())
		if hint == "" {
			hint = "the types are " + strings.Join(warehouseTypeNames(), ", ")
		}
		r.addProblem("type", "is not a known type of warehouse", hint)
	}
	return k, ok
}

// warnUnknownKeys warns, and offers its guesses to the error as well: a missing key
// is often there under another name.
func (p *profilesParser) warnUnknownKeys(name string, list []yamlMember, r *profileReader) {
	known := map[string]bool{}
	for _, k := range r.known {
		known[k] = true
	}
	for _, m := range list {
		if known[m.key] {
			continue
		}
		message := "the key " + redactUnsafeKeyName(m.key) + " is not known"
		if !safeKeyNamePattern.MatchString(m.key) {
			message = redactUnsafeKeyName(m.key) + " is not known"
		}
		hint := nearestWordHint(m.key, r.known)
		if hint != "" {
			message += "; " + hint
		}
		p.addWarning(name, m.line, message)
		if hint != "" && len(r.troubles) > 0 {
			r.troubles[len(r.troubles)-1].hint = joinDistinctMessages(r.troubles[len(r.troubles)-1].hint, message)
		}
	}
}

var safeKeyNamePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// redactUnsafeKeyName shows a key if it is a name. password:secret without a space is one
// key to YAML, and must not be shown.
func redactUnsafeKeyName(key string) string {
	if safeKeyNamePattern.MatchString(key) {
		return key
	}
	return "a key that is not a name"
}

// invalidProfileError returns the error of one profile.
func invalidProfileError(name string, troubles []valueProblem) error {
	var message, hint string
	for _, t := range troubles {
		message = joinDistinctMessages(message, t.message)
		hint = joinDistinctMessages(hint, t.hint)
	}
	return &executor.Error{
		Code:    executor.CodeConfig,
		Message: fmt.Sprintf("the connection %s cannot be used: %s", quoteUnlessPlainName(name), message),
		Hint:    hint,
	}
}

func joinDistinctMessages(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || strings.Contains(a, b):
		return a
	}
	return a + "; " + b
}
