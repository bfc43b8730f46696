package write

import (
	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
)

// Handles writes stream 12, MINIDUMP_HANDLE_DATA_STREAM with descriptors of the second version,
// with their names and further information.
func (w *Writer) Handles(list []minidump.Handle) {
	e := w.encoder()
	e.u32(16, format.Handle2Size, uint32(len(list)), 0)
	for i := range list {
		h := &list[i]
		e.u64(h.Value)
		e.u32(w.optionalText(h.Type), w.optionalText(h.Name),
			h.Attributes, h.Access, h.HandleCount, h.PointerCount, w.handleInfo(h.Info), 0)
	}
	w.Stream(minidump.HandleDataStream, e.b)
}

// optionalText is Text, but 0 for no text.
func (w *Writer) optionalText(text string) uint32 {
	if text == "" {
		return 0
	}
	return w.Text(text)
}

// handleInfo adds a chain of MINIDUMP_HANDLE_OBJECT_INFORMATION, the last one first, because each
// has the offset of the next. It returns the offset of the first, or 0.
func (w *Writer) handleInfo(infos []minidump.HandleInfo) uint32 {
	var next uint32
	for i := len(infos) - 1; i >= 0; i-- {
		e := w.encoder()
		e.u32(next, infos[i].Kind, uint32(len(infos[i].Data)))
		e.u8(infos[i].Data...)
		next = uint32(w.Put(e.b).RVA)
	}
	return next
}

// HandleOperations writes stream 18, MINIDUMP_HANDLE_OPERATION_LIST. It writes at most 32 return
// addresses, because the record has no room for more.
func (w *Writer) HandleOperations(list []minidump.HandleOperation) {
	e := w.encoder()
	e.u32(16, format.HandleOperationSize, uint32(len(list)), 0)
	for _, op := range list {
		stack := op.Stack[:min(len(op.Stack), format.MaxTrace)]
		e.u64(op.Handle)
		e.u32(op.ProcessID, op.ThreadID, uint32(op.Operation), 0)
		e.u32(uint32(len(stack)), 0)
		e.u64(stack...)
		e.u64(make([]uint64, format.MaxTrace-len(stack))...)
	}
	w.Stream(minidump.HandleOperationListStream, e.b)
}
