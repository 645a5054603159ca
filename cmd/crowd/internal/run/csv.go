package run

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// writeCSV writes the fields that are one value.
func writeCSV(w io.Writer, rows []ScoreRow) error {
	var header []string
	var fields []reflect.StructField
	for _, field := range reflect.VisibleFields(reflect.TypeFor[ScoreRow]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && isScalar(field.Type) {
			header, fields = append(header, name), append(fields, field)
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(header) // Flush keeps the first error
	for i := range rows {
		cells := make([]string, len(fields))
		for k, field := range fields {
			value, err := reflect.ValueOf(rows[i]).FieldByIndexErr(field.Index)
			if err == nil && value.Kind() == reflect.Pointer {
				value = value.Elem()
			}
			if err == nil && value.IsValid() {
				cells[k] = fmt.Sprint(value)
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// isScalar reports whether a value, or what it points to, is one cell of a table.
func isScalar(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() <= reflect.Float64 && t.Kind() != reflect.Invalid || t.Kind() == reflect.String
}
