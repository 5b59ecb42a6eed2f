// Boundpack reads MessagePack that may come from anyone: what is not one well-formed
// document within limits is refused, with the reason, the offset and the path.
//
//	Usage: boundpack COMMAND [FLAGS] [FILE]
//
//	  json     print documents as JSON
//	  check    say whether files are valid documents
//	  tokens   list the headers of a document
//	  open     print the payload of a CacheKit envelope
//	  seal     put a payload into a CacheKit envelope
//	  version  print the version
//	  help     explain a command: boundpack help json
//
// Without a FILE, and for -, standard input is read. Flags may stand before or after
// the files. The exit code is 0 if all went well, 1 if a document was refused or
// something could not be read or written, and 2 for a wrong command line.
//
// # boundpack json
//
//	Usage: boundpack json [--stream] [LIMITS] [FILE]
//
//	Prints the document as JSON on one line. With --stream the input is any number of
//	documents, one after another, and each is printed on a line as soon as it is
//	complete. Nothing of a document is printed unless all of it is valid: well-formed,
//	every str UTF-8 and, without --stream, nothing after it. The document is held in
//	memory, its JSON is not.
//
//	  MessagePack    JSON
//	  nil, bool      null, true, false
//	  int            a number, all its digits
//	  float          the shortest number that reads back as the same float 64, with a
//	                 point or an exponent to tell it from an int: 3.0, 0.1, 1e+21
//	                 "NaN", "Infinity", "-Infinity"
//	  str            a string; controls (C0, DEL, C1), U+2028, U+2029 and the marks
//	                 that turn the direction of text are escaped
//	  bin            a string: base64, padded
//	  timestamp      a string: RFC 3339, UTC, nanoseconds as far as they are not zero,
//	                 "2026-11-30T12:00:00.5Z"; outside the years 0 to 9999
//	                 {"timestamp":[seconds,nanoseconds]}
//	  ext            {"ext":[type,"base64"]}, also for type -1 where the content is no
//	                 valid timestamp
//	  array          an array
//	  map            an object, pairs in the order of the document, a key that is there
//	                 twice printed twice
//
//	  key            always a string
//	  str, bin       as above
//	  timestamp, ext as above; an object as a string of its JSON: "{\"ext\":[5,\"AA==\"]}"
//	  nil, bool, int, float
//	                 a string of the JSON: "null", "true", "7", "1.5", "NaN"
//	  array, map     "[array at byte N]", "[map at byte N]": where in the document it
//	                 stands, whatever it holds
//
//	A refusal in a stream also says which document, counted from 1, and at which byte
//	of the stream it starts; its own offset counts from there.
//
//	What claims more than --max-bytes or --max-items is refused at once in a stream, also
//	where it is cut short.
//
//	While a stream is read, standard error shows how far, if it is a terminal and standard
//	output is none.
//
// # boundpack check
//
//	Usage: boundpack check [--stream] [LIMITS] [FILE...]
//
//	Says of each file whether it is one valid document: well-formed within limits, every
//	str UTF-8, nothing after it. The length, the greatest number of arrays and maps open
//	at once, and the number of items, the root included, go to standard output:
//
//	  ok: 27 bytes, depth 2, items 8
//
//	With --stream a file is any number of documents, one after another; depth is that of the
//	deepest, items are those of all. A document that is refused for its UTF-8 or its memory
//	is reported and the next one read; after any other refusal the end of the document is
//	not known, and the file is left. While it is read, standard error shows how far, if it
//	is a terminal.
//
//	  ok: 3 documents, 27 bytes, depth 2, items 8
//
//	A refusal goes to standard error, with the path if it is not the root, and the flag
//	to raise if a limit was exceeded:
//
//	  FILE: msgpack document holds more than 100 items (at byte 42), path a.b[3], limit --max-items = 100
//
// # boundpack tokens
//
//	Usage: boundpack tokens [LIMITS] [FILE]
//
//	Lists every header on a line: offset, depth, kind, and the value or its beginning. A
//	document that is refused is listed up to the header that is refused.
//
//	         0     0  map of 1 pairs
//	         1     1    str "id"
//	         4     1    bin 3 bytes 010203
//
// # boundpack open
//
//	Usage: boundpack open [LIMITS] [FILE]
//
//	Prints the payload of the CacheKit envelope in the file as it is: boundpack open FILE |
//	boundpack json. Nothing is printed unless all of it passes: size, layout, ratio, the
//	compression, the checksum.
//
// # boundpack seal
//
//	Usage: boundpack seal [--format NAME] [LIMITS] [FILE]
//
//	Prints the file in a CacheKit envelope that open opens within the same limits. The name
//	of the format is msgpack if none is given, and is not looked at.
//
// # boundpack version
//
//	Usage: boundpack version
//
//	Prints the version of the command, of Go, and the platform it was built for.
//
// # Limits
//
//	Limits of one document, 0 for the default:
//
//	  --max-depth N  arrays and maps open at once  default 1024, at most 65535
//	  --max-bytes N  length in bytes               default 67108864 (64 MiB)
//	  --max-items N  items, the root included      default 4194304
//
// And of check:
//
//	--max-memory N if given, the document must also decode to a Go value that takes
//	               no more than N bytes of memory; 0 for 4 MiB and 192 bytes for
//	               each byte given, at most 256 MiB
//
// And of open and seal:
//
//	Limits, which can only be lowered, 0 for the default:
//
//	  --max-envelope N  length of the envelope in bytes  default 536870912 (512 MiB)
//	  --max-payload N   length of the payload in bytes   default 536870912 (512 MiB)
//	  --max-ratio N     payload in lengths of its block  default 1000
package main
