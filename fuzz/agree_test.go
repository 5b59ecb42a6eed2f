package fuzz

import (
	"errors"
	"fmt"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// A way makes the value of one document, all of data, under the options of a set.
type way struct {
	name string
	any  func(data []byte, s *parity.Set) (any, error)
	// late: functions of the options are asked after everything else was judged, so that
	// another flaw than theirs may come first.
	late bool
}

// anyWays are all that must agree with Decoder.Any, in value or in sentinel and offset.
var anyWays = []way{
	{name: "typed any", any: typedAny},
	{name: "values built by a cursor", any: parity.ByCursor},
	{name: "Document.Any", any: documentAny, late: true},
	{name: "Document parsed into", any: documentAgain, late: true},
	{name: "values built of nodes", any: parity.ByNodes, late: true},
	// The stream Reader belongs here: a way that gives it data in pieces. What it refuses
	// for want of bytes it refuses as the others do.
}

// allWays is the number of ways and Any itself, by hand: a way that is lost shows.
const allWays = 6

// typedAny decodes data as the only element of a []any.
func typedAny(data []byte, s *parity.Set) (any, error) {
	if walk.Check(data, s.Options.Limits) != nil {
		var v any
		err := s.Decoder().Unmarshal(data, &v)
		return v, err
	}
	o := s.Options
	limits, err := o.Limits.Resolve()
	if err != nil {
		return nil, err
	}
	o.Limits = bounds.Limits{MaxDepth: limits.MaxDepth + 1, MaxBytes: limits.MaxBytes + 1, MaxItems: limits.MaxItems + 1}
	var arr [1]any
	err = o.Must().Unmarshal(append([]byte{0x91}, data...), &arr)
	var e *decode.Error
	if errors.As(err, &e) {
		return nil, &decode.Error{Offset: e.Offset - 1, Err: e.Err}
	}
	return arr[0], err
}

func documentAny(data []byte, s *parity.Set) (any, error) {
	doc, err := s.Decoder().Parse(data)
	if err != nil {
		return nil, err
	}
	return doc.Root().Any()
}

// again is a Document that every input is parsed into.
var again decode.Document

func documentAgain(data []byte, s *parity.Set) (any, error) {
	_ = s.Decoder().ParseInto(&again, dirt)
	if err := s.Decoder().ParseInto(&again, data); err != nil {
		if again.Root().Exists() {
			return nil, fmt.Errorf("a document after %w", err)
		}
		return nil, err
	}
	return again.Root().Any()
}

// reasons are all sentinels that an error may be.
var reasons = []error{
	bounds.ErrEmpty, bounds.ErrReserved, bounds.ErrPrefix, bounds.ErrShort, bounds.ErrOwed, bounds.ErrMaxDepth, bounds.ErrMaxBytes,
	bounds.ErrMaxItems, bounds.ErrMaxMemory, bounds.ErrUTF8, bounds.ErrTrailing, bounds.ErrType, bounds.ErrOverflow, bounds.ErrInexact,
	bounds.ErrKeyType, bounds.ErrDuplicateKey, bounds.ErrTimestamp, bounds.ErrExt, bounds.ErrMissing, bounds.ErrHook, bounds.ErrTarget,
}

// reasonOf returns which sentinel err is, and its offset; what another error says.
func reasonOf(err error) string {
	if err == nil {
		return "accepted"
	}
	offset, ok := bounds.OffsetOf(err)
	for _, hook := range []error{bounds.ErrHook} { // which may wrap any other
		if errors.Is(err, hook) {
			return fmt.Sprintf("%v at %d", hook, offset)
		}
	}
	for _, reason := range reasons {
		if ok && errors.Is(err, reason) {
			return fmt.Sprintf("%v at %d", reason, offset)
		}
	}
	return "another error: " + err.Error()
}

// agree fails unless every way gives what Decoder.Any gives for data under s, and returns
// how many ways ran.
func agree(t *testing.T, data []byte, s *parity.Set) (ran int) {
	t.Helper()
	want, wantErr := s.Decoder().Any(data)
	ran++
	for _, w := range anyWays {
		v, err := w.any(data, s)
		ran++
		if w.late && errors.Is(wantErr, bounds.ErrHook) && isMeaning(err) {
			continue
		}
		if got, want := reasonOf(err), reasonOf(wantErr); got != want {
			t.Fatalf("%s, %s: %s (%v), Any %s (%v)\n%s", s.Name, w.name, got, err, want, wantErr, parity.Dump(data))
		}
		if wantErr != nil {
			continue
		}
		if diff := parity.Diff(want, v); diff != "" {
			t.Fatalf("%s, %s: other values at v%s\n%s", s.Name, w.name, diff, parity.Dump(data))
		}
	}
	return ran
}

func isMeaning(err error) bool {
	var e *decode.Error
	return errors.As(err, &e)
}

// agreeOnAll runs every way under every set, with the shortcuts that they have on and off.
func agreeOnAll(t *testing.T, data []byte, sets []*parity.Set) {
	t.Helper()
	ran := 0
	for _, on := range []bool{true, false} {
		for _, shortcut := range []tier.Shortcut{tier.CursorInline, tier.DocumentInline, tier.DecodeInline} {
			defer tier.Set(shortcut, on)()
		}
		for _, s := range sets {
			ran += agree(t, data, s)
		}
	}
	if want := 2 * allWays * len(sets); ran != want {
		t.Fatalf("%d ways ran, want %d", ran, want)
	}
}

func FuzzAgree(f *testing.F) {
	for _, doc := range seeds(f) {
		f.Add(doc)
		// Between others, so that no shortcut comes to the end in it.
		f.Add(append(append([]byte{0x93, 0x01}, doc...), hexdoc.Must("d910 78*16")...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= maxSize {
			agreeOnAll(t, data, parity.Sets)
		}
	})
}

// TestAgreeOnSamples: the large documents are one value by every way, too, and cut.
func TestAgreeOnSamples(t *testing.T) {
	sets := []*parity.Set{parity.Find("default")}
	for _, s := range append(samples.All(), samples.Files()...) {
		data := s.Make()
		if testing.Short() && len(data) > 64<<10 {
			t.Logf("%s, of %d bytes: not run in short mode", s.Name, len(data))
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			agreeOnAll(t, data, sets)
			agreeOnAll(t, data[:len(data)-1], sets)
			agreeOnAll(t, append(data[:len(data):len(data)], 0xc0), sets)
		})
	}
}
