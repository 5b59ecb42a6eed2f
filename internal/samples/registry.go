package samples

// A Sample is a named document, or a named stream of documents, made on demand.
type Sample struct {
	Name string
	Make func() []byte // returns the same bytes on every call, in a new slice
}

// All returns the benchmark documents, in the order reports list them.
func All() []Sample {
	const million = 1_000_000
	return []Sample{
		{"a4", func() []byte { return Users(4) }},
		{"a100", func() []byte { return Users(100) }},
		{"a1000", func() []byte { return Users(1000) }},
		{"b200", func() []byte { return Dates(200) }},
		{"twitter", TwitterLike},
		{"citm", CitmLike},
		{"canada", CanadaLike},
		{"d_ints", func() []byte { return Ints(million) }},
		{"d_floats", func() []byte { return Floats(million / 10) }},
		{"d_strs", func() []byte { return Strs(million / 10) }},
		{"d_map", func() []byte { return Map(million / 10) }},
		{"e_ascii", func() []byte { return ASCII(1 << 20) }},
		{"e_utf8", func() []byte { return UTF8(1 << 20) }},
		{"e_bin", func() []byte { return Bin(1 << 20) }},
		{"f_deep", func() []byte { return Deep(100) }},
	}
}

// Find returns the sample of All with the given name.
func Find(name string) (Sample, bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Sample{}, false
}
