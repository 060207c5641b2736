package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// pages returns the Markdown files of the tree by their paths below its root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(found), 10)
	return found
}

var (
	fence     = regexp.MustCompile("(?ms)^```.*?^```$")
	linkTo    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	codeSpans = regexp.MustCompile("`[^`]+`")
)

// anchors returns those of the headings of a page, as GitHub makes them.
func anchors(page string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}

// TestLinksOfDocs: what a page links to in the tree is there, headings included.
func TestLinksOfDocs(t *testing.T) {
	all := pages(t)
	links := 0
	for name, page := range all {
		page = codeSpans.ReplaceAllString(fence.ReplaceAllString(page, ""), "")
		for _, m := range linkTo.FindAllStringSubmatch(page, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
				_, err := os.Stat(filepath.Join(root, target))
				require.NoError(t, err, "%s links to %s", name, m[1])
			}
			if anchor != "" {
				require.Contains(t, anchors(all[target]), anchor, "%s links to %s", name, m[1])
			}
		}
	}
	require.Greater(t, links, 30)
}

var (
	flagName = regexp.MustCompile(`(?:^|[\s\[(])--([a-z][a-z0-9_-]+)`)
	sections = regexp.MustCompile(`(?m)^\.SS fourway (\S+)`)
	manFlags = regexp.MustCompile(`(?m)^\\fB--([a-z][a-z0-9-]*)`)
)

// flagsOfCommands returns the flags of fourway's commands and of OSRM's tools, as these tell
// them.
func flagsOfCommands(t *testing.T) map[string][]string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "fourway")
	out, err := exec.Command("go", "build", "-o", binary, module+"/cmd/fourway").CombinedOutput()
	require.NoError(t, err, "%s", out)
	manual, err := exec.Command(binary, "man").Output()
	require.NoError(t, err)
	text := strings.ReplaceAll(string(manual), `\-`, "-")

	all := map[string][]string{}
	starts := sections.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		command := text[at[2]:at[3]]
		all[command] = []string{"help"}
		for _, m := range manFlags.FindAllStringSubmatch(text[at[0]:end], -1) {
			all[command] = append(all[command], m[1])
		}
	}
	for _, tool := range []string{"extract", "partition", "customize", "contract", "routed", "datastore"} {
		help, err := exec.Command(binary, "osrm-"+tool, "--help").Output()
		require.NoError(t, err)
		for _, m := range flagName.FindAllStringSubmatch(string(help), -1) {
			all["osrm-"+tool] = append(all["osrm-"+tool], m[1])
		}
		require.NotEmpty(t, all["osrm-"+tool], tool)
	}
	require.Greater(t, len(all), 20)
	return all
}

// pieces are the commands of a line.
var pieces = regexp.MustCompile(`&&|[|;]`)

// commandLine finds where a command begins in a line of a page.
var commandLine = regexp.MustCompile(`(?:^|[\s./])(?:fourway +([a-z][a-z-]+)|(osrm-(?:extract|partition|customize|contract|routed|datastore)))(?: |$)`)

// TestFlagsOfDocs: commands and flags that pages name exist.
func TestFlagsOfDocs(t *testing.T) {
	known := flagsOfCommands(t)
	anywhere := map[string]bool{}
	for _, flags := range known {
		for _, f := range flags {
			anywhere[f] = true
		}
	}
	checked := 0
	check := func(page, line string) {
		line, _, _ = strings.Cut(line, "  #")
		for _, part := range pieces.Split(line, -1) {
			part = strings.ReplaceAll(part, "fourway fourway", "fourway") // an image and its command
			m := commandLine.FindStringSubmatchIndex(part)
			if m == nil {
				continue
			}
			from := max(m[2], m[4])
			command := strings.TrimSpace(part[from:m[1]])
			require.Contains(t, known, command, "%s: %q", page, line)
			for _, f := range flagName.FindAllStringSubmatch(part[from:], -1) {
				checked++
				require.Contains(t, known[command], f[1], "%s: %q", page, line)
			}
		}
	}
	for name, page := range pages(t) {
		if name == "docs/batch.md" || name == "docs/format.md" || strings.Contains(name, "testdata/") {
			continue // flags of other programs, and contents of files
		}
		page = strings.ReplaceAll(page, "\\\n", " ")
		fenced := false
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			} else if fenced || strings.HasPrefix(line, "    ") {
				check(name, strings.TrimSpace(line))
			}
		}
		for _, span := range codeSpans.FindAllString(fence.ReplaceAllString(page, ""), -1) {
			span = strings.Join(strings.Fields(strings.Trim(span, "`")), " ")
			check(name, span)
			if m := flagName.FindStringSubmatch(span); m != nil && strings.HasPrefix(span, "--") {
				checked++
				require.True(t, anywhere[m[1]], "%s: %q", name, span)
			}
		}
	}
	require.Greater(t, checked, 60)
}
