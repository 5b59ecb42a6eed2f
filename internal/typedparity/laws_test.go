package typedparity

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// sets are the sets of options that documents are decoded under. The peer knows only the
// first.
var sets = []*set{
	newSet("default", decode.Options{}),
	newSet("alias input", decode.Options{AliasInput: true}),
	newSet("first wins, no unknown fields", decode.Options{DuplicateKeys: decode.FirstWins, RefuseUnknownFields: true}),
	newSet("last wins, any keys, whole floats", decode.Options{DuplicateKeys: decode.LastWins, MapKeys: decode.AnyKeys, WholeFloats: true}),
	newSet("allow invalid UTF-8, exact floats", decode.Options{UTF8: decode.AllowInvalidUTF8, ExactFloats: true}),
	newSet("replace invalid UTF-8, str or bin keys", decode.Options{UTF8: decode.ReplaceInvalidUTF8, MapKeys: decode.StringOrBinKeys}),
	newSet("tight limits", decode.Options{Limits: bounds.Limits{MaxDepth: 3, MaxBytes: 120, MaxItems: 30}}),
}

type set struct {
	parity.Set
	decoder *decode.Decoder
}

func newSet(name string, o decode.Options) *set {
	return &set{parity.Set{Name: name, Options: o}, o.Must()}
}

// laws returns an error if decoding doc into t under the options of s breaks a promise of
// package decode:
//
//   - What the walk refuses is refused with the walk's own error.
//   - Anything else is what the plain decoder makes of it, in a zero value and in one that
//     was used: the value, or the reason, the offset, the kind and the Go type. The path is
//     that of the offset.
//   - UnmarshalFirst does not look at what follows, and agrees on the rest.
//   - A second call, the inline shortcut switched, and what the target held change nothing
//     about the verdict, at any MaxMemory either.
//   - Values do not depend on the input later, unless that is asked for.
func laws(doc []byte, t reflect.Type, s *set) error {
	input := bytes.Clone(doc)
	v := reflect.New(t)
	err := s.decoder.Unmarshal(input, v.Interface())
	end, structure := walk.Len(doc, s.Options.Limits)
	if structure != nil {
		if law := asWalk(err, structure); law != nil {
			return law
		}
	} else if law := asPlain(doc, end, v.Elem(), reflect.New(t).Elem(), err, s); law != nil {
		return law
	}
	if err == nil {
		if room := spare(v.Elem()); room != "" {
			return fmt.Errorf("the value holds %s", room)
		}
	}
	if law := inUsed(doc, end, t, err, structure, s); law != nil {
		return law
	}
	if law := again(doc, v.Elem(), err, s); law != nil {
		return law
	}
	if law := first(doc, end, v.Elem(), err, s); law != nil {
		return law
	}
	if law := charged(doc, t, err, s); law != nil {
		return law
	}
	if !bytes.Equal(doc, input) {
		return errors.New("the input was written to")
	}
	if err == nil && !s.Options.AliasInput {
		clear(input)
		w := reflect.New(t)
		_ = s.decoder.Unmarshal(doc, w.Interface())
		if d := diff(v.Elem(), w.Elem(), false); d != "" {
			return fmt.Errorf("the value changes with its input: v%s", d)
		}
	}
	return nil
}

func asWalk(err, structure error) error {
	var got, want *bounds.Error
	if !errors.As(err, &got) || !errors.As(structure, &want) || *got != *want || err.Error() != structure.Error() {
		return fmt.Errorf("error %w, and the walk refuses: %w", err, structure)
	}
	return nil
}

// asPlain holds v, decoded with err, against what the plain decoder makes of doc, which
// ends at end, in base.
func asPlain(doc []byte, end int, v, base reflect.Value, err error, s *set) error {
	plainEnd, _, f := decodePlain(doc, base, &s.Set)
	if f == nil {
		if plainEnd != end {
			return fmt.Errorf("the cursor ends at %d, the walk at %d", plainEnd, end)
		}
		if end == len(doc) {
			if err != nil {
				return fmt.Errorf("refused without a flaw: %w", err)
			}
			if d := diff(v, base, false); d != "" {
				return fmt.Errorf("other values at v%s", d)
			}
			return nil
		}
		f = &flaw{what: followed, reason: bounds.ErrTrailing, offset: end}
	}
	var e *decode.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("error %#v, want an *Error for %s at %d", err, f.what, f.offset)
	}
	if !errors.Is(err, f.reason) || e.Offset != int64(f.offset) || e.Wire != f.wire || e.GoType != f.typ {
		return fmt.Errorf("%w, %#v, want %w at %d, %v into %v: %s", err, e, f.reason, f.offset, f.wire, f.typ, f.what)
	}
	if path := walk.PathAt(doc, e.Offset); e.Path != path {
		return fmt.Errorf("%#v, want path %q", e, path)
	}
	if off, ok := decode.OffsetOf(err); !ok || off < 0 || off >= int64(len(doc)) {
		return fmt.Errorf("%#v is outside the document", e)
	}
	return nil
}

