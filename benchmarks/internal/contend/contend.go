// Package contend holds what the commands of this module measure: the
// workloads, the contenders of each, and the documents they run on.
package contend

import (
	"fmt"
)

// A Contender is one way of doing a workload.
type Contender struct {
	Name string
	// Run does the work once on a whole document. It is what is measured.
	Run func(doc []byte) error
	// Value does the same and returns what came of it; nil where the workload
	// makes nothing.
	Value func(doc []byte) (any, error)
}

// A Workload is a task that all its contenders do on the same bytes.
type Workload struct {
	Name       string
	Baseline   string // the contender that ratios are taken against
	Contenders []Contender
	// Docs are the generated documents it is for; nil for all of them, empty for none.
	Docs []string
	// Texts says that Docs are not documents but texts: see textNames.
	Texts bool
}

// Workloads returns all workloads. Contenders of this module come first.
func Workloads() []Workload {
	return append([]Workload{
		{Name: "walk", Baseline: "msgp", Contenders: append(ourWalks(), peerWalks()...)},
		{Name: "any", Baseline: "msgp", Contenders: append(ourAnys(), peerAnys()...)},
		utf8Workload(),
	}, append(lazyWorkloads(), typedWorkloads()...)...)
}

// Documents returns the names of the generated documents that w is for.
func (w Workload) Documents() []string {
	if w.Docs != nil {
		return w.Docs
	}
	return SampleNames()
}

// WorkloadNames returns the names of all workloads.
func WorkloadNames() []string {
	var names []string
	for _, w := range Workloads() {
		names = append(names, w.Name)
	}
	return names
}

// FindWorkload returns the workload of that name.
func FindWorkload(name string) (Workload, error) {
	for _, w := range Workloads() {
		if w.Name == name {
			return w, nil
		}
	}
	return Workload{}, fmt.Errorf("no workload %q, only %q", name, WorkloadNames())
}

// Find returns the contender of that name.
func (w Workload) Find(name string) (Contender, error) {
	var names []string
	for _, c := range w.Contenders {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Contender{}, fmt.Errorf("workload %s has no contender %q, only %q", w.Name, name, names)
}

// Agree reports why the contenders of w cannot be compared on doc: one refuses
// it, one accepts it without its last byte and so cannot have read it all, or
// two make different values of it. A time measured then would mean nothing.
func (w Workload) Agree(doc []byte) error {
	for _, c := range w.Contenders {
		if err := c.Run(doc); err != nil {
			return fmt.Errorf("%s/%s: %w", w.Name, c.Name, err)
		}
		if w.Texts {
			if c.Run(append(doc[:len(doc)-1:len(doc)-1], 0xff)) == nil {
				return fmt.Errorf("%s/%s accepts the text with another last byte", w.Name, c.Name)
			}
		} else if c.Run(doc[:len(doc)-1]) == nil {
			return fmt.Errorf("%s/%s accepts the document without its last byte", w.Name, c.Name)
		}
	}
	return w.agreeOnValue(doc)
}

func (w Workload) agreeOnValue(doc []byte) error {
	var first any
	var of string
	for _, c := range w.Contenders {
		if c.Value == nil {
			continue
		}
		v, err := c.Value(doc)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", w.Name, c.Name, err)
		}
		if of == "" {
			first, of = v, c.Name
		} else if err := Same(first, v); err != nil {
			return fmt.Errorf("%s: %s and %s differ: %w", w.Name, of, c.Name, err)
		}
	}
	return nil
}

// making returns the contender whose work is to make a value.
func making(name string, value func(doc []byte) (any, error)) Contender {
	run := func(doc []byte) error {
		_, err := value(doc)
		return err
	}
	return Contender{Name: name, Run: run, Value: value}
}
