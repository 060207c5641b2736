package routing

import (
	"io/fs"
	"os"
	"strings"
)

// absentError is the error for a file of a data set that is not there, with what
// to do.
type absentError struct {
	cause  error
	advice string
}

func (e *absentError) Error() string { return e.cause.Error() + ": " + e.advice }
func (e *absentError) Unwrap() error { return e.cause }

// absent adds to the error for a file that is not there what to do.
func (p *parts) absent(suffix string, opt *Options, cause error) error {
	if p.metricName != "" {
		return &absentError{cause, "the metric " + p.metricName + " is not prepared for this search: see Rebuild, or fourway build --from"}
	}
	switch suffix {
	case graphSuffix:
		return &absentError{cause, "a data set has the name that it was built with, without the endings of its files"}
	case cellsSuffix:
		return &absentError{cause, "partition the data set first"}
	case chSuffix, mldSuffix, cchSuffix:
		wanted := strings.TrimPrefix(suffix, ".")
		var have []string
		for _, a := range algorithmNames {
			if p.exists("."+a, opt) {
				have = append(have, a)
			}
		}
		if len(have) == 0 {
			return &absentError{cause, "the data set is not prepared for any search: build it for " + wanted}
		}
		return &absentError{cause, "the data set is built for " + strings.Join(have, " and ") + ", not for " + wanted +
			": choose the algorithm, or build it again"}
	}
	return cause
}

func (p *parts) exists(suffix string, opt *Options) bool {
	var err error
	if opt.FS != nil {
		_, err = fs.Stat(opt.FS, p.name+suffix)
	} else {
		_, err = os.Stat(p.name + suffix)
	}
	return err == nil
}
