// What the tabs of one browser tell each other: that the person had everything forgotten. Nothing of this leaves the browser.
const channel = 'crashglass.forgotten';

export interface Others {
  /** Tells the other tabs. */
  forgotten(): void;
  /** Calls when another tab was told to forget. */
  whenForgotten(call: () => void): void;
}

/** The other tabs of this page; none if the browser has no channels, or refuses them to the page. */
export function otherTabs(): Others {
  const to = open();
  return {
    forgotten: () => to?.postMessage(null),
    whenForgotten: call => to?.addEventListener('message', call),
  };
}

// Firefox throws for a page without storage, for example if it blocks cookies.
function open(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(channel);
  } catch {
    return null;
  }
}
