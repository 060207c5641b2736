package httpapi

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestParseURL(t *testing.T) {
	got, err := parseURL("/route/v1/driving/7.41,43.73;7.42,43.74?steps=true")
	require.NoError(t, err)
	require.Equal(t, target{"route", "1", "driving", "7.41,43.73;7.42,43.74?steps=true", 18}, got)
	for url, message := range map[string]string{
		"":                           `position 0: ""`,
		"route":                      `position 0: "rou"`,
		"/":                          `position 1: "/"`,
		"/route":                     `position 6: "ute"`,
		"/route/1/car/1,2":           `position 7: "te/1/c"`,
		"/route/vx/car/1,2":          `position 8: "e/vx/c"`,
		"/route/v1//1,2":             `position 10: "v1//1,"`,
		"/route/v1/car/":             `position 14: "ar/"`,
		"/route/v1/car/1,2/3":        `position 17: "1,2/3"`,
		"/route/v1/car/1,2?a=\"x\"":  `position 20: "?a="x""`,
		"/route/v1/car/1,2?a=\x00ab": "position 20: \"?a=\x00ab\"",
	} {
		_, err := parseURL(url)
		require.ErrorIs(t, err, codeInvalidURL, url)
		require.ErrorContains(t, err, "URL string malformed close to "+message, url)
	}
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		"a%20b": "a b", "%7B%7d": "{}", "%": "%", "%4": "%4", "%zz%41": "%zzA", "plain": "plain", "%25%34%31": "%41",
	} {
		require.Equal(t, want, decode(in))
	}
}

func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{
		"/route/v1/driving/7.41,43.73;7.42,43.74?steps=true", "/nearest/v1/car/1,2.json", "/tile/v1/car/tile(1,2,3).mvt", "//v/", "%",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		got, err := parseURL(decode(url))
		if err != nil {
			return
		}
		require.True(t, utf8.ValidString(got.query), "only ASCII is let through")
		require.NotEmpty(t, got.service)
		require.NotEmpty(t, got.query)
	})
}

func TestValidProfile(t *testing.T) {
	for name, want := range map[string]bool{"car": true, "mld.v2_a~b:c-d": true, "": false, "a b": false, "a/b": false, "fähre": false} {
		require.Equal(t, want, ValidProfile(name), name)
	}
}
