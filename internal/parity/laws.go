package parity

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// Laws returns an error if decoding doc under the options of s breaks a promise of
// package decode:
//
//   - What the walk refuses is refused with the walk's own error.
//   - Anything else is what the plain decoder makes of it: the value, or the reason
//     and the offset; the path is that of the offset.
//   - UnmarshalFirst does not look at what follows, and agrees on the rest.
//   - A second call, shortcuts switched and markers with Raw forms change nothing.
//   - Values have the types that are documented, and do not depend on the input later,
//     unless that is asked for.
//
// MaxMemory must be large enough for doc, as its default always is.
func Laws(doc []byte, s *Set) error {
	defer s.shortcuts()()
	input := bytes.Clone(doc)
	v, err := s.decoder.Any(input)
	end, structure := walk.Len(doc, s.Options.Limits)
	if structure != nil {
		if law := refusedAsWalk(v, err, structure); law != nil {
			return law
		}
	} else if law := asPlain(doc, s, end, v, err); law != nil {
		return law
	}
	if law := s.again(doc, end, v, err); law != nil {
		return law
	}
	if law := s.first(doc, end, v, err); law != nil {
		return law
	}
	if wrong := s.misshapen(v); wrong != "" {
		return fmt.Errorf("the value holds %s", wrong)
	}
	if !bytes.Equal(doc, input) {
		return errors.New("the input was written to")
	}
	if err == nil && !s.Options.AliasInput {
		clear(input)
		if again, _ := s.decoder.Any(doc); Diff(v, again) != "" {
			return errors.New("the value changes with its input")
		}
	}
	return nil
}

func refusedAsWalk(v any, err, structure error) error {
	if v != nil || err == nil || err.Error() != structure.Error() {
		return fmt.Errorf("%v and error %w, and the walk refuses: %w", v, err, structure)
	}
	var got, want *bounds.Error
	if !errors.As(err, &got) || !errors.As(structure, &want) || *got != *want {
		return fmt.Errorf("the error is %#v, and the walk's %#v", err, structure)
	}
	return nil
}

// asPlain holds v and err against the plain decoder; the walk accepts doc, which
// ends at end.
func asPlain(doc []byte, s *Set, end int, v any, err error) error {
	want, plainEnd, flaw := Plain(doc, s)
	if flaw == nil {
		if plainEnd != end {
			return fmt.Errorf("the cursor ends at %d, the walk at %d", plainEnd, end)
		}
		if end == len(doc) {
			if err != nil {
				return fmt.Errorf("refused without a flaw: %w", err)
			}
			if diff := Diff(v, want); diff != "" {
				return fmt.Errorf("other values at v%s", diff)
			}
			return nil
		}
		flaw = &Flaw{What: TrailingBytes, Reason: bounds.ErrTrailing, Offset: end}
	}
	var e *decode.Error
	if v != nil || !errors.As(err, &e) {
		return fmt.Errorf("%v and error %#v, want an *Error for %s at %d", v, err, flaw.What, flaw.Offset)
	}
	if !errors.Is(err, flaw.Reason) || e.Offset != int64(flaw.Offset) || e.Wire != flaw.Wire || e.GoType != nil {
		return fmt.Errorf("%#v, want %w at %d, kind %v: %s", e, flaw.Reason, flaw.Offset, flaw.Wire, flaw.What)
	}
	if path := walk.PathAt(doc, e.Offset); e.Path != path {
		return fmt.Errorf("%#v, want path %q", e, path)
	}
	if off, ok := decode.OffsetOf(err); !ok || off < 0 || off >= int64(len(doc)) {
		return fmt.Errorf("%#v is outside the document", e)
	}
	return nil
}

// again decodes doc, which gave v and err, in all the ways that must give the same.
func (s *Set) again(doc []byte, end int, v any, err error) error {
	same := func(how string, d *decode.Decoder) error {
		other, otherErr := d.Any(doc)
		if !Same(otherErr, err) {
			return fmt.Errorf("%s: error %w, was %w", how, otherErr, err)
		}
		if diff := Diff(v, other); diff != "" {
			return fmt.Errorf("%s: other values at v%s", how, diff)
		}
		return nil
	}
	if law := same("a second call", s.decoder); law != nil {
		return law
	}
	if s.raw != nil {
		if law := same("with Raw forms", s.raw); law != nil {
			return law
		}
	}
	defer tier.Set(tier.DecodeInline, s.NoInline)()
	if law := same("inline switched", s.decoder); law != nil {
		return law
	}
	if s.raw != nil {
		return same("with Raw forms, inline switched", s.raw)
	}
	return nil
}

// Same reports whether two errors of decode say the same.
func Same(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	var x, y *decode.Error
	if errors.As(a, &x) && errors.As(b, &y) && (x.Wire != y.Wire || x.GoType != y.GoType || x.Path != y.Path) {
		return false
	}
	var l, m *bounds.Error
	if errors.As(a, &l) && errors.As(b, &m) && *l != *m {
		return false
	}
	return a.Error() == b.Error()
}

// first holds UnmarshalFirst against Any, which gave v and err.
func (s *Set) first(doc []byte, end int, v any, err error) error {
	var dst any = "as before"
	rest, firstErr := s.decoder.UnmarshalFirst(doc, &dst)
	if err != nil && !errors.Is(err, decode.ErrTrailing) {
		if !Same(firstErr, err) || rest != nil || dst != "as before" {
			return fmt.Errorf("UnmarshalFirst leaves %v, %d bytes and %w, Any %w", dst, len(rest), firstErr, err)
		}
		return nil
	}
	if firstErr != nil || !bytes.Equal(rest, doc[end:]) {
		return fmt.Errorf("UnmarshalFirst leaves %d of %d bytes, %w", len(rest), len(doc)-end, firstErr)
	}
	if len(rest) > 0 {
		if v, err = s.decoder.Any(doc[:end]); err != nil {
			return fmt.Errorf("UnmarshalFirst reads what Any refuses without the rest: %w", err)
		}
	}
	if diff := Diff(v, dst); diff != "" {
		return fmt.Errorf("UnmarshalFirst gives other values at v%s", diff)
	}
	return nil
}
