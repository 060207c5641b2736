package text

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed languages/*.json
var files embed.FS

const folder = "languages/"

// Languages returns the tags of the languages that are present, sorted.
func Languages() []string {
	names, _ := fs.Glob(files, folder+"*.json") // the pattern is well formed
	for i, name := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(name, folder), ".json")
	}
	return names
}

// UnknownLanguageError says that no sentences are there in a language.
type UnknownLanguageError struct {
	Language string   // as it was asked for
	Present  []string // tags of the languages to choose from, sorted
}

// Error names the language, and those that there are.
func (e *UnknownLanguageError) Error() string {
	return fmt.Sprintf("text: no language %q: choose one of %s", e.Language, strings.Join(e.Present, ", "))
}

// Language writes sentences in one language.
type Language struct {
	tag        string
	capitalize bool
	decimal    string
	list       string // between things of a list
	plural     rules
	ordinals   rules
	ordinal    counted
	nth        []string // words for the first ordinals
	units      map[unit]counted
	words      map[string]map[string]string // dictionary → word → text
	lanes      map[side]counted
	way        template
	maneuvers  map[string]map[string]template // type → modifier, or byDefault
	modes      map[string]template
}

// Tag returns the language's own tag.
func (l *Language) Tag() string { return l.tag }

// Match returns the tag of the language that serves for another tag (BCP 47), such
// as "de" for "de-AT": the longest one that the other begins with. The error is an
// *UnknownLanguageError.
func Match(tag string) (string, error) {
	name := strings.ToLower(strings.ReplaceAll(tag, "_", "-"))
	present := Languages()
	for !slices.Contains(present, name) {
		cut := strings.LastIndexByte(name, '-')
		if cut < 0 {
			return "", &UnknownLanguageError{tag, present}
		}
		name = name[:cut]
	}
	return name, nil
}

// Open returns the language that serves for a tag. The error is that of Match,
// unless a file is malformed.
func Open(tag string) (*Language, error) {
	name, err := Match(tag)
	if err != nil {
		return nil, err
	}
	data, err := files.ReadFile(folder + name + ".json")
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// file is what a file holds.
type file struct {
	Language   string              `json:"language"`
	Capitalize bool                `json:"capitalize"`
	Decimal    string              `json:"decimal"`
	List       string              `json:"list"`
	Plural     map[category]string `json:"plural"`
	Ordinal    struct {
		Rules map[category]string `json:"rules"`
		Forms map[category]string `json:"forms"`
		Words []string            `json:"words"`
	} `json:"ordinal"`
	Units     map[unit]map[category]string `json:"units"`
	Words     map[string]map[string]string `json:"words"`
	Lanes     map[side]map[category]string `json:"lanes"`
	Way       string                       `json:"way"`
	Maneuvers map[string]map[string]string `json:"maneuvers"`
	Modes     map[string]string            `json:"modes"`
}

// parse reads a file and checks that it is complete.
func parse(data []byte) (*Language, error) {
	var f file
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("text: language file: %w", err)
	}
	c := compiler{language: f.Language, words: f.Words}
	l := &Language{
		tag: f.Language, capitalize: f.Capitalize, decimal: f.Decimal, list: f.List,
		plural: c.rules(f.Plural), ordinals: c.rules(f.Ordinal.Rules),
		ordinal: c.counted("ordinal", f.Ordinal.Forms), nth: f.Ordinal.Words,
		units: map[unit]counted{}, lanes: map[side]counted{}, words: f.Words,
		way:       c.template("way", f.Way, false),
		maneuvers: map[string]map[string]template{}, modes: map[string]template{},
	}
	if f.Language == "" || f.Decimal == "" || f.List == "" {
		c.fail("language, decimal or list", "is missing")
	}
	for _, u := range units {
		l.units[u] = c.counted("unit "+string(u), f.Units[u])
	}
	for _, s := range sides {
		l.lanes[s] = c.counted("lanes "+string(s), f.Lanes[s])
	}
	for name, keys := range dictionaries {
		for _, key := range keys {
			if f.Words[name][key] == "" {
				c.fail(name, fmt.Sprintf("lacks a word for %q", key))
			}
		}
	}
	for _, kind := range kinds {
		l.maneuvers[kind] = map[string]template{}
		if _, ok := f.Maneuvers[kind][byDefault]; !ok {
			c.fail(kind, "lacks a default")
		}
		for modifier, sentence := range f.Maneuvers[kind] {
			l.maneuvers[kind][modifier] = c.template(kind+" "+modifier, sentence, true)
		}
	}
	for _, mode := range modes {
		l.modes[mode] = c.template("mode "+mode, f.Modes[mode], true)
	}
	if c.faults != nil {
		return nil, errors.Join(c.faults...)
	}
	return l, nil
}

// compiler parses the templates and rules of a file, and gathers their faults.
type compiler struct {
	language string
	words    map[string]map[string]string
	faults   []error
}

func (c *compiler) fail(where, what string) {
	c.faults = append(c.faults, fmt.Errorf("text: language %s: %s: %s", c.language, where, what))
}

// template parses a template and checks its slots. A sentence has to say
// something of any maneuver, whatever it has.
func (c *compiler) template(where, text string, sentence bool) template {
	t, err := parseTemplate(text)
	if err != nil {
		c.fail(where, err.Error())
		return nil
	}
	t.slots(func(slot string) {
		dictionary, _, _ := strings.Cut(slot, ".")
		_, isWord := dictionaries[dictionary]
		if !slices.Contains(slots, slot) && (!isWord || c.words[slot] == nil) {
			c.fail(where, fmt.Sprintf("unknown slot {%s}", slot))
		}
		for _, key := range dictionaries[dictionary] {
			if c.words[slot][key] == "" {
				c.fail(slot, fmt.Sprintf("lacks a word for %q", key))
			}
		}
	})
	always := func(slot string) string {
		dictionary, _, _ := strings.Cut(slot, ".")
		if dictionaries[dictionary] != nil || slot == "waypoint" && strings.HasPrefix(where, atWaypoint) {
			return slot
		}
		return ""
	}
	if text, ok := t.render(nil, always); sentence && (!ok || len(text) == 0) {
		c.fail(where, "says nothing of a maneuver without names")
	}
	return t
}

func (c *compiler) counted(where string, forms map[category]string) counted {
	out := counted{}
	if forms[other] == "" {
		c.fail(where, "lacks a form for other numbers")
	}
	for by, form := range forms {
		t, err := parseTemplate(form)
		if err != nil {
			c.fail(where, err.Error())
			continue
		}
		t.slots(func(slot string) {
			if slot != "n" {
				c.fail(where, fmt.Sprintf("unknown slot {%s}", slot))
			}
		})
		out[by] = t
	}
	return out
}

func (c *compiler) rules(texts map[category]string) rules {
	out := rules{}
	for by, text := range texts {
		if !slices.Contains(categories[:], by) {
			c.fail("rules", fmt.Sprintf("unknown category %q", by))
		}
		r, err := parseRule(text)
		if err != nil {
			c.fail("rules", err.Error())
		}
		out[by] = r
	}
	return out
}
