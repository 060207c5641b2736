package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// sentences finds the instructions in an answer.
func sentences(of any) (list []string) {
	switch of := of.(type) {
	case []any:
		for _, v := range of {
			list = append(list, sentences(v)...)
		}
	case map[string]any:
		if s, ok := of["instruction"]; ok {
			list = append(list, s.(string))
		}
		for _, name := range []string{"routes", "trips", "matchings", "legs", "steps", "maneuver"} {
			list = append(list, sentences(of[name])...)
		}
	}
	return list
}

func TestInstructions(t *testing.T) {
	c := newContract(t)
	for _, service := range []string{"route", "trip", "match"} {
		plain := c.ask(service + " 12d?&steps=true")
		require.Empty(t, sentences(plain), service)
		english := c.ask(service + " 12d?&steps=true&instructions=en")
		require.Greater(t, len(sentences(english)), 3, service)
		require.True(t, strings.HasPrefix(sentences(english)[0], "Start out "), service)
		require.Contains(t, sentences(english), "You are at your destination", service)
		require.Contains(t, sentences(c.ask(service+" 12d?&steps=true&instructions=de-AT")), "Sie sind am Ziel", service)
		require.Empty(t, sentences(c.ask(service+" 12d?&instructions=en")), service)

		refused := c.ask(service + " 12d?&steps=true&instructions=tlh")
		require.Equal(t, "InvalidValue", refused["code"], service)
		require.Equal(t, "There are no instructions in tlh, only in "+strings.Join(routing.InstructionLanguages(), ", ")+".", refused["message"])
		require.Equal(t, "InvalidQuery", c.ask(service + " 12d?&instructions=")["code"], service)
		if service == "trip" {
			continue
		}
		post := func(members string) map[string]any {
			r := httptest.NewRequest("POST", "/"+service+"/v1/car", strings.NewReader(
				`{"generate_hints":false,"coordinates":[[`+strings.ReplaceAll(c.line("12d"), ";", "],[")+`]],"steps":true,`+members+`}`))
			r.Header.Set("Content-Type", "application/json")
			return c.send(r)
		}
		require.Equal(t, english, post(`"instructions":"en"`), service)
		require.Equal(t, "InvalidValue", post(`"instructions":"tlh"`)["code"], service)
		require.Equal(t, "InvalidQuery", post(`"instructions":7`)["code"], service)
	}
	require.Equal(t, "InvalidQuery", c.ask("table 12d?&instructions=en")["code"])
	require.Len(t, allInstructions(), len(routing.InstructionLanguages()))
}