// hash spreads what a document is over what is drawn for it.
func hash(doc []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range doc {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// inUsed decodes doc into a value that was used: the verdict is the same, and so is the
// value, but for the fields that doc does not name.
func inUsed(doc []byte, end int, t reflect.Type, err, structure error, s *set) error {
	v := reflect.New(t)
	v.Elem().Set(used(hash(doc), t))
	usedErr := s.decoder.Unmarshal(doc, v.Interface())
	if !parity.Same(usedErr, err) {
		return fmt.Errorf("error %w in a used value, %w in a zero one", usedErr, err)
	}
	if structure != nil || err != nil {
		return nil
	}
	base := reflect.New(t)
	base.Elem().Set(used(hash(doc), t))
	if law := asPlain(doc, end, v.Elem(), base.Elem(), usedErr, s); law != nil {
		return fmt.Errorf("in a used value: %w", law)
	}
	return nil
}

// again decodes doc, which gave v and err, in the ways that must give the same.
func again(doc []byte, v reflect.Value, err error, s *set) error {
	for _, inline := range []bool{true, false} {
		restore := tier.Set(tier.DecodeInline, inline)
		w := reflect.New(v.Type())
		otherErr := s.decoder.Unmarshal(doc, w.Interface())
		restore()
		if !parity.Same(otherErr, err) {
			return fmt.Errorf("again, inline %v: error %w, was %w", inline, otherErr, err)
		}
		if err != nil {
			continue
		}
		if d := diff(v, w.Elem(), false); d != "" {
			return fmt.Errorf("again, inline %v: other values at v%s", inline, d)
		}
	}
	return nil
}

// first holds UnmarshalFirst against Unmarshal, which gave v and err.
func first(doc []byte, end int, v reflect.Value, err error, s *set) error {
	w := reflect.New(v.Type())
	rest, firstErr := s.decoder.UnmarshalFirst(doc, w.Interface())
	if err != nil && !errors.Is(err, decode.ErrTrailing) {
		if !parity.Same(firstErr, err) || rest != nil {
			return fmt.Errorf("UnmarshalFirst leaves %d bytes and %w, Unmarshal %w", len(rest), firstErr, err)
		}
		return nil
	}
	if firstErr != nil || !bytes.Equal(rest, doc[end:]) {
		return fmt.Errorf("UnmarshalFirst leaves %d of %d bytes, %w", len(rest), len(doc)-end, firstErr)
	}
	x := reflect.New(v.Type())
	if err := s.decoder.Unmarshal(doc[:end], x.Interface()); err != nil {
		return fmt.Errorf("UnmarshalFirst reads what Unmarshal refuses without the rest: %w", err)
	}
	if d := diff(x.Elem(), w.Elem(), false); d != "" {
		return fmt.Errorf("UnmarshalFirst gives other values at v%s", d)
	}
	return nil
}

// charged decodes doc, whose error is free, with little memory: the verdict is the same
// every time, and whatever the target held, and plausible.
func charged(doc []byte, t reflect.Type, free error, s *set) error {
	r := rand.New(rand.NewPCG(hash(doc), 3))
	o := s.Options
	o.Limits.MaxMemory = 1 + int64(r.IntN(64+20*len(doc)))
	d := o.Must()
	v, w := reflect.New(t), reflect.New(t)
	w.Elem().Set(used(hash(doc), t))
	err := d.Unmarshal(doc, v.Interface())
	if usedErr := d.Unmarshal(doc, w.Interface()); !keepsPointers(t) && !parity.Same(usedErr, err) {
		return fmt.Errorf("MaxMemory %d: error %w in a used value, %w in a zero one", o.Limits.MaxMemory, usedErr, err)
	}
	restore := tier.Set(tier.DecodeInline, r.IntN(2) == 0)
	againErr := d.Unmarshal(doc, reflect.New(t).Interface())
	restore()
	if !parity.Same(againErr, err) {
		return fmt.Errorf("MaxMemory %d: error %w, then %w", o.Limits.MaxMemory, err, againErr)
	}
	if !errors.Is(err, bounds.ErrMaxMemory) {
		if !parity.Same(err, free) {
			return fmt.Errorf("MaxMemory %d: error %w, without it %w", o.Limits.MaxMemory, err, free)
		}
		return nil
	}
	var e *bounds.Error
	off, _ := decode.OffsetOf(err)
	freeOff, _ := decode.OffsetOf(free)
	switch {
	case !errors.As(err, &e) || e.Limit != uint64(o.Limits.MaxMemory) || e.Need <= e.Limit:
		return fmt.Errorf("MaxMemory %d: %w, %#v", o.Limits.MaxMemory, err, e)
	case free != nil && off > freeOff:
		return fmt.Errorf("MaxMemory %d: %w, and without it %w", o.Limits.MaxMemory, err, free)
	}
	return nil
}

// keepsPointers reports whether decoding into a used t may find a pointer that is used and
// not charged: at the root, or embedded in what is decoded in place.
func keepsPointers(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer || embedsPointer(t)
}

func embedsPointer(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t == timeType {
		return false
	}
	for f := range t.Fields() {
		if f.PkgPath == "" && (f.Anonymous && f.Type.Kind() == reflect.Pointer || embedsPointer(f.Type)) {
			return true
		}
	}
	return false
}
