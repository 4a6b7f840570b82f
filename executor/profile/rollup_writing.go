package profile

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
)

// RollupWriting is how the tables of rollups are written on a connection.
type RollupWriting struct {
	// Schema has the tables whose name in the model has one part; "" is the default schema of the connection.
	Schema string
	// Writable lets `semlayer rollup refresh` write.
	Writable bool
	// GrantTo are the roles that may read the tables.
	GrantTo []string
	// Settings take the place of those of the profile for writing; nil where the key names no other connection.
	Settings WarehouseSettings
	// Err is why the tables cannot be written: an *executor.Error of code config, or nil. Queries do not need them.
	Err error
}

const rollupsKey = "rollups"

// rollupMembers are the members of the key that are not keys of a connection.
var rollupMembers = []string{"schema", "writable", "grant_to"}

// readRollupWriting reads how tables of rollups are written; nil without the key.
func (r *profileReader) readRollupWriting() (out *RollupWriting, connection map[string]*document.Node) {
	n := r.readMappingKey(rollupsKey, KeyTypeRollups)
	if n == nil {
		return nil, nil
	}
	out, connection = &RollupWriting{}, map[string]*document.Node{}
	r.readMembers(rollupsKey, n, "", rollupMembers, func(key string, value *document.Node) bool {
		switch key {
		case "schema":
			out.Schema = r.readTextOfMember(rollupsKey, value)
		case "writable":
			text := strings.ToLower(strings.TrimSpace(r.readTextOfMember(rollupsKey, value)))
			if out.Writable = text == "true"; !out.Writable && text != "false" {
				r.addProblem(rollupsKey, "has a writable that is neither true nor false", "")
			}
		case "grant_to":
			out.GrantTo = r.readRoleNames(value)
		default:
			connection[key] = value
		}
		return true
	})
	return out, connection
}

// readRoleNames reads a list of roles.
func (r *profileReader) readRoleNames(n *document.Node) []string {
	if n.Kind != document.SequenceNode || len(n.Content) > maxKeyMembers {
		r.addProblem(rollupsKey, "has a grant_to that is not a list of at most "+strconv.Itoa(maxKeyMembers)+" roles", "")
		return nil
	}
	var out []string
	for _, one := range n.Content {
		name := r.readTextOfMember(rollupsKey, one.FollowAlias())
		if name == "" && !r.bad[rollupsKey] {
			r.addProblem(rollupsKey, "has an empty role in grant_to", "")
		}
		out = append(out, name)
	}
	return out
}

// readWritingSettings reads the connection that writes: that of the profile with the keys of the key rollups in their place. A secret takes
// the place of every other spelling of it, and a URI that of the parts of an address.
func (r *profileReader) readWritingSettings(profile string, own map[string]*document.Node, w *RollupWriting, kind warehouseType) {
	if len(own) == 0 {
		return
	}
	merged := maps.Clone(r.values)
	delete(merged, sessionKey)
	if own["uri"] != nil {
		for key := range merged {
			if !slices.Contains([]string{"type", "schema", "application_name", "timeout_seconds"}, key) {
				delete(merged, key)
			}
		}
	}
	for _, secret := range []string{"password", "token"} {
		spellings := []string{secret, secret + "_file", execKey}
		if slices.ContainsFunc(spellings, func(key string) bool { return own[key] != nil }) {
			for _, key := range spellings {
				delete(merged, key)
			}
		}
	}
	maps.Copy(merged, own)
	writing := &profileReader{env: r.env, home: r.home, literal: r.literal, values: merged}
	w.Settings = kind.read(writing)
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(writing.known, key) {
			writing.addProblem(rollupsKey, "has "+redactUnsafeKeyName(key)+", which is not one of its keys", nearestWordHint(key, append(slices.Clone(rollupMembers), writing.known...)))
		}
	}
	if len(writing.troubles) > 0 {
		w.Settings, w.Err = nil, invalidProfileError(profile, writing.troubles)
	}
}
