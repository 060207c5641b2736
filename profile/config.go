package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// ConfigError tells what is wrong with a configuration and where.
type ConfigError struct {
	// File names the configuration, Line is from 1.
	File string
	Line int
	// Field is the field at fault, "" for none.
	Field string
	// Message says what is wrong and what is wanted.
	Message string
}

// Error names the file, the line and the field, and says what is wanted.
func (e *ConfigError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s %s", e.File, e.Line, e.Field, e.Message)
}

// MaxConfig is the largest size of a configuration in bytes.
const MaxConfig = 1 << 20

// Configure returns a built-in profile with the options of a configuration: a
// JSON object whose fields are those of CarOptions, BicycleOptions or
// FootOptions, by their names in JSON, and "vehicle", the profile to adapt. The
// vehicle may be given instead, else it is "". A field that the vehicle does
// not have, or that is there twice, is an error. Errors are *ConfigError, all of
// them joined, and an *UnknownError for a vehicle that does not exist; file
// names the configuration in them.
func Configure(vehicle, file string, data []byte) (Profile, error) {
	c := config{file: file, data: data, fields: map[string]configField{}}
	if len(data) > MaxConfig {
		return nil, c.fail(0, "", "the file has %d bytes; keep it below %d", len(data), MaxConfig)
	}
	if err := c.split(); err != nil {
		return nil, err
	}
	vehicle, err := c.vehicle(vehicle)
	if err != nil {
		return nil, err
	}
	switch vehicle {
	case vehicleBicycle:
		var o BicycleOptions
		return configured(&c, &o, o.Validate, func() (Profile, error) { return NewBicycle(o) })
	case vehicleCar:
		var o CarOptions
		return configured(&c, &o, o.Validate, func() (Profile, error) { return NewCar(o) })
	case vehicleFoot:
		var o FootOptions
		return configured(&c, &o, o.Validate, func() (Profile, error) { return NewFoot(o) })
	}
	return nil, &UnknownError{Name: vehicle}
}

// configured fills in the options and makes the profile.
func configured(c *config, options any, validate func() error, make func() (Profile, error)) (Profile, error) {
	names := c.decode(options)
	if len(c.faults) > 0 {
		return nil, errors.Join(c.faults...)
	}
	if err := validate(); err != nil {
		return nil, c.place(err, names)
	}
	return make()
}

// config is a configuration in the making.
type config struct {
	file   string
	data   []byte
	order  []string // of the fields
	fields map[string]configField
	faults []error
}

// configField is the value of a field and where it stands.
type configField struct {
	name, value int64 // offsets
	raw         json.RawMessage
}

// vehicleField names the profile to adapt.
const vehicleField = "vehicle"

func (c *config) fail(offset int64, field, format string, args ...any) error {
	offset = min(offset, int64(len(c.data)))
	return &ConfigError{
		File: c.file, Line: 1 + bytes.Count(c.data[:offset], []byte{'\n'}),
		Field: field, Message: fmt.Sprintf(format, args...),
	}
}

// split finds the fields of the object.
func (c *config) split() error {
	d := json.NewDecoder(bytes.NewReader(c.data))
	syntax := func(err error) error {
		var s *json.SyntaxError
		switch {
		case errors.As(err, &s):
			return c.fail(s.Offset, "", "the file is no JSON: %v", s)
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return c.fail(int64(len(c.data)), "", "the file ends too early; want a JSON object: {...}")
		}
		return c.fail(d.InputOffset(), "", "the file is no JSON: %v", err)
	}
	if t, err := d.Token(); err != nil {
		return syntax(err)
	} else if t != json.Delim('{') {
		return c.fail(0, "", "want a JSON object: {...}")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return syntax(err)
		}
		name, _ := t.(string) // the decoder takes nothing else here
		f := configField{name: d.InputOffset()}
		if err := d.Decode(&f.raw); err != nil {
			return syntax(err)
		}
		f.value = d.InputOffset() - int64(len(f.raw))
		if before, ok := c.fields[name]; ok {
			c.faults = append(c.faults, c.fail(f.name, name, "is there twice, first in line %d", c.line(before.name)))
		}
		c.order = append(c.order, name)
		c.fields[name] = f
	}
	if _, err := d.Token(); err != nil {
		return syntax(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return c.fail(d.InputOffset(), "", "there is more behind the object")
	}
	return nil
}

