package options

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// occurrence is an option as a command line gives it.
type occurrence struct {
	*option
	name   string // as in messages
	values []string
}

// Parse reads a command line without the program's name. Its errors say what is
// wrong in one line without a full stop, in Boost's words, since scripts look for
// these.
func (s *Set) Parse(args []string) error {
	found, err := s.read(args)
	if err != nil {
		return err
	}
	for _, o := range found {
		if o.given && !o.repeats && o.most > 0 {
			return fmt.Errorf("option '--%s' cannot be specified more than once", o.long)
		}
		o.given = true
		if err := o.set(o.values); err != nil {
			return o.invalid(err)
		}
	}
	return nil
}

// invalid is the error for a value that the option does not take.
func (o *occurrence) invalid(err error) error {
	value := ""
	for _, v := range o.values {
		if v != "" {
			value = " ('" + v + "')"
			break
		}
	}
	text := fmt.Sprintf("the argument%s for option '%s' is invalid", value, o.name)
	var hint *hintError
	if errors.As(err, &hint) {
		text += ". " + hint.text
	}
	return &valueError{text, err}
}

// valueError is the error for a value that an option does not take, and wraps that
// of the option's parse function.
type valueError struct {
	text string
	err  error
}

func (e *valueError) Error() string { return e.text }

func (e *valueError) Unwrap() error { return e.err }

// read finds the options and their values.
func (s *Set) read(args []string) ([]occurrence, error) {
	var found []occurrence
	placed := false
	place := func(word string) error {
		if s.positional == "" || placed {
			return errors.New("too many positional options have been specified on the command line")
		}
		placed = true
		o := s.named(s.positional)
		found = append(found, occurrence{o, "--" + o.long, []string{word}})
		return nil
	}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		switch {
		case word == "--":
			for _, word := range args {
				if err := place(word); err != nil {
					return nil, err
				}
			}
			return found, nil
		case strings.HasPrefix(word, "--"):
			name, value, joined := strings.Cut(word[2:], "=")
			o, err := s.guess(name, word)
			if err != nil {
				return nil, err
			}
			if joined && value == "" {
				return nil, fmt.Errorf("the argument for option '--%s' should follow immediately after the equal sign", o.long)
			}
			x := occurrence{option: o, name: "--" + o.long}
			if joined {
				x.values = []string{value}
			}
			if args, err = s.take(&x, args); err != nil {
				return nil, err
			}
			found = append(found, x)
		case isShort(word):
			var err error
			if found, args, err = s.readShort(found, word, args); err != nil {
				return nil, err
			}
		default:
			if err := place(word); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// isShort says whether a word has the form of short options.
func isShort(word string) bool { return len(word) >= 2 && word[0] == '-' && word[1] != '-' }

// readShort reads a word of short options: those without values may be followed
// by others, and one with a value by that.
func (s *Set) readShort(found []occurrence, word string, args []string) ([]occurrence, []string, error) {
	for rest := word[1:]; rest != ""; {
		name := rest[:1]
		rest = rest[1:]
		i := slices.IndexFunc(s.options, func(o *option) bool { return o.short == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("unrecognised option '%s'", word)
		}
		x := occurrence{option: s.options[i], name: "-" + name}
		if rest != "" && x.most > 0 {
			x.values = []string{rest}
			rest = ""
		}
		if rest == "" {
			var err error
			if args, err = s.take(&x, args); err != nil {
				return nil, nil, err
			}
		}
		found = append(found, x)
	}
	return found, args, nil
}

// take gives an option the words after it that are its values, and returns the
// words that are left.
func (s *Set) take(x *occurrence, args []string) ([]string, error) {
	if len(x.values) > 0 && x.most == 0 {
		return nil, fmt.Errorf("option '%s' does not take any arguments", x.name)
	}
	for len(x.values) < x.least {
		if len(args) == 0 || s.isOption(args[0]) {
			return nil, fmt.Errorf("the required argument for option '%s' is missing", x.name)
		}
		x.values = append(x.values, args[0])
		args = args[1:]
	}
	for len(x.values) < x.most && len(args) > 0 {
		word := args[0]
		if strings.HasPrefix(word, "--") || isShort(word) || x.word != nil && !x.word(word) {
			break
		}
		x.values = append(x.values, word)
		args = args[1:]
	}
	return args, nil
}

// isOption says whether a word that should be a value is an option instead:
// negative numbers are not.
func (s *Set) isOption(word string) bool {
	switch {
	case strings.HasPrefix(word, "--"):
		name, _, _ := strings.Cut(word[2:], "=")
		_, err := s.guess(name, word)
		return err == nil
	case isShort(word):
		return slices.ContainsFunc(s.options, func(o *option) bool { return o.short == word[1:2] })
	}
	return false
}

func (s *Set) named(long string) *option {
	i := slices.IndexFunc(s.options, func(o *option) bool { return o.long == long })
	return s.options[i]
}

// guess finds the option with the long name, or the only one whose name begins
// with it.
func (s *Set) guess(name, word string) (*option, error) {
	var like []*option
	for _, o := range s.options {
		switch {
		case o.long == name:
			return o, nil
		case name != "" && strings.HasPrefix(o.long, name):
			like = append(like, o)
		}
	}
	switch len(like) {
	case 0:
		return nil, fmt.Errorf("unrecognised option '%s'", word)
	case 1:
		return like[0], nil
	}
	var names []string
	for _, o := range like {
		names = append(names, "'--"+o.long+"'")
	}
	slices.Sort(names)
	last := len(names) - 1
	return nil, fmt.Errorf("option '%s' is ambiguous and matches %s, and %s", word, strings.Join(names[:last], ", "), names[last])
}
