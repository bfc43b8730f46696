// What the tabs of one browser tell each other: that the person had everything forgotten. Nothing of this leaves the browser.
const channel = 'crashglass.forgotten';

export interface Others {
  /** Tells the other tabs. */
  forgotten(): void;
  /** Calls when another tab was told to forget. */
  whenForgotten(call: () => void): void;
}

/** The other tabs of this page; none where the browser has no channels. */
export function otherTabs(): Others {
  const to = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channel);
  return {
    forgotten: () => to?.postMessage(null),
    whenForgotten: call => to?.addEventListener('message', call),
  };
}
