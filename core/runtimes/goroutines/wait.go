package goroutines

import "crashglass/core/runtimes"

// maxCases bounds the cases of a select.
const maxCases = 64

// wait reads the channels for which a goroutine is queued, by the first of its entries in their queues.
func (f *finder) wait(g, entry uint64) *runtimes.Wait {
	w := &runtimes.Wait{}
	for n := 0; entry != 0 && n < maxCases; n++ {
		owner, _ := f.word(entry + uint64(f.at[sudogG]))
		addr, _ := f.word(entry + uint64(f.at[sudogC]))
		c, ok := f.channel(addr)
		if owner != g || !ok {
			return nil
		}
		if c.Send, ok = f.sends(addr, entry); !ok {
			return nil
		}
		w.Channels = append(w.Channels, c)
		entry, _ = f.word(entry + uint64(f.at[sudogLink]))
	}
	if len(w.Channels) == 0 {
		return nil
	}
	return w
}

// sends reports whether an entry is in a channel's queue of senders. Most channels have either senders or receivers; if both
// wait, in selects, the queues are searched.
func (f *finder) sends(channel, entry uint64) (send, ok bool) {
	senders, okS := f.word(channel + uint64(f.at[chanSend]))
	receivers, okR := f.word(channel + uint64(f.at[chanRecv]))
	switch {
	case !okS || !okR || senders == 0 && receivers == 0:
		return false, false
	case senders == 0 || receivers == 0:
		return senders != 0, true
	}
	if f.queues(senders, entry) {
		return true, true
	}
	return false, f.queues(receivers, entry)
}

// maxQueue bounds the entries of a queue that are gone through.
const maxQueue = 64

func (f *finder) queues(at, entry uint64) bool {
	for n := 0; at != 0 && n < maxQueue; n++ {
		if at == entry {
			return true
		}
		at, _ = f.word(at + uint64(f.at[sudogNext]))
	}
	return false
}

func (f *finder) channel(addr uint64) (c runtimes.Channel, ok bool) {
	count, ok := f.word(addr + uint64(f.at[chanCount]))
	size, known := f.word(addr + uint64(f.at[chanSize]))
	return runtimes.Channel{Address: addr, Buffered: count, Size: size}, ok && known && count <= size
}