func (c *config) line(offset int64) int { return 1 + bytes.Count(c.data[:offset], []byte{'\n'}) }

// vehicle returns the profile to adapt: the one given, else that in the file.
func (c *config) vehicle(given string) (string, error) {
	f, ok := c.fields[vehicleField]
	if !ok {
		if given == "" {
			return "", c.fail(0, vehicleField, "is missing; want one of %s", strings.Join(Names(), ", "))
		}
		return given, nil
	}
	var name string
	if json.Unmarshal(f.raw, &name) != nil || !slices.Contains(Names(), name) {
		return "", c.fail(f.value, vehicleField, "is %s, want one of %s", f.raw, strings.Join(Names(), ", "))
	}
	if given != "" && given != name {
		return "", c.fail(f.value, vehicleField, "is %q, but the profile asked for is %q", name, given)
	}
	return name, nil
}

// decode fills in the options and returns the names in JSON by those in Go.
func (c *config) decode(options any) (names map[string]string) {
	fields := map[string]reflect.Value{}
	names = map[string]string{}
	collect(reflect.ValueOf(options).Elem(), fields, names)
	for _, name := range c.order {
		f := c.fields[name]
		if name == vehicleField {
			continue
		}
		target, ok := fields[name]
		if !ok {
			known := append(sortedKeys(fields), vehicleField)
			slices.Sort(known)
			c.faults = append(c.faults, c.fail(f.name, fmt.Sprintf("%q", name), "is no field; the fields are %s", strings.Join(known, ", ")))
			continue
		}
		if err := json.Unmarshal(f.raw, target.Addr().Interface()); err != nil {
			c.faults = append(c.faults, c.mistyped(name, f, target.Type(), err))
		} else if offset, message := findFault(f.raw); message != "" {
			c.faults = append(c.faults, c.fail(f.value+offset, name, "%s", message))
		}
	}
	return names
}

// collect finds the fields of options, those of embedded structs too.
func collect(v reflect.Value, fields map[string]reflect.Value, names map[string]string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			collect(v.Field(i), fields, names)
			continue
		}
		name := f.Tag.Get("json")
		fields[name] = v.Field(i)
		names[f.Name] = name
	}
}

// mistyped tells which type a field wants.
func (c *config) mistyped(name string, f configField, want reflect.Type, err error) error {
	offset := f.value
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		offset += t.Offset
		return c.fail(offset, name, "has a %s; want %s", t.Value, describeType(want))
	}
	return c.fail(offset, name, "cannot be read: %v", err)
}

// describeType says what a field holds.
func describeType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return describeType(t.Elem())
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list of " + plural(t.Elem())
	case reflect.Map:
		return "an object with " + plural(t.Elem())
	}
	return "a string"
}

func plural(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64:
		return "numbers"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "lists of " + plural(t.Elem())
	}
	return "strings"
}

// findFault finds what json.Unmarshal lets pass: a null, which would silently
// count as a default, and a name that an object has twice.
func findFault(raw []byte) (offset int64, message string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	type level struct {
		names  map[string]bool // of an object
		inName bool            // the next token is one
	}
	levels := []level{{}}
	for {
		t, err := d.Token()
		if err != nil {
			return 0, ""
		}
		top := &levels[len(levels)-1]
		switch t := t.(type) {
		case nil:
			return d.InputOffset(), "has null; leave it out for the default"
		case json.Delim:
			switch t {
			case '{':
				levels = append(levels, level{map[string]bool{}, true})
				continue
			case '[':
				levels = append(levels, level{})
				continue
			}
			levels = levels[:len(levels)-1]
			top = &levels[len(levels)-1]
		case string:
			if top.inName {
				if top.names[t] {
					return d.InputOffset(), fmt.Sprintf("has %q twice", t)
				}
				top.names[t], top.inName = true, false
				continue
			}
		}
		top.inName = top.names != nil
	}
}

// place gives faults of options the lines of their fields.
func (c *config) place(err error, names map[string]string) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var placed []error
	for _, e := range joined.Unwrap() {
		var o *OptionError
		if errors.As(e, &o) {
			name := names[o.Field]
			e = c.fail(c.fields[name].name, name, "%s", o.Message)
		}
		placed = append(placed, e)
	}
	return errors.Join(placed...)
}
