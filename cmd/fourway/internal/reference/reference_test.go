package reference

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

type app struct {
	Build struct {
		Input string `arg:"" help:".osm file, it's read."`
		Speed int    `short:"s" default:"3" help:"How fast (${default})." placeholder:"N"`
		Mode  string `enum:"car,foot" default:"car" help:"A 'mode'."`
		Color bool   `negatable:"" help:"In color."`
		Inner bool   `hidden:""`
	} `cmd:"" help:"Build it."`
	Show   struct{} `cmd:"" help:"Show it."`
	Secret struct{} `cmd:"" hidden:""`
}

func model(t *testing.T) *kong.Application {
	k, err := kong.New(&app{}, kong.Name("thing"), kong.Description("Does things."))
	require.NoError(t, err)
	return k.Model
}

func write(t *testing.T, shell string) string {
	var b strings.Builder
	require.NoError(t, Completion(&b, model(t), shell))
	return b.String()
}

// complete has bash complete a command line whose last word is being typed.
func complete(t *testing.T, line ...string) []string {
	t.Helper()
	script := write(t, "bash") + "\nCOMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _thing; printf '%s\\n' \"${COMPREPLY[@]}\""
	out, err := exec.Command("bash", append([]string{"-c", script, "bash"}, line...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	return strings.Fields(string(out))
}

func TestBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash on this system to complete anything")
	}
	require.Equal(t, []string{"build", "show", "--help"}, complete(t, "thing", ""))
	require.Equal(t, []string{"show"}, complete(t, "thing", "sh"))
	require.Equal(t, []string{"--color", "--help", "--mode", "--no-color", "--speed", "-h", "-s"}, complete(t, "thing", "build", "-"))
	require.Equal(t, []string{"--mode"}, complete(t, "thing", "build", "x.osm", "--m"))
	require.Equal(t, []string{"car", "foot"}, complete(t, "thing", "build", "--mode", ""))
	require.Equal(t, []string{"foot"}, complete(t, "thing", "build", "--mode", "f"))
	require.Equal(t, []string{"reference_test.go"}, complete(t, "thing", "show", "reference_t"))
}

func TestOtherShells(t *testing.T) {
	require.True(t, strings.HasPrefix(write(t, "zsh"), "#compdef thing\n"))
	fish := write(t, "fish")
	require.Contains(t, fish, "complete -c thing -n '__fish_seen_subcommand_from build' -l mode -x -a 'car foot' -d 'A \\'mode\\'.'\n")
	require.Contains(t, fish, "-l speed -s s -r -d 'How fast (3).'\n")
	require.Contains(t, fish, "-f -a show -d 'Show it.'\n")
	for _, shell := range Shells() {
		require.NotContains(t, write(t, shell), "ecret")
		require.NotContains(t, write(t, shell), "inner")
	}
	require.ErrorContains(t, Completion(new(strings.Builder), model(t), "tcsh"), "bash, fish, zsh")
}

func TestMan(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Man(&b, model(t), "1.2", "'quoted' notes"))
	page := b.String()
	for _, want := range []string{
		".TH THING 1 \"\" \"thing 1.2\"", ".SH NAME\nthing \\- Does things\n", ".SS thing show\nShow it.\n",
		"\\fB\\-\\-speed\\fR, \\fB\\-s\\fR \\fIN\\fR\nHow fast (3).\n", "\\fB\\-\\-color\\fR, \\fB\\-\\-no\\-color\\fR\n",
		"\\fIinput\\fR\n\\&.osm file, it's read.\n", ".SH NOTES\n\\&'quoted' notes\n",
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "ecret")
	require.NotContains(t, page, "inner")
}
