// Lets the tabs of one browser tell each other that the user has forgotten all files. The message does not leave the
// browser.
const channel = 'crashglass.forgotten';

export interface OtherTabs {
  /** Tells the other tabs. */
  forgotten(): void;
  /** Calls back when another tab has forgotten all files. */
  whenForgotten(call: () => void): void;
}

/** The other tabs of this page. If the browser has no channels or refuses them to the page, nothing is sent and no call is made. */
export function otherTabs(): OtherTabs {
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
