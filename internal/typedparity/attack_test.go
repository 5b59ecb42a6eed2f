package typedparity

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/internal/parity"
)

// TestAttack holds random and edited documents to the laws, under every set of options and
// for types of package decode, too.
func TestAttack(t *testing.T) {
	shown, values := 0, 0
	for i := range types(t) {
		typ := typeOf(*seed+1000, i, true)
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		for n := range documents {
			s := sets[(i+n)%len(sets)]
			doc := right(r.Uint64(), typ)
			switch n % 4 {
			case 1:
				doc, _ = wronged(r.Uint64(), typ)
			case 2:
				doc = parity.Edit(r, doc)
			case 3:
				doc = parity.NewGenerator(r, &s.Set).Document()
			}
			hold(t, doc, typ, s)
			if asStructure(doc, s) == nil {
				shown++
			}
			v := reflect.New(typ)
			if s.decoder.Unmarshal(doc, v.Interface()) == nil {
				values++
			}
		}
	}
	t.Logf("%d well-formed, %d values", shown, values)
}

// hold fails the test if doc breaks a law.
func hold(t *testing.T, doc []byte, typ reflect.Type, s *set) {
	t.Helper()
	check := func(doc []byte, typ reflect.Type) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return laws(doc, typ, s)
	}
	if check(doc, typ) != nil {
		t.Helper()
		t.Logf("set %s", s.Name)
		fail(t, doc, typ, check)
	}
}
