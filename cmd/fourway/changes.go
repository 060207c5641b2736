package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/fourway-routing/fourway/routing"
)

// changes are the flags that let clients change what is served.
type changes struct {
	AllowUpdates    bool   `help:"Let clients change costs, and close roads, for everyone who asks: /update and /closure. Needs --algorithm mld or cch."`
	UpdateTokenFile string `help:"File with the token that such requests carry; without one everybody may." type:"existingfile" placeholder:"FILE"`
}

// token returns the token that changes need, empty for none.
func (c *changes) token(a routing.Algorithm) (string, error) {
	switch {
	case c.AllowUpdates && a == routing.CH:
		return "", errors.New("--allow-updates needs --algorithm mld or cch: with ch costs cannot change while data is served")
	case c.UpdateTokenFile == "":
		return "", nil
	case !c.AllowUpdates:
		return "", errors.New("--update-token-file has no effect without --allow-updates")
	}
	text, err := os.ReadFile(c.UpdateTokenFile)
	if err != nil {
		return "", fmt.Errorf("--update-token-file: %w", err)
	}
	token := bytes.TrimSpace(text)
	if len(token) == 0 || bytes.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("--update-token-file: %s must hold one token, without blanks in it", c.UpdateTokenFile)
	}
	return string(token), nil
}
