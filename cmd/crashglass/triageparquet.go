package main

import (
	"io"

	"crashglass/cmd/internal/parquet"
	"crashglass/core/base/version"
	"crashglass/core/report/triage"
)

// parquetColumns are the columns of a table with a row for each dump. docs/triage.md lists them.
var parquetColumns = []parquet.Column{
	{Name: "kind", Kind: parquet.Text},
	{Name: "signature", Kind: parquet.Text},
	{Name: "rules", Kind: parquet.Text}, // "" if there was no crash
	{Name: "count", Kind: parquet.Number},
	{Name: "what", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "reason", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "own", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "system", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "dump", Kind: parquet.Text, Repetition: parquet.Optional},
	{Name: "modules", Kind: parquet.Text, Repetition: parquet.Repeated},
	{Name: "written", Kind: parquet.Time, Repetition: parquet.Optional},
}

// parquetRow returns the cells of the group of one dump.
func parquetRow(g triage.Group) []parquet.Cell {
	row := make([]parquet.Cell, len(parquetColumns))
	for i, t := range [][]string{
		{string(g.Kind)}, {g.Signature}, {string(g.Rules)}, nil,
		g.What.Values(), g.Reason.Values(), g.Own.Values(), g.Systems.Values(), g.Examples.Values(), g.Modules.Values(),
	} {
		row[i].Texts = t
	}
	row[3].Numbers = []int64{int64(g.Count)}
	if g.First != 0 {
		row[10].Numbers = []int64{int64(g.First) * 1000}
	}
	return row
}

// triageMapParquet writes a row for each group that each passes to add, as one table.
func triageMapParquet(w io.Writer, each func(add func(triage.Group) error)) error {
	table := parquet.NewWriter(w, "crashglass "+version.Number(), parquetColumns)
	var failed error
	each(func(g triage.Group) error {
		failed = table.Row(parquetRow(g)...)
		return failed
	})
	if failed != nil {
		return failed
	}
	return table.Close()
}
