package parity

import (
	"errors"
	"fmt"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// Outcome is what a comparison came to.
type Outcome struct {
	Shown   bool        // the walk accepted the input, so the peer saw it
	Value   bool        // both made a value
	Excused *Difference // the difference that explains why not both did; nil if both agree
}

// Compare decodes doc under the options of s and through the peer. The error is a
// difference without a name.
//
// The reference is the walk, then the peer, then that nothing follows the document.
func Compare(doc []byte, s *Set) (Outcome, error) {
	defer s.shortcuts()()
	v, err := s.decoder.Any(doc)
	if structure := walk.Check(doc, s.Options.Limits); structure != nil {
		if err == nil {
			return Outcome{}, fmt.Errorf("a value, and the walk refuses: %w", structure)
		}
		return Outcome{}, nil
	}
	out := Outcome{Shown: true}
	peer, end, peerErr := Peer(doc, s)
	if errors.Is(err, decode.ErrTrailing) && peerErr == nil {
		if off, _ := decode.OffsetOf(err); end == len(doc) || off != int64(end) {
			return out, fmt.Errorf("%w, and the peer reads %d of %d bytes", err, end, len(doc))
		}
		if v, err = s.decoder.Any(doc[:end]); err != nil {
			return out, fmt.Errorf("the same without what follows is refused: %w", err)
		}
	} else if err == nil && peerErr == nil && end != len(doc) {
		return out, fmt.Errorf("a value, and the peer reads %d of %d bytes", end, len(doc))
	}
	switch {
	case err == nil && peerErr == nil:
		out.Value = true
		if diff := Diff(v, peer); diff != "" {
			return out, fmt.Errorf("other values at v%s", diff)
		}
	case err == nil:
		return out, fmt.Errorf("a value, and the peer refuses: %w", peerErr)
	case peerErr == nil:
		_, _, flaw := Plain(doc, s)
		if flaw == nil {
			return out, fmt.Errorf("refused without a flaw: %w", err)
		}
		if out.Excused = named(flaw.What); out.Excused == nil {
			return out, fmt.Errorf("refused for %s, which is no named difference: %w", flaw.What, err)
		}
		if !errors.Is(err, flaw.Reason) {
			return out, fmt.Errorf("refused with another reason than %w: %w", flaw.Reason, err)
		}
	}
	return out, nil
}
