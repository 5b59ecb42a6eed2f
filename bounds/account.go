package bounds

// Account is what one document may still claim: the bytes it may still take,
// the items it still owes, and the items it may still promise. It is a small
// value, so that a loop can hold it in registers; each method returns the
// account after the event. A document is within its bounds as long as
// [Account.Within] holds after every header; an account that is not within its
// bounds must not be used further, except to say why.
//
// Depth is the third bound. It is the length of the [Stack] of open
// containers, compared where one is opened.
//
// It is machinery: see the package documentation.
type Account struct {
	// free is the bytes within reach (the input or MaxBytes, whichever ends
	// first) less those read and less one for every item owed: an item takes
	// at least its marker. free < 0 says that something promised is not
	// backed. Reading one byte of one owed item leaves it as it is.
	free int64
	// owed is the items promised by the open containers and not read yet, the
	// root included.
	owed int64
	// spare is MaxItems less the items claimed so far.
	spare int64
}

// Open returns the account of a document before its first byte. size is the
// length of the input it stands in; limits must be resolved.
func Open(size int, limits *Limits) Account {
	return Account{
		free:  int64(min(size, limits.MaxBytes)) - 1,
		owed:  1,
		spare: int64(limits.MaxItems) - 1,
	}
}

// Scalar takes one owed item of 1 + rest bytes.
func (a Account) Scalar(rest int64) Account {
	a.owed--
	a.free -= rest
	return a
}

// Take is Scalar in place, if everything promised is still backed then; else it does
// nothing and reports false.
func (a *Account) Take(rest int64) bool {
	if a.free < rest {
		return false
	}
	a.free -= rest
	a.owed--
	return true
}

// Fit returns the number of items of 1 + rest bytes that can be taken one after another:
// as many as are owed and, with all else that is owed, backed.
func (a Account) Fit(rest int64) int64 {
	if rest == 0 {
		return a.owed
	}
	return min(a.owed, a.free/rest)
}

// Container takes one owed item, a header of 1 + rest bytes that promises items.
func (a Account) Container(rest, items int64) Account {
	a.owed += items - 1
	a.free -= rest + items
	a.spare -= items
	return a
}

// Within reports whether everything promised is backed by bytes within reach
// and within MaxItems.
func (a Account) Within() bool { return a.free|a.spare >= 0 }

// Backed reports whether everything promised is backed by bytes within reach. After
// [Account.Scalar], which promises nothing, it says as much as Within.
func (a Account) Backed() bool { return a.free >= 0 }

// Owed returns the items promised and not read yet.
func (a Account) Owed() int64 { return a.owed }

// Claimed returns the items claimed so far, the root included.
func (a Account) Claimed(limits *Limits) int64 { return int64(limits.MaxItems) - a.spare }

// Free returns how many bytes may be taken beyond the one of each owed item, so that
// everything promised stays backed.
func (a Account) Free() int64 { return a.free }

// TakeItems takes items owed items of size bytes altogether, which must be backed: size less
// items is no more than Free.
func (a *Account) TakeItems(items, size int64) {
	a.free -= size - items
	a.owed -= items
}

// Spare returns how many items may still be promised.
func (a Account) Spare() int64 { return a.spare }

// Moved returns the account after headers of size bytes altogether, payloads included, that
// promised some items and leave owed of all that are promised. It is for loops that keep
// count themselves: an offset, what is owed and what is free are the same sum at every
// header, so two of the three will do.
func (a Account) Moved(size, owed, promised int64) Account {
	a.free += a.owed - size - owed
	a.owed = owed
	a.spare -= promised
	return a
}

// Records returns how many headers of one byte, at most n, each of which promises items of
// 1 + rest bytes, may be taken with those items in a row, so that everything promised stays
// backed and within MaxItems. items must be above 0.
func (a Account) Records(n, items, rest int64) int64 {
	return min(n, a.spare/items, a.free/(items*(1+rest)))
}

// TakeRecords takes n of what [Account.Records] allows.
func (a *Account) TakeRecords(n, items, rest int64) {
	a.free -= n * items * (1 + rest)
	a.spare -= n * items
	a.owed -= n
}
