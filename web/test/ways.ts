// Every way out of a page and a worker that the platform has. Each is sent to a browser as text, gets an address, and is tried.

export type Way = (url: string) => unknown;
export type Ways = Readonly<Record<string, Way>>;

/** Of the page and of the worker. */
export const stopped: Ways = {
  fetch: url => fetch(url).catch(() => {}),
  'fetch, kept alive': url => fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body: 'x'}).catch(() => {}),
  XMLHttpRequest: url => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.send('x');
  },
  WebSocket: url => new WebSocket(url.replace('http', 'ws')),
  EventSource: url => new EventSource(url),
  WebTransport: url => Reflect.construct(Reflect.get(globalThis, 'WebTransport'), [url.replace('http:', 'https:')]),
};

export const stoppedInPage: Ways = {
  sendBeacon: url => navigator.sendBeacon(url, 'x'),
  image: url => {
    new Image().src = url;
  },
  font: url => void new FontFace('f', `url(${url})`).load().catch(() => {}),
  'a style with url()': url => {
    document.body.style.backgroundImage = `url(${url})`;
  },
  'a style sheet': url => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`body { background-image: url(${url}); cursor: url(${url}), auto }`);
    document.adoptedStyleSheets = [sheet];
  },
  'a link that pings': url => {
    const link = document.createElement('a');
    link.href = '#main';
    link.ping = url;
    document.body.append(link);
    link.click();
  },
  prefetch: url => {
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.href = url;
    document.head.append(link);
  },
  icon: url => {
    const link = document.createElement('link');
    link.rel = 'icon';
    link.href = url;
    document.head.append(link);
  },
  'speculation rules': url => {
    const script = document.createElement('script');
    script.type = 'speculationrules';
    script.textContent = JSON.stringify({prefetch: [{source: 'list', urls: [url]}]});
    document.head.append(script);
  },
  video: url => {
    document.createElement('video').src = url;
  },
  'a service worker': url => navigator.serviceWorker.register(url).catch(() => {}),
};

/** No request is made, but Chromium connects to the host before it looks at the policy. */
export const connects: Ways = {
  form: url => {
    const form = document.createElement('form');
    form.action = url;
    document.body.append(form);
    form.submit();
  },
  iframe: url => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
  },
};

/** No policy of today's browsers has a word for these. */
export const notStopped: Ways = {
  'window.open': url => window.open(url),
  'dns-prefetch': url => {
    const link = document.createElement('link');
    link.rel = 'dns-prefetch';
    link.href = url;
    document.head.append(link);
  },
  preconnect: url => {
    const link = document.createElement('link');
    link.rel = 'preconnect';
    link.href = url;
    document.head.append(link);
  },
  WebRTC: async url => {
    const {hostname, port} = new URL(url);
    const call = new RTCPeerConnection({iceServers: [{urls: `stun:${hostname}:${port}`}]});
    call.createDataChannel('x');
    await call.setLocalDescription(await call.createOffer());
  },
  navigation: url => {
    location.href = url;
  },
};
