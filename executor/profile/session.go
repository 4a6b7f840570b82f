package profile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
)

// Session is what the statements of a reader run as on a connection of PostgreSQL.
type Session struct {
	Role *SessionValue // nil keeps the role of the connection
	// AllowedRoles are the roles that an attribute may name.
	AllowedRoles []string
	Set          []SessionSetting
}

// SessionValue is a constant, or the attribute of the reader that has the value.
type SessionValue struct{ Constant, Attribute string }

// SessionSetting is a setting such as app.tenant.
type SessionSetting struct {
	Name  string
	Value SessionValue
}

const sessionKey = "session"

var (
	sessionAttributePattern = regexp.MustCompile(`^:user\.([A-Za-z_][A-Za-z0-9_]*)$`)
	// A name with a dot is not one of the settings that sessions have already.
	sessionSettingPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)+$`)
)

// readSession reads what statements run as; nil without the key.
func (r *profileReader) readSession() *Session {
	n := r.readMappingKey(sessionKey, KeyTypeSession)
	if n == nil {
		return nil
	}
	s := &Session{}
	r.readMembers(sessionKey, n, "", []string{"role", "allowed_roles", "set"}, func(key string, value *document.Node) bool {
		switch key {
		case "role":
			v := r.readSessionValue(value)
			s.Role = &v
		case "allowed_roles":
			s.AllowedRoles = r.readSessionRoles(value)
		case "set":
			r.readMembers(sessionKey, value, "set", nil, func(name string, value *document.Node) bool {
				if !sessionSettingPattern.MatchString(name) {
					return false
				}
				s.Set = append(s.Set, SessionSetting{name, r.readSessionValue(value)})
				return true
			})
		default:
			return false
		}
		return true
	})
	if !r.bad[sessionKey] {
		r.checkSession(s)
	}
	return s
}

// checkSession checks the role: one that an attribute names is in the list of those that it may name.
func (r *profileReader) checkSession(s *Session) {
	switch {
	case s.Role == nil && s.AllowedRoles != nil:
		r.addProblem(sessionKey, "has allowed_roles and no role", "")
	case s.Role == nil && len(s.Set) == 0:
		r.addProblem(sessionKey, "has neither a role nor a setting", "")
	case s.Role == nil:
	case s.Role.Attribute != "" && len(s.AllowedRoles) == 0:
		r.addProblem(sessionKey, "takes its role from an attribute and has no allowed_roles", "list the roles that the attribute may name")
	case slices.ContainsFunc(append([]string{s.Role.Constant}, s.AllowedRoles...), func(role string) bool { return strings.EqualFold(role, "none") }):
		r.addProblem(sessionKey, "has the role none, which is that of the connection in PostgreSQL", "leave the role out")
	case s.Role.Attribute == "" && s.Role.Constant == "":
		r.addProblem(sessionKey, "has an empty role", "")
	}
}

// readSessionRoles reads a list of roles.
func (r *profileReader) readSessionRoles(n *document.Node) []string {
	roles := []string{}
	if n.Kind != document.SequenceNode || len(n.Content) > maxKeyMembers {
		r.addProblem(sessionKey, "has allowed_roles that are not a list of at most "+strconv.Itoa(maxKeyMembers), "")
		return roles
	}
	for _, one := range n.Content {
		v := r.readSessionValue(one.FollowAlias())
		if v.Constant == "" {
			r.addProblem(sessionKey, "has allowed_roles that are not names", "")
		}
		roles = append(roles, v.Constant)
	}
	return roles
}

// readSessionValue reads a constant, or :user.NAME.
func (r *profileReader) readSessionValue(n *document.Node) SessionValue {
	text := r.readUncheckedTextOfMember(sessionKey, n)
	if m := sessionAttributePattern.FindStringSubmatch(text); m != nil {
		return SessionValue{Attribute: m[1]}
	}
	return SessionValue{Constant: text}
}
