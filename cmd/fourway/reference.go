package main

import (
	"github.com/alecthomas/kong"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/reference"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,fish,zsh" help:"bash, fish or zsh."`
}

// Help follows on what the command is.
func (completionCmd) Help() string {
	return "For all sessions write it to where the shell looks: " +
		"/etc/bash_completion.d/fourway, a folder of zsh's $fpath as _fourway, or ~/.config/fish/completions/fourway.fish."
}

func (c *completionCmd) Run(t *console, k *kong.Kong) error {
	return reference.Completion(t.out, k.Model, c.Shell)
}

type manCmd struct{}

func (manCmd) Run(t *console, k *kong.Kong) error {
	return reference.Man(t.out, k.Model, version(),
		"Places are longitude,latitude in degrees. Called by the name of one of OSRM's tools, osrm-extract and so on, fourway is that tool. "+
			"Exit codes are 0, 1 for a failure and 2 for a command line that cannot be read.")
}
