package typedparity

import "testing"

// FuzzTyped decodes any bytes into a random type, under every set of options, and holds the
// outcome to the plain decoder and to what package decode promises.
func FuzzTyped(f *testing.F) {
	for i := range 2 * shapes {
		f.Add(uint64(i), right(uint64(i), typeOf(1, i, true)))
	}
	f.Fuzz(func(t *testing.T, seed uint64, doc []byte) {
		typ := typeOf(1, int(seed%10000), true)
		for _, s := range sets {
			if err := laws(doc, typ, s); err != nil {
				t.Fatalf("%v, %s: %v", typ, s.Name, err)
			}
		}
	})
}
