package cli

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/engine"
)

const (
	cacheFlag      = "cache-mib"
	cacheTTLFlag   = "cache-ttl-secs"
	cacheEntryFlag = "cache-entry-mib"
)

// readCacheSettings reads the settings of the result cache of a command that has them. The memory of c is known.
func (s settingsReader) readCacheSettings(c *engine.Config) (err error) {
	if !s.commandDefinesFlag(cacheFlag) {
		return nil
	}
	var failures [3]error
	c.CacheMiB, failures[0] = s.readCount(cacheFlag)
	c.CacheTTL, failures[1] = s.readSeconds(cacheTTLFlag)
	c.CacheEntryMiB, failures[2] = s.readOptionalCount(cacheEntryFlag)
	if err := errors.Join(failures[:]...); err != nil {
		return err
	}
	if c.Memory != nil {
		if most := int(c.Memory.Total / 2 >> 20); c.CacheMiB > most {
			return newUsageError(fmt.Sprintf("%s must be at most half of --%s, which is %d, not %q", s.settingText(cacheFlag), memoryFlag, most, s.readText(cacheFlag)))
		}
	}
	if c.CacheMiB > 0 && c.CacheEntryMiB > c.CacheMiB {
		return newUsageError(fmt.Sprintf("%s must be at most --%s, which is %d, not %q", s.settingText(cacheEntryFlag), cacheFlag, c.CacheMiB, s.readText(cacheEntryFlag)))
	}
	return nil
}
