package samples

// The functions below append a str key and its value; the generators of objects
// with many fields read like the object they make.

func pairStr(b []byte, key, v string) []byte {
	return AppendStr(AppendStr(b, key), v)
}

func pairInt(b []byte, key string, v int64) []byte {
	return AppendInt(AppendStr(b, key), v)
}

func pairBool(b []byte, key string, v bool) []byte {
	return AppendBool(AppendStr(b, key), v)
}

func pairFloat(b []byte, key string, v float64) []byte {
	return AppendFloat64(AppendStr(b, key), v)
}

func pairNil(b []byte, key string) []byte {
	return AppendNil(AppendStr(b, key))
}

// pairStrOrNil appends nil where v is empty, as JSON services do.
func pairStrOrNil(b []byte, key, v string) []byte {
	if v == "" {
		return pairNil(b, key)
	}
	return pairStr(b, key, v)
}

// pairArray appends the key and the header of an array of n elements.
func pairArray(b []byte, key string, n int) []byte {
	return AppendArray(AppendStr(b, key), n)
}

// pairMap appends the key and the header of a map of n pairs.
func pairMap(b []byte, key string, n int) []byte {
	return AppendMap(AppendStr(b, key), n)
}
