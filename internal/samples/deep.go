package samples

// Deep returns a document of the given number of nested levels, maps of one
// pair and arrays of two elements in turn:
//
//	{"k": [0, {"k": [1, ... nil]}]}
func Deep(levels int) []byte {
	var b []byte
	for i := range levels {
		if i%2 == 0 {
			b = AppendStr(AppendMap(b, 1), "k")
		} else {
			b = AppendInt(AppendArray(b, 2), int64(i/2))
		}
	}
	return AppendNil(b)
}
