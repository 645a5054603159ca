package results

import (
	"fmt"
	"io"
	"iter"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is how many rows of a Parquet file are held in memory until they are written.
const rowGroup = 1 << 13

// WriteParquet writes rows as Apache Parquet, in their order. What is missing is null.
func (t *Table) WriteParquet(to io.Writer, rows iter.Seq2[*Row, error]) error {
	columns := t.columns()
	var of []reflect.StructField
	for i, c := range columns {
		of = append(of, reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: c.kind.pointer(), Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, c.name))})
	}
	row := reflect.New(reflect.StructOf(of)) // a struct keeps the order of the columns
	out := parquet.NewWriter(to, parquet.SchemaOf(row.Interface()), parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	for r, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			v := c.of(r)
			if v == nil {
				row.Elem().Field(i).SetZero()
				continue
			}
			cell := reflect.New(c.kind.pointer().Elem())
			cell.Elem().Set(reflect.ValueOf(v))
			row.Elem().Field(i).Set(cell)
		}
		if err := out.Write(row.Interface()); err != nil {
			return err
		}
	}
	return out.Close()
}

// pointer returns the type of the cells of a column.
func (k kind) pointer() reflect.Type {
	switch k {
	case aNumber:
		return reflect.TypeFor[*float64]()
	case anInt:
		return reflect.TypeFor[*int64]()
	case anUint:
		return reflect.TypeFor[*uint64]()
	}
	return reflect.TypeFor[*string]()
}
