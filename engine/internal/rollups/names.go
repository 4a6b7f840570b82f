package rollups

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The names of tables while one is built: that of the table, shortened, with what it is for and eight hexadecimal digits. The first five are the hours
// of the warehouse's clock, so that the name of a table that is left over has its age; the others are random.
const (
	newMark   = "__new"
	oldMark   = "__old"
	indexMark = "__ix"
	// maxStem bounds the part of a name that comes from that of the table, so that every engine keeps the whole.
	maxStem       = 40
	leftOverHours = 24
)

func hoursOf(t time.Time) int64 { return t.Unix() / int64(time.Hour/time.Second) }

// newBuildName returns the name of a table of a build.
func newBuildName(of sqlexpr.Name, mark string, at time.Time) sqlexpr.Name {
	return sqlexpr.Name{Text: stemOf(of) + mark + fmt.Sprintf("%05x%03x", hoursOf(at)&0xFFFFF, rand.IntN(0x1000)), Quoted: of.Quoted}
}

// newIndexName returns the name of an index of a build. It stays as long as the table does.
func newIndexName(of sqlexpr.Name) sqlexpr.Name {
	return sqlexpr.Name{Text: stemOf(of) + indexMark + fmt.Sprintf("%08x", rand.Uint32()), Quoted: of.Quoted}
}

func stemOf(of sqlexpr.Name) string {
	cut := len(of.Text)
	if cut > maxStem {
		for cut = maxStem; cut > 0 && of.Text[cut]&0xC0 == 0x80; cut-- { // inside of a letter
		}
	}
	return of.Text[:cut]
}

// isLeftOver reports whether a name is that of a table of a build that ended more than a day ago.
func isLeftOver(name string, of sqlexpr.Name, now time.Time) bool {
	stem := stemOf(of)
	if len(name) != len(stem)+len(newMark)+8 || !strings.EqualFold(name[:len(stem)], stem) {
		return false
	}
	rest := strings.ToLower(name[len(stem):])
	if !strings.HasPrefix(rest, newMark) && !strings.HasPrefix(rest, oldMark) {
		return false
	}
	hours, err := strconv.ParseInt(rest[len(newMark):len(newMark)+5], 16, 64)
	return err == nil && hoursOf(now)-hours > leftOverHours
}
