package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServeUpdates(t *testing.T) {
	folder := t.TempDir()
	town := town(t)
	token := filepath.Join(folder, "token")
	require.NoError(t, os.WriteFile(token, []byte("secret\n"), 0o600))

	s := start(t, "serve", town, "--algorithm", "mld", "--allow-updates", "--update-token-file", token)
	post := func(header string) int {
		r, err := http.NewRequest("POST", s.url+"/closure/v1/driving", strings.NewReader(`{"ways":[1]}`))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", header)
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	require.Equal(t, 401, post("Bearer guess"))
	require.Equal(t, 200, post("Bearer secret"))
	s.stop(t)

	s = start(t, "serve", town, "--algorithm", "mld", "--allow-updates")
	require.Contains(t, s.said.String(), "everybody")
	require.Equal(t, 200, post(""))
	s.stop(t)

	empty := filepath.Join(folder, "empty")
	require.NoError(t, os.WriteFile(empty, []byte(" \n"), 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--algorithm", "ch", "--allow-updates"}, "mld or cch"},
		{[]string{"--algorithm", "mld", "--update-token-file", token}, "--allow-updates"},
		{[]string{"--algorithm", "mld", "--allow-updates", "--update-token-file", empty}, "one token"},
	} {
		code, _, text := command(t, append([]string{"serve", town}, c.args...)...)
		require.NotZero(t, code)
		require.Contains(t, text, c.want)
	}
}
