package osrm

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogLevels(t *testing.T) {
	const stamp = `\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\] `
	for name, want := range map[string][2]string{
		"NONE":    {"", ""},
		"error":   {"", stamp + `\[error\] 1\n`},
		"Warning": {"", stamp + `\[error\] 1\n` + stamp + `\[warn\] 2\n`},
		"INFO":    {stamp + `\[info\] 3\n`, stamp + `\[error\] 1\n` + stamp + `\[warn\] 2\n`},
		"DEBUG":   {stamp + `\[info\] 3\n`, stamp + `\[error\] 1\n` + stamp + `\[warn\] 2\n`},
		"other":   {stamp + `\[info\] 3\n`, stamp + `\[error\] 1\n` + stamp + `\[warn\] 2\n`},
	} {
		var out, err bytes.Buffer
		l := newLogger(&out, &err)
		l.setLevel(name)
		l.errorf("%d", 1)
		l.warnf("%d", 2)
		l.infof("%d", 3)
		require.Regexp(t, "^"+want[0]+"$", out.String(), name)
		require.Regexp(t, "^"+want[1]+"$", err.String(), name)
	}
}

func TestLogColors(t *testing.T) {
	var out, err bytes.Buffer
	l := newLogger(&out, &err)
	require.False(t, l.color, "a buffer is no terminal")
	l.color = true
	l.errorf("x")
	l.infof("y")
	require.Regexp(t, `^\x1b\[31m\[.*\] \[error\] x\x1b\[0m\n$`, err.String())
	require.NotContains(t, out.String(), "\x1b")
}
