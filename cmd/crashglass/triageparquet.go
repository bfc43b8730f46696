package main

import (
	"io"

	"crashglass/cmd/internal/parquet"
	"crashglass/core/base/version"
	"crashglass/core/report/triage"
)

// parquetColumns are the columns of a table with a row for each dump, and the cells of the group of a dump. docs/triage.md lists them.
var parquetColumns = []struct {
	parquet.Column
	of func(g *triage.Group) parquet.Cell
}{
	{required("kind"), func(g *triage.Group) parquet.Cell { return texts(string(g.Kind)) }},
	{required("signature"), func(g *triage.Group) parquet.Cell { return texts(g.Signature) }},
	{required("rules"), func(g *triage.Group) parquet.Cell { return texts(string(g.Rules)) }}, // "" if there was no crash
	{parquet.Column{Name: "count", Kind: parquet.Number}, func(g *triage.Group) parquet.Cell { return parquet.Cell{Numbers: []int64{int64(g.Count)}} }},
	{optional("what"), func(g *triage.Group) parquet.Cell { return texts(g.What.Values()...) }},
	{optional("reason"), func(g *triage.Group) parquet.Cell { return texts(g.Reason.Values()...) }},
	{optional("own"), func(g *triage.Group) parquet.Cell { return texts(g.Own.Values()...) }},
	{optional("system"), func(g *triage.Group) parquet.Cell { return texts(g.Systems.Values()...) }},
	{optional("dump"), func(g *triage.Group) parquet.Cell { return texts(g.Examples.Values()...) }},
	{parquet.Column{Name: "modules", Repetition: parquet.Repeated}, func(g *triage.Group) parquet.Cell { return texts(g.Modules.Values()...) }},
	{parquet.Column{Name: "written", Kind: parquet.Time, Repetition: parquet.Optional}, written},
}

func required(name string) parquet.Column { return parquet.Column{Name: name} }
func optional(name string) parquet.Column {
	return parquet.Column{Name: name, Repetition: parquet.Optional}
}
func texts(values ...string) parquet.Cell { return parquet.Cell{Texts: values} }

func written(g *triage.Group) (cell parquet.Cell) {
	if g.First != 0 {
		cell.Numbers = []int64{int64(g.First) * 1000}
	}
	return cell
}

// triageMapParquet writes a row for each group that each passes to add, as one table.
func triageMapParquet(w io.Writer, each func(add func(triage.Group) error)) error {
	var columns []parquet.Column
	for _, c := range parquetColumns {
		columns = append(columns, c.Column)
	}
	table := parquet.NewWriter(w, "crashglass "+version.Number(), columns)
	var failed error
	each(func(g triage.Group) error {
		var row []parquet.Cell
		for _, c := range parquetColumns {
			row = append(row, c.of(&g))
		}
		failed = table.Row(row...)
		return failed
	})
	if failed != nil {
		return failed
	}
	return table.Close()
}
