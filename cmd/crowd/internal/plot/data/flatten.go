package data

import (
	"bytes"
	"encoding/json"
)

// flatten adds the single values of an object to a row; those of an object within
// have its name and a dot before their own. Arrays are left out.
func (t *Table) flatten(row int, prefix string, object json.RawMessage, depth int) error {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name := prefix + key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		cell := string(value)
		switch cell[0] {
		case '[':
			continue
		case '{':
			if depth < 3 {
				if err := t.flatten(row, name+".", value, depth+1); err != nil {
					return err
				}
			}
			continue
		case '"':
			if err := json.Unmarshal(value, &cell); err != nil {
				return err
			}
		case 'n':
			cell = ""
		}
		t.put(row, name, cell)
	}
	return nil
}
