package profile

import (
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/document"
)

// ResultCache is what a profile changes of the result cache of the server.
type ResultCache struct {
	// TTL is how long a kept result counts; 0 is the time of the server.
	TTL time.Duration
	// Check is how long a value that names the state of a table counts; nil is DefaultCacheCheck.
	Check *time.Duration
	// Disabled keeps no result of the connection.
	Disabled bool
}

// DefaultCacheCheck is how long a value that names the state of a table counts.
const DefaultCacheCheck = 10 * time.Second

// CheckOrDefault returns how long a value that names the state of a table counts.
func (c ResultCache) CheckOrDefault() time.Duration {
	if c.Check == nil {
		return DefaultCacheCheck
	}
	return *c.Check
}

const cacheKey = "cache"

const maxCacheSeconds = 24 * 60 * 60

// readResultCache reads what results of the connection are kept.
func (r *profileReader) readResultCache() ResultCache {
	var out ResultCache
	n := r.readMappingKey(cacheKey, KeyTypeCache)
	if n == nil {
		return out
	}
	r.readMembers(cacheKey, n, "", []string{"ttl_secs", "check_secs", "enabled"}, func(key string, value *document.Node) bool {
		switch key {
		case "ttl_secs":
			out.TTL = r.readCacheSeconds(key, value, 1)
		case "check_secs":
			out.Check = new(r.readCacheSeconds(key, value, 0))
		case "enabled":
			text := strings.ToLower(strings.TrimSpace(r.readTextOfMember(cacheKey, value)))
			if out.Disabled = text == "false"; !out.Disabled && text != "true" {
				r.addProblem(cacheKey, "has an enabled that is neither true nor false", "")
			}
		default:
			return false
		}
		return true
	})
	return out
}

func (r *profileReader) readCacheSeconds(key string, n *document.Node, least int) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(r.readTextOfMember(cacheKey, n)))
	if err != nil || seconds < least || seconds > maxCacheSeconds {
		r.addProblem(cacheKey, "has a "+key+" that is not an integer from "+strconv.Itoa(least)+" to "+strconv.Itoa(maxCacheSeconds), "")
		return 0
	}
	return time.Duration(seconds) * time.Second
}
