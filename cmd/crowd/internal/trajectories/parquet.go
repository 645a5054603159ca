package trajectories

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is how many samples of a Parquet file are held in memory until they
// are written.
const rowGroup = 1 << 17

// parquetWriter is Apache Parquet.
type parquetWriter struct{ *parquet.GenericWriter[Sample] }

func newParquet(to io.Writer) Writer {
	rows := parquet.NewGenericWriter[Sample](to, parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	return &parquetWriter{rows}
}

func (p *parquetWriter) Write(_ int, step []Sample, _ *Ground) error {
	_, err := p.GenericWriter.Write(step)
	return err
}
