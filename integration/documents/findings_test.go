package documents_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "write testdata/findings.txt")
	folder = flag.String("findings", "", "folder for the findings in full, to compare those of two commits")
)

const recordPath = "testdata/findings.txt"

// Each line of the record is a reader, with the number of a text and that of its findings. A text that the record
// does not have is new, or changed: -update adds it.
func TestReaders_FindWhatTheRecordHas(t *testing.T) {
	recorded := readRecord(t)
	now := map[string]string{}
	same, least := 0, len(recorded)/2
	isWhole := *update || *folder != "" || os.Getenv("SEMLAYER_TEST_LONG") != ""
	if !isWhole {
		least /= 4
	}
	for _, text := range textsOfTests(t) {
		if !isWhole && digest(text)[0] > '3' {
			continue // the long form has it
		}
		for _, r := range readers {
			found := r.read(text)
			if found == "" {
				continue
			}
			key := r.name + " " + digest(text)
			now[key] = digest(found)
			if *folder != "" {
				if err := os.WriteFile(filepath.Join(*folder, strings.ReplaceAll(key, " ", "_")), []byte(text+"\n=====\n"+found), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			switch before, known := recorded[key]; {
			case !known || before == now[key]:
				same++
			case !*update:
				t.Errorf("%s: other findings than recorded; compare with -findings of both commits\n%.600s\n=====\n%.1500s", key, text, found)
			}
		}
	}
	if *update {
		writeRecord(t, now)
	}
	if same < least {
		t.Errorf("%d of %d recorded texts are there: write the record again with -update", same, len(recorded))
	}
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:10] }

func readRecord(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(recordPath)
	if err != nil && !*update {
		t.Fatal(err)
	}
	out := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if i := strings.LastIndexByte(lines.Text(), ' '); i > 0 {
			out[lines.Text()[:i]] = lines.Text()[i+1:]
		}
	}
	return out
}

func writeRecord(t *testing.T, now map[string]string) {
	t.Helper()
	var out bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(now)) {
		fmt.Fprintln(&out, key, now[key])
	}
	if err := os.WriteFile(recordPath, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
