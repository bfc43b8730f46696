package parquet

import "encoding/binary"

// The numbers of parquet.thrift: physical types, types of texts and times for older readers, encodings, a page of data, a codec.
const (
	typeInt64, typeByteArray      = 2, 6
	convertedUTF8, convertedMilli = 0, 9
	encodingPlain, encodingRLE    = 0, 3
	pageOfData                    = 0
	codecGzip                     = 2
)

// The types of the fields of a record, as in the compact protocol of Apache Thrift (thrift-compact-protocol.md).
const (
	fieldTrue   = 1
	fieldI32    = 5
	fieldI64    = 6
	fieldBinary = 8
	fieldList   = 9
	fieldStruct = 12
)

// A record is a struct of Thrift's compact protocol that is being written, its fields in ascending order.
type record struct {
	data []byte
	last byte // the number of the field before
}

func (r *record) field(number, kind byte) {
	r.data = append(r.data, (number-r.last)<<4|kind)
	r.last = number
}

func (r *record) i32(number byte, value int64) { r.integer(number, fieldI32, value) }
func (r *record) i64(number byte, value int64) { r.integer(number, fieldI64, value) }

func (r *record) integer(number, kind byte, value int64) {
	r.field(number, kind)
	r.data = binary.AppendVarint(r.data, value)
}

func (r *record) text(number byte, value string) {
	r.field(number, fieldBinary)
	r.data = append(binary.AppendUvarint(r.data, uint64(len(value))), value...)
}

func (r *record) flag(number byte) { r.field(number, fieldTrue) }

func (r *record) record(number byte, value []byte) {
	r.field(number, fieldStruct)
	r.data = append(r.data, value...)
}

func (r *record) list(number, kind byte, values ...[]byte) {
	r.field(number, fieldList)
	if len(values) < 15 {
		r.data = append(r.data, byte(len(values))<<4|kind)
	} else {
		r.data = binary.AppendUvarint(append(r.data, 15<<4|kind), uint64(len(values)))
	}
	for _, v := range values {
		r.data = append(r.data, v...)
	}
}

// end returns the record's bytes.
func (r *record) end() []byte { return append(r.data, 0) }

// alone returns a record with one field, which is a record.
func alone(number byte, value []byte) []byte {
	var r record
	r.record(number, value)
	return r.end()
}

var empty = (&record{}).end()

// pageHeader returns the PageHeader of a page of data. Sizes are in bytes, after and before compression.
func pageHeader(raw, packed, values int) []byte {
	var data record
	data.i32(1, int64(values))
	data.i32(2, encodingPlain)
	data.i32(3, encodingRLE) // of defined
	data.i32(4, encodingRLE) // of repeats
	var r record
	r.i32(1, pageOfData)
	r.i32(2, int64(raw))
	r.i32(3, int64(packed))
	r.record(5, data.end())
	return r.end()
}

// describe returns the ColumnChunk of a chunk whose page begins at the offset at. Sizes include the page's header.
func (c *chunk) describe(at, raw, packed int64) []byte {
	var meta record
	meta.i32(1, c.physical())
	meta.list(2, fieldI32, number(encodingPlain), number(encodingRLE))
	meta.list(3, fieldBinary, append(binary.AppendUvarint(nil, uint64(len(c.Name))), c.Name...))
	meta.i32(4, codecGzip)
	meta.i64(5, int64(c.entries()))
	meta.i64(6, raw)
	meta.i64(7, packed)
	meta.i64(9, at)
	var r record
	r.i64(2, at)
	r.record(3, meta.end())
	return r.end()
}

func number(n int64) []byte { return binary.AppendVarint(nil, n) }

func (c *chunk) physical() int64 {
	if c.Kind == Text {
		return typeByteArray
	}
	return typeInt64
}

// describeGroup returns the RowGroup of chunks.
func describeGroup(chunks [][]byte, raw, packed, rows int64) []byte {
	var r record
	r.list(1, fieldStruct, chunks...)
	r.i64(2, raw)
	r.i64(3, rows)
	r.i64(6, packed)
	return r.end()
}

// footer returns the FileMetaData.
func (w *Writer) footer() []byte {
	var root record
	root.text(4, "schema")
	root.i32(5, int64(len(w.columns)))
	schema := [][]byte{root.end()}
	for _, c := range w.columns {
		schema = append(schema, c.element())
	}
	var r record
	r.i32(1, 1) // the version of the format
	r.list(2, fieldStruct, schema...)
	r.i64(3, w.all)
	r.list(4, fieldStruct, w.groups...)
	r.text(6, w.creator)
	return r.end()
}

// element returns the SchemaElement of a column.
func (c *chunk) element() []byte {
	var r record
	r.i32(1, c.physical())
	r.i32(3, int64(c.Repetition))
	r.text(4, c.Name)
	switch c.Kind {
	case Text:
		r.i32(6, convertedUTF8)
		r.record(10, alone(1, empty)) // STRING
	case Time:
		r.i32(6, convertedMilli)
		var time record
		time.flag(1)                       // in UTC
		time.record(2, alone(1, empty))    // in milliseconds
		r.record(10, alone(8, time.end())) // TIMESTAMP
	}
	return r.end()
}
